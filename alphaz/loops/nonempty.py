"""Loops that run at least once whenever they are reached."""

from collections.abc import Iterable, Iterator
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
    """A place in a tree: the names of the loops around, and conditions that hold. `context` is a set of parameters."""

    context: Domain
    names: tuple[str, ...] = ()
    known: tuple[Condition, ...] = ()

    def runs(self, loop: For, first: Integer | None = None) -> bool:
        """Whether a loop here always has an iteration, or would have one if it began at `first`; also False where it
        would take long to find out.
        """
        bounds = product(_each("max", first or loop.first), _each("min", loop.bound))
        empty = [condition_of(Operation(_OPPOSITE[loop.comparison], bound)) for bound in bounds]
        return all(each is not None and _never(self, each) for each in empty)

    def inside(self, node: Node) -> tuple["Place", ...]:
        """The places of the nodes directly inside, in their order."""
        match node:
            case For(iterator, _, first, comparison, bound):
                own = Name(iterator)
                low, high = Operation("<=", (first, own)), Operation(comparison, (own, bound))
                return (self._with((*_conditions(low), *_conditions(high)), iterator),)
            case Let(iterator, _, value):
                return (self._with(tuple(_conditions(Operation("==", (Name(iterator), value)))), iterator),)
            case If(condition):
                return (self._with(tuple(_conditions(condition))), self)[: len(inside(node))]
        return (self,) * len(inside(node))

    def _with(self, more: Iterable[Condition | None], *names: str) -> "Place":
        known = (*self.known, *(each for each in more if each is not None))
        return Place(self.context, (*self.names, *names), known)


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


def _never(place: Place, empty: Condition) -> bool:
    """Whether the condition excludes those of the place; a name that is declared twice tells nothing."""
    parameters = place.context.space.parameters
    if len({*parameters, *place.names}) < len(parameters) + len(place.names):
        return False
    used = {name for each in (*place.known, empty) for piece in each for one in piece for name in one.affine.names}
    space = Space(parameters, tuple(sorted(used.union(place.names).difference(parameters))))
    try:
        with budget(_STEPS):
            return (_set(space, place.known, place.context) & Domain.where(space, *empty)).is_empty()
    except OutOfBudget:
        return False


@lru_cache(maxsize=16)
def _set(space: Space, conditions: tuple[Condition, ...], context: Domain) -> Domain:
    """Where all of them hold, in the context."""
    plain = [one for each in conditions if len(each) == 1 for one in each[0]]
    parts = [Domain.where(space, plain), *(Domain.where(space, *each) for each in conditions if len(each) > 1)]
    return reduce(Domain.__and__, parts).in_context(context)
