"""A minimum and a maximum of the same values, of which each value changes one: branches of their own.

lo = hi = x[0];                                      lo = hi = x[0];
for (i = 1; i < n; i++)                              for (i = 1; i < n; i++) {
    if (x[i] > hi) hi = x[i];                            if (x[i] > hi) hi = x[i];
    else if (x[i] < lo) lo = x[i];                       if (x[i] < lo) lo = x[i]; }

Both begin with one value, so lo <= hi (or both are NaN) before and after each step: what is greater than hi is not less
than lo. This holds in sequence, where no directive gives a thread copies with other first values.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.c.walk import all_blocks, nodes, with_blocks
from alphaz.model.types import ScalarType
from alphaz.scop.substitution import names_in, touched
from alphaz.scop.tree_queries import (
    Statements,
    addressed,
    changes,
    element_type,
    names_among,
    scalar_type,
    targets,
)

_Types = Mapping[str, ScalarType | None]


@dataclass(frozen=True, slots=True)
class _Step:
    """`if (x > name) name = x;`: an extreme of values x."""

    name: str
    value: c.Expression
    is_greatest: bool
    is_strict: bool


def with_separate_extremes(function: c.Function) -> c.Function:
    """Returns a function in which such branches stand next to each other; others unchanged."""
    body = function.body
    if body is None or nodes(body, (c.Omp, c.Pragma, c.Goto, c.Label, c.Launch, c.Opaque)):
        return function
    if not any(_pair(branch) for branch in nodes(body, c.If)):
        return function
    types = _types(function)
    found = {id(branch) for block in (body, *all_blocks(body)) for branch in _separable(block, body, types)}
    return replace(function, body=_separated(body, found)) if found else function


def _types(function: c.Function) -> _Types:
    """Returns the types of variables, and of the elements of arrays, by name; None for names with several meanings."""
    declared: list[c.Parameter | c.Declare] = [*function.parameters, *nodes(function.body, c.Declare)]
    types: dict[str, ScalarType | None] = {}
    for item in declared:
        types[item.name] = None if item.name in types else element_type(item.type)
    return types


def _separable(block: Statements, body: Statements, types: _Types) -> Iterator[c.If]:
    """Yields the branches in the loops of a block that may stand next to each other."""
    for position, loop in enumerate(block):
        for branch in nodes(loop, c.If) if isinstance(loop, c.For | c.While | c.DoWhile) else ():
            pair = _pair(branch)
            if pair is not None and _is_ordered(block[:position], loop, pair, body, types):
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
    is_clear = not names_in(one.value) & {one.name, other.name} and not _has_effects(one.value)
    return (one, other) if is_clear and one.name != other.name and (one.is_strict or other.is_strict) else None


def _step(branch: c.If) -> _Step | None:
    match branch.condition, branch.then:
        case c.Binary("<" | "<=" | ">" | ">=" as operator, left, right), (c.Assign(c.Name(name), value, "="),):
            pass
        case _:
            return None
    is_greater, is_strict = operator[0] == ">", len(operator) == 1
    if right == c.Name(name) and left == value:
        return _Step(name, value, is_greater, is_strict)
    if left == c.Name(name) and right == value:
        return _Step(name, value, not is_greater, is_strict)
    return None


def _has_effects(value: c.Expression) -> bool:
    return changes(value) or bool(nodes(value, c.Call))


def _is_ordered(
    before: Sequence[c.Statement], loop: c.Statement, pair: tuple[_Step, _Step], body: Statements, types: _Types
) -> bool:
    """Returns True if a loop changes the two variables in these steps alone, and they have one value before it."""
    names = {step.name for step in pair}
    local = {
        item.name for item in nodes(body, c.Declare)
        if scalar_type(item.type) is not None and not item.storage and item.space is c.AddressSpace.HOST
    }  # fmt: skip
    own = {types.get(name) for name in names}
    if (
        not names <= local
        or own != {_type(pair[0].value, types)}
        or None in own
        or names & names_among(addressed(body))
    ):
        return False
    changed = [target.name for target in targets(loop) if isinstance(target, c.Name)]
    if any(changed.count(name) != 1 for name in names) or names & {item.name for item in nodes(loop, c.Declare)}:
        return False
    return _begin_alike(before, pair[0].name, pair[1].name, names_among(addressed(body)))


def _type(value: c.Expression, types: _Types) -> ScalarType | None:
    """Returns the type of a variable or of an element; None for other values."""
    is_element = isinstance(value, c.Index)
    while isinstance(value, c.Index):
        value = value.base
    if not isinstance(value, c.Name) or (not is_element and value.name not in types):
        return None
    return types.get(value.name)


def _begin_alike(before: Sequence[c.Statement], one: str, other: str, pointed: Collection[str]) -> bool:
    """Returns True if two variables have one value behind these statements."""
    (first, start), (second, end) = sorted((_beginning(before, name) for name in (one, other)), key=lambda one: one[0])
    if start is None or end is None:
        return False
    earlier = one if _beginning(before, one)[0] == first else other
    if first != second and end == c.Name(earlier):
        return True
    between = before[first : second + 1]
    names = {target.name for target in targets(between) if isinstance(target, c.Name)}
    is_plain = all(isinstance(target, c.Name) for target in targets(between)) and not nodes(between, c.Call)
    is_steady = not (names | touched(between)) & (names_in(end) | {*pointed}) and not _has_effects(end)
    return start == end and is_plain and is_steady


def _beginning(before: Sequence[c.Statement], name: str) -> tuple[int, c.Expression | None]:
    """Returns the place of the last statement that may change a variable, and the value that it gives; None if that is
    not clear."""
    for position in reversed(range(len(before))):
        if name in touched(before[position]):
            return position, _value(before[position], name)
    return -1, None


def _value(statement: c.Statement, name: str) -> c.Expression | None:
    match statement:
        case c.Declare(name=own, value=value) if own == name:
            pass
        case c.Assign(c.Name(own), c.Set("=", c.Name(inner), value), "=") if name in (own, inner):
            pass
        case c.Assign(c.Name(own), value, "=") if own == name:
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
