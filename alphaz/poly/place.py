"""What is known at a place in a tree of loops: conditions that hold there, whatever the turns of the loops around."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import product

from alphaz.poly.conditions import Condition, condition_of
from alphaz.poly.domain import Domain
from alphaz.poly.engine import OutOfBudget, budget
from alphaz.poly.integer import Integer, Name, Number, Operation
from alphaz.poly.loops import For, Let
from alphaz.poly.space import Space

# What one question may cost: a guard that is left costs less than a second of waiting for the code.
_STEPS = 300_000


@dataclass(frozen=True, slots=True)
class Place:
    """`names` are those of the loops around, `known` the conditions. `context` is a set of parameters."""

    context: Domain
    names: tuple[str, ...] = ()
    known: tuple[Condition, ...] = ()

    def in_loop(self, loop: For) -> "Place":
        """In the body of a loop."""
        own = Name(loop.iterator)
        here = self.where(Operation("<=", (loop.first, own))).where(Operation(loop.comparison, (own, loop.bound)))
        return Place(self.context, (*self.names, loop.iterator), here.known)

    def in_let(self, let: Let) -> "Place":
        here = self.where(Operation("==", (Name(let.iterator), let.value)))
        return Place(self.context, (*self.names, let.iterator), here.known)

    def where(self, condition: Integer) -> "Place":
        """Behind a test; what has no affine form is not known."""
        more = (each for each in _conditions(condition) if each is not None)
        return Place(self.context, self.names, (*self.known, *more))

    def never(self, condition: Integer) -> bool:
        """Whether a condition excludes what is known. Also False for one without an affine form, where a name is
        declared twice, and where it would take long to find out.
        """
        found, parameters = condition_of(condition), self.context.space.parameters
        if found is None or len({*parameters, *self.names}) < len(parameters) + len(self.names):
            return False
        used = {name for each in (*self.known, found) for piece in each for one in piece for name in one.affine.names}
        space = Space(parameters, tuple(sorted(used.union(self.names).difference(parameters))))
        try:
            with budget(_STEPS):
                return (_set(space, self.known, self.context) & Domain.where(space, *found)).is_empty()
        except OutOfBudget:
            return False


@lru_cache(maxsize=16)
def _set(space: Space, conditions: tuple[Condition, ...], context: Domain) -> Domain:
    """Where all of them hold, in the context."""
    plain = [one for each in conditions if len(each) == 1 for one in each[0]]
    parts = [Domain.where(space, plain), *(Domain.where(space, *each) for each in conditions if len(each) > 1)]
    return reduce(Domain.__and__, parts).in_context(context)


def _conditions(condition: Integer) -> Iterator[Condition | None]:
    """Conditions that hold together where this one does: a maximum below something is each operand below it."""
    match condition:
        case Operation("and", operands):
            for operand in operands:
                yield from _conditions(operand)
        case Operation("<=" | "<" as symbol, (less, more)):
            for low, high in product(each_of("max", less), each_of("min", more)):
                yield condition_of(Operation(symbol, (low, high)))
        case _:
            yield condition_of(condition)


_OTHER = {"min": "max", "max": "min"}


def each_of(symbol: str, value: Integer) -> Iterator[Integer]:
    """What the value is the extremum of; another value alone."""
    match value:
        case Operation(operator, operands) if operator == symbol:
            for operand in operands:
                yield from each_of(symbol, operand)
        case Operation("floor_div", (dividend, divisor)):
            yield from (Operation("floor_div", (each, divisor)) for each in each_of(symbol, dividend))
        case Operation("*", (Number(factor) as times, other)) if factor > 0:
            yield from (Operation("*", (times, each)) for each in each_of(symbol, other))
        case Operation("+" | "-" as sign, (left, right)):
            second = each_of(symbol if sign == "+" else _OTHER[symbol], right)
            yield from (Operation(sign, pair) for pair in product(each_of(symbol, left), second))
        case _:
            yield value
