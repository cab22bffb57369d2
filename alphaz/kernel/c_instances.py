"""Instances of statements of C and the caller, as the inventory of a certificate defines them, and sums of claims."""

from dataclasses import dataclass, field, replace

from .c_order import BEFORE, OrderedPairs, OrderedWays, Way, ways_of
from .cases import Json, Names, Sum, all_equal, case, renamed_parts, values_of
from .checker import elements, integer, members, refuse
from .stated_sets import StatedObligation, item

STATEMENT = "name names domain accesses value lock reductions place"
ACCESS = "array subscripts"
CLAIM = "role statement key point case domain shares needs"
SHARE = "item body"
HELD = "array variable names domain cell"
READER = "statement claim need names domain array cell key point is_sum text"
START, DURING, END = range(3)


@dataclass(frozen=True, slots=True)
class CInstance:
    """An instance of a statement, by number; or the caller at the start or the end. `names` has the values of indices
    and parameters.
    """

    number: int | None
    point: list[Sum]
    names: Names
    moment: int = DURING

    def is_same(self, other: "CInstance") -> list[Json]:
        """Returns the cases where both are one instance."""
        is_possible = self.number is not None and self.number == other.number
        return all_equal(self.point, other.point) if is_possible else []


@dataclass(frozen=True, slots=True)
class ValueInCell:
    """A value `key[point]` in a cell of an array, and the instance that writes or reads it."""

    instance: CInstance
    array: object
    cell: list[Sum]
    key: object
    point: list[Sum]

    def meets(self, other: "ValueInCell") -> Json:
        """Returns the case where both are one value in one cell."""
        if (self.array, self.key, len(self.point)) != (other.array, other.key, len(other.point)):
            refuse("the two values are never in one cell")
        return all_equal([*self.point, *self.cell], [*other.point, *other.cell])[0]


@dataclass(frozen=True, slots=True)
class ClaimedValue:
    """A value of a new instance by a claim, whose domain has these parts."""

    claim: Json
    value: ValueInCell
    domain: list[list[Json]]


@dataclass(slots=True)
class CObligation(StatedObligation):
    """A set about instances of C, that is stated part by part."""

    ways: dict[int, Way] = field(default_factory=dict)

    def statement(self, number: object) -> Json:
        return item(self.inventory["statements"], number, STATEMENT)

    def instance(self, number: object, prefix: str, among: list[str] | None = None) -> CInstance:
        names = self.statement(number)["names"]
        point = self.fresh(names, prefix, among)
        return CInstance(integer(number), point, self.bound(names, point))

    def executed(self, number: object, prefix: str) -> CInstance:
        """Returns a new instance that is executed."""
        instance = self.instance(number, prefix)
        self.parts += renamed_parts(self.statement(number)["domain"], instance.names)
        return instance

    def access(self, instance: CInstance, number: object) -> tuple[object, list[Sum]]:
        """Returns the array and the cell of an access."""
        access = item(self.statement(instance.number)["accesses"], number, ACCESS)
        return access["array"], values_of(access["subscripts"], instance.names)

    # --- values -------------------------------------------------------------------------------------------------------

    def claimed(self, number: object, prefix: str, among: list[str] | None = None) -> "ClaimedValue":
        """Returns the value that a new instance writes by a claim, or the sum to which it adds."""
        claim = item(self.inventory["claims"], number, CLAIM)
        instance = self.instance(claim["statement"], prefix, among)
        array, cell = self.access(instance, 0)
        point = values_of(claim["point"], instance.names)
        value = ValueInCell(instance=instance, array=array, cell=cell, key=claim["key"], point=point)
        return ClaimedValue(claim, value, renamed_parts(claim["domain"], instance.names))

    def claims_of(self, value: ValueInCell) -> dict[int, Json]:
        """Returns the claims, by number, that write a value into the array, or work on the sum there."""
        claims = dict(enumerate(members(claim, CLAIM) for claim in elements(self.inventory["claims"])))
        own = {number: claim for number, claim in claims.items() if claim["key"] == value.key}
        return {number: claim for number, claim in own.items() if self._target(claim) == value.array}

    def _target(self, claim: Json) -> object:
        return item(self.statement(claim["statement"])["accesses"], 0, ACCESS)["array"]

    def reader(self, number: object) -> tuple[Json, ValueInCell]:
        """Returns a reader, and its value. Refuses one whose cell is none that its statement reads."""
        fields = item(self.inventory["readers"], number, READER)
        point = self.fresh(fields["names"], "reader")
        names, statement = self.bound(fields["names"], point), fields["statement"]
        self.parts += renamed_parts(fields["domain"], names)
        cell = values_of(fields["cell"], names)
        value = ValueInCell(
            instance=CInstance(None, point, names, END),
            array=fields["array"],
            cell=cell,
            key=fields["key"],
            point=values_of(fields["point"], names),
        )
        if statement is None:
            return fields, value
        own = self.statement(statement)
        instance = CInstance(integer(statement), point, self.bound(own["names"], point))
        accesses = range(1, len(elements(own["accesses"])))
        if (value.array, cell) not in [self.access(instance, access) for access in accesses]:
            refuse("the reader reads another cell than its statement")
        return fields, replace(value, instance=instance)

    # --- order --------------------------------------------------------------------------------------------------------

    def pairs(self, one: CInstance, other: CInstance) -> list[OrderedPairs]:
        if not self.ways:
            self.ways = ways_of(self.inventory["order"])
        if one.number not in self.ways or other.number not in self.ways:
            refuse("the order lacks a statement")
        ways = self.ways[one.number], self.ways[other.number]
        return OrderedWays(elements(self.inventory["loops"]), ways, (one.names, other.names)).cases()

    def before(self, one: CInstance, other: CInstance, *, is_it: bool = True) -> list[Json]:
        """Returns the cases where one ends before another begins; all others unless `is_it`."""
        if one.moment != other.moment:
            return [case()] if (one.moment < other.moment) is is_it else []
        return [case(*pair.rows) for pair in self.pairs(one, other) if (pair.order == BEFORE) is is_it]
