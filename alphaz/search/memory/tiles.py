"""The number of cells of a variable that a tile writes.

The caches hold the cells that a tile touches, not all that exist: a box that moves by one plane at each step has fewer
cells in a tile of several steps than two boxes that alternate."""

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

# The side of a tile whose size is a runtime parameter.
_USUAL = 32
# Names of dates that no program can contain.
_DATE = "date {}"


@dataclass(frozen=True, slots=True)
class StorageTile:
    """The tile of one statement that writes the variable: its index as functions of the dates, and the sides of a whole
    tile along the tiled dimensions."""

    index: Mapping[str, Affine]
    sides: Mapping[str, int]
    dates: frozenset[str]

    def extent(self, row: Affine) -> int | None:
        """Returns the greatest number of values of `row . index`; None if it depends on a date that is not tiled."""
        along = row.substitute(self.index)
        moved = self.dates.intersection(along.names)
        if not moved <= self.sides.keys():
            return None
        return 1 + sum(abs(along.coefficient(date)) * (self.sides[date] - 1) for date in moved)


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """The tiles of one variable, with the names of its indices, and the sizes of the whole domain."""

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
        """Returns the most cells in a tile, with these rows modulo their factors (0: none); 0 if nothing is tiled."""
        components = list(zip(rows, factors, strict=True))
        return max((prod(self._extent(tile, *component) for component in components) for tile in self.tiles), default=0)

    def _extent(self, tile: StorageTile, row: Vector, factor: Factor) -> int:
        affine, at = Affine.of(zip(self.names, row, strict=True)), self.sizes.samples[2]
        ranges = self.sizes.ranges(self.variable, affine)
        whole = ranges[2][1] - ranges[2][0] + 1 if ranges is not None else None
        most = value_at(factor, at) if factor else None
        return max(0, min((each for each in (tile.extent(affine), whole, most) if each is not None), default=1))


def _tile(family: StatementInstances, names: Sequence[str], operations: OperationTable) -> StorageTile | None:
    """The tile of a statement; None if it is not tiled, or its dates do not determine the index."""
    assert family.statement is not None
    sides = dict(_sides(operations, family.statement))
    dates = {_DATE.format(at): output for at, output in enumerate(family.statement.date.outputs)}
    known = solve([Affine.name(date) - output for date, output in dates.items()], family.names) if sides else None
    if known is None:
        return None
    index = (output.substitute(known) for output in family.target.outputs)
    return StorageTile(dict(zip(names, index, strict=True)), sides, frozenset(dates))


def _sides(operations: OperationTable, statement: Statement) -> Iterator[tuple[str, int]]:
    """The sides of the outermost tiles, except register tiles."""
    for band in operations.mapping.bands:
        if not band.registers and has_prefix(statement, band.prefix):
            first, _ = limits(band)
            for at, size in enumerate(band.sizes[0], first):
                if size != WHOLE:
                    yield _DATE.format(at), _USUAL if size is None else size
