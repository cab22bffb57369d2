"""Builds the set of violations of one obligation part by part, from the operations, reads and cells of an inventory.

Where a set of the verifier depends on a mod factor that is a parameter, the set here may be larger.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from .cases import Json, Names, Sum, all_equal, at_least_zero, case, equal, renamed, values_of, words, zero
from .checker import elements, integer, members, plus, refuse
from .order import KINDS, Occurrence, OperationOrder

T = TypeVar("T")
KEY = "kind read families tiled sized"
OPERATION = "name variable moment role names domain target date kinds whole direct"
READ = "reader running direct names domain at variable index text place"
CELL = "variable space names map factors outer"


def item(values: object, number: object, keys: str) -> Json:
    """Returns the object with this number in a list of the inventory."""
    return members(elements(values)[integer(number, 0, len(elements(values)))], keys)


def only(items: Iterable[T]) -> T:
    all_ = list(items)
    return all_[0] if len(all_) == 1 else refuse("the inventory has no such entry, or several")


Cell = tuple[object, list[Sum], list[Sum]]  # a space, a place before factors apply, and the factors


@dataclass(frozen=True, slots=True)
class UsedValue:
    """A value `variable[index]`, an operation that reads it, and one that writes it."""

    variable: object
    index: list[Sum]
    consumer: Occurrence
    producer: Occurrence


@dataclass(frozen=True, slots=True)
class AbsentSet:
    """A set that has no point, over names of its own as well."""

    names: list[str]
    parts: list[list[Json]]
    without: list[Json] = field(default_factory=list)
    absent: "Sequence[AbsentSet]" = ()

    def numbered(self, table: list[list[Json]]) -> Json:
        """Returns the set as in a certificate, whose parts are added to a table."""
        start = len(table)
        table += [*self.parts, self.without]
        parts, absent = list(range(start, len(table) - 1)), [inner.numbered(table) for inner in self.absent]
        return {"names": self.names, "parts": parts, "without": [start + len(parts)], "absent": absent}


@dataclass(slots=True)
class StatedObligation:
    """A set that is stated part by part, under an order of operations."""

    inventory: Json
    order: OperationOrder
    names: list[str] = field(default_factory=list)
    auxiliary: list[str] = field(default_factory=list)
    parts: list[list[Json]] = field(default_factory=list)
    without: list[Json] = field(default_factory=list)
    absent: list[AbsentSet] = field(default_factory=list)

    def violations(self) -> tuple[Json, list[list[Json]]]:
        """Returns the set as in a certificate, with the table of its parts."""
        table = list[list[Json]]()
        own = AbsentSet(self.names, self.parts, self.without, self.absent).numbered(table)
        return {**own, "parameters": self.inventory["parameters"], "auxiliary": self.auxiliary}, table

    @property
    def parameters(self) -> Names:
        return {name: ({name: 1}, 0) for name in words(self.inventory["parameters"])}

    def fresh(self, names: object, prefix: str, among: list[str] | None = None) -> list[Sum]:
        """Returns new names, which are added to those of the set or to others."""
        fresh = [f"{prefix}.{name}" for name in words(names)]
        (self.names if among is None else among).extend(fresh)
        return [({name: 1}, 0) for name in fresh]

    def bound(self, names: object, point: Sequence[Sum]) -> Names:
        texts, parameters = words(names), self.parameters
        if len(texts) != len(point) or len({*parameters, *texts}) != len(parameters) + len(texts):
            refuse("a point has another dimension than its family, or a name stands twice")
        return {**parameters, **dict(zip(texts, point, strict=True))}

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

    def value(self, number: object, writer: object, prefix: str = "") -> UsedValue:
        """Returns a read with an operation that writes its value."""
        read, consumer, index = self.read(number, f"{prefix}reader")
        producer = self.occurrence(writer, prefix=f"{prefix}producer")
        self.parts.append(all_equal(producer.target, index))
        return UsedValue(read["variable"], index, consumer, producer)

    def written(self, writer: Occurrence) -> Cell:
        """Returns the cell into which an operation writes: of private memory, that of the iteration of its date."""
        space, place, factors = self.cell(writer.family["variable"], writer.target)
        iteration = writer.raw[: self.outer(writer.family["variable"])]
        return space, [*iteration, *place[len(iteration) :]], factors

    def outer(self, variable: object) -> int:
        """Returns the number of dimensions of the dates whose iterations have memory of their own for a variable."""
        cells = [members(value, CELL) for value in elements(self.inventory["cells"])]
        (space,) = [cell["space"] for cell in cells if cell["variable"] == variable]
        numbers = {
            integer(cell["outer"], 0, len(elements(cell["map"])) + 1) for cell in cells if cell["space"] == space
        }
        return numbers.pop() if len(numbers) == 1 else refuse("a space is private to iterations of different loops")

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


Statement = Callable[[StatedObligation, object, Json], None]
"""Adds the conditions of the obligations of a kind, whose key has the number of a read, and numbers by role."""
