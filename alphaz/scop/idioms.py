"""Simpler forms of C: branches that assign one cell, switches, sections, collapsed loops, and pointers to rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from alphaz.c import tree as c
from alphaz.c.walk import blocks, nodes, with_blocks
from alphaz.diagnostics import Span
from alphaz.scop.substitution import as_declared, count, is_steady, names_in, substitute_names
from alphaz.scop.tree_queries import (
    Trees,
    addressed,
    changes,
    integer,
    is_integer,
    is_simple,
    is_wide_integer,
    scalar_type,
    targets,
    words_of_directives,
)
from alphaz.scop.unsupported import outside

# --- statements -------------------------------------------------------------------------------------------------------


def is_behind_directive(statements: Sequence[c.Statement], position: int) -> bool:
    """Returns True if the line in front of a statement is a directive that does not contain it: `ivdep`,
    `omp barrier`."""
    before = statements[position - 1] if position else None
    return isinstance(before, c.Pragma) or (isinstance(before, c.Omp) and before.body is None)


def substituted(statements: Sequence[c.Statement], values: Mapping[str, c.Expression]) -> tuple[c.Statement, ...]:
    """Returns copies of statements with variables replaced by these values, simultaneously."""
    return tuple(substitute_names(statement, values) for statement in statements)


def as_step(statement: c.Statement | None) -> c.Expression | None:
    """Returns an assignment or a call as an expression, as in the head of a loop; None for other statements."""
    match statement:
        case c.Assign(target, value, operator):
            return c.Set(operator, target, value, at=statement.at)
        case c.Evaluate(expression):
            return expression
    return None


def as_statement(step: c.Expression) -> c.Statement:
    """Returns an expression with an effect as a statement."""
    if isinstance(step, c.Set):
        return c.Assign(step.target, step.value, step.operator, at=step.at)
    return c.Evaluate(step, at=step.at)


# --- branches ---------------------------------------------------------------------------------------------------------


_PLAIN_UPDATE = frozenset({"update", "seq_cst", "relaxed", "hint"})
"""Clauses of `omp atomic` whose statement is an update."""


def merge_branches(item: c.If, type_: c.Type | None = None) -> tuple[c.Expression, c.Expression] | None:
    """Returns the cell and the value of `if (c) x = a; else x = b;`, read as `x = c ? a : b`; None for other
    statements. With the type of the cell, both values are converted to it."""
    if not item.then and item.otherwise:
        negated = c.Unary("!", item.condition, at=item.at)
        return merge_branches(replace(item, condition=negated, then=item.otherwise, otherwise=()), type_)
    then = _assigned(item.then, type_)
    if then is None:
        return None
    target, value = then
    if not item.otherwise:
        return target, c.Ternary(item.condition, value, target, at=item.at)
    otherwise = _assigned(item.otherwise, type_)
    if otherwise is None or otherwise[0] != target:
        return None
    return target, c.Ternary(item.condition, value, otherwise[1], at=item.at)


def choices(value: c.Expression) -> tuple[c.Expression, ...]:
    """Returns the values that a merged value chooses from."""
    match value:
        case c.Ternary(_, then, otherwise):
            return *choices(then), *choices(otherwise)
    return (value,)


def separated(item: c.If) -> tuple[c.If, ...] | None:
    """Returns `if (c) { x = a; y = b; } else { x = d; }` as a branch for each cell, where no value needs another one,
    also of branches inside of each other; None for other statements. One cell, which is then the last, may be in
    conditions before all assignments."""
    values = _cells((item,))
    if values is None or len({cell for cell, _ in values}) < 2:
        return None
    cells = [*dict.fromkeys(cell for cell, _ in values)]
    names = {_array_of(cell) for cell in cells}
    if len(names) != len(cells):
        return None
    last = names_in(_conditions((item,))) & names
    if len(last) > 1 or names_in(_later_conditions((item,))) & names:
        return None
    for cell, value in values:
        own = _array_of(cell)
        if (names_in(cell) - {own}) & names or names_in(value) & (names - {own}):
            return None
    cells.sort(key=lambda cell: _array_of(cell) in last)
    return tuple(branch for cell in cells for branch in _about((item,), cell) if isinstance(branch, c.If))


def _cells(statements: Sequence[c.Statement]) -> list[tuple[c.Expression, c.Expression]] | None:
    """Returns the cells that branches assign, with their values; None for other statements, and if a statement may
    assign a cell after another one."""
    every: list[tuple[c.Expression, c.Expression]] = []
    for statement in statements:
        assigned = _assigned((statement,))
        parts: list[tuple[c.Expression, c.Expression]] | None = None if assigned is None else [assigned]
        if assigned is None and isinstance(statement, c.If):
            sides = [_cells(statement.then), _cells(statement.otherwise)]
            parts = None if None in sides else [part for side in sides for part in side or ()]
        if parts is None or {cell for cell, _ in parts} & {cell for cell, _ in every}:
            return None
        every += parts
    return every


def _conditions(statements: Sequence[c.Statement]) -> list[c.Expression]:
    """Returns the conditions of branches that assign several cells."""
    branches = [
        statement for statement in statements if isinstance(statement, c.If) and _assigned((statement,)) is None
    ]
    inner = (_conditions((*branch.then, *branch.otherwise)) for branch in branches)
    return [*(branch.condition for branch in branches), *(condition for part in inner for condition in part)]


def _later_conditions(statements: Sequence[c.Statement], is_later: bool = False) -> list[c.Expression]:
    """Returns the conditions of branches that are evaluated after a statement."""
    conditions: list[c.Expression] = []
    for position, statement in enumerate(statements):
        if isinstance(statement, c.If):
            here = is_later or position > 0
            conditions += [statement.condition] if here else []
            conditions += [*_later_conditions(statement.then, here), *_later_conditions(statement.otherwise, here)]
    return conditions


def _about(statements: Sequence[c.Statement], cell: c.Expression) -> tuple[c.Statement, ...]:
    """Returns the part of branches that assigns a cell."""
    parts: list[c.Statement] = []
    for statement in statements:
        assigned = _assigned((statement,))
        if assigned is not None:
            parts += [statement] if assigned[0] == cell else []
        elif isinstance(statement, c.If):
            then, otherwise = _about(statement.then, cell), _about(statement.otherwise, cell)
            parts += [replace(statement, then=then, otherwise=otherwise)] if then or otherwise else []
    return tuple(parts)


def _array_of(cell: c.Expression) -> str:
    """Returns the name of the variable or array that a cell belongs to."""
    while isinstance(cell, c.Index | c.Unary):
        cell = cell.base if isinstance(cell, c.Index) else cell.operand
    return cell.name if isinstance(cell, c.Name) else ""


def masked(item: c.If) -> tuple[c.Expression, c.Expression] | None:
    """Returns the cell and the value of `if (c) x += a;`, read as `x = x + (c ? a : 0)`, with `else x += b;` as
    `x = x + (c ? a : b)`, also of branches inside of each other; None for other statements."""
    chosen = _added((item,))
    if chosen is None:
        return None
    target, operator, added = chosen
    return target, c.Binary(operator, target, added, at=item.at)


def _added(statements: Sequence[c.Statement]) -> tuple[c.Expression, str, c.Expression] | None:
    """Returns the cell, `+` or `-`, and the value that statements add to the cell; None for other statements."""
    match statements:
        case [c.If(test, then, otherwise, at=at)] if then or otherwise:
            sides = [_added(side) if side else None for side in (then, otherwise)]
            given = [side for side in sides if side is not None]
            if len(given) < bool(then) + bool(otherwise) or len({(target, sign) for target, sign, _ in given}) != 1:
                return None
            zero = c.Literal("0", at=at)
            one, other = (zero if side is None else side[2] for side in sides)
            return given[0][0], given[0][1], c.Ternary(test, one, other, at=at)
        case [c.Block(body)]:
            return _added(body)
    match _assigned(statements):
        case (target, c.Binary("+" | "-" as operator, own, added)) if own == target:
            return target, operator, added
    return None


def has_masks(item: c.If) -> bool:
    """Returns True if branches add to cells, and so may be read as sums of choices."""
    return bool(atomic_masks(item)) or any(masked(part) is not None for part in separated(item) or (item,))


def atomic_masks(item: c.If) -> tuple[c.Omp, ...]:
    """Returns the updates of `if (c) { atomic x += a; }`, read as `atomic { if (c) x += a; }`; with `else { atomic y +=
    b; }`, also `atomic { if (!c) y += b; }`. Returns none for other statements, and if the condition reads a cell with
    the name of an updated one, which it would then read under the lock."""
    masks: list[c.Omp] = []
    for is_then, body in ((True, item.then), (False, item.otherwise)):
        for statement in body:
            match statement:
                case c.Omp("atomic", clauses, (_,) as update) if {clause.name for clause in clauses} <= _PLAIN_UPDATE:
                    inner: tuple[c.Omp, ...] = (replace(statement, body=update),)
                case c.If():
                    inner = atomic_masks(statement)
                case _:
                    return ()
            if not inner:
                return ()
            for one in inner:
                sides = (one.body or (), ()) if is_then else ((), one.body or ())
                masks.append(replace(one, body=(c.If(item.condition, *sides, at=item.at),)))
    changed = {_array_of(target) for target in targets(masks)}
    return () if changes(item.condition) or names_in(item.condition) & changed else tuple(masks)


def _assigned(
    statements: Sequence[c.Statement], type_: c.Type | None = None
) -> tuple[c.Expression, c.Expression] | None:
    match statements:
        case [c.Evaluate(c.Step(operator, _, target, at=at))]:
            return target, _held(c.Binary(operator[0], target, c.Literal("1", at=at), at=at), type_)
        case [c.Assign(target, value, operator) as only] if not isinstance(value, c.Set):
            whole = value if operator == "=" else c.Binary(operator[:-1], target, value, at=only.at)
            return target, _held(whole, type_)
        case [c.If() as inner]:
            return merge_branches(inner, type_)
    return None


def _held(value: c.Expression, type_: c.Type | None) -> c.Expression:
    return value if type_ is None else as_declared(type_, value)


def returned(statements: Sequence[c.Statement], type_: c.Type | None = None) -> c.Expression | None:
    """Returns `if (c) return a; return b;` as `c ? a : b`; None for statements that do more. With the type of the
    function, both values are converted to it."""
    match statements:
        case [c.Return(value)]:
            return None if value is None else _held(value, type_)
        case [c.If(test, then, ()) as item, *rest]:
            one, other = returned(then, type_), returned(rest, type_)
            return None if one is None or other is None else c.Ternary(test, one, other, at=item.at)
    return None


def without_else(statements: Sequence[c.Statement]) -> list[c.Statement]:
    """Returns `if (c) { ..; return a; } else { .. }` as `if (c) { ..; return a; } { .. }`."""
    block: list[c.Statement] = []
    for position, statement in enumerate(statements):
        match statement:
            case c.If(test, (*_, c.Return()) as then, (_, *_) as otherwise) if not is_behind_directive(
                statements, position
            ):
                block.append(c.If(test, then, at=statement.at))
            case _:
                block.append(statement)
                continue
        if len(otherwise) == 1 and isinstance(otherwise[0], c.If):
            return [*block, *without_else([*otherwise, *statements[position + 1 :]])]
        if position == len(statements) - 1:
            return [*block, *without_else(otherwise)]
        block.append(c.Block(otherwise, at=statement.at))
    return block


def without_switches(statements: Sequence[c.Statement]) -> tuple[c.Statement, ...]:
    """Returns the statements with each `switch` as branches, unless their conditions would be unclear."""
    plain: list[c.Statement] = []
    for statement in statements:
        item = with_blocks(statement, without_switches)
        if not isinstance(item, c.Switch) or sum(label is None for label, _ in item.cases) > 1:
            plain.append(item)
        elif (branches := _as_branches(item)) is not None:
            plain.append(branches)
        else:
            plain += _going_on(item) or (item,)
    return tuple(plain)


def _going_on(switch: c.Switch) -> tuple[c.Statement, ...] | None:
    """Returns a `switch` whose cases go on in the next ones as branches in sequence; None if a case changes its value,
    or declares a variable for the next ones."""
    labels = [integer(label) for label, _ in switch.cases if isinstance(label, c.Literal) and is_integer(label)]
    bodies = [statement for _, body in switch.cases for statement in body]
    is_clear = len(labels) == sum(label is not None for label, _ in switch.cases) and len({*labels}) == len(labels)
    used = names_in(switch.value)
    if not is_clear or nodes(switch.value, (c.Step, c.Set, c.Call, c.Index, c.Unary)) or not is_steady(used, bodies):
        return None
    known = [label for label in labels if label is not None]
    branches: list[c.Statement] = []
    reaching, is_default = list[int](), False
    for label, body in switch.cases:
        value = integer(label) if isinstance(label, c.Literal) else None
        reaching, is_default = ([*reaching, value], is_default) if value is not None else (reaching, True)
        is_left = bool(body) and isinstance(body[-1], c.Break)
        own = without_switches(body[:-1] if is_left else body)
        if _leaves_switch(own) or any(isinstance(one, c.Declare | c.Return) for one in own):
            return None
        if is_default:
            missed = [one for one in known if one not in reaching]
            test: c.Expression = (
                c.Unary("!", _among(switch, missed), at=switch.at) if missed else c.Literal("1", at=switch.at)
            )
        else:
            test = _among(switch, reaching)
        branches += [c.If(test, own, at=switch.at)] if own else []
        if is_left:
            reaching, is_default = [], False
    return tuple(branches)


def _among(switch: c.Switch, labels: Sequence[int]) -> c.Expression:
    """Returns the condition that the value of a `switch` is among these numbers."""
    tests = list[c.Expression]()
    for least in (label for label in sorted(labels) if label - 1 not in labels):
        most = next(one for one in range(least, least + len(labels)) if one + 1 not in labels)
        first, last = (_number(one, switch.at) for one in (least, most))
        if least == most:
            tests.append(c.Binary("==", switch.value, first, at=switch.at))
        else:
            low = c.Binary("<=", first, switch.value, at=switch.at)
            tests.append(c.Binary("&&", low, c.Binary("<=", switch.value, last, at=switch.at), at=switch.at))
    return reduce(lambda one, other: c.Binary("||", one, other, at=switch.at), tests)


def _as_branches(switch: c.Switch) -> c.Statement | None:
    """Returns a `switch` as branches; None if a case goes on in the next one, or its value has effects."""
    if nodes(switch.value, (c.Step, c.Set, c.Call)):
        return None
    labels: list[c.Expression | None] = []
    cases: list[tuple[list[c.Expression | None], tuple[c.Statement, ...]]] = []
    for position, (label, body) in enumerate(switch.cases):
        labels.append(label)
        is_last = position == len(switch.cases) - 1
        if not body and not is_last:
            continue
        match body:
            case (*before, c.Break()):
                own = tuple(before)
            case (c.Block((*before, c.Break())),) | (c.Block((*before,)), c.Break()):
                own = (c.Block(tuple(before), at=switch.at),)
            case _ if is_last or (body and isinstance(body[-1], c.Return)):
                own = body
            case _:
                return None
        if _leaves_switch(own):
            return None
        cases.append((labels, without_switches(own)))
        labels = []
    rest: tuple[c.Statement, ...] = next((body for marks, body in cases if None in marks), ())
    for marks, body in reversed(cases):
        tests = [c.Binary("==", switch.value, mark, at=switch.at) for mark in marks if mark is not None]
        if None not in marks:
            test = reduce(lambda one, other: c.Binary("||", one, other, at=switch.at), tests)
            rest = (c.If(test, body, rest, at=switch.at),)
    if all(marks == [None] for marks, _ in cases):
        rest = (c.Evaluate(switch.value, at=switch.at), *rest)
    return c.Block(rest, at=switch.at)


def _number(value: int, place: c.SourcePlace | None) -> c.Expression:
    literal = c.Literal(str(abs(value)), at=place)
    return c.Unary("-", literal, at=place) if value < 0 else literal


def _leaves_switch(statements: Sequence[c.Statement]) -> bool:
    """Returns True if a `break` among the statements ends the `switch` around them."""
    return any(
        isinstance(item, c.Break)
        or (not isinstance(item, c.For | c.While | c.DoWhile) and any(map(_leaves_switch, blocks(item))))
        for item in statements
    )


# --- sections ---------------------------------------------------------------------------------------------------------


def sections_of(omp: c.Omp) -> list[tuple[c.Statement, ...]] | None:
    """Returns the statements of each `omp section`, which the first may lack; None if other statements are between
    them."""
    sections: list[tuple[c.Statement, ...]] = []
    for position, statement in enumerate(omp.body or ()):
        match statement:
            case c.Omp("section", (), body) if body is not None:
                sections.append(body)
            case c.Block(body) if position == 0:
                sections.append(body)
            case c.Omp() | c.Pragma() | c.Declare():
                return None
            case _ if position == 0:
                sections.append((statement,))
            case _:
                return None
    return sections


# --- loops ------------------------------------------------------------------------------------------------------------


def factors_of_end(loop: c.For) -> tuple[str, tuple[c.Expression, ...]] | None:
    """Returns the iterator and the factors of the bound of a loop from 0 to a product in steps of one; None
    otherwise."""
    match loop.test, loop.steps:
        case c.Binary("<", c.Name(name), c.Binary("*") as end), (c.Step("++", _, c.Name(stepped)),) if name == stepped:
            pass
        case _:
            return None
    match loop.start:
        case (c.Declare(type=declared, name=begun, value=c.Literal("0")),):
            if not is_wide_integer(scalar_type(declared)):
                return None
        case (c.Assign(c.Name(begun), c.Literal("0"), "="),):
            pass
        case _:
            return None
    names = {name, *names_in(end)}
    is_plain = not nodes(loop.test, c.Call) and not nodes(loop.body, c.Member)
    return (name, _factors(end)) if begun == name and is_plain and is_steady(names, loop.body) else None


def _factors(product: c.Expression) -> tuple[c.Expression, ...]:
    match product:
        case c.Binary("*", left, right):
            return *_factors(left), *_factors(right)
    return (product,)


def nested(loop: c.For, name: str, factors: Sequence[c.Expression], type_: c.Type) -> c.For:
    """Returns the loop as nested loops over the factors of its bound, valid if none of them is negative; its iterator
    has this type."""
    words = ("plane", "row", "column")[-len(factors) :] if len(factors) <= 3 else map(str, range(len(factors)))
    iterators = [c.Name(f"{name}__{word}", at=loop.at) for word in words]
    value: c.Expression = iterators[0]
    for iterator, extent in zip(iterators[1:], factors[1:], strict=True):
        value = c.Binary("+", c.Binary("*", value, extent, at=loop.at), iterator, at=loop.at)
    inside = substituted(loop.body, {name: as_declared(type_, value)})
    for iterator, extent in zip(reversed(iterators), reversed(factors), strict=True):
        inside = (_counting(iterator, extent, inside, type_, loop.at),)
    assert isinstance(inside[0], c.For)
    return inside[0]


def _counting(
    iterator: c.Name, end: c.Expression, body: tuple[c.Statement, ...], type_: c.Type, place: c.SourcePlace | None
) -> c.For:
    start = c.Declare(type_, iterator.name, c.Literal("0", at=place), at=place)
    test, step = c.Binary("<", iterator, end, at=place), c.Step("++", False, iterator, at=place)
    return c.For(start=(start,), test=test, steps=(step,), body=body, at=place)


def counting_loop(name: str, loop: c.While) -> c.For:
    """Returns a `while` loop with an iterator that counts its iterations."""
    iterator, zero, test = c.Name(name, at=loop.at), c.Literal("0", at=loop.at), loop.condition
    if isinstance(test, c.Name):
        test = c.Binary("!=", test, zero, at=loop.at)
    return replace(_counting(iterator, zero, loop.body, c.Scalar("long"), loop.at), test=test)


# --- arrays of row pointers -------------------------------------------------------------------------------------------


def points_to_rows(argument: c.Parameter | c.Declare) -> bool:
    """Returns True if this is declared `T **A` or `T *A[..]`."""
    match argument.type:
        case c.Pointer(c.Pointer(to)) | c.Array(c.Pointer(to)):
            return is_simple(to)
    return False


def check_elements_only(name: str, body: Trees, span: Span) -> None:
    """Raises Rejected (AZ832) if rows, or addresses of elements, are used other than in `A[i][j]`, or in `r[j]` of a
    pointer that is declared as `T *r = A[i]`."""
    elements = [node for node in nodes(body, c.Index) if _is_element(node, name)]
    rows = [node for node in nodes(body, c.Declare) if _is_row(node.value, name) and _has_elements_only(node, body)]
    is_addressed = any(_is_element(operand, name) for operand in addressed(body))
    declared = [node for node in nodes(body, c.Declare) if node.name == name]
    if is_addressed or declared or count(body, name) != len(elements) + len(rows):
        message = f"a pointer to pointers can be used only in elements `{name}[i][j]`"
        raise outside(span, message, f"use elements, or one array: `(*{name})[N]`")


def _has_elements_only(pointer: c.Declare, body: Trees) -> bool:
    """Returns True if all uses of a declared pointer are elements, `r[j]`, and no other declaration has its name."""
    match pointer.type:
        case c.Pointer(to, restrict=False) if is_simple(to):
            name = pointer.name
            uses = [node for node in nodes(body, c.Index) if _is_row(node, name)]
            is_addressed = any(_is_row(operand, name) for operand in addressed(body))
            declared = [node for node in nodes(body, c.Declare) if node.name == name]
            is_alone = len(declared) == 1 and name not in words_of_directives(body)
            return is_alone and not is_addressed and count(body, name) == len(uses)
    return False


def _is_row(node: c.Expression | None, name: str) -> bool:
    match node:
        case c.Index(c.Name(row_name)):
            return row_name == name
    return False


def _is_element(node: c.Expression, name: str) -> bool:
    match node:
        case c.Index(c.Index(c.Name(row_name))):
            return row_name == name
    return False
