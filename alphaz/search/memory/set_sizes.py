"""Sizes of sets at sample values of the parameters, and cells that a tile writes; alternatives are ranked by them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import log10, prod
from operator import mul

from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.factors import Factor, value_at
from alphaz.mapping.statement import Statement
from alphaz.mapping.target_mapping import WHOLE
from alphaz.model.program import System
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import StatementInstances
from alphaz.poly import Affine, Domain
from alphaz.poly.algorithms.bounds import extremes
from alphaz.poly.algorithms.set_operations import vertices
from alphaz.poly.plain.solve import solve
from alphaz.search.memory.lattices import Vector

Values = Mapping[str, int]
Range = tuple[int, int]
Counts = tuple[int, ...]

# Large parameters, ten times as large ones, and those with which degrees that are equal are compared.
LARGE, SMALL = 10**5, 1000
_STEPS = (1, 2, 3, 4, 8)


@dataclass(frozen=True, slots=True, eq=False)
class SetSizes:
    """Sizes at `samples`: n and 10 n for all parameters, and the given sizes. Ranges are cached."""

    system: System
    samples: tuple[Values, Values, Values]
    _ranges: dict[tuple[str, Affine], tuple[Range, ...] | None] = field(default_factory=dict, repr=False)
    _points: dict[str, tuple["SetPoints", ...]] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(system: System, values: Values) -> "SetSizes":
        """Returns the sizes of a system. `values` may leave out parameters: they are 1000."""
        direction = next(_directions(system), dict.fromkeys(system.parameters, 1))
        one, ten = ({name: n * times for name, times in direction.items()} for n in (LARGE, 10 * LARGE))
        usual = {name: SMALL * times for name, times in direction.items()}
        return SetSizes(system, (one, ten, {**usual, **{n: v for n, v in values.items() if n in usual}}))

    def ranges(self, variable: str, affine: Affine) -> tuple[Range, ...] | None:
        """The least and the greatest value over the points of a variable, for each of the samples. None: no bound.

        The expression is over the names of the variable's domain.
        """
        key = (variable, affine)
        if key not in self._ranges:
            self._ranges[key] = self._compute_ranges(variable, affine)
        return self._ranges[key]

    def _compute_ranges(self, variable: str, affine: Affine) -> tuple[Range, ...] | None:
        if variable not in self._points:
            domain = self.system.variable(variable).domain.in_context(self.system.context)
            self._points[variable] = tuple(SetPoints.of(domain, values) for values in self.samples)
        ranges = []
        for points in self._points[variable]:
            range_ = points.range(affine)
            if range_ is None:
                return None
            ranges.append(range_)
        return tuple(ranges)


@dataclass(frozen=True, slots=True, eq=False)
class SetPoints:
    """The points of a variable at one sample; by their vertices, if these are integer."""

    domain: Domain
    values: Values
    vertices: tuple[tuple[int, ...], ...] | None

    @staticmethod
    def of(domain: Domain, values: Values) -> "SetPoints":
        here = domain.fixed(values)
        return SetPoints(here, values, () if here.is_empty() else vertices(here))

    def range(self, affine: Affine) -> Range | None:
        if self.vertices is None:
            return extremes(self.domain, affine)
        if not self.vertices:
            return 0, -1
        names = self.domain.space.names
        rest = affine.at({**self.values, **dict.fromkeys(names, 0)})
        columns = [set(column) for column in zip(*self.vertices, strict=True)]
        if len(set(self.vertices)) == prod(map(len, columns)):
            products = [[affine.coefficient(name) * x for x in xs] for name, xs in zip(names, columns, strict=True)]
            return rest + sum(map(min, products)), rest + sum(map(max, products))
        factors = [affine.coefficient(name) for name in names]
        values = [sum(map(mul, factors, point)) for point in self.vertices]
        return rest + min(values), rest + max(values)


def growth_directions(system: System, ray: str) -> list[dict[str, Affine]]:
    """Directions in which all parameters grow without end: the values of the parameters, each affine in `ray`."""
    rays_ = []
    for direction in _directions(system):
        rays_.append({name: Affine.name(ray) * times for name, times in direction.items()})
    return rays_[:2]


def _directions(system: System) -> Iterator[dict[str, int]]:
    """Along which the context has large parameters: all equal if that is possible."""
    names = system.parameters
    every = product(_STEPS, repeat=len(names)) if len(names) <= 4 else [(1,) * len(names)]
    for steps in sorted(every, key=lambda direction: (len(set(direction)), sum(direction))):
        if all(
            system.context.contains({name: n * times for name, times in zip(names, steps, strict=True)})
            for n in (LARGE, 10 * LARGE)
        ):
            yield dict(zip(names, steps, strict=True))


def degree(counts: tuple[int, ...]) -> int:
    """Returns the degree of a number in the parameters; -1 if the number is zero."""
    if not counts or counts[0] <= 0 or counts[1] <= 0:
        return -1
    return round(log10(counts[1] / counts[0]))


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
class VariableTiles:
    """The tiles of one variable, with the names of its indices, and the sizes of the whole domain."""

    variable: str
    names: Sequence[str]
    sizes: SetSizes
    tiles: tuple[StorageTile, ...]

    @staticmethod
    def of(operations: OperationTable, variable: str, sizes: SetSizes) -> "VariableTiles":
        names = operations.system.variable(variable).domain.space.names
        families = (f for f in operations.families if f.variable == variable and f.statement is not None)
        tiles_ = (_tile(family, names, operations) for family in families)
        return VariableTiles(variable, names, sizes, tuple(tile for tile in tiles_ if tile is not None))

    def cells(self, rows: Sequence[Vector], factors: Sequence[Factor]) -> int:
        """Returns the most cells in a tile, with these rows modulo their factors (0: none); 0 if nothing is tiled."""
        components = list(zip(rows, factors, strict=True))
        return max((prod(self._extent(tile, *component) for component in components) for tile in self.tiles), default=0)

    def _extent(self, tile: StorageTile, row: Vector, factor: Factor) -> int:
        affine, at = Affine.of(zip(self.names, row, strict=True)), self.sizes.samples[2]
        ranges = self.sizes.ranges(self.variable, affine)
        whole = ranges[2][1] - ranges[2][0] + 1 if ranges is not None else None
        most = value_at(factor, at) if factor else None
        return max(0, min((extent for extent in (tile.extent(affine), whole, most) if extent is not None), default=1))


def _tile(family: StatementInstances, names: Sequence[str], operations: OperationTable) -> StorageTile | None:
    """The tile of a statement; None if it is not tiled, or its dates do not determine the index."""
    assert family.statement is not None
    sides = dict(_sides(operations, family.statement))
    dates = {_DATE.format(position): output for position, output in enumerate(family.statement.date.outputs)}
    solution = solve([Affine.name(date) - output for date, output in dates.items()], family.names) if sides else None
    if solution is None:
        return None
    index = (output.substitute(solution) for output in family.target.outputs)
    return StorageTile(dict(zip(names, index, strict=True)), sides, frozenset(dates))


def _sides(operations: OperationTable, statement: Statement) -> Iterator[tuple[str, int]]:
    """The sides of the outermost tiles, except register tiles."""
    for band in operations.mapping.bands:
        if not band.registers and has_prefix(statement, band.prefix):
            for position, size in enumerate(band.sizes[0], band.first):
                if size != WHOLE:
                    yield _DATE.format(position), _USUAL if size is None else size
