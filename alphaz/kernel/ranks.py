"""The order of messages between ranks, from the inventory of a certificate of a distributed mapping.

docs/distributed.md defines it: a moment is a step and a part of it, ordered lexicographically. Of dimensions that are
tiled together with the distributed one, a step is an outermost tile.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from .checker import boolean, elements, integer, members, refuse
from .order import Json, Occurrence, Sum, TileBand, all_equal, case, less, smaller

RANKS = "first last blocks pipeline ghosts"
BEGIN, COMPUTE, END = range(3)  # the parts of a step


@dataclass(frozen=True, slots=True)
class RankValue:
    """A value `variable[index]`, an operation that reads it, and one that writes it."""

    variable: object
    index: list[Sum]
    consumer: Occurrence
    producer: Occurrence


Arrival = tuple[Json, list[Sum]]  # a case, and the moment at which the value arrives


@dataclass(frozen=True, slots=True)
class RankOrder:
    """Components `first` to `end - 1` of a date are the place of an operation, those before them its step: in one of
    `bands`, the number of the tile, which is a `quotient`.

    `blocks`: a rank owns an interval of each of these components, else any set of places. `pipeline`: values of lower
    places arrive at the beginning of their step.
    """

    first: int
    end: int
    blocks: bool
    pipeline: bool
    ghosts: list[object]
    bands: Sequence[TileBand]
    quotient: Callable[[Sum, int], Sum]

    @staticmethod
    def of(value: object, bands: Sequence[object], quotient: Callable[[Sum, int], Sum]) -> "RankOrder":
        fields = members(value, RANKS)
        first = integer(fields["first"], 0)
        end = integer(fields["last"], first) + 1
        blocks, pipeline = boolean(fields["blocks"]), boolean(fields["pipeline"])
        if pipeline and not (blocks and end == first + 1):
            refuse("only blocks of one dimension are a pipeline")
        ghosts = elements(fields["ghosts"])
        around = [band for band in map(TileBand.of, bands) if band.first < end]
        for band in around:
            is_of_steps = band.first <= first and end <= band.last + 1 and not band.registers
            if not is_of_steps or 0 in band.recursive or any(map(any, band.wavefront[:1])):
                refuse("tiles of the places are no steps")
        return RankOrder(
            first=first, end=end, blocks=blocks, pipeline=pipeline, ghosts=ghosts, bands=around, quotient=quotient
        )

    def place(self, operation: Occurrence) -> list[Sum]:
        place = operation.raw[self.first : self.end]
        return place if len(place) == self.end - self.first else refuse("an operation has no place")

    def step(self, operation: Occurrence) -> list[Sum]:
        around = [band for band in self.bands if band.has(operation.raw)]
        if len(around) > 1:
            refuse("an operation is in two bands of tiles")
        quotients = list[Sum]()
        for at, value in enumerate(operation.raw[: self.first]):
            size = around[0].step_size(at) if around and at >= around[0].first else 1
            quotients.append(value if size == 1 else self.quotient(value, size) if size else ({}, 0))
        return quotients

    def moment(self, operation: Occurrence, part: int = COMPUTE) -> list[Sum]:
        return [*self.step(operation), ({}, part)]

    def sent(self, producer: Occurrence, inside: Sequence[Occurrence]) -> list[Arrival]:
        """Returns the cases in which one rank may have the places of `inside`, and another one that of the producer."""
        arrivals = list[Arrival]()
        for place, *inner in zip(self.place(producer), *map(self.place, inside), strict=True):
            below, above = [less(place, x) for x in inner], [less(x, place) for x in inner]
            sides = [below, above] if self.blocks else list(map(list, product(*zip(below, above, strict=True))))
            for side in sides:
                part = BEGIN if self.pipeline and side is below else END
                arrivals.append((case(*side), self.moment(producer, part)))
        return arrivals

    def late(self, used: RankValue) -> list[Json]:
        """Returns the cases where a value of another rank does not arrive before it is read."""
        now = self.moment(used.consumer)
        return _some(self.sent(used.producer, [used.consumer]), lambda arrival: _not_before(arrival, now))

    def received_before(self, used: RankValue, writer: Occurrence) -> list[Json]:
        """Returns the cases where a rank receives a value before it executes the writer."""
        sent = self.sent(used.producer, [used.consumer, writer])
        return _some(sent, lambda arrival: smaller(arrival, self.moment(writer)))

    def received_between(self, used: RankValue, late: RankValue) -> list[Json]:
        """Returns the cases where a rank receives the late value not before the used one, and before it is read."""
        inside, now = [used.consumer, late.consumer], self.moment(used.consumer)
        first = self.sent(used.producer, inside)

        def between(then: list[Sum]) -> list[Json]:
            return _all_of(smaller(then, now), _some(first, lambda arrival: _not_before(then, arrival)))

        return _some(self.sent(late.producer, inside), between)

    def received_in_life(self, used: RankValue, late: RankValue) -> list[Json]:
        """Returns the cases where a rank receives the late value after it wrote the used one, and before it reads it.

        What is there from the start is written before all moments; the end reads after them.
        """
        x, b = used.consumer, used.producer
        dated = [operation for operation in (x, b) if operation.family["moment"] == "dated"]

        def between(arrival: list[Sum]) -> list[Json]:
            after = smaller(self.moment(b), arrival) if b in dated else [case()]
            return _all_of(after, smaller(arrival, self.moment(x)) if x in dated else [case()])

        return _some(self.sent(late.producer, [late.consumer, *dated]), between)


def _not_before(one: Sequence[Sum], other: Sequence[Sum]) -> list[Json]:
    return [*all_equal(one, other), *smaller(other, one)]


def _all_of(*parts: Sequence[Json]) -> list[Json]:
    """Returns the cases in which one case of each part holds; they have no divisions."""
    rows = ([row for conjunction in choice for row in elements(conjunction["rows"])] for choice in product(*parts))
    return [{"rows": conjunction, "divisions": []} for conjunction in rows]


def _some(arrivals: Sequence[Arrival], condition: Callable[[list[Sum]], list[Json]]) -> list[Json]:
    """Returns the cases of arrivals whose moments meet the condition."""
    return [piece for side, moment in arrivals for piece in _all_of([side], condition(moment))]
