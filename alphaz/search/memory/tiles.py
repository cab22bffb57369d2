"""How many cells of a variable a tile writes.

What stays in the caches while a tile is computed is what it touches, not what there is: a box that moves by one plane
at each step has fewer cells in a tile of several steps than two boxes that take turns.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from alphaz.mapping.bands import limits
from alphaz.mapping.factors import Factor, value_at
from alphaz.mapping.kinds import has_prefix
from alphaz.mapping.statement import Statement
from alphaz.mapping.target import WHOLE
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import StatementInstances
from alphaz.poly import Affine
from alphaz.poly.plain.solve import solve
from alphaz.search.memory.lattices import Vector
from alphaz.search.memory.sizes import SetSizes

# The side of a tile that is said when the program is called.
_USUAL = 32
# Names of dates, which no program can have.
_DATE = "date {}"


@dataclass(frozen=True, slots=True)
class StorageTile:
    """Of one statement that writes the variable: its index as functions of the dates, and the sides of a whole tile
    along those that are cut.
    """

    index: Mapping[str, Affine]
    sides: Mapping[str, int]
    dates: frozenset[str]

    def extent(self, row: Affine) -> int | None:
        """How many values `row . index` has at most; None where a date counts for it that is not cut."""
        along = row.substitute(self.index)
        moved = self.dates.intersection(along.names)
        if not moved <= self.sides.keys():
            return None
        return 1 + sum(abs(along.coefficient(date)) * (self.sides[date] - 1) for date in moved)


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """Those of one variable, whose indices have these names, and the sizes that all of it has."""

    variable: str
    names: Sequence[str]
    sizes: SetSizes
    tiles: tuple[StorageTile, ...]

    @staticmethod
    def of(operations: OperationTable, variable: str, sizes: SetSizes) -> "Tiles":
        names = operations.system.variable(variable).domain.space.names
        families = (f for f in operations.families if f.variable == variable and f.statement is not None)
        found = (_tile(family, names, operations) for family in families)
        return Tiles(variable, names, sizes, tuple(tile for tile in found if tile is not None))

    def cells(self, rows: Sequence[Vector], factors: Sequence[Factor]) -> int:
        """In the tile that has the most, with these rows modulo their factors (0: none); 0 where nothing is tiled."""
        components = list(zip(rows, factors, strict=True))
        return max((prod(self._extent(tile, *component) for component in components) for tile in self.tiles), default=0)

    def _extent(self, tile: StorageTile, row: Vector, factor: Factor) -> int:
        affine, at = Affine.of(zip(self.names, row, strict=True)), self.sizes.samples[2]
        ranges = self.sizes.ranges(self.variable, affine)
        whole = ranges[2][1] - ranges[2][0] + 1 if ranges is not None else None
        most = value_at(factor, at) if factor else None
        return max(0, min((each for each in (tile.extent(affine), whole, most) if each is not None), default=1))


def _tile(family: StatementInstances, names: Sequence[str], operations: OperationTable) -> StorageTile | None:
    """None where there are no tiles, or the dates do not tell the index."""
    assert family.statement is not None
    sides = dict(_sides(operations, family.statement))
    dates = {_DATE.format(at): output for at, output in enumerate(family.statement.date.outputs)}
    known = solve([Affine.name(date) - output for date, output in dates.items()], family.names) if sides else None
    if known is None:
        return None
    index = (output.substitute(known) for output in family.target.outputs)
    return StorageTile(dict(zip(names, index, strict=True)), sides, frozenset(dates))


def _sides(operations: OperationTable, statement: Statement) -> Iterator[tuple[str, int]]:
    """Of the outermost tiles that are not those of registers."""
    for band in operations.mapping.bands:
        if not band.registers and has_prefix(statement, band.prefix):
            first, _ = limits(band)
            for at, size in enumerate(band.sizes[0], first):
                if size != WHOLE:
                    yield _DATE.format(at), _USUAL if size is None else size
