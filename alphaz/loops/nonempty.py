"""Conditions under which a loop runs at least once, as sets that must be empty."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import product
from math import prod

from alphaz.loops.tree import Conditional, For, Let, Node, inside
from alphaz.poly.domain import Domain
from alphaz.poly.engine import OutOfBudget
from alphaz.poly.plain.conditions import Condition, among, condition_of, conjuncts
from alphaz.poly.plain.integer_expression import Integer, IntegerName, IntegerOperation
from alphaz.poly.plain.space import Space


@dataclass(frozen=True, slots=True)
class LoopPlace:
    """A place in a tree: the names of the enclosing loops, and conditions that hold. `context` is a set
    of parameters.
    """

    context: Domain
    names: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def without_iterations(self, loop: For, first: Integer | None = None) -> "tuple[MissingIteration, ...] | None":
        """Returns the cases where a loop here has no iteration, or would have none if it began at `first`; None where
        these cases have no form, or where a name is declared twice.
        """
        bounds = product(among("max", first or loop.first), among("min", loop.bound))
        empty = [condition_of(IntegerOperation(_OPPOSITE[loop.comparison], bound)) for bound in bounds]
        missing = tuple(MissingIteration(self, condition) for condition in empty if condition is not None)
        declared = (*self.context.space.parameters, *self.names)
        return missing if len(missing) == len(empty) and len({*declared}) == len(declared) else None

    def inside(self, node: Node) -> tuple["LoopPlace", ...]:
        """Returns the places of the nodes directly inside, in their order."""
        match node:
            case For(iterator, _, first, comparison, bound):
                own = IntegerName(iterator)
                low, high = IntegerOperation("<=", (first, own)), IntegerOperation(comparison, (own, bound))
                return (self._with((*_conditions(low), *_conditions(high)), iterator),)
            case Let(iterator, _, value):
                return (
                    self._with(tuple(_conditions(IntegerOperation("==", (IntegerName(iterator), value)))), iterator),
                )
            case Conditional(condition):
                return (self._with(tuple(_conditions(condition))), self)[: len(inside(node))]
        return (self,) * len(inside(node))

    def _with(self, more: Iterable[Condition | None], *names: str) -> "LoopPlace":
        conditions = (*self.conditions, *(condition for condition in more if condition is not None))
        return LoopPlace(self.context, (*self.names, *names), conditions)


@dataclass(frozen=True, slots=True)
class MissingIteration:
    """The conditions at a place, with a bound of a loop there that excludes every iteration. Its points have the
    names of the enclosing loops, and floors, each with a name of its own.
    """

    place: LoopPlace
    empty: Condition

    @property
    def space(self) -> Space:
        parameters, conditions = self.place.context.space.parameters, (*self.place.conditions, self.empty)
        used = {name for condition in conditions for piece in condition for one in piece for name in one.affine.names}
        return Space(parameters, tuple(sorted(used.union(self.place.names).difference(parameters))))

    def points(self) -> Domain:
        """Returns the points of the case; usually the conditions without alternatives decide. Raises OutOfBudget where
        the other conditions have too many alternatives.
        """
        space = self.space
        plain = tuple(condition for condition in self.place.conditions if len(condition) == 1)
        domain = Domain.where(space, *self.empty) & _set(space, plain, self.place.context)
        if domain.is_empty() or len(plain) == len(self.place.conditions):
            return domain
        if prod(map(len, self.place.conditions)) > _MOST:
            raise OutOfBudget(f"more than {_MOST} cases")
        return domain & _set(space, self.place.conditions, self.place.context)

    def has(self, values: Mapping[str, int]) -> bool:
        """Returns True if the point is in the set, by plain integers."""
        conditions = (*self.place.conditions, self.empty)
        return self.place.context.contains(values) and all(_holds(condition, values) for condition in conditions)


def _holds(condition: Condition, values: Mapping[str, int]) -> bool:
    return any(all(one.holds(values) for one in piece) for piece in condition)


def _conditions(condition: Integer) -> Iterator[Condition | None]:
    """Yields conditions that hold together where this one does."""
    return map(condition_of, conjuncts(condition))


# So many cases of conditions with alternatives take a tenth of a second.
_MOST = 1 << 10
_OPPOSITE = {"<": ">=", "<=": ">"}


@lru_cache(maxsize=16)
def _set(space: Space, conditions: tuple[Condition, ...], context: Domain) -> Domain:
    """Returns the set where all conditions hold, in the context."""
    plain = [one for condition in conditions if len(condition) == 1 for one in condition[0]]
    parts = [
        Domain.where(space, plain),
        *(Domain.where(space, *condition) for condition in conditions if len(condition) > 1),
    ]
    return reduce(Domain.__and__, parts).in_context(context)
