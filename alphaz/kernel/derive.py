"""States the sets of obligations from the inventory of a certificate, without its `violations`: on mappings here, on C
(bounds) in `c_bounds.py`.

docs/verifier.md defines the kinds; `order.py` states the order of operations. Where a set of the verifier depends on a
mod factor that is a parameter, the set here may be larger. A copy of the folder runs without alphaz:

    python -m kernel c.json c.proofs.json
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from .c_bounds import KEY, has_bounds, outside
from .checker import NotConfirmed, boolean, check, elements, goal_of, integer, load, members, refuse
from .checker import main as checked_as_stated
from .order import (
    KINDS,
    Json,
    Names,
    Occurrence,
    OperationOrder,
    Sum,
    TileBand,
    all_equal,
    at_least_zero,
    case,
    different,
    equal,
    loops_of,
    plus,
    renamed,
    smaller,
    values_of,
    words,
    zero,
)
from .ranks import RankOrder, RankValue

INVENTORY = "parameters context operations reads cells lifetimes before bands copies buffers in_place ranks"
OPERATION = "name variable moment role names domain target date kinds whole direct"
READ = "reader running direct names domain at variable index text place"
CELL = "variable space names map factors"
LIFETIME = "argument allocation users free names instance"
COPY = "variable names domain source index text"
BUFFER = "reads leading sides"
IN_PLACE = "writer domain"


def item(values: object, number: object, keys: str) -> Json:
    """Returns the object with this number in a list of the inventory."""
    return members(elements(values)[integer(number, 0, len(elements(values)))], keys)


def only(items: Iterable[Json]) -> Json:
    all_ = list(items)
    return all_[0] if len(all_) == 1 else refuse("the inventory has no such entry, or several")


Cell = tuple[object, list[Sum], list[Sum]]  # a space, a place before factors apply, and the factors


@dataclass(slots=True)
class StatedObligation:
    """A set that is stated part by part, under an order of operations."""

    inventory: Json
    order: OperationOrder
    names: list[str] = field(default_factory=list)
    auxiliary: list[str] = field(default_factory=list)
    parts: list[list[Json]] = field(default_factory=list)
    without: list[Json] = field(default_factory=list)

    @property
    def parameters(self) -> Names:
        return {name: ({name: 1}, 0) for name in words(self.inventory["parameters"])}

    def fresh(self, names: object, prefix: str) -> list[Sum]:
        fresh = [f"{prefix}.{name}" for name in words(names)]
        self.names += fresh
        return [({name: 1}, 0) for name in fresh]

    def bound(self, names: object, point: Sequence[Sum]) -> Names:
        texts = words(names)
        if len(texts) != len(point) or len({*texts}) != len(texts):
            refuse("a point has another dimension than its family")
        return {**self.parameters, **dict(zip(texts, point, strict=True))}

    def occurrence(self, number: object, point: list[Sum] | None = None, prefix: str = "") -> Occurrence:
        """Returns an operation at a point, or at a new one that lies in the domain of the family."""
        family = item(self.inventory["operations"], number, OPERATION)
        point_ = self.fresh(family["names"], prefix) if point is None else point
        whole = number if family["whole"] is None else family["whole"]
        count = len(elements(item(self.inventory["operations"], whole, OPERATION)["names"]))
        names = self.bound(family["names"], point_)
        date, kinds = self.compared(raw := values_of(family["date"], names), words(family["kinds"], KINDS))
        if family["role"] == "merge":
            raw = date = date[: kinds.index("REDUCTION") if "REDUCTION" in kinds else refuse("a merge reduces nothing")]
        if point is None:
            self.parts.append(renamed(family["domain"], names))
        return Occurrence(
            family=family,
            whole=integer(whole),
            point=point_,
            own=point_[:count],
            target=values_of(family["target"], names),
            date=date,
            kinds=kinds,
            raw=raw,
        )

    def compared(self, date: list[Sum], kinds: list[str]) -> tuple[list[Sum], list[str]]:
        """Returns the components of a date that are compared, and their kinds."""
        if len(date) != len(kinds):
            refuse("a date has another dimension than its kinds")
        if not self.order.loops or not date:
            return date, kinds
        totals, kinds_ = list[Sum](), list[str]()
        for loop in self.order.loops:
            is_tiled = loop.band is not None and loop.band.has(date)
            total: Sum = ({}, 0) if loop.band else date[loop.dimension]
            for dimension, size in loop.tiles if is_tiled else ():
                total = plus(total, 1, self.quotient(date[dimension], size))
            totals.append(total)
            kinds_.append(loop.kind(kinds, is_tiled))
        return totals, kinds_

    def quotient(self, total: Sum, by: int) -> Sum:
        """Returns floor(given / by), as an auxiliary name: one for equal quotients."""
        name = f"({sorted(total[0].items())} + {total[1]}) / {integer(by, 1)}"
        rest = plus(total, -by, ({name: 1}, 0))
        if name not in self.auxiliary:
            self.auxiliary.append(name)
            self.parts.append([case(at_least_zero(rest), at_least_zero(plus(({}, by - 1), -1, rest)))])
        return {name: 1}, 0

    def read(self, number: object, prefix: str = "reader") -> tuple[Json, Occurrence, list[Sum]]:
        """Returns a read, the operation that reads, and the index of the value."""
        read = item(self.inventory["reads"], number, READ)
        names = self.bound(read["names"], self.fresh(read["names"], prefix))
        self.parts.append(renamed(read["domain"], names))
        return read, self.occurrence(read["reader"], values_of(read["at"], names)), values_of(read["index"], names)

    def value(self, number: object, writer: object, prefix: str = "") -> RankValue:
        """Returns a read with an operation that writes its value."""
        read, consumer, index = self.read(number, f"{prefix}reader")
        producer = self.occurrence(writer, prefix=f"{prefix}producer")
        self.parts.append(all_equal(producer.target, index))
        return RankValue(read["variable"], index, consumer, producer)

    @property
    def ranks(self) -> RankOrder:
        return RankOrder.of(self.inventory["ranks"], elements(self.inventory["bands"]), self.quotient)

    def written(self, writer: Occurrence) -> Cell:
        return self.cell(writer.family["variable"], writer.target)

    def two_values(self, number: object, families: Json) -> tuple[RankValue, RankValue]:
        """Returns a read with its value, and another one that is `received`; the key says which operation reads it."""
        used = self.value(number, families["producer"])
        late = self.value(families["received"], families["sender"], "other ")
        if late.consumer.whole != families["other"]:
            refuse("another operation reads the received value")
        return used, late

    def apart(self, variable: object, index: list[Sum], value: RankValue) -> None:
        """Adds that two values are different."""
        if variable == value.variable:
            self.parts.append(different(index, value.index))

    def ghost(self, value: RankValue) -> Cell:
        return self.cell(value.variable, value.index, self.ranks.ghosts)

    def cell(self, variable: object, index: list[Sum], among: list[object] | None = None) -> Cell:
        """Returns the space, the place before factors apply, and the factors of a value."""
        cells = (members(value, CELL) for value in (elements(self.inventory["cells"]) if among is None else among))
        entry = only(cell for cell in cells if cell["variable"] == variable)
        place = values_of(entry["map"], self.bound(entry["names"], index))
        factors = values_of(entry["factors"], self.parameters)
        return entry["space"], place, factors or [({}, 0)] * len(place)

    def in_one_cell(self, one: Cell, other: Cell) -> None:
        """Adds that two cells are one. For a factor that is a parameter the set may be larger."""
        (space, places, factors), (other_space, other_places, others) = one, other
        if space != other_space:
            self.parts.append([])
            return
        for place, factor, other_place, other_factor in zip(places, factors, other_places, others, strict=True):
            if factor == other_factor:
                self.parts.append(self.one_place(plus(place, -1, other_place), factor))
            elif factor[0] or other_factor[0]:
                refuse("two variables of one space have different factors")
            else:
                self.parts.append([case(equal(self.rest(place, factor[1]), self.rest(other_place, other_factor[1])))])

    def one_place(self, apart: Sum, factor: Sum) -> list[Json]:
        """Returns the cases where two places that are this far apart are one modulo the factor, if that is not 0."""
        if factor[0]:
            negative = plus(({}, 0), -1, apart)
            far = [case(at_least_zero(plus(side, -2, factor))) for side in (apart, negative)]
            return [case(zero(apart)), case(equal(apart, factor)), case(equal(negative, factor)), *far]
        return [case(zero(self.rest(apart, factor[1])))]

    def rest(self, total: Sum, by: int) -> Sum:
        return plus(total, -by, self.quotient(total, by)) if by else total


# --- the obligations --------------------------------------------------------------------------------------------------


def derived(inventory: object, key: object) -> tuple[Json, list[list[Json]]]:
    """Returns the violations of an obligation, with their parts."""
    fields, inventory_fields = members(key, KEY), members(inventory, INVENTORY)
    state = STATED.get(str(fields["kind"])) or refuse("there is no such kind of obligation")
    statement = StatedObligation(
        inventory_fields, order_of(inventory_fields, boolean(fields["tiled"]), boolean(fields["sized"]))
    )
    statement.parts.append(renamed(inventory_fields["context"], statement.parameters))
    try:
        state(statement, fields["read"], members(fields["families"]))
    except KeyError as error:
        refuse(f"the key lacks {error}")
    parts, table = list(range(len(statement.parts))), [*statement.parts, statement.without]
    violations: Json = {
        "parameters": inventory_fields["parameters"],
        "names": statement.names,
        "auxiliary": statement.auxiliary,
    }
    return {**violations, "parts": parts, "without": [len(parts)], "absent": []}, table


def order_of(inventory: Json, is_tiled: bool, is_sized: bool) -> OperationOrder:
    """Returns the order of operations: with tiles of all sizes, or of those in the inventory."""
    before, bands = elements(inventory["before"]), tuple(map(TileBand.of, elements(inventory["bands"])))
    if is_sized and is_tiled:
        dates = (elements(members(family, OPERATION)["date"]) for family in elements(inventory["operations"]))
        return OperationOrder(before, loops=loops_of(bands, max(map(len, dates), default=0)))
    return OperationOrder(before, bands if is_tiled else ())


def _one_date_each(statement: StatedObligation, _: object, families: Json) -> None:
    a, b = (statement.occurrence(families["operation"], prefix=prefix) for prefix in ("one", "other"))
    statement.parts += [all_equal(a.date, b.date), smaller(a.point, b.point)]


def _accumulation(statement: StatedObligation, _: object, families: Json) -> None:
    a, b = (statement.occurrence(families["operation"], prefix=prefix) for prefix in ("one", "other"))
    statement.parts += [all_equal(a.target, b.target), smaller(a.point, b.point)]
    order = replace(statement.order, private=True)
    statement.parts += [order.failures(a, b), order.failures(b, a)]


def _causality(statement: StatedObligation, number: object, families: Json) -> None:
    _, reader, index = statement.read(number)
    writer = statement.occurrence(families["producer"], prefix="writer")
    statement.parts += [all_equal(writer.target, index), statement.order.failures(writer, reader)]


def _overwrite(statement: StatedObligation, number: object, families: Json) -> None:
    read, reader, index = statement.read(number)
    writer = statement.occurrence(families["writer"], prefix="writer")
    first = statement.occurrence(families["first"], prefix="first")
    statement.parts.append(all_equal(first.target, index))
    statement.in_one_cell(statement.written(writer), statement.cell(read["variable"], index))
    if writer.family["variable"] == read["variable"]:
        statement.parts.append(different(writer.target, index))
    if writer.whole == reader.whole and not (boolean(read["direct"]) and boolean(writer.family["direct"])):
        statement.parts.append(different(writer.own, reader.own))
    statement.parts += [statement.order.failures(writer, first), statement.order.failures(reader, writer)]
    if boolean(read["running"]) and first.family["moment"] == "start":
        statement.parts.append([])  # nothing is accumulated into what is there from the start


def _race(statement: StatedObligation, _: object, families: Json) -> None:
    a, b = (statement.occurrence(families[role], prefix=role) for role in ("writer", "other"))
    statement.in_one_cell(statement.written(a), statement.written(b))
    statement.parts += [statement.order.failures(a, b), statement.order.failures(b, a)]
    if families["writer"] == families["other"]:
        statement.parts.append(smaller(a.point, b.point))
    is_direct = boolean(a.family["direct"]) and boolean(b.family["direct"])
    if a.family["whole"] is not None and a.whole == b.whole and not is_direct:
        statement.parts.append(different(a.own, b.own))
    if a.family["variable"] == b.family["variable"]:
        statement.parts.append(different(a.target, b.target))


def _lifetime(statement: StatedObligation, _: object, families: Json) -> None:
    first, then = ("allocation", "user") if "allocation" in families else ("user", "free")
    early = statement.occurrence(families[first], prefix="call")
    statement.parts.append(statement.order.failures(early, statement.occurrence(families[then], early.point)))


def _freed_once(statement: StatedObligation, _: object, families: Json) -> None:
    lifetimes = (members(value, LIFETIME) for value in elements(statement.inventory["lifetimes"]))
    life = only(lifetime for lifetime in lifetimes if lifetime["free"] == families["free"])
    a, b = (statement.occurrence(families["free"], prefix=prefix) for prefix in ("one", "other"))
    arrays = (values_of(life["instance"], statement.bound(life["names"], occurrence.point)) for occurrence in (a, b))
    statement.parts += [all_equal(*arrays), smaller(a.point, b.point), different(a.date, b.date)]


def _packing(statement: StatedObligation, number: object, families: Json) -> None:
    buffers = (members(value, BUFFER) for value in elements(statement.inventory["buffers"]))
    buffer = only(entry for entry in buffers if number in elements(entry["reads"]))
    read, reader, index = statement.read(number)
    writer = statement.occurrence(families["writer"], prefix="writer")
    statement.in_one_cell(statement.written(writer), statement.cell(read["variable"], index))
    leading = integer(buffer["leading"], 0, min(len(reader.date), len(writer.date)) + 1)
    statement.parts.append(all_equal(reader.date[:leading], writer.date[:leading]))
    for side in (members(value, "dimension size") for value in elements(buffer["sides"])):
        at, size = integer(side["dimension"], 0, len(reader.date)), integer(side["size"], 1)
        one, other = (statement.quotient(date[at], size) for date in (reader.date, writer.date))
        statement.parts.append([case(equal(one, other))])


def _dropped_copy(statement: StatedObligation, _: object, families: Json) -> None:
    copy = item(statement.inventory["copies"], families["copy"], COPY)
    point = statement.fresh(copy["names"], "point")
    names = statement.bound(copy["names"], point)
    statement.parts.append(renamed(copy["domain"], names))
    space, here, _ = statement.cell(copy["variable"], point)
    other_space, there, _ = statement.cell(copy["source"], values_of(copy["index"], names))
    if space == other_space:
        statement.parts.append(different(here, there))


def _in_place(statement: StatedObligation, _: object, families: Json) -> None:
    outputs = (members(value, IN_PLACE) for value in elements(statement.inventory["in_place"]))
    output = only(entry for entry in outputs if entry["writer"] == families["writer"])
    family = item(statement.inventory["operations"], families["writer"], OPERATION)
    names = statement.bound(family["names"], statement.fresh(family["names"], "point"))
    statement.parts.append(renamed(output["domain"], names))
    statement.without += renamed(family["domain"], names)


# --- of ranks ---------------------------------------------------------------------------------------------------------


def _one_place_each(statement: StatedObligation, number: object, families: Json) -> None:
    ranks = statement.ranks
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
    statement.parts.append(statement.ranks.late(statement.value(number, families["producer"])))


def _kept_until_sent(statement: StatedObligation, number: object, families: Json) -> None:
    ranks, used = statement.ranks, statement.value(number, families["producer"])
    b, w = used.producer, statement.occurrence(families["writer"], prefix="writer")
    statement.in_one_cell(statement.written(w), statement.cell(used.variable, used.index))
    statement.parts += [all_equal(ranks.step(b), ranks.step(w)), statement.order.failures(w, b)]
    statement.parts.append([side for side, _ in ranks.sent(used.consumer, [b, w])])
    statement.apart(w.family["variable"], w.target, used)


def _ghost_kept(statement: StatedObligation, number: object, families: Json) -> None:
    used = statement.value(number, families["producer"])
    x, w = used.consumer, statement.occurrence(families["writer"], prefix="writer")
    statement.in_one_cell(statement.written(w), statement.ghost(used))
    statement.parts += [statement.ranks.received_before(used, w), statement.order.failures(x, w)]
    if w.whole == x.whole:
        statement.parts.append(different(w.own, x.own))


def _ghosts_apart(statement: StatedObligation, number: object, families: Json) -> None:
    used, late = statement.two_values(number, families)
    statement.in_one_cell(statement.ghost(late), statement.ghost(used))
    statement.parts.append(statement.ranks.received_between(used, late))
    statement.apart(late.variable, late.index, used)


def _own_kept(statement: StatedObligation, number: object, families: Json) -> None:
    used, late = statement.two_values(number, families)
    statement.in_one_cell(statement.ghost(late), statement.cell(used.variable, used.index))
    statement.parts.append(statement.ranks.received_in_life(used, late))
    statement.apart(late.variable, late.index, used)


STATED = {
    "S1": _one_date_each,
    "S2": _causality,
    "S3": _accumulation,
    "M": _overwrite,
    "M4": _race,
    "C": _lifetime,
    "C1": _freed_once,
    "P": _packing,
    "I": _in_place,
    "D": _dropped_copy,
    "D0": _one_place_each,
    "D1": _received_in_time,
    "D3": _kept_until_sent,
    "D4": _ghost_kept,
    "D5": _ghosts_apart,
    "D6": _own_kept,
}


StatedSet = Callable[[], tuple[Json, list[list[Json]]]]  # returns violations with their parts


def derived_entries(document: Json) -> Iterator[tuple[str, StatedSet]]:
    """Yields the place of each obligation that a certificate calls proved, and the function that states its set: on
    mappings, and on C where the set follows from the inventory.
    """
    for where, state in ("systems", derived), ("programs", outside):
        for number, record in enumerate(map(members, elements(document[where]))):
            for at, entry in enumerate(map(members, elements(record["obligations"]))):
                inventory, key = record["inventory"], entry["key"]
                if entry["verdict"] == "proved" and (where == "systems" or has_bounds(inventory, key)):
                    yield f"{where}[{number}].obligations[{at}]", partial(state, inventory, key)


def derived_outcomes(certificate: bytes, proofs: bytes) -> Iterator[tuple[str, str]]:
    """Yields the place of each set that is derived, and the reason why it is not shown to be empty ("" where it is).

    The documents are those that `outcomes` accepts."""
    proofs_by_place = members(load(proofs)["derived"])
    for place, state in derived_entries(load(certificate)):
        try:
            steps = proofs_by_place.get(place) or refuse("the set that follows from the inventory has no proof")
            check(goal_of(*state()), steps)
            yield place, ""
        except NotConfirmed as reason:
            yield place, str(reason)


def main(names: Sequence[str]) -> int:
    """Returns 0 if all sets are shown to be empty, as stated and as derived; else 1."""
    code = checked_as_stated(names)
    verdicts = dict(derived_outcomes(*(Path(name).read_bytes() for name in names)))
    sys.stdout.writelines(f"{place}: {reason}\n" for place, reason in verdicts.items() if reason)
    confirmed = list(verdicts.values()).count("")
    sys.stdout.write(f"derived from the inventory: {confirmed} of {len(verdicts)} sets are empty\n")
    return code if confirmed == len(verdicts) else 1
