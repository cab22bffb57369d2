"""Separates a minimum and a maximum that one `if .. else if` computes from the same values.

lo = hi = x[0];                                      lo = hi = x[0];
for (i = 1; i < n; i++)                              for (i = 1; i < n; i++) {
    if (x[i] > hi) hi = x[i];                            if (x[i] > hi) hi = x[i];
    else if (x[i] < lo) lo = x[i];                       if (x[i] < lo) lo = x[i]; }

Both begin with one value, so lo <= hi (or both are NaN) before and after each step: what is greater than hi is not less
than lo. This holds in sequence, where no directive gives a thread copies with other first values. The extremes are
local variables, or elements (`*lo`, `hi[i]`) of arguments and arrays that the function uses in no other way.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import all_blocks, nodes, with_blocks
from alphaz.model.types import ScalarType
from alphaz.scop.substitution import count, names_in, touched
from alphaz.scop.tree_queries import (
    Statements,
    Trees,
    addressed,
    body_of,
    changes,
    declarations,
    element_type,
    integer,
    is_integer,
    names_among,
    scalar_type,
    targets,
)

_Types = Mapping[str, ScalarType | None]


@dataclass(frozen=True, slots=True)
class _Step:
    """`if (x > cell) cell = x;`: an extreme of values x. The `name` is that of its variable or array."""

    cell: c.Expression
    name: str
    value: c.Expression
    is_greatest: bool
    is_strict: bool


def with_separate_extremes(function: c.Function, is_called: bool = False) -> c.Function:
    """Returns a function in which such branches stand next to each other; others unchanged. `is_called`: functions of
    the file call it, so its arguments may be parts of one array."""
    body = function.body
    if body is None or nodes(body, (c.Omp, c.Pragma, c.Goto, c.Label, c.Launch, c.Opaque)):
        return function
    if not any(_pair(branch) for branch in nodes(body, c.If)):
        return function
    types = _types(function)
    blocks = (body, *all_blocks(body))
    found = {id(branch) for block in blocks for branch in _separable(block, function, types, is_called)}
    return replace(function, body=_separated(body, found)) if found else function


def _types(function: c.Function) -> _Types:
    """Returns the types of variables, and of the elements of arrays, by name; None for names with several meanings."""
    types: dict[str, ScalarType | None] = {}
    for item in declarations(function):
        types[item.name] = None if item.name in types else element_type(item.type)
    return types


def _separable(block: Statements, function: c.Function, types: _Types, is_called: bool) -> Iterator[c.If]:
    """Yields the branches in the loops of a block that may stand next to each other."""
    for position, loop in enumerate(block):
        for branch in nodes(loop, c.If) if isinstance(loop, c.For | c.While | c.DoWhile) else ():
            pair = _pair(branch)
            if pair is None or not _is_ordered(block[:position], loop, pair, function, types):
                continue
            if not is_called or _is_alone((*block[:position], loop), pair, function):
                yield branch


def _pair(branch: c.If) -> tuple[_Step, _Step] | None:
    """Returns a step to a maximum, and otherwise one to a minimum, of the same values, or the other way round."""
    match branch.otherwise:
        case (c.If(otherwise=()) as second,):
            one, other = _step(branch), _step(second)
        case _:
            return None
    if one is None or other is None or one.is_greatest == other.is_greatest or one.value != other.value:
        return None
    is_clear = not names_in(one.value) & {one.name, other.name} and not _has_effects((one.value, one.cell, other.cell))
    return (one, other) if is_clear and _are_apart(one, other) and (one.is_strict or other.is_strict) else None


def _are_apart(one: _Step, other: _Step) -> bool:
    """Returns True for two variables, elements of two arrays, or two elements of one with different numbers."""
    if one.name != other.name:
        return True
    numbers = [
        cell.index for cell in (one.cell, other.cell) if isinstance(cell, c.Index) and cell.base == c.Name(one.name)
    ]
    integers = [integer(number) for number in numbers if isinstance(number, c.Literal) and is_integer(number)]
    return len(integers) == 2 and None not in integers and integers[0] != integers[1]


def _base(cell: c.Expression) -> str:
    """Returns the variable of `x`, `*x`, `x[i]`; empty for others, and for subscripts that are in memory."""
    if isinstance(cell, c.Unary) and cell.operator == "*":
        cell = cell.operand
    while isinstance(cell, c.Index) and not nodes(cell.index, (c.Index, c.Unary, c.Member)):
        cell = cell.base
    return cell.name if isinstance(cell, c.Name) else ""


def _step(branch: c.If) -> _Step | None:
    match branch.condition, branch.then:
        case c.Binary("<" | "<=" | ">" | ">=" as operator, left, right), (c.Assign(cell, value, "="),) if _base(cell):
            name = _base(cell)
        case _:
            return None
    is_greater, is_strict = operator[0] == ">", len(operator) == 1
    if right == cell and left == value:
        return _Step(cell=cell, name=name, value=value, is_greatest=is_greater, is_strict=is_strict)
    if left == cell and right == value:
        return _Step(cell=cell, name=name, value=value, is_greatest=not is_greater, is_strict=is_strict)
    return None


def _has_effects(value: Trees) -> bool:
    return changes(value) or bool(nodes(value, c.Call))


def _is_ordered(
    before: Sequence[c.Statement], loop: c.Statement, pair: tuple[_Step, _Step], function: c.Function, types: _Types
) -> bool:
    """Returns True if a loop changes the two extremes in these steps alone, and they have one value before it."""
    body = body_of(function)
    names, cells = {step.name for step in pair}, [step.cell for step in pair]
    own = {types.get(name) for name in names}
    if (
        not all(_is_own(step, function) for step in pair)
        or own != {_type(pair[0].value, types)}
        or None in own
        or names & names_among(addressed(body))
    ):
        return False
    changed = [target for target in targets(loop) if names_in(target) & names]
    if len(changed) != 2 or names & {item.name for item in nodes(loop, c.Declare)}:
        return False
    return not names_in(cells) - names & touched(loop) and _begin_alike(before, pair, names_among(addressed(body)))


def _is_alone(statements: Statements, pair: tuple[_Step, _Step], function: c.Function) -> bool:
    """Returns True if no other name changes elements of arguments, and extremes begin with elements, which stay what
    they are if an extreme is one of them."""
    local = {item.name for item in nodes(function.body, c.Declare) if not isinstance(item.type, c.Pointer)}
    known = local | {step.name for step in pair}
    changed = {_base(target) for target in targets(statements)}
    starts = [_value(node, step.cell) for node in nodes(statements, c.Assign) for step in pair]
    is_plain = all(start is None or _base(start) or isinstance(start, c.Literal) for start in starts)
    return changed <= known and is_plain and not nodes(statements, c.Call)


def _is_own(step: _Step, function: c.Function) -> bool:
    """Returns True for a local variable, and for an element of an argument or a local array that has no other names."""
    declared = [item for item in nodes(function.body, c.Declare) if item.name == step.name]
    plain = all(not item.storage and item.space is c.AddressSpace.HOST for item in declared)
    if isinstance(step.cell, c.Name):
        return bool(declared) and plain and all(scalar_type(item.type) is not None for item in declared)
    arguments = [item for item in function.parameters if item.name == step.name]
    is_array = all(isinstance(item.type, c.Array) for item in declared)
    elements = [node for node in nodes(function.body, (c.Index, c.Unary)) if _is_first(node, step.name)]
    return (
        len(arguments) + len(declared) == 1 and plain and is_array and count(function.body, step.name) == len(elements)
    )


def _is_first(node: c.Index | c.Unary, name: str) -> bool:
    """Returns True for `name[..]` and `*name`."""
    match node:
        case c.Index(c.Name(own)) | c.Unary("*", c.Name(own)):
            return own == name
    return False


def _type(value: c.Expression, types: _Types) -> ScalarType | None:
    """Returns the type of a variable or of an element; None for other values."""
    name = _base(value)
    return None if not name or (isinstance(value, c.Name) and name not in types) else types.get(name)


def _begin_alike(before: Sequence[c.Statement], pair: tuple[_Step, _Step], pointed: Collection[str]) -> bool:
    """Returns True if two extremes have one value behind these statements."""
    beginnings = [(*_beginning(before, step), step.cell) for step in pair]
    (first, start, earlier), (second, end, _) = sorted(beginnings, key=lambda one: one[0])
    if start is None or end is None:
        return False
    names = {name for step in pair for name in names_in(step.cell)}
    if touched(before[first:]) & (names - {step.name for step in pair}):
        return False
    if first != second and end == earlier:
        return True
    between = before[first : second + 1]
    changed = {_base(target) for target in targets(between)}
    own = {step.name for step in pair}
    is_plain = all(isinstance(target, c.Name) or _base(target) in own for target in targets(between))
    is_plain = is_plain and not nodes(between, c.Call)
    is_steady = not (changed | touched(between)) & (names_in(end) | {*pointed}) and not _has_effects(end)
    return start == end and is_plain and is_steady


def _beginning(before: Sequence[c.Statement], step: _Step) -> tuple[int, c.Expression | None]:
    """Returns the place of the last statement that may change an extreme, and the value that it gives; None if that is
    not clear."""
    for position in reversed(range(len(before))):
        statement = before[position]
        if step.name in touched(statement) | names_in(targets(statement)):
            match statement:
                case c.Assign(cell, _, "=") if _is_other(cell, step):
                    continue
            return position, _value(statement, step.cell)
    return -1, None


def _is_other(cell: c.Expression, step: _Step) -> bool:
    """Returns True for another element of the array of an extreme."""
    return _base(cell) == step.name and _are_apart(step, replace(step, cell=cell))


def _value(statement: c.Statement, cell: c.Expression) -> c.Expression | None:
    match statement:
        case c.Declare(name=own, value=value) if c.Name(own) == cell:
            pass
        case c.Assign(own, c.Set("=", inner, value), "=") if cell in (own, inner):
            pass
        case c.Assign(own, value, "=") if own == cell:
            pass
        case _:
            return None
    return None if value is None or changes(value) else value


def _separated(block: Statements, found: Collection[int]) -> Statements:
    """Returns a block in which the found branches stand next to each other."""
    after: list[c.Statement] = []
    for statement in block:
        if isinstance(statement, c.If) and id(statement) in found:
            after += [replace(statement, otherwise=()), *statement.otherwise]
        else:
            after.append(with_blocks(statement, lambda inside: _separated(inside, found)))
    return tuple(after)
