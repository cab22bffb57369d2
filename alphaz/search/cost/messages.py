"""Messages and bytes between the ranks of a distributed mapping: numbers for given sizes, and polynomials in the
parameters and the number of ranks.

A value is sent once to each other rank that reads it; a message has the values of a step for one receiver. With blocks
both numbers are sums, over the ranks or pairs of ranks, of polynomials in the ends of their places (counting.py). If
places are dealt out the polynomials are numbers of values times the other ranks: a bound, unless all places read the
values; numbers for given sizes are counted read by read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from alphaz.diagnostics.message_words import count_text
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.poly import Domain, unlike
from alphaz.poly.algorithms.counting import Count, count
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.search.cost.rank_pairs import BlockNames, PlaceRange, RankPairs, ends_of, rank_pairs
from alphaz.search.cost.rank_sums import (
    RankRelation,
    RankSums,
    block_inside,
    blocks,
    grid_shape,
    relation_of,
    text_of,
)

_OF_PAIRS: tuple[RankRelation, ...] = tuple(relation for relation in RankRelation if relation is not RankRelation.ALONE)
# Most pairs of ranks that are counted one by one.
_MOST_PAIRS = 20_000
# Most steps or values that are counted one by one, for a pair of ranks, or for a rank.
_MOST_POINTS = 5_000
# Most reads of one variable that are looked at, if places are dealt out.
_MOST_READS = 100_000


@dataclass(frozen=True, slots=True)
class RankFormula:
    """A number as a polynomial `text`, for `ranks` ranks or more in each dimension, and `places` places of a rank or
    more in each; `equal`: where all ranks have as many. Unless it is `exact`, it is a bound.
    """

    text: str
    ranks: int = 1
    places: int = 1
    equal: bool = False
    exact: bool = True

    def __str__(self) -> str:
        """`2*T*(P-1), for blocks of 2 places or more`."""
        size = f"{count_text(self.places, 'place')} or more" if self.places > 1 else ""
        blocks_ = " of ".join(filter(None, ("equal blocks" if self.equal else "blocks" if size else "", size)))
        ranks = f"{self.ranks} ranks or more" if self.ranks > 1 else ""
        where = " and ".join(filter(None, (ranks, blocks_)))
        return f"{'' if self.exact else 'at most '}{self.text}{f', for {where}' if where else ''}"


@dataclass(frozen=True, slots=True)
class RankNumbers:
    """The messages, and the bytes, that all ranks send together."""

    messages: int
    bytes: int


@dataclass(frozen=True, slots=True, eq=False)
class RankCost:
    """Polynomials for the messages, for the bytes, and for the sent values of each variable: None where none is known.

    `combined`: for each variable that ranks combine, how many values, and in how many steps; of those in `scanned` a
    rank gets what the ranks before it combine. `names`: those of the numbers of ranks in the polynomials.
    """

    names: tuple[str, ...]
    messages: RankFormula | None
    bytes: RankFormula | None
    values: Mapping[str, RankFormula | None]
    combined: Mapping[str, tuple[str, str]]
    scanned: frozenset[str] = frozenset()
    _counting: "_BlockCounting | _DealtCounting | None" = None

    @property
    def ranges(self) -> tuple[PlaceRange, ...] | None:
        """Returns the places of each dimension, if they are known."""
        return None if self._counting is None else self._counting.ranges

    def numbers(self, parameters: Mapping[str, int], ranks: int) -> RankNumbers | None:
        """Returns the numbers for these sizes; None if they are not known."""
        return None if self._counting is None else self._counting.numbers(parameters, ranks)


def rank_cost(mapping: ResolvedMapping) -> RankCost:
    """Returns the messages of a distributed mapping."""
    pairs = rank_pairs(mapping)
    width, parameters = len(pairs.receivers), pairs.system.parameters
    names = unlike(("P", "Q")[:width], (*parameters, *pairs.ends))
    ranges, combined = pairs.ranges, _combined(pairs)
    if ranges is None:
        unknown = dict[str, RankFormula | None].fromkeys(pairs.pairs)
        return RankCost(names=names, messages=None, bytes=None, values=unknown, combined=combined)
    if not pairs.distribution.is_by_blocks:
        return _dealt_out(pairs, ranges, names, combined)
    counting = _BlockCounting(pairs, ranges)
    sums = RankSums(pairs, ranges, names)
    receivers = ends_of(pairs.receivers)
    values = {v: _formula(sums, [[(pairs.received(v), (RankRelation.ALONE,) * width, receivers)]]) for v in pairs.pairs}
    total = _formula(
        sums,
        [[(pairs.received(v), (RankRelation.ALONE,) * width, receivers)] for v in pairs.pairs],
        [pairs_of.width for pairs_of in pairs.pairs.values()],
    )
    steps = [(pairs_of, relation, pairs.ends) for relation, pairs_of in counting.steps().items()]
    return RankCost(
        names=names,
        messages=_formula(sums, [steps]),
        bytes=total,
        values=values,
        combined=combined,
        scanned=frozenset(scan.variable for scan in pairs.scans),
        _counting=counting,
    )


def _formula(
    sums: RankSums,
    terms: Sequence[Sequence[tuple[Domain, tuple[RankRelation, ...], tuple[str, ...]]]],
    factors: Sequence[int] = (1,),
) -> RankFormula | None:
    """Returns the sum of the terms times their factors, over all ranks, or pairs of ranks, in these relations."""
    parts = [(factor, *one) for factor, term in zip(factors, terms, strict=True) for one in term]
    rank_sum = sums.over_ranks(parts)
    if rank_sum is None:
        return None
    return RankFormula(rank_sum.text, ranks=rank_sum.ranks, places=rank_sum.places, equal=rank_sum.equal)


def _combined(pairs: RankPairs) -> dict[str, tuple[str, str]]:
    """Returns the numbers of values that ranks combine, of a scan those of its lines, and of steps, by variable."""
    lines = {scan.variable: scan.index for scan in pairs.scans}
    texts_of = {}
    for variable in sorted({*pairs.distribution.combined, *lines}):
        context = pairs.system.context
        statements = [s for s in pairs.table.mapping.statements if s.variable == variable]
        names = pairs.system.variable(variable).domain.space.names
        points, steps = Domain.empty(pairs.system.space(names)), Domain.empty(pairs.system.space(pairs.steps))
        for statement in statements:
            points |= statement.domain.image(statement.target, names)
            steps |= pairs.steps_of(statement)
        points = points.onto([name for position, name in enumerate(names) if position != lines.get(variable)])
        texts = [_count_text(count(domain.coalesced(), context)) for domain in (points, steps)]
        texts_of[variable] = texts[0], texts[1]
    return texts_of


def _count_text(number: Count | None) -> str:
    return "?" if number is None else str(number)


def _dealt_out(
    pairs: RankPairs, ranges: tuple[PlaceRange, ...], names: tuple[str, ...], combined: Mapping[str, tuple[str, str]]
) -> RankCost:
    """Returns the numbers of values, and of steps and places that send, times the number of other ranks: of a grid, of
    those in the same row or column where all readers are.
    """
    values, total, sending = dict[str, RankFormula | None](), _Bound(Polynomial()), dict[tuple[int, ...], Domain]()
    for variable, variable_pairs in pairs.pairs.items():
        parts = pairs.elsewhere_by_line(variable)
        is_exact = not parts or (len(ranges) == 1 and pairs.is_read_everywhere(variable, ranges[0]))
        value = _bound(pairs, {at: part.onto(variable_pairs.values) for at, part in parts.items()}, names, is_exact)
        for at, part in parts.items():
            senders = part.onto((*pairs.steps, *pairs.made))
            sending[at] = sending[at] | senders if at in sending else senders
        values[variable] = value.formula
        total = total.plus(value, variable_pairs.width)
    messages = _bound(pairs, sending, names, total.is_exact)
    return RankCost(
        names=names,
        messages=messages.formula,
        bytes=total.formula,
        values=values,
        combined=combined,
        _counting=_DealtCounting(pairs, ranges),
    )


@dataclass(frozen=True, slots=True)
class _Bound:
    """A polynomial (None: unknown), which is a bound unless it is exact."""

    polynomial: Polynomial | None
    is_exact: bool = True

    @property
    def formula(self) -> RankFormula | None:
        return None if self.polynomial is None else RankFormula(text_of(self.polynomial, {}), exact=self.is_exact)

    def plus(self, other: "_Bound", factor: int) -> "_Bound":
        is_exact = self.is_exact and other.is_exact
        if self.polynomial is None or other.polynomial is None:
            return _Bound(None, is_exact)
        return _Bound(self.polynomial + other.polynomial * Polynomial.constant(factor), is_exact)


def _bound(pairs: RankPairs, parts: Mapping[tuple[int, ...], Domain], names: Sequence[str], is_exact: bool) -> _Bound:
    """Returns the points of each part times the ranks, other than the sender, that differ in its dimensions alone."""
    total = Polynomial()
    for dimensions, part in parts.items():
        number = _only(count(part.coalesced(), pairs.system.context))
        if number is None:
            return _Bound(None, is_exact)
        ranks = Polynomial.of([(tuple((names[dimension], 1) for dimension in dimensions), 1)])
        total = total + number * (ranks + Polynomial.constant(-1))
    return _Bound(total, is_exact)


def _only(number: Count | None) -> Polynomial | None:
    """Returns the polynomial, if it is the same for all parameters."""
    return None if number is None or len(number.parts) > 1 else number.main


@dataclass(frozen=True, slots=True, eq=False)
class _BlockCounting:
    """Counts the messages of blocks."""

    pairs: RankPairs
    ranges: tuple[PlaceRange, ...]
    _counts: dict[object, Count | None] = field(default_factory=dict, repr=False)

    def steps(self) -> dict[tuple[RankRelation, ...], Domain]:
        """Returns the steps with a message, by the relation of the sender to the receiver; without empty ones."""
        steps: dict[tuple[RankRelation, ...], Domain] = {}
        for relation in product(_OF_PAIRS, repeat=len(self.ranges)):
            if set(relation) != {RankRelation.SAME}:
                where = [
                    constraint
                    for one, sender, receiver in zip(relation, self.pairs.senders, self.pairs.receivers, strict=True)
                    for constraint in one.constraints(sender, receiver)
                ]
                domain = self.pairs.messages(where)
                if not domain.is_empty():
                    steps[tuple(relation)] = domain
        return steps

    def numbers(self, parameters: Mapping[str, int], ranks: int) -> RankNumbers | None:
        shape = grid_shape(ranks, len(self.ranges), self.pairs.distribution.shape)
        sides = (
            tuple(blocks(place.first.at(parameters), place.behind.at(parameters), number))
            for place, number in zip(self.ranges, shape, strict=True)
        )
        boxes = tuple(product(*sides))
        if len(boxes) ** 2 > _MOST_PAIRS:
            return None
        sent = self._sent(parameters, boxes)
        messages = self._messages(parameters, boxes)
        return None if sent is None or messages is None else RankNumbers(messages, sent)

    def _sent(self, parameters: Mapping[str, int], boxes: Sequence[tuple[tuple[int, int], ...]]) -> int | None:
        total = 0
        for variable, variable_pairs in self.pairs.pairs.items():
            number = self._count(variable, self.pairs.received(variable), self.pairs.receivers)
            for box in boxes:
                values = {**parameters, **_named(self.pairs.receivers, box)}
                received = _enumerated(self.pairs.received(variable), values) if number is None else number.at(values)
                if received is None:
                    return None
                total += variable_pairs.width * received
        return total

    def _messages(self, parameters: Mapping[str, int], boxes: Sequence[tuple[tuple[int, int], ...]]) -> int | None:
        total, steps = 0, self.steps()
        for one, other in product(boxes, repeat=2):
            relation = tuple(map(relation_of, one, other))
            if relation in steps:
                number = self._count(relation, steps[relation], (*self.pairs.senders, *self.pairs.receivers))
                ends = {**_named(self.pairs.senders, one), **_named(self.pairs.receivers, other)}
                values = {**parameters, **ends}
                messages = _enumerated(steps[relation], values) if number is None else number.at(values)
                if messages is None:
                    return None
                total += messages
        return total

    def _count(self, key: object, domain: Domain, ranks: Sequence[BlockNames]) -> Count | None:
        if key not in self._counts:
            inside = [
                constraint
                for position, block in enumerate(ranks)
                for constraint in block_inside(block, self.ranges[position % len(self.ranges)])
            ]
            known = self.pairs.context(ends_of(ranks), inside)
            if isinstance(key, tuple):
                known = known & domain.parameters()
            self._counts[key] = count(domain, known)
        return self._counts[key]


@dataclass(frozen=True, slots=True, eq=False)
class _DealtCounting:
    """Counts the messages of places that are dealt out, read by read."""

    pairs: RankPairs
    ranges: tuple[PlaceRange, ...]

    def numbers(self, parameters: Mapping[str, int], ranks: int) -> RankNumbers | None:
        messages, total = set[tuple[tuple[int, ...], ...]](), 0
        for pairs_of in self.pairs.pairs.values():
            sent = set[tuple[tuple[int, ...], ...]]()
            first, width = len(pairs_of.values), len(self.ranges)
            step = first + len(self.pairs.steps)
            for number, point in enumerate(pairs_of.points.points(parameters)):
                if number == _MOST_READS:
                    return None
                sender, receiver = (
                    self._owner(point[at : at + width], parameters, ranks) for at in (step, step + width)
                )
                if sender != receiver:
                    sent.add((point[:first], receiver))
                    messages.add((point[first:step], sender, receiver))
            total += pairs_of.width * len(sent)
        return RankNumbers(len(messages), total)

    def _owner(self, place: Sequence[int], parameters: Mapping[str, int], ranks: int) -> tuple[int, ...]:
        size, shape = max(self.pairs.distribution.size, 1), grid_shape(ranks, len(self.ranges))
        sides = zip(place, self.ranges, shape, strict=True)
        return tuple((x - side.first.at(parameters)) // size % number for x, side, number in sides)


def _enumerated(domain: Domain, values: Mapping[str, int]) -> int | None:
    """Returns the number of points, for which there is no polynomial; None if there are many."""
    points = sum(1 for _ in islice(domain.points(values), _MOST_POINTS + 1))
    return None if points > _MOST_POINTS else points


def _named(ranks: Sequence[BlockNames], box: Sequence[tuple[int, int]]) -> dict[str, int]:
    """Returns the ends of the places of a rank, by name."""
    values_of: dict[str, int] = {}
    for block, (low, high) in zip(ranks, box, strict=True):
        values_of |= {block.low: low, block.high: high}
    return values_of
