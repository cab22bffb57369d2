"""Normal forms of C: each rewriting keeps the meaning of the text, or leaves the text as it is.

int i = 0; while (i < n) { ..; i++; }        for (i = 0; i < n; i++) { .. }
int i = a; do { ..; i++; } while (i < n);    for (i = a; i <= a || i < n; i++) { .. }
for (int i = n; i-- > 0;) .. i ..            for (int i = n; i > 0; i--) .. i - 1 ..
for (int i = 0, j = n; i < n; i++, j--) j    for (int i = 0; i < n; i++) n - (i - 0)
if (c) continue; ..                          if (!c) { .. }
for (..; i < n; i++) { if (c) break; .. }    for (..; i < n && !c; i++) { .. }
for (int d = 2; d > 0; d /= 2) ..            { { int d = 2; .. } { int d = 1; .. } }
int i = 7; for (i = 0; i < n; i++) ..        int i; for (i = 0; i < n; i++) ..
for (int i = 0; i < n; i++) .. *p++          for (int i = 0; i < n; i++) .. *(p + (i - 0))
int e = x; if (e > n) e = n;                 int e = x > n ? n : x;
if (x > b) b = x; else if (x < a) a = x;     if (x > b) b = x; if (x < a) a = x;    from one value on
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.alphaz_header import RUNTIME, runtime_functions
from alphaz.c.parse import parse as parse_file
from alphaz.c.preparation import INCLUDE, without_comments
from alphaz.c.walk import nodes, placed, with_blocks
from alphaz.diagnostics import Source
from alphaz.scop.constant_trips import unrolled
from alphaz.scop.cuda_builtins import without_cuda_builtins
from alphaz.scop.deduced_types import with_deduced_types
from alphaz.scop.device_memory import with_plain_memory
from alphaz.scop.device_vectors import with_lanes
from alphaz.scop.directive_forms import check_directives, check_parentheses
from alphaz.scop.embedded_steps import with_plain_steps, with_while_loops
from alphaz.scop.file_scope import plainly_typed, with_outer_constants
from alphaz.scop.generated_helpers import runtime_items
from alphaz.scop.getters import with_getters
from alphaz.scop.idioms import as_step, is_behind_directive, merge_branches, substituted, without_switches
from alphaz.scop.intrinsics import HEADERS, TYPES
from alphaz.scop.lane_exchanges import with_exchanges
from alphaz.scop.last_blocks import with_last_blocks
from alphaz.scop.late_pointers import with_late_pointers
from alphaz.scop.loop_exits import is_true, leaves_later, without_first_break, without_later_breaks
from alphaz.scop.macros import LINE_MARK
from alphaz.scop.minimum_and_maximum import with_separate_extremes
from alphaz.scop.name_checks import (
    check_declarations,
    check_device_code,
    check_enumerations,
    check_functions,
    check_iterators,
    check_names,
    check_uses,
)
from alphaz.scop.pointer_swaps import parities, with_swaps
from alphaz.scop.private_copies import with_own_declarations
from alphaz.scop.row_tables import with_arrays_of_rows
from alphaz.scop.shared_addresses import with_shared_addresses
from alphaz.scop.single_thread_values import with_values_before_regions
from alphaz.scop.sizes_by_address import with_sizes_by_value
from alphaz.scop.static_schedules import with_own_iterations
from alphaz.scop.structures import with_members
from alphaz.scop.substitution import as_declared, count, is_steady, mentioned, names_in, substitute_names, touched
from alphaz.scop.tasks import with_shared_tasks
from alphaz.scop.templates import instances
from alphaz.scop.thread_numbers import numbers_of, without_thread_numbers
from alphaz.scop.thread_slots import without_slots
from alphaz.scop.tree_queries import (
    Statements,
    changes,
    is_wide_integer,
    names_declared,
    names_of_item,
    scalar_type,
    stepped_name,
    targets,
)
from alphaz.scop.unsupported import outside, span_of
from alphaz.scop.vector_ssa import renew


def parse(
    source: Source, text: str, *, has_runtime: bool = False, sizes: tuple[str, frozenset[str]] | None = None
) -> c.File:
    """Returns the normalised tree of a preprocessed text of `source`; `has_runtime`: it includes `alphaz.h`, whose
    functions are in the tree as far as it uses them; `sizes`: a function with the arguments that may be pointers to
    sizes. Raises Rejected (AZ831, AZ832)."""
    written = _parsed(source, text)
    written = _with_runtime(source, text, written) if has_runtime else written
    check_uses(source, written)
    parsed = with_lanes(source, written)
    check_directives(source, parsed)
    check_parentheses(source, text, parsed)
    tree = with_swaps(with_getters(with_members(plainly_typed(with_outer_constants(parsed)))))
    items = (with_own_declarations(item, tree) if isinstance(item, c.Function) else item for item in tree.items)
    tree = replace(tree, items=tuple(items))
    tree = with_arrays_of_rows(with_late_pointers(tree))
    tree = with_sizes_by_value(tree, *(sizes or ()))
    check_names(source, tree)
    check_functions(source, tree)
    check_enumerations(source, tree)
    tree = with_last_blocks(tree)
    check_device_code(source, tree)
    check_declarations(source, tree)
    check_iterators(source, tree)
    called = {call.function for call in nodes(tree.items, c.Call)}

    def normalised(item: c.Item) -> c.Item:
        if not isinstance(item, c.Function):
            return item
        return _normalised(with_plain_memory(_plainly_worded(source, item)), is_called=item.name in called)

    return replace(tree, items=tuple(map(normalised, tree.items)))


def _plainly_worded(source: Source, function: c.Function) -> c.Function:
    return with_exchanges(source, without_cuda_builtins(source, function))


def _parsed(source: Source, text: str) -> c.File:
    """Returns the tree, with the vector types of the headers that the source includes as typedefs in front."""
    templates = instances(source, text)
    vectors = (*_header_vectors(source.text), *templates.typedefs)
    file = parse_file(source, templates.text, [vector.name for vector in vectors], is_partial=True)
    file = with_deduced_types(source, with_shared_addresses(templates.applied(file)))
    if LINE_MARK.search(text):
        # The names of files are those of further files.
        file = placed(file, "")
    return replace(file, items=(*vectors, *file.items))


def _with_runtime(source: Source, text: str, tree: c.File) -> c.File:
    """Returns the tree behind functions of `alphaz.h`. Raises Rejected if it defines a name of that header again."""
    for item in tree.items:
        for name in names_of_item(item):
            if name in runtime_functions():
                raise outside(span_of(source, item), f"`{name}` is a function of {RUNTIME} too", "give it another name")
    is_cuda = any(item.qualifiers for item in tree.items if isinstance(item, c.Function))
    items = runtime_items(frozenset(re.findall(r"\w+", text)), is_cuda=is_cuda)
    return replace(tree, items=(*items, *tree.items))


def _header_vectors(text: str) -> Iterator[c.Typedef]:
    included = HEADERS & {
        include["name"] for include in INCLUDE.finditer(without_comments(text)) if "<" in include["header"]
    }
    is_arm, is_other = "arm_neon.h" in included, bool(included - {"arm_neon.h"})
    for name, vector in TYPES.items():
        if is_other if name.startswith("__m") else is_arm:
            yield c.Typedef(c.Vector(c.scalar(vector.type), vector.bytes), name)


_OF_CASES = "write branches (`if`), or cases that are constants, change no part of the value, and end with `break`"


def _normalised(function: c.Function, *, is_called: bool) -> c.Function:
    if function.body is not None and nodes(function.body, c.Switch):
        function = replace(function, body=without_switches(function.body))
    if function.body is None:
        return function
    for jump in nodes(function.body, (c.Goto, c.Switch)):
        what, remedy = (
            ("this `switch`", _OF_CASES) if isinstance(jump, c.Switch) else ("`goto`", "write loops and `if`")
        )
        return replace(function, body=(c.Unsupported(f"{what} is not supported", remedy, at=jump.at), *function.body))
    if nodes(function.body, c.Member):
        return function
    function = with_values_before_regions(with_separate_extremes(function, is_called))
    plain = _in_normal_form(function)
    if numbers_of(plain) is not None:
        function = without_thread_numbers(without_slots(plain))
        plain = _in_normal_form(function)
    # What is left of steps in expressions and moving pointers needs integers of its own.
    if with_plain_steps(plain) is not plain:
        plain = _in_normal_form(with_plain_steps(function))
    return renew(replace(plain, body=with_while_loops(plain.body or ())))


def _in_normal_form(function: c.Function) -> c.Function:
    body = _block(function.body or (), function.body or ())
    return replace(function, body=with_own_iterations(with_shared_tasks(parities(body))))


def _block(statements: Sequence[c.Statement], body: Statements) -> Statements:
    """Returns the normalised statements of a block in a function's `body`."""
    block: list[c.Statement] = []
    for original in statements:
        statement = _statement(original, body)
        if isinstance(statement, c.If):
            block, statement = _clamped(block, statement)
        if isinstance(statement, c.For) and not statement.start and not is_behind_directive(block, len(block)):
            block, statement = _with_start(block, statement)
        if isinstance(statement, c.For):
            statement = without_later_breaks(statement, original, body)
        if isinstance(statement, c.DoWhile) and not is_behind_directive(block, len(block)):
            block, statement = _at_least_once(block, statement)
        block = _without_unused_start(block, statement) if isinstance(statement, c.For) else block
        iterations = unrolled(statement) if isinstance(statement, c.For) else None
        block.append(statement if iterations is None else c.Block(iterations, at=statement.at))
    return tuple(block)


def _statement(node: c.Statement, body: Statements) -> c.Statement:
    inside = with_blocks(node, lambda block: _block(block, body))
    match inside:
        case c.DoWhile():
            return replace(inside, body=_going_on(inside.body))
        case c.For() | c.While():
            inside = without_first_break(inside)
            loop = _counted_loop(replace(inside, body=_going_on(inside.body)))
            return _one_iterator(_downwards(loop), node, body) if isinstance(loop, c.For) else loop
    return inside


def _going_on(statements: Statements) -> Statements:
    """Returns the body of a loop with each `continue` that ends a branch replaced by the negated branch."""
    for position, statement in enumerate(statements):
        match statement:
            case c.If(test, (*before, c.Continue()), ()) if not is_behind_directive(statements, position):
                if nodes(before, c.Continue):
                    continue
                rest = _going_on(statements[position + 1 :])
                if before:
                    branch = replace(statement, then=tuple(before), otherwise=rest)
                else:
                    branch = replace(statement, condition=c.Unary("!", test, at=statement.at), then=rest)
                return *statements[:position], branch
    return statements


def _counted_loop(loop: c.For | c.While) -> c.For | c.While:
    """Returns a loop whose last statement is the step of the variable in its condition as a `for` loop."""
    start, test = (loop.start, loop.test) if isinstance(loop, c.For) else ((), loop.condition)
    if not loop.body or (isinstance(loop, c.For) and loop.steps):
        return loop
    *before, last = loop.body
    step = as_step(last)
    name = _stepped_variable(step)
    if (
        step is None
        or name is None
        or not (name in names_in(test) or (is_true(test) and leaves_later(loop)))
        or names_in(step) & names_declared(before)
        or nodes(before, c.Continue)
        or is_behind_directive(loop.body, len(before))
    ):
        return loop
    return c.For(start=start, test=test, steps=(step,), body=tuple(before), at=loop.at)


def _at_least_once(before: list[c.Statement], loop: c.DoWhile) -> tuple[list[c.Statement], c.Statement]:
    """Returns a `do` loop as a `for` loop whose condition is skipped the first time, and the statements before it
    without the start of its variable; both unchanged if it is no such loop."""
    inside, test = loop.body, loop.condition
    match test:
        case c.Binary(operator, c.Step(way, is_prefix, left) as step, right):
            inside = (*inside, c.Evaluate(step, at=step.at))
            if not is_prefix:
                left = c.Binary("-" if way == "++" else "+", left, c.Literal("1", at=loop.at), at=loop.at)
            test = c.Binary(operator, left, right, at=test.at)
    last = as_step(inside[-1]) if inside else None
    name, is_up = _stepped_variable(last), _goes_up(last)
    if last is None or name is None or is_up is None or name not in names_in(test) or changes(test):
        return before, loop
    rest = inside[:-1]
    if is_behind_directive(inside, len(rest)) or nodes(rest, c.Continue):
        return before, loop
    rest_before, counted = _with_start(before, c.For(start=(), test=test, steps=(last,), body=rest, at=loop.at))
    match counted.start:
        case (c.Assign(target, value),) if is_steady({name, *names_in(value)}, rest):
            first = c.Binary("<=" if is_up else ">=", target, value, at=loop.at)
            return rest_before, replace(counted, test=c.Binary("||", first, test, at=loop.at))
    return before, loop


def _goes_up(step: c.Expression | None) -> bool | None:
    """Returns True for a step of one upwards, False for one downwards; None for other expressions."""
    match step:
        case c.Step(way):
            return way == "++"
        case c.Set("+=" | "-=" as way, value=c.Literal()):
            return way == "+="
        case c.Set("=", value=c.Binary("+" | "-" as way, right=c.Literal())):
            return way == "+"
    return None


def _stepped_variable(step: c.Expression | None) -> str | None:
    """Returns the variable that an expression increments, decrements, multiplies or divides."""
    match step:
        case c.Set("=", c.Name(name), c.Binary(left=c.Name(other))) if name == other:
            return name
        case c.Set("*=" | "/=" | "<<=" | ">>=", c.Name(name)):
            return name
    return None if step is None else stepped_name(step)


def _with_start(before: list[c.Statement], loop: c.For) -> tuple[list[c.Statement], c.For]:
    """Returns the statements before a loop, and the loop, with the start moved from among them into its head."""
    name = _stepped_variable(loop.steps[0]) if len(loop.steps) == 1 else None
    if name is None:
        return before, loop
    for position in reversed(range(len(before))):
        item, behind = before[position], before[position + 1 :]
        value: c.Expression | None = None
        before_loop: list[c.Statement] = []
        match item:
            case c.Assign(c.Name(own), start_value, "=") if own == name:
                value = start_value
            case c.Declare(type=type_, name=own, value=start_value, storage="") if (
                own == name and scalar_type(type_) is not None
            ):
                value, before_loop = start_value, [replace(item, value=None)]
        if value is None:
            if name in mentioned(item) or isinstance(item, c.Omp | c.Pragma):
                break
            continue
        if is_behind_directive(before, position) or names_in(value) & touched(behind) or changes(value):
            break
        start = c.Assign(c.Name(name, at=loop.at), value, at=loop.at)
        return [*before[:position], *before_loop, *behind], replace(loop, start=(start,))
    return before, loop


def _without_unused_start(before: list[c.Statement], loop: c.For) -> list[c.Statement]:
    """Returns the statements before a loop without the value of its iterator that its head replaces, and nothing
    reads: `int i = 0; for (i = 0; ..)`."""
    match loop.start:
        case (c.Assign(c.Name(name), value, "="),) if name not in names_in(value):
            pass
        case _:
            return before
    at = next((position for position in reversed(range(len(before))) if name in mentioned(before[position])), None)
    item = None if at is None else before[at]
    match item:
        case c.Declare(type=type_, name=own, value=start, storage="") if start is not None and own == name:
            if is_wide_integer(scalar_type(type_)) and name not in names_in(start) and not changes(start):
                return [replace(item, value=None) if statement is item else statement for statement in before]
    return before


def _downwards(loop: c.For) -> c.For:
    """Returns `for (int i = n; i-- > 0;)` with the step in its place, if i is not used after the loop; other loops
    unchanged."""
    match loop:
        case c.For(
            (c.Declare(type=declared, name=name),),
            c.Binary(">", c.Step("--", False, c.Name(tested)), c.Literal("0"))
            | c.Binary(">=", c.Step("--", True, c.Name(tested)), c.Literal("0")),
            (),
        ) if name == tested and is_steady({name}, loop.body):
            pass
        case _:
            return loop
    type_ = scalar_type(declared)
    is_after = isinstance(loop.test, c.Binary) and loop.test.operator == ">"
    if not is_after and (type_ is None or not type_.signed):
        return loop
    own, one, zero = c.Name(name, at=loop.at), c.Literal("1", at=loop.at), c.Literal("0", at=loop.at)
    return replace(
        loop,
        test=c.Binary(">", own, zero, at=loop.at),
        steps=(c.Step("--", False, own, at=loop.at),),
        body=substituted(loop.body, {name: c.Binary("-", own, one, at=loop.at)}),
    )


def _one_iterator(loop: c.For, original: c.Statement, body: Statements) -> c.For:
    """Returns a loop with the second of two iterators with steps of one expressed by the first, if it is not used
    after the loop; other loops unchanged. `original` is the loop as it is in the function's `body`."""
    match loop.start:
        case (c.Declare(name=name) as one, c.Declare(name=other) as two):
            first, second = one.value, two.value
            declared = [one, two]
        case (c.Assign(c.Name(name), first, "="), c.Assign(c.Name(other), second, "=")):
            if count(body, other) != count(original, other):
                return loop
            declared = [node for node in nodes(body, c.Declare) if node.name in (name, other)]
        case _:
            return loop
    types = [scalar_type(item.type) for item in declared]
    if len(types) != 2 or types[0] != types[1] or not is_wide_integer(types[0]):
        return loop
    ways = {
        step.operand.name: step.operator
        for step in loop.steps
        if isinstance(step, c.Step) and isinstance(step.operand, c.Name)
    }
    if name == other or {*ways} != {name, other} or len(loop.steps) != 2:
        return loop
    if first is None or second is None or loop.test is None:
        return loop
    used = names_in((first, second))
    if {name, other} & used or changes((first, second)) or not is_steady({name, other, *used}, loop.body):
        return loop
    progress = c.Binary("-", c.Name(name, at=loop.at), first, at=loop.at)
    value = c.Binary("+" if ways[name] == ways[other] else "-", second, progress, at=loop.at)
    there = {other: as_declared(declared[1].type, value)}
    return replace(
        loop,
        start=loop.start[:1],
        test=substitute_names(loop.test, there),
        steps=tuple(step for step in loop.steps if name in names_in(step)),
        body=substituted(loop.body, there),
    )


def _clamped(before: list[c.Statement], item: c.If) -> tuple[list[c.Statement], c.Statement]:
    """Returns the declaration of an integer e merged with a following `if (e > n) e = n;`, with or without else, and
    the other statements before; both unchanged if this is no such branch."""
    branches = merge_branches(item)
    if branches is None or not isinstance(branches[0], c.Name):
        return before, item
    name = branches[0].name
    declarations = [
        (position, one) for position, one in enumerate(before) if isinstance(one, c.Declare) and one.name == name
    ]
    if not declarations or is_behind_directive(before, declarations[-1][0]) or is_behind_directive(before, len(before)):
        return before, item
    at, declared = declarations[-1]
    rest = before[at + 1 :]
    type_, first = scalar_type(declared.type), declared.value
    merged = merge_branches(item, declared.type)
    assert merged is not None
    value = merged[1]
    if type_ is None or type_.kind != "int" or declared.storage or (first is None and name in names_in(value)):
        return before, item
    parts = (value,) if first is None else (first, value)
    if changes(parts) or nodes(parts, c.Call) or name in mentioned(rest):
        return before, item
    if any(isinstance(statement, c.Omp | c.Pragma) for statement in rest):
        return before, item
    if first is not None:
        if names_in(first) & touched(rest) or not _is_quiet(rest):
            return before, item
        value = substitute_names(value, {name: as_declared(declared.type, first)})
    return [*before[:at], *rest], replace(declared, value=value)


def _is_quiet(statements: Sequence[c.Statement]) -> bool:
    """Returns True if statements change only variables that they name."""
    return all(isinstance(target, c.Name) for target in targets(statements)) and not nodes(statements, c.Call)
