"""The estimated time of a distributed mapping, by a model of the network.

In a step every rank computes, then sends and receives. A step takes as long as its busiest rank; in a pipeline the last
rank starts later, by a step of every other one. Operations, values and messages of a step are counted as polynomials in
the step and in the ends of the places; of many steps, a few are evaluated.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from math import ceil, log2

from alphaz.analysis.facts.work_and_traffic import work_of
from alphaz.legality.obligations.rank_communication import ranks_of
from alphaz.machine import Network
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Facts
from alphaz.model.program import System
from alphaz.poly import Affine, AffineFunction, Domain, Unbounded, at_least, equal, less, unlike
from alphaz.poly.algorithms.bounds import box_of
from alphaz.poly.algorithms.counting import Count, count
from alphaz.search.cost.rank_pairs import BlockNames, RankPairs, ends_of, rank_pairs
from alphaz.search.cost.rank_sums import blocks, grid_shape

# Operations a second of one rank: mappings are compared, so that only the ratio to the network counts.
_OPERATIONS = 2e9
# Values of a step dimension that are evaluated, and points among which they are looked for.
_VALUES, _MOST_POINTS = 6, 2000
_PART = 0.381966
# Most values of a dimension that are counted one by one, where a number is not a polynomial.
_MOST_SLICES = 40

Box = tuple[tuple[int, int], ...]
"""The places of a rank, in each distributed dimension."""
Sample = tuple[Mapping[str, int], float]
"""A step, and the number of steps for which it stands."""


@dataclass(frozen=True, slots=True)
class RankTime:
    """Seconds of the busiest rank: `computing`, and `sending` messages; `filling`: until the last rank starts."""

    computing: float
    sending: float
    filling: float

    @property
    def seconds(self) -> float:
        return self.computing + self.sending + self.filling


def rank_time(mapping: ResolvedMapping, parameters: Mapping[str, int], ranks: int, network: Network) -> RankTime | None:
    """Returns the estimated time on so many ranks; None if a number is not a polynomial."""
    pairs = rank_pairs(mapping)
    if pairs.ranges is None:
        return None
    sides = [(place.first.at(parameters), place.behind.at(parameters)) for place in pairs.ranges]
    model = _StepModel(pairs=pairs, parameters=parameters, ranks=ranks, network=network, sides=tuple(sides))
    try:
        return model.time()
    except (_Uncounted, Unbounded):
        return None


class _Uncounted(Exception):
    """A number of points is not a polynomial."""


@dataclass(frozen=True, slots=True, eq=False)
class _Number:
    """The number of points of a set, for the values of its parameters, times a factor."""

    domain: Domain
    factor: float
    polynomial: Count | None

    @staticmethod
    def of(domain: Domain, factor: float, parameters: Mapping[str, int]) -> "_Number":
        """Returns the number where the parameters of the system have these values."""
        fixed = domain.fixed(parameters).coalesced()
        return _Number(fixed, factor, count(fixed, fixed.parameters(), is_short=False))

    def at(self, values: Mapping[str, int]) -> float:
        points = _points(self.domain, values) if self.polynomial is None else self.polynomial.at(values)
        return self.factor * points


def _points(domain: Domain, values: Mapping[str, int]) -> int:
    fixed = domain.fixed({name: values[name] for name in domain.space.parameters})
    if fixed.is_empty():
        return 0
    number = count(fixed, fixed.parameters(), is_short=False)
    return _by_slices(fixed, values) if number is None else number.at(values)


def _by_slices(domain: Domain, values: Mapping[str, int]) -> int:
    """Returns the sum over the values of the shortest dimension. Raises _Uncounted if it is long."""
    box = box_of(domain, values)
    length, low, name = min(zip(box.shape, box.lower, domain.space.names, strict=True))
    if length > _MOST_SLICES:
        raise _Uncounted
    rest = [other for other in domain.space.names if other != name]
    slices = (
        domain & Domain.where(domain.space, [equal(Affine.name(name), low + position)]) for position in range(length)
    )
    return sum(_points(slice_.onto(rest), values) for slice_ in slices)


@dataclass(frozen=True, slots=True, eq=False)
class _DealtOut:
    """Sets of a step for places that are dealt out: the active places of each statement; of each variable the values
    that other places read, with the bytes of one, and the places that send them.
    """

    places: tuple[Domain, ...]
    sent: tuple[tuple[int, Domain], ...]
    senders: tuple[Domain, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _StepModel:
    pairs: RankPairs
    parameters: Mapping[str, int]
    ranks: int
    network: Network
    sides: tuple[tuple[int, int], ...]

    def time(self) -> RankTime:
        computing = sending = filling = number = seen = 0.0
        is_by_blocks = self.pairs.distribution.is_by_blocks
        boxes = self._boxes()
        works, received, combined = self._works(), self._received(), self._combined()
        messages, dealt_out = self.pairs.messages(()), None if is_by_blocks else self._dealt_out()
        for step, weight in self._steps():
            if dealt_out is None:
                busy, waiting, bytes_ = self._of_blocks(step, boxes, works, received, messages)
                seen += weight * bytes_
            else:
                busy, waiting = self._of_dealt_out(step, works, dealt_out)
            together = sum(bytes_.at({**self.parameters, **step}) for bytes_ in combined)
            if together:
                waiting += ceil(log2(self.ranks)) * self._message(together)
            computing, sending, number = computing + weight * busy, sending + weight * waiting, number + weight
        if is_by_blocks:
            sending += self._unseen(boxes, messages, seen)
        ranks = ranks_of(self.pairs.table)
        if ranks is not None and ranks.is_pipeline and number:
            filling = (len(boxes) - 1) * (computing + sending) / number
        return RankTime(computing, sending, filling)

    def _unseen(self, boxes: Sequence[Box], messages: Domain, seen: float) -> float:
        """Returns the seconds of the messages of other steps, one after the other, if they have most of the bytes."""
        values = [{**self.parameters, **_ends(self.pairs.receivers, box)} for box in boxes]
        pairs = self.pairs.pairs
        sizes = [_Number.of(self.pairs.received(name), pairs[name].width, self.parameters) for name in pairs]
        bytes_ = sum(size.at(value) for size in sizes for value in values)
        if bytes_ <= 2 * seen:
            return 0.0
        ends = [_ends(self.pairs.senders, box) for box in boxes]
        numbers = (_points(messages, {**one, **other}) for one, other in product(values, ends))
        others = (number for position, number in enumerate(numbers) if position // len(boxes) != position % len(boxes))
        return sum(others) * self.network.latency + bytes_ / self.network.bytes

    def _message(self, bytes_: float) -> float:
        return self.network.latency + bytes_ / self.network.bytes

    def _boxes(self) -> tuple[Box, ...]:
        shape = grid_shape(self.ranks, len(self.sides), self.pairs.distribution.shape)
        return tuple(product(*(tuple(blocks(*side, n)) for side, n in zip(self.sides, shape, strict=True))))

    # --- one step -----------------------------------------------------------------------------------------------------

    def _of_blocks(
        self,
        step: Mapping[str, int],
        boxes: Sequence[Box],
        works: Sequence[_Number],
        received: Sequence[_Number],
        messages: Domain,
    ) -> tuple[float, float, float]:
        """Returns the seconds that the busiest rank computes, and sends and receives, in a step; and all bytes."""
        values = [{**self.parameters, **step, **_ends(self.pairs.receivers, box)} for box in boxes]
        busy = max((sum(work.at(value) for work in works) for value in values), default=0.0) / _OPERATIONS
        sizes = [sum(number.at(value) for number in received) for value in values]
        if not any(sizes):
            return busy, 0.0, 0.0
        sent = []
        for position, box in enumerate(boxes):
            ends = _ends(self.pairs.senders, box)
            sent += [
                (position, other)
                for other, value in enumerate(values)
                if other != position and sizes[other] and messages.contains({**value, **ends})
            ]
        latency, hops = self.network.latency, self._broadcasts(sent)
        if hops is not None:
            return busy, sum(hops) * latency + max(hops) * max(sizes) / self.network.bytes, sum(sizes)
        numbers = [Counter(side) for side in zip(*sent, strict=True)]
        partners = [max(number[position] for number in numbers) for position in range(len(boxes))]
        sides = zip(partners, sizes, strict=True)
        return busy, max(n * latency + size / self.network.bytes for n, size in sides), sum(sizes)

    def _broadcasts(self, sent: Sequence[tuple[int, int]]) -> list[int] | None:
        """Returns how many messages follow each other in the longest broadcast along each dimension; None if the pairs
        of sender and receiver are not those of one broadcast in a line of ranks, which differ in one dimension.
        """
        shape = grid_shape(self.ranks, len(self.sides), self.pairs.distribution.shape)
        ranks = tuple(product(*map(range, shape)))
        lines: dict[tuple[int, int], list[int]] = {}
        for one, other in sent:
            differing = [
                position for position, (x, y) in enumerate(zip(ranks[one], ranks[other], strict=True)) if x != y
            ]
            lines.setdefault((one, differing[0]), []).append(other)
            if len(differing) > 1:
                return None
        roots = Counter((at, *ranks[one][:at], *ranks[one][at + 1 :]) for one, at in lines)
        if any(number > 1 for number in roots.values()):
            return None
        longest = [0] * len(shape)
        for (_, at), receivers in lines.items():
            longest[at] = max(longest[at], ceil(log2(len(receivers) + 1)))
        return longest

    def _of_dealt_out(
        self, step: Mapping[str, int], works: Sequence[_Number], sets: "_DealtOut"
    ) -> tuple[float, float]:
        """Returns the same for places that are dealt out: ranks have equal shares of the active places."""
        (side,), values = self.sides, {**self.parameters, **step}
        every = {**values, **_ends(self.pairs.receivers, (side,))}
        active = max((_points(places, values) for places in sets.places), default=0)
        size = max(self.pairs.distribution.size, 1)
        shares = max(1, min(self.ranks, -(-active // size)))
        busy = sum(work.at(every) for work in works) / shares / _OPERATIONS
        bytes_ = sum(width * _points(sent, values) for width, sent in sets.sent)
        senders = sum(_points(owners, values) for owners in sets.senders)
        if senders == 1:
            return busy, ceil(log2(self.ranks)) * self._message(bytes_)
        return busy, min(self.ranks - 1, senders) * self.network.latency + bytes_ / self.network.bytes

    # --- sets ---------------------------------------------------------------------------------------------------------

    def _within(self, statement: Statement, ranks: Sequence[BlockNames]) -> Domain:
        """Returns the operations of a step, of a rank with these ends."""
        steps = tuple(map(Affine.name, self.pairs.steps))
        constraints = list(self.pairs.distribution.in_step(statement, statement.dates, steps))
        for place, block in zip(statement.dates[self.pairs.distribution.dimensions], ranks, strict=False):
            constraints += [at_least(place, block.low_end), less(place, block.high_end)]
        whole = statement.domain.with_parameters((*self.pairs.steps, *ends_of(ranks)))
        return whole & Domain.where(whole.space, constraints)

    def _dealt_out(self) -> "_DealtOut":
        steps, sent, senders = self.pairs.steps, list[tuple[int, Domain]](), list[Domain]()
        for variable, variable_pairs in self.pairs.pairs.items():
            elsewhere = self.pairs.elsewhere(variable)
            sent.append((variable_pairs.width, self._in_step(elsewhere.onto((*variable_pairs.values, *steps)))))
            senders.append(self._in_step(elsewhere.onto((*self.pairs.made, *steps))))
        places = tuple(map(self._places, self.pairs.table.mapping.statements))
        return _DealtOut(places, tuple(sent), tuple(senders))

    def _places(self, statement: Statement) -> Domain:
        place = AffineFunction(statement.domain.space, tuple(statement.dates[self.pairs.distribution.dimensions]))
        domain = self._within(statement, ())
        return domain.image(_over(place, domain), self.pairs.made)

    def _works(self) -> tuple[_Number, ...]:
        mapping = self.pairs.table.mapping
        totals = _totals(mapping.facts, mapping.system)
        works = []
        for statement in mapping.statements:
            total = totals.get(statement.variable)
            points = _points(statement.domain, self.parameters)
            factor = 1.0 if total is None or not points else max(1.0, total.at(self.parameters) / points)
            works.append(_Number.of(self._within(statement, self.pairs.receivers), factor, self.parameters))
        return tuple(works)

    def _received(self) -> tuple[_Number, ...]:
        return tuple(
            _Number.of(self._in_step(self.pairs.received_in_steps(variable)), variable_pairs.width, self.parameters)
            for variable, variable_pairs in self.pairs.pairs.items()
        )

    def _combined(self) -> tuple[_Number, ...]:
        mapping, combined = self.pairs.table.mapping, []
        for statement in mapping.statements:
            if statement.variable in self.pairs.distribution.combined:
                variable = mapping.system.variable(statement.variable)
                points = self._within(statement, ())
                names = unlike(variable.domain.space.names, points.space.parameters)
                results = points.image(_over(statement.target, points), names)
                combined.append(_Number.of(results, variable.type.bytes, self.parameters))
        return tuple(combined)

    def _in_step(self, points: Domain) -> Domain:
        """Returns the points of the step that the parameters name."""
        steps = self.pairs.steps
        fresh = dict(zip(steps, unlike(steps, (*points.space.names, *points.space.parameters)), strict=True))
        names = [name for name in points.space.names if name not in steps]
        whole = points.renamed([fresh.get(name, name) for name in points.space.names]).with_parameters(steps)
        same = [equal(Affine.name(name), Affine.name(other)) for name, other in fresh.items()]
        return (whole & Domain.where(whole.space, same)).onto(names)

    # --- steps --------------------------------------------------------------------------------------------------------

    def _steps(self) -> Iterator[Sample]:
        """Yields a few steps; of statements with the same steps, they are the same."""
        before: Domain | None = None
        for statement in self.pairs.table.mapping.statements:
            steps = self.pairs.steps_of(statement).fixed(self.parameters)
            left = steps if before is None else steps - before
            before = steps if before is None else before | steps
            if not left.is_empty():
                yield from self._samples(left.coalesced())

    def _samples(self, steps: Domain) -> Iterator[Sample]:
        box = box_of(steps, self.parameters)
        sides = [_spread(low, length) for low, length in zip(box.lower, box.shape, strict=True)]
        points = [dict(zip(self.pairs.steps, point, strict=True)) for point in product(*sides)]
        inside = [point for point in points if steps.contains({**self.parameters, **point})]
        if not inside:
            first = islice(steps.points(self.parameters), _MOST_POINTS)
            inside = [dict(zip(self.pairs.steps, point, strict=True)) for point in first]
        weight = _points(steps, self.parameters) / len(inside)
        yield from ((point, weight) for point in inside)


def _spread(low: int, length: int) -> list[int]:
    """Returns a few numbers of an interval, at parts of its length at which no block of places ends."""
    if length <= 2 * _VALUES:
        return list(range(low, low + length))
    return [low + int(length * (position + _PART) / _VALUES) for position in range(_VALUES)]


@lru_cache(maxsize=4)
def _totals(facts: Facts, system: System) -> Mapping[str, Count | None]:
    """Returns the number of operations of each variable."""
    return {work.variable: work.operations for work in work_of(facts, system)}


def _over(function: AffineFunction, domain: Domain) -> AffineFunction:
    """Returns the function over the space of a domain, which has more parameters."""
    return AffineFunction(domain.space, function.renamed(domain.space.names).outputs)


def _ends(ranks: Sequence[BlockNames], box: Box) -> dict[str, int]:
    """Returns the ends of the places of a rank, by name."""
    ends: dict[str, int] = {}
    for block, (low, high) in zip(ranks, box, strict=True):
        ends |= {block.low: low, block.high: high}
    return ends
