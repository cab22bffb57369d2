"""Loops that run at least once whenever they are reached."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import product

from alphaz.loops.tree import For, If, Let, Node, inside
from alphaz.poly.domain import Domain
from alphaz.poly.engine import OutOfBudget, budget
from alphaz.poly.plain.conditions import Condition, condition_of
from alphaz.poly.plain.integer import Integer, Name, Number, Operation
from alphaz.poly.plain.space import Space

# What one loop may cost: its guard costs less than a second of waiting for the code.
_STEPS = 300_000


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a tree: the names of the loops around, and conditions that hold."""

    names: tuple[str, ...]
    known: tuple[Condition, ...]

    def inside(self, more: Iterator[Condition | None], name: str = "") -> "Place":
        names = (*self.names, name) if name else self.names
        return Place(names, (*self.known, *(each for each in more if each is not None)))


@dataclass(frozen=True, slots=True)
class Reached:
    """The loops in a tree, each by its `id`, with all their places.

    `context` is a set of parameters.
    """

    places: dict[int, list[Place]]
    context: Domain

    @staticmethod
    def inside(tree: Node, context: Domain) -> "Reached":
        found: dict[int, list[Place]] = {}
        for loop, place in _found(tree, Place((), ())):
            found.setdefault(loop, []).append(place)
        return Reached(found, context)

    def never_empty(self, loop: For, first: Integer | None = None) -> bool:
        """Whether a loop always has a turn, or would have one if it began at `first`; also False where it would take
        long to find out.
        """
        bounds = product(_each("max", first or loop.first), _each("min", loop.bound))
        empty = [condition_of(Operation(_OPPOSITE[loop.comparison], bound)) for bound in bounds]
        places = self.places.get(id(loop), ())
        known = [each for each in empty if each is not None]
        if not places or len(known) < len(empty):
            return False
        return all(_never(place, each, self.context) for place in places for each in known)


def _found(node: Node, place: Place) -> Iterator[tuple[int, Place]]:
    """Each loop, at each of its places."""
    match node:
        case For(iterator, _, first, comparison, bound, _, body):
            yield id(node), place
            own = Name(iterator)
            ranges = (*_conditions(Operation("<=", (first, own))), *_conditions(Operation(comparison, (own, bound))))
            yield from _found(body, place.inside(iter(ranges), iterator))
        case Let(iterator, _, value, body):
            yield from _found(body, place.inside(_conditions(Operation("==", (Name(iterator), value))), iterator))
        case If(condition, then, otherwise):
            yield from _found(then, place.inside(_conditions(condition)))
            if otherwise is not None:
                yield from _found(otherwise, place)
        case _:
            for child in inside(node):
                yield from _found(child, place)


def _conditions(condition: Integer) -> Iterator[Condition | None]:
    """Conditions that hold together where this one does: a maximum below something is each operand below it."""
    match condition:
        case Operation("and", operands):
            for operand in operands:
                yield from _conditions(operand)
        case Operation("<=" | "<" as symbol, (less, more)):
            for low, high in product(_each("max", less), _each("min", more)):
                yield condition_of(Operation(symbol, (low, high)))
        case _:
            yield condition_of(condition)


_OTHER = {"min": "max", "max": "min"}


def _each(symbol: str, value: Integer) -> Iterator[Integer]:
    """What the value is the extremum of; another value alone."""
    match value:
        case Operation(operator, operands) if operator == symbol:
            for operand in operands:
                yield from _each(symbol, operand)
        case Operation("floor_div", (dividend, divisor)):
            yield from (Operation("floor_div", (each, divisor)) for each in _each(symbol, dividend))
        case Operation("*", (Number(factor) as times, other)) if factor > 0:
            yield from (Operation("*", (times, each)) for each in _each(symbol, other))
        case Operation("+" | "-" as sign, (left, right)):
            second = _each(symbol if sign == "+" else _OTHER[symbol], right)
            yield from (Operation(sign, pair) for pair in product(_each(symbol, left), second))
        case _:
            yield value


_OPPOSITE = {"<": ">=", "<=": ">"}


def _never(place: Place, empty: Condition, context: Domain) -> bool:
    """Whether the condition excludes those of the place; a name that is declared twice tells nothing."""
    parameters = context.space.parameters
    if len({*parameters, *place.names}) < len(parameters) + len(place.names):
        return False
    used = {name for each in (*place.known, empty) for piece in each for one in piece for name in one.affine.names}
    space = Space(parameters, tuple(sorted(used.union(place.names).difference(parameters))))
    try:
        with budget(_STEPS):
            return (_set(space, place.known, context) & Domain.where(space, *empty)).is_empty()
    except OutOfBudget:
        return False


@lru_cache(maxsize=16)
def _set(space: Space, conditions: tuple[Condition, ...], context: Domain) -> Domain:
    """Where all of them hold, in the context."""
    plain = [one for each in conditions if len(each) == 1 for one in each[0]]
    parts = [Domain.where(space, plain), *(Domain.where(space, *each) for each in conditions if len(each) > 1)]
    return reduce(Domain.__and__, parts).in_context(context)
