"""Induction variables: integers and pointers that take one step in each iteration, as functions of the iterator.

const double *p = A; int k = 0;       const double *p = A; int k = 0;
for (int i = a; i < n; i++) {         for (int i = a; i < n; i++) {
    B[k] = *p++;                          B[k + (i - a) * 2] = *(p + (i - a));
    k += 2;
}                                     }
"""

from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import nodes, with_blocks
from alphaz.scop.idioms import as_statement, is_behind_directive, substituted
from alphaz.scop.pointer_swaps import start_of
from alphaz.scop.substitution import as_declared, count, exchanged, is_steady, mentioned, names_in, substitute_names
from alphaz.scop.tree_queries import (
    Statements,
    addressed,
    is_wide_integer,
    names_among,
    names_declared,
    scalar_type,
    stepped_name,
    targets,
)

_Change = c.Step | c.Assign | c.Set
_LEFT_EARLY = (c.Continue, c.Break, c.Return)


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """The change of `name`, of the type `type`, in statement `at` of a loop's body, by `node`: up or down by
    `amount`, or by one (None)."""

    name: str
    type: c.Type
    at: int
    node: _Change
    amount: c.Expression | None
    is_up: bool

    def moved(self, steps: c.Expression) -> c.Expression:
        """Returns the variable after this number of steps."""
        place = self.node.at
        far = steps if self.amount is None else c.Binary("*", steps, self.amount, at=place)
        value = c.Binary("+" if self.is_up else "-", c.Name(self.name, at=place), far, at=place)
        return as_declared(self.type, value)


def without_induction_variables(
    statements: Statements, definition: c.Function, counters: frozenset[str], *, is_directed: bool = False
) -> Statements:
    """Returns the statements of a block without induction variables; `counters` are the variables of the block with a
    value. `is_directed`: the block is that of a directive about its loop."""
    block: list[c.Statement] = []
    for position, original in enumerate(statements):
        statement = _inside(original, definition)
        if (
            isinstance(statement, c.Declare)
            and statement.value is not None
            and not statement.storage
            and _counts(statement.type)
        ):
            counters |= {statement.name}
        if isinstance(statement, c.For):
            statement = _by_index(statement, definition)
            if not is_directed and not is_behind_directive(statements, position):
                statement = _at_the_end(statement)
                used = counters & names_in(statement.body)
                for name in sorted(used - mentioned(statements[position + 1 :]) if used else ()):
                    statement = _in_terms_of_iterator(name, statement, definition)
        block.append(statement)
    return tuple(block)


def induction_parameters(definition: c.Function) -> frozenset[str]:
    """Returns the parameters that may be induction variables."""
    return frozenset(
        parameter.name for parameter in definition.parameters if parameter.name and _counts(parameter.type)
    )


def _counts(type_: c.Type) -> bool:
    return is_wide_integer(scalar_type(type_)) or isinstance(type_, c.Pointer | c.Array)


def _inside(statement: c.Statement, definition: c.Function) -> c.Statement:
    """Returns a statement without induction variables in the blocks inside it."""
    is_directed = isinstance(statement, c.Omp) and not {"for", "simd"}.isdisjoint(statement.directive.split())
    return with_blocks(
        statement, lambda block: without_induction_variables(block, definition, frozenset(), is_directed=is_directed)
    )


def _by_index(loop: c.For, definition: c.Function) -> c.For:
    """Returns `for (double *p = a; p < a + n; p++) .. p ..` as `for (long p_at = 0; p_at < n; p_at++) .. (a + p_at)
    ..`, and other loops unchanged."""
    match loop.start, loop.test:
        case (
            (c.Declare(type=c.Pointer() as pointed, name=name, value=start),),
            c.Binary("<" | "!=" as operator, c.Name(tested), end),
        ) if name == tested and start is not None:
            pass
        case _:
            return loop
    length = distance(start, end, definition)
    own = [step for step in loop.steps if stepped_name(step) == name]
    own_names, index = _own_names(definition), f"{name}_at"
    if length is None or len(own) != 1 or not isinstance(own[0], c.Step) or own[0].operator != "++":
        return loop
    fixed = all(_is_fixed(bound, {*own_names} - {name}) for bound in (start, length))
    used = {name, *names_in(start), *names_in(length)}
    taken = {definition.name, *(parameter.name for parameter in definition.parameters)} | mentioned(definition)
    if not fixed or own_names.count(name) != 1 or index in taken or not is_steady(used, loop.body):
        return loop
    position = c.Name(index, at=loop.at)
    # The elements have its type.
    there = {name: c.Binary("+", c.Cast(pointed, start, at=loop.at), position, at=loop.at)}
    return replace(
        loop,
        start=(c.Declare(c.Scalar("long"), index, c.Literal("0", at=loop.at), at=loop.at),),
        test=c.Binary(operator, position, length, at=loop.at),
        steps=tuple(
            c.Step("++", False, position, at=loop.at) if step is own[0] else substitute_names(step, there)
            for step in loop.steps
        ),
        body=substituted(loop.body, there),
    )


def distance(start: c.Expression, end: c.Expression, definition: c.Function) -> c.Expression | None:
    """Returns the distance of two pointers: n of `a` and `a + n`, or of a name for `a + n` that never changes."""
    match end:
        case c.Binary("+", left, right) if left == start:
            return right
        case c.Binary("+", left, right) if isinstance(start, c.Binary) and start.operator == "+" and start.left == left:
            return c.Binary("-", right, start.right, at=end.at)
        case c.Unary("&", c.Index(array, right)) if array == start:
            return right
        case c.Name(name) if _own_names(definition).count(name) == 1:
            declared = (node for node in nodes(definition.body, c.Declare) if node.name == name and not node.storage)
            one = next((node.value for node in declared if isinstance(node.type, c.Pointer)), None)
            # Its operands do not change before the loop, and are no others there.
            is_fixed = (
                one is not None and is_invariant(one, definition) and name not in names_among(targets(definition.body))
            )
            if one is not None and is_fixed and not isinstance(one, c.Name):
                return distance(start, one, definition)
    return None


def is_invariant(value: c.Expression, definition: c.Function) -> bool:
    """Returns True if an expression has one value everywhere in a function: its names mean one variable each, which
    nothing changes."""
    declared = [node.name for node in declarations(definition)]
    names = names_in(value)
    changed = names_among(targets(definition.body)) | names_among(addressed(definition.body))
    return not names & changed and all(declared.count(name) <= 1 for name in names) and not nodes(value, c.Call)


def _at_the_end(loop: c.For) -> c.For:
    """Returns a loop with steps `i++, p++` as one with the step `i++`, and the others at the end of the body."""
    start = start_of(loop)
    if start is None or len(loop.steps) < 2 or any(stepped_name(step) is None for step in loop.steps):
        return loop
    own = tuple(step for step in loop.steps if stepped_name(step) == start[0])
    others = [step for step in loop.steps if stepped_name(step) != start[0]]
    # The names in the steps mean the variables outside of the body.
    if len(own) != 1 or names_in(others) & {start[0], *names_declared(loop.body)} or nodes(loop.body, _LEFT_EARLY):
        return loop
    return replace(loop, steps=own, body=(*loop.body, *map(as_statement, others)))


def _in_terms_of_iterator(name: str, loop: c.For, definition: c.Function) -> c.For:
    """Returns a loop with a variable whose only change is one step in each iteration replaced by its value in the
    iteration; unchanged if it is none."""
    start, step = start_of(loop), _step(name, loop.body, definition)
    match loop.steps:
        case (c.Step(operator, operand=c.Name(stepped)),) if start is not None and stepped == start[0]:
            pass
        case _:
            return loop
    if step is None:
        return loop
    iterator, value = start
    fixed = [value] if step.amount is None else [value, step.amount]
    names_used = {iterator, *names_in(fixed)}
    own_names = _own_names(definition)
    is_known = own_names.count(name) == 1 and all(_is_fixed(value, {*own_names} - {iterator, name}) for value in fixed)
    if not is_known or name in names_in(loop.test) or nodes(loop.body, _LEFT_EARLY):
        return loop
    own = c.Name(iterator, at=loop.at)
    first, last = (value, own) if operator == "++" else (own, value)
    rewritten = _with_steps(step, c.Binary("-", last, first, at=loop.at), loop.body)
    return replace(loop, body=rewritten) if is_steady({name, *names_used}, rewritten) else loop


def declarations(definition: c.Function) -> list[c.Parameter | c.Declare]:
    """Returns the parameters and all declarations of a function."""
    return [*definition.parameters, *nodes(definition.body, c.Declare)]


def _own_names(definition: c.Function) -> list[str]:
    """Returns the names that a function declares, once for each declaration, except those that other functions may
    change."""
    given_away = names_among(addressed(definition.body))
    return [
        node.name
        for node in declarations(definition)
        if node.name not in given_away and not (isinstance(node, c.Declare) and node.storage)
    ]


def _is_fixed(node: c.Expression, names: set[str]) -> bool:
    """Returns True if an expression consists of these names and of constants."""
    match node:
        case c.Literal() | c.String():
            return True
        case c.Name(name):
            return name in names
        case c.Unary("+" | "-", operand) | c.Cast(operand=operand):
            return _is_fixed(operand, names)
        case c.Binary("+" | "-" | "*" | "/", left, right):
            return _is_fixed(left, names) and _is_fixed(right, names)
    return False


def _step(name: str, body: Statements, definition: c.Function) -> _Step | None:
    """Returns the only change of the variable, if it happens exactly once in each execution of the body."""
    changes = [(position, node) for position, statement in enumerate(body) for node in _changes(statement, name)]
    if not changes or targets(body).count(c.Name(name)) != 1:
        return None
    at, node = changes[0]
    if is_behind_directive(body, at) or not _is_done_once(body[at], node, name):
        return None
    type_ = next(declaration.type for declaration in declarations(definition) if declaration.name == name)
    if isinstance(node, c.Step):
        return _Step(name=name, type=type_, at=at, node=node, amount=None, is_up=node.operator == "++")
    return _Step(name=name, type=type_, at=at, node=node, amount=node.value, is_up=node.operator == "+=")


def _changes(statement: c.Statement, name: str) -> list[_Change]:
    """Returns the steps of a variable in a statement."""
    every = [*nodes(statement, c.Step), *nodes(statement, (c.Assign, c.Set))]
    return [node for node in every if stepped_name(node) == name]


def _is_alone(statement: c.Statement, node: _Change) -> bool:
    """Returns True if a statement consists of this step."""
    return statement is node or (isinstance(statement, c.Evaluate) and statement.expression is node)


def _is_done_once(statement: c.Statement, node: _Change, name: str) -> bool:
    """Returns True if a statement executes this step exactly once, and does not use the variable otherwise."""
    if _is_alone(statement, node):
        return True
    is_plain = isinstance(statement, c.Assign | c.Declare) and not nodes(statement, c.Ternary)
    may_skip = any(operation.operator in ("&&", "||") for operation in nodes(statement, c.Binary))
    return is_plain and not may_skip and isinstance(node, c.Step) and count(statement, name) == 1


def _with_steps(step: _Step, steps: c.Expression, body: Statements) -> Statements:
    """Returns a body without this step, after `steps` of it."""
    one = c.Literal("1", at=step.node.at)
    before, behind = step.moved(steps), step.moved(c.Binary("+", steps, one, at=step.node.at))
    here: Statements = ()
    if not _is_alone(body[step.at], step.node):
        is_prefix = isinstance(step.node, c.Step) and step.node.prefix
        here = (exchanged(body[step.at], step.node, behind if is_prefix else before),)
    return (
        *substituted(body[: step.at], {step.name: before}),
        *here,
        *substituted(body[step.at + 1 :], {step.name: behind}),
    )
