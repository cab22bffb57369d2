"""Sums over the ranks of a distribution by blocks, or over pairs of ranks, of polynomials in the ends of their places.

The ranks of a dimension are numbered from 0 to P-1, and rank r has the places `[first + r*b, first + (r+1)*b)`. Ranks
at the ends of the places, whose messages differ, are summed apart. Such a sum holds for three ranks or more; sums for
fewer ranks are compared with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product

from alphaz.poly import Affine, Constraint, Domain, at_least, equal, less, unlike
from alphaz.poly.algorithms.counting import count
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.search.cost.rank_pairs import BlockNames, PlaceRange, RankPairs

# The least numbers of places of a rank for which a polynomial is looked for.
_PLACES = (1, 2, 3)
# The number of ranks from which on the general sums hold.
_GENERAL = 3


class RankRelation(Enum):
    """The side of the receiver on which the places of the sender are; ALONE: there is no sender."""

    ALONE = "alone"
    SAME = "same"
    BELOW = "next below"
    FAR_BELOW = "below"
    ABOVE = "next above"
    FAR_ABOVE = "above"

    @property
    def is_below(self) -> bool:
        return self in (RankRelation.BELOW, RankRelation.FAR_BELOW)

    @property
    def is_far(self) -> bool:
        return self in (RankRelation.FAR_BELOW, RankRelation.FAR_ABOVE)

    def constraints(self, sender: BlockNames, receiver: BlockNames) -> tuple[Constraint, ...]:
        """Returns the condition on the ends of the places."""
        if self is RankRelation.SAME:
            return equal(sender.low_end, receiver.low_end), equal(sender.high_end, receiver.high_end)
        lower, upper = (sender, receiver) if self.is_below else (receiver, sender)
        return (less(lower.high_end, upper.low_end) if self.is_far else equal(lower.high_end, upper.low_end),)


def relation_of(sender: tuple[int, int], receiver: tuple[int, int]) -> RankRelation:
    """Returns the relation of two blocks."""
    if sender == receiver:
        return RankRelation.SAME
    if sender[1] <= receiver[0]:
        return RankRelation.BELOW if sender[1] == receiver[0] else RankRelation.FAR_BELOW
    return RankRelation.ABOVE if sender[0] == receiver[1] else RankRelation.FAR_ABOVE


def block_inside(block: BlockNames, places: PlaceRange) -> tuple[Constraint, ...]:
    """Returns the condition that a block is not empty, and in the range."""
    low, high = block.low_end, block.high_end
    return at_least(low, places.first), less(low, high), at_least(places.behind, high)


def blocks(first: int, behind: int, ranks: int) -> Iterator[tuple[int, int]]:
    """Yields the places of the ranks that have some, as the generated code shares them out."""
    count_, at = behind - first, first
    for rank in range(ranks):
        size = count_ // ranks + (rank < count_ % ranks)
        if size > 0:
            yield at, at + size
        at += size


def grid_shape(ranks: int, width: int, most: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Returns the ranks in each dimension, as the generated code arranges them: `most`, if these are given (0: all)."""
    if width == 1:
        return (min(ranks, *filter(None, most), ranks),)
    if any(most):
        rows, columns = most
        if not columns:
            rows = min(rows, ranks)
            return rows, ranks // rows
        columns = min(columns, ranks)
        return min(rows or ranks, ranks // columns), columns
    rows = max(position for position in range(1, ranks + 1) if position * position <= ranks and ranks % position == 0)
    return rows, ranks // rows


@dataclass(frozen=True, slots=True)
class RankSum:
    """A sum as text, for `ranks` ranks or more in each dimension, and `places` places each, or more; `equal`: if all
    ranks have as many.
    """

    text: str
    ranks: int
    places: int
    equal: bool


@dataclass(frozen=True, slots=True)
class _Case:
    """Some ranks of a dimension, or pairs of them: the condition on the ends of their places, the number of each, and
    the sums over these numbers, innermost first.
    """

    where: tuple[Constraint, ...]
    numbers: tuple[tuple[BlockNames, Affine], ...]
    sums: tuple[tuple[str, Affine, Affine], ...] = ()


Summand = tuple[int, Domain, tuple[RankRelation, ...], tuple[str, ...]]
"""A factor, and a set that is counted for each rank or pair of ranks in these relations; its ends of places."""


@dataclass(frozen=True, slots=True, eq=False)
class RankSums:
    """Sums over the ranks. `names`: those of the numbers of ranks, by dimension."""

    pairs: RankPairs
    ranges: tuple[PlaceRange, ...]
    names: tuple[str, ...]

    @property
    def _taken(self) -> tuple[str, ...]:
        return (*self.pairs.system.parameters, *self.pairs.ends, *self.names)

    @property
    def _block(self) -> tuple[str, ...]:
        """Returns the names of the places of a rank, by dimension."""
        return unlike(tuple(f"block{position}" for position in range(len(self.names))), self._taken)

    def over_ranks(self, summands: Sequence[Summand]) -> RankSum | None:
        """Returns the sum of all summands over all ranks; None if it is no polynomial."""
        for places in _PLACES:
            sum_and_exactness = self._sum(summands, (_GENERAL,) * len(self.names), places)
            if sum_and_exactness is not None:
                value, is_equal = sum_and_exactness
                ranks = max(
                    (self._least(summands, value, position, places) for position in range(len(self.names))), default=1
                )
                return RankSum(text_of(value, self._sizes()), ranks, places, is_equal)
        return None

    def _sizes(self) -> dict[str, tuple[Affine, str]]:
        """Returns the names of the places of a rank, with the number of all places and of the ranks."""
        pairs = zip(self._block, self.ranges, self.names, strict=True)
        return {block: (place.behind - place.first, ranks) for block, place, ranks in pairs}

    def _least(self, summands: Sequence[Summand], value: Polynomial, position: int, places: int) -> int:
        """Returns the least number of ranks of a dimension from which on the sum holds."""
        least = _GENERAL
        for ranks in (2, 1):
            numbers = tuple(ranks if d == position else _GENERAL for d in range(len(self.names)))
            special = self._sum(summands, numbers, places)
            fixed = {self.names[position]: Affine(constant=ranks)}
            if special is None or text_of((special[0] - value).replaced(fixed), self._fixed(position, ranks)) != "0":
                break
            least = ranks
        return least

    def _fixed(self, position: int, ranks: int) -> dict[str, tuple[Affine, str]]:
        return {
            block: (size, str(ranks) if d == position else name)
            for d, (block, (size, name)) in enumerate(self._sizes().items())
        }

    def _sum(self, summands: Sequence[Summand], ranks: tuple[int, ...], places: int) -> tuple[Polynomial, bool] | None:
        """Returns the sum for these numbers of ranks, and whether it has the ends of places; None if it is unknown."""
        total, has_ends = Polynomial(), False
        for factor, domain, relation, ends in summands:
            by_dimension = [list(self._cases(position, one, ranks[position])) for position, one in enumerate(relation)]
            for cases in product(*by_dimension):
                value = self._counted(domain, cases, ends, places)
                if value is None:
                    return None
                has_ends = has_ends or not set(value.names).isdisjoint(ends)
                total = total + self._summed(value, cases) * Polynomial.constant(factor)
        return total, has_ends

    def _counted(self, domain: Domain, cases: Sequence[_Case], ends: tuple[str, ...], places: int) -> Polynomial | None:
        where = [constraint for case in cases for constraint in case.where]
        for case, range_ in zip(cases, self.ranges, strict=True):
            for block, _ in case.numbers:
                where += [*block_inside(block, range_), at_least(block.high_end - block.low_end, places)]
        context = self.pairs.context(ends, where)
        counted = count(domain, context)
        if counted is None or len(counted.parts) > 1:
            return None
        return counted.main

    def _summed(self, value: Polynomial, cases: Sequence[_Case]) -> Polynomial:
        ends = dict[str, Polynomial]()
        for case, range_, name in zip(cases, self.ranges, self._block, strict=True):
            for block, number in case.numbers:
                size = Polynomial.affine(Affine.name(name))
                for end, at in ((block.low, number), (block.high, number + 1)):
                    ends[end] = Polynomial.affine(range_.first) + Polynomial.affine(at) * size
        value = value.composed(ends)
        for case in cases:
            for name, lower, upper in case.sums:
                value = value.summed(name, lower, upper)
        return value

    # --- ranks of a dimension ---------------------------------------------------------------------------------------

    def _cases(self, position: int, relation: RankRelation, ranks: int) -> Iterator[_Case]:
        sender, receiver = self.pairs.senders[position], self.pairs.receivers[position]
        one, other = unlike((f"rank{position}", f"other{position}"), (*self._taken, *self._block))
        if relation is RankRelation.ALONE:
            yield from self._of_ranks(position, (receiver,), one, ranks)
        elif relation is RankRelation.SAME:
            for case in self._of_ranks(position, (receiver, sender), one, ranks):
                yield _Case((*case.where, *relation.constraints(sender, receiver)), case.numbers, case.sums)
        elif ranks > 1:
            lower, upper = (sender, receiver) if relation.is_below else (receiver, sender)
            far = (
                self._far(position, lower, upper, one, other)
                if relation.is_far
                else self._near(position, lower, upper, one, ranks)
            )
            for case in far if ranks > 2 or not relation.is_far else ():
                yield _Case((*case.where, *relation.constraints(sender, receiver)), case.numbers, case.sums)

    def _of_ranks(self, position: int, same: tuple[BlockNames, ...], name: str, ranks: int) -> Iterator[_Case]:
        """Yields the first rank, the last one, and those between them; the names in `same` are of one rank."""
        block, range_ = same[0], self.ranges[position]
        first, last = equal(block.low_end, range_.first), equal(block.high_end, range_.behind)
        later, earlier = less(range_.first, block.low_end), less(block.high_end, range_.behind)
        end, number = Affine.name(self.names[position]) - 1, Affine.name(name)

        def having(value: Affine) -> tuple[tuple[BlockNames, Affine], ...]:
            return tuple((one, value) for one in same)

        if ranks == 1:
            yield _Case((first, last), having(Affine()))
            return
        yield _Case((first, earlier), having(Affine()))
        yield _Case((later, last), having(end))
        if ranks > 2:
            yield _Case((later, earlier), having(number), ((name, Affine(constant=1), end - 1),))

    def _near(self, position: int, lower: BlockNames, upper: BlockNames, name: str, ranks: int) -> Iterator[_Case]:
        """Yields the pairs of neighbours."""
        range_, end, number = self.ranges[position], Affine.name(self.names[position]) - 1, Affine.name(name)
        first, last = equal(lower.low_end, range_.first), equal(upper.high_end, range_.behind)
        later, earlier = less(range_.first, lower.low_end), less(upper.high_end, range_.behind)
        if ranks == 2:
            yield _Case((first, last), ((lower, Affine()), (upper, Affine(constant=1))))
            return
        yield _Case((first, earlier), ((lower, Affine()), (upper, Affine(constant=1))))
        yield _Case((later, last), ((lower, end - 1), (upper, end)))
        sums = ((name, Affine(constant=1), end - 2),)
        yield _Case((later, earlier), ((lower, number), (upper, number + 1)), sums)

    def _far(self, position: int, lower: BlockNames, upper: BlockNames, one: str, other: str) -> Iterator[_Case]:
        """Yields the pairs with other ranks between them."""
        range_, end = self.ranges[position], Affine.name(self.names[position]) - 1
        low, high = Affine.name(one), Affine.name(other)
        first, last = equal(lower.low_end, range_.first), equal(upper.high_end, range_.behind)
        later, earlier = less(range_.first, lower.low_end), less(upper.high_end, range_.behind)
        yield _Case((first, last), ((lower, Affine()), (upper, end)))
        yield _Case((first, earlier), ((lower, Affine()), (upper, high)), ((other, Affine(constant=2), end - 1),))
        yield _Case((later, last), ((lower, low), (upper, end)), ((one, Affine(constant=1), end - 2),))
        sums = ((one, Affine(constant=1), high - 2), (other, Affine(constant=3), end - 1))
        yield _Case((later, earlier), ((lower, low), (upper, high)), sums)


def text_of(value: Polynomial, sizes: Mapping[str, tuple[Affine, str]]) -> str:
    """Returns `2*T*(P-1)`; `sizes`: names that are a number of places divided by a number of ranks."""
    import sympy  # noqa: PLC0415 - loaded where it is used

    def symbolic(polynomial: Polynomial) -> sympy.Expr:
        total = sympy.Integer(0)
        for monomial, coefficient in polynomial.terms:
            term = sympy.Rational(coefficient.numerator, coefficient.denominator)
            for name, exponent in monomial:
                term *= sympy.Symbol(name) ** exponent
            total += term
        return total

    expression = symbolic(value)
    for name, (size, ranks) in sizes.items():
        number = sympy.Integer(int(ranks)) if ranks.isdigit() else sympy.Symbol(ranks)
        expression = expression.subs(sympy.Symbol(name), symbolic(Polynomial.affine(size)) / number)
    return str(sympy.factor(sympy.cancel(expression))).replace("**", "^").replace(" ", "")
