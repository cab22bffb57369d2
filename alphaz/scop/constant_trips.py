"""Loops of constant trip counts whose iterator is multiplied or divided, unrolled.

for (int d = 4; d > 0; d /= 2) BODY        { int d = 4; BODY } { int d = 2; BODY } { int d = 1; BODY }
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import copied, nodes
from alphaz.scop.substitution import is_steady
from alphaz.scop.tree_queries import Statements, is_wide_integer, scalar_type

_MOST_TRIPS, _MOST_NODES = 64, 2_000
_TESTS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda value, end: value < end,
    "<=": lambda value, end: value <= end,
    ">": lambda value, end: value > end,
    ">=": lambda value, end: value >= end,
    "!=": lambda value, end: value != end,
}
_STEPS: dict[str, Callable[[int, int], int]] = {
    "*": lambda value, by: value * by,
    "/": lambda value, by: value // by,
    "<<": lambda value, by: value << by,
    ">>": lambda value, by: value >> by,
}


def with_numbers(loop: c.For, number: Callable[[c.Expression], int | None], types: Mapping[str, c.Type]) -> c.For:
    """Returns a loop with the start and the end that are numbers as literals: `blockDim.x / 2` is one in a launch.
    `types` are those of iterators that are declared before the loop."""
    test = loop.test
    if isinstance(test, c.Name):
        test = c.Binary("!=", test, c.Literal("0", at=test.at), at=test.at)
    match loop.start, test:
        case (c.Declare(type_, name, value, ""),), c.Binary(operator, c.Name() as tested, end):
            pass
        case (c.Assign(c.Name(name), value, "="),), c.Binary(operator, c.Name() as tested, end) if name in types:
            type_ = types[name]
        case _:
            return loop
    first, last = (_literal(bound, number) for bound in (value, end))
    if first is None or last is None:
        return loop
    head = c.Declare(type_, name, first, at=loop.at)
    return replace(loop, start=(head,), test=c.Binary(operator, tested, last, at=loop.at))


def _literal(value: c.Expression | None, number: Callable[[c.Expression], int | None]) -> c.Literal | None:
    if isinstance(value, c.Literal):
        return value
    known = None if value is None else number(value)
    return None if known is None or known < 0 or value is None else c.Literal(str(known), at=value.at)


def is_geometric(loop: c.For) -> bool:
    """Returns True if the iterator of a loop is multiplied or divided."""
    match loop.steps:
        case (c.Set("*=" | "/=" | "<<=" | ">>=", c.Name()),):
            return True
        case (c.Set("=", c.Name(), c.Binary(operator)),):
            return operator in _STEPS
    return False


def unrolled(loop: c.For) -> Statements | None:
    """Returns the iterations as statements, each with the value of its iterator; None for other loops, and for those of
    more than 64 trips."""
    start, trips = loop.start[0] if len(loop.start) == 1 else None, None
    match start:
        case c.Declare(type=type_, name=name, value=c.Literal() as first, storage="") if is_wide_integer(
            scalar_type(type_)
        ) and is_steady({name}, loop.body):
            trips = _trips(loop, name, first)
    if trips is None or nodes(loop.body, (c.Break, c.Continue, c.Label, c.Goto)):
        return None
    if len(trips) * len(nodes(loop.body, c.Node)) > _MOST_NODES:
        return None
    assert isinstance(start, c.Declare)
    values = (c.Literal(str(trip), at=loop.at) for trip in trips)
    return tuple(
        c.Block((c.Declare(start.type, start.name, value, at=start.at), *map(copied, loop.body)), at=loop.at)
        for value in values
    )


def _trips(loop: c.For, name: str, first: c.Literal) -> list[int] | None:
    """Returns the values of the iterator, which stay within 32 bits."""
    match loop.test, loop.steps:
        case c.Binary(test, c.Name(tested), c.Literal() as end), (c.Set(operator, c.Name(stepped), value),) if (
            tested == stepped == name and test in _TESTS
        ):
            pass
        case _:
            return None
    match value:
        case c.Binary(inner, c.Name(own), c.Literal() as by) if operator == "=" and own == name:
            step = inner
        case c.Literal() as by if operator != "=":
            step = operator[:-1]
        case _:
            return None
    numbers = [int(literal.text) if literal.text.isdecimal() else None for literal in (first, end, by)]
    if step not in _STEPS or None in numbers or any(literal.text.startswith("0") for literal in (first, by)):
        return None
    at, last, factor = (number for number in numbers if number is not None)
    trips: list[int] = []
    while _TESTS[test](at, last):
        if trips and at == trips[-1]:
            return None
        trips.append(at)
        at = _STEPS[step](at, factor) if factor < 1 << 31 else -1
        if not 0 <= at < 1 << 31 or len(trips) > _MOST_TRIPS:
            return None
    return trips
