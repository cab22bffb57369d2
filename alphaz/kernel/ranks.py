"""States the sets of obligations of distributed mappings, from the inventory of a certificate.

docs/distributed.md defines it: a moment is a step and a part of it, ordered lexicographically. Of dimensions that are
tiled together with the distributed one, a step is an outermost tile.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from .cases import Json, Sum, all_equal, case, different, integers, less, renamed, smaller, values_of
from .checker import boolean, elements, integer, members, plus, refuse
from .order import Occurrence, OperationOrder, TileBand
from .stated_sets import READ, Cell, StatedObligation, Statement, UsedValue, item, only

RANKS = "first last blocks pipeline ghosts border scans"
SCAN = "variable operator index reads"
BEGIN, COMPUTE, END = range(3)  # the parts of a step

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
    border: object
    scans: list[Json]
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
            first=first,
            end=end,
            blocks=blocks,
            pipeline=pipeline,
            ghosts=ghosts,
            border=fields["border"],
            scans=[members(scan, SCAN) for scan in elements(fields["scans"])],
            bands=around,
            quotient=quotient,
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

    def beyond_border(self, used: UsedValue) -> list[Json]:
        """Returns the cases where a value is farther away than a border is wide, of blocks that may have one."""
        if not self.blocks or self.pipeline or any(band.first < self.first for band in self.bands):
            refuse("such ranks have no border")
        border = members(self.border, "low high")
        here, there = self.place(used.consumer), self.place(used.producer)
        low, high = (integers(elements(border[side], len(here)), 0) for side in ("low", "high"))
        sides = [*zip(there, here, low, strict=True), *zip(here, there, high, strict=True)]
        return [case(less(plus(x, 1, ({}, width)), y)) for x, y, width in sides]

    def late(self, used: UsedValue) -> list[Json]:
        """Returns the cases where a value of another rank does not arrive before it is read."""
        now = self.moment(used.consumer)
        return _some(self.sent(used.producer, [used.consumer]), lambda arrival: _not_before(arrival, now))

    def received_before(self, used: UsedValue, writer: Occurrence) -> list[Json]:
        """Returns the cases where a rank receives a value before it executes the writer."""
        sent = self.sent(used.producer, [used.consumer, writer])
        return _some(sent, lambda arrival: smaller(arrival, self.moment(writer)))

    def received_between(self, used: UsedValue, late: UsedValue) -> list[Json]:
        """Returns the cases where a rank receives the late value not before the used one, and before it is read."""
        inside, now = [used.consumer, late.consumer], self.moment(used.consumer)
        first = self.sent(used.producer, inside)

        def between(then: list[Sum]) -> list[Json]:
            return _all_of(smaller(then, now), _some(first, lambda arrival: _not_before(then, arrival)))

        return _some(self.sent(late.producer, inside), between)

    def received_in_life(self, used: UsedValue, late: UsedValue) -> list[Json]:
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


# --- the obligations --------------------------------------------------------------------------------------------------


def _ranks(statement: StatedObligation) -> RankOrder:
    return RankOrder.of(statement.inventory["ranks"], elements(statement.inventory["bands"]), statement.quotient)


def _ghost(statement: StatedObligation, value: UsedValue) -> Cell:
    return statement.cell(value.variable, value.index, _ranks(statement).ghosts)


def _two_values(statement: StatedObligation, number: object, families: Json) -> tuple[UsedValue, UsedValue]:
    """Returns a read with its value, and another one that is `received`; the key says which operation reads it."""
    used = statement.value(number, families["producer"])
    late = statement.value(families["received"], families["sender"], "other ")
    if late.consumer.whole != families["other"]:
        refuse("another operation reads the received value")
    return used, late


def _apart(statement: StatedObligation, variable: object, index: list[Sum], value: UsedValue) -> None:
    """Adds that two values are different."""
    if variable == value.variable:
        statement.parts.append(different(index, value.index))


def _one_place_each(statement: StatedObligation, number: object, families: Json) -> None:
    ranks = _ranks(statement)
    if "value" in families:
        statement.occurrence(families["value"], prefix="value")
    elif number is None:
        a, b = (statement.occurrence(families[role], prefix=role) for role in ("operation", "other"))
        part = ranks.step if a.family["role"] == "contribution" else ranks.place
        statement.parts += [all_equal(a.target, b.target), different(part(a), part(b))]
    else:
        used = statement.value(number, families["producer"])
        b = statement.occurrence(families["other"], prefix="other")
        statement.parts += [all_equal(b.target, used.index), different(ranks.step(used.producer), ranks.step(b))]
        statement.parts.append(different(ranks.place(used.producer), ranks.place(used.consumer)))


def _received_in_time(statement: StatedObligation, number: object, families: Json) -> None:
    statement.parts.append(_ranks(statement).late(statement.value(number, families["producer"])))


def _kept_until_sent(statement: StatedObligation, number: object, families: Json) -> None:
    ranks, used = _ranks(statement), statement.value(number, families["producer"])
    b, w = used.producer, statement.occurrence(families["writer"], prefix="writer")
    statement.in_one_cell(statement.written(w), statement.cell(used.variable, used.index))
    statement.parts += [all_equal(ranks.step(b), ranks.step(w)), statement.order.failures(w, b)]
    statement.parts.append([side for side, _ in ranks.sent(used.consumer, [b, w])])
    _apart(statement, w.family["variable"], w.target, used)


def _ghost_kept(statement: StatedObligation, number: object, families: Json) -> None:
    used = statement.value(number, families["producer"])
    x, w = used.consumer, statement.occurrence(families["writer"], prefix="writer")
    statement.in_one_cell(statement.written(w), _ghost(statement, used))
    statement.parts += [_ranks(statement).received_before(used, w), statement.order.failures(x, w)]
    if w.whole == x.whole:
        statement.parts.append(different(w.own, x.own))


def _ghosts_apart(statement: StatedObligation, number: object, families: Json) -> None:
    used, late = _two_values(statement, number, families)
    statement.in_one_cell(_ghost(statement, late), _ghost(statement, used))
    statement.parts.append(_ranks(statement).received_between(used, late))
    _apart(statement, late.variable, late.index, used)


def _own_kept(statement: StatedObligation, number: object, families: Json) -> None:
    used, late = _two_values(statement, number, families)
    statement.in_one_cell(_ghost(statement, late), statement.cell(used.variable, used.index))
    statement.parts.append(_ranks(statement).received_in_life(used, late))
    _apart(statement, late.variable, late.index, used)


def _overlapped(statement: StatedObligation, number: object, families: Json) -> None:
    ranks, used = _ranks(statement), statement.value(number, families["producer"])
    beyond = ranks.beyond_border(used)
    if "writer" not in families:
        statement.parts.append(beyond)
        return
    w = statement.occurrence(families["writer"], prefix="writer")
    statement.in_one_cell(statement.written(w), _ghost(statement, used))
    statement.parts.append(ranks.received_before(used, w))


def _scanned(statement: StatedObligation, number: object, families: Json) -> None:
    ranks = _ranks(statement)
    if not ranks.scans or not ranks.pipeline or any(band.first < ranks.first for band in ranks.bands):
        refuse("such ranks have no scans")
    if "value" in families:
        _first_of_line(statement, ranks, families["value"])
        return
    used = statement.value(number, families["producer"])
    v, x = used.producer, used.consumer
    scan = next((scan for scan in ranks.scans if number in elements(scan["reads"])), None)
    if "term" in families:
        if families["term"] != x.whole or scan is not None:
            refuse("it is no read of a term")
        statement.parts.append(_not_before(ranks.step(v), ranks.step(x)))
    elif scan is None:
        statement.parts.append([case(less(*ranks.place(v), *ranks.place(x)))])
    else:
        if not used.variable == scan["variable"] == x.family["variable"]:
            refuse("the value before is one of another variable")
        here = [*ranks.step(x), *_moved(ranks.place(x), 0), *_moved(x.point, integer(scan["index"], 0, len(x.point)))]
        statement.parts.append(different(here, [*ranks.step(v), *ranks.place(v), *used.index]))


def _moved(values: Sequence[Sum], component: int) -> list[Sum]:
    """Returns the values, of which one component is less by one."""
    return [plus(value, -1, ({}, int(at == component))) for at, value in enumerate(values)]


def _first_of_line(statement: StatedObligation, ranks: RankOrder, number: object) -> None:
    """Adds that a point without a value before it has an earlier one in its line."""
    z, before = (statement.occurrence(number, prefix=prefix) for prefix in ("value", "earlier"))
    scan = only(scan for scan in ranks.scans if scan["variable"] == z.family["variable"])
    if z.family["role"] != "value" or z.target != z.point:
        refuse("a scan is no variable whose values are computed once")
    along = integer(scan["index"], 0, len(z.point))
    for at, (here, there) in enumerate(zip(z.point, before.point, strict=True)):
        statement.parts.append([case(less(there, here))] if at == along else all_equal([here], [there]))
    for read in (item(statement.inventory["reads"], at, READ) for at in elements(scan["reads"])):
        names = statement.bound(read["names"], z.point)
        if values_of(read["at"], names) != z.point or read["reader"] != number:
            refuse("the value before is read by another operation")
        statement.without += renamed(read["domain"], names)


def at_once(state: Statement) -> Statement:
    """Returns the statement of an obligation in which the places of a step have no order, without tiles."""

    def stated(statement: StatedObligation, number: object, families: Json) -> None:
        ranks = _ranks(statement)
        statement.order = OperationOrder(statement.order.before, at_once=range(ranks.first, ranks.end))
        state(statement, number, families)

    return stated


OF_RANKS = {
    "D0": _one_place_each,
    "D1": _received_in_time,
    "D3": _kept_until_sent,
    "D4": _ghost_kept,
    "D5": _ghosts_apart,
    "D6": _own_kept,
    "D12": _overlapped,
    "D13": _scanned,
}
