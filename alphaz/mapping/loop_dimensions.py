"""The dimensions of the generated loops: those of the dates, and tile dimensions before each band.

A band of dimensions s..e with sizes B gets floor(date[d] / B[d]) for d = s..e before dimension s, once for each level.
In a wavefront the first of them is replaced by their sum, and the others are parallel (verifier.md 3). Recursive tiles
are ordered where the numbers of one are nowhere less than those of the other, wherever a box of them is halved. The
generator of scheduled code, the proof for fixed tile sizes, the estimate of cost and the figures read this one table.
Dimensions that register tiles leave whole come between the tiles and the points in them: accumulators stay in
registers.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.statement import Statement
from alphaz.mapping.target_mapping import WHOLE, Band, DimensionKind
from alphaz.poly import Affine
from alphaz.poly.algorithms.smallest import Floors

# The default size of the innermost tiles where it is a parameter; each enclosing level has tiles larger by the factor
# _GROWTH.
_SIZE = 32
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class TileAxis:
    """The coordinate floor(date[dimension] / size). A size of None is a parameter of the generated function."""

    dimension: int
    size: int | None
    parameter: str

    @property
    def level(self) -> str:
        """Returns the number of its level, counted from 1 for each dimension, outermost first."""
        return self.parameter.rpartition("_l")[2]


@dataclass(frozen=True, slots=True)
class AxisLevel:
    """Tiles of a level of a band, or of a part of it: `position` is the dimension before which the loops are placed."""

    band: Band
    tiles: tuple[TileAxis, ...]
    wavefront: bool
    recursive: bool = False

    @property
    def position(self) -> int:
        return self.band.first

    def has(self, statement: Statement) -> bool:
        return has_prefix(statement, self.band.prefix)


@dataclass(frozen=True, slots=True)
class Axis:
    """One dimension of the loops: a dimension of the dates or, with a band, the sum of `tiles`.

    `dimension` is the dimension that it represents. `recursive`: the tiles that are halved together, including this
    one.
    """

    dimension: int
    band: Band | None = None
    tiles: tuple[TileAxis, ...] = ()
    wavefront: bool = False
    recursive: tuple[TileAxis, ...] = ()

    def has(self, statement: Statement) -> bool:
        """Returns True if the statement is tiled here; otherwise its coordinate is 0."""
        return self.band is None or has_prefix(statement, self.band.prefix)

    def coordinate(self, statement: Statement, date: Sequence[Affine]) -> Affine | Floors:
        """Returns the coordinate of an operation with this date; where a size is a parameter, as if tiles had one
        point.
        """
        if self.band is None:
            return date[self.dimension]
        tiles = self.tiles if self.has(statement) else ()
        return tuple((date[tile.dimension], tile.size or 1) for tile in tiles)

    def kind(self, statement: Statement) -> DimensionKind:
        """Returns the kind that orders the coordinates of this statement; coordinates that are all 0 have no special
        kind.
        """
        if not self.has(statement):
            return DimensionKind.SEQUENTIAL
        if not self.wavefront:
            kind = statement.kinds[self.dimension]
            return kind if self.band is None else kind.of_tiles
        return DimensionKind.SEQUENTIAL if len(self.tiles) > 1 else DimensionKind.PARALLEL


@dataclass(frozen=True, slots=True)
class TileSize:
    """A parameter of the generated function, and its default value."""

    name: str
    default: int


def levels_of(bands: Sequence[Band], dimensions: int, used_names: Collection[str] = ()) -> tuple[AxisLevel, ...]:
    """Returns all levels of tiles, outermost first. Names of size parameters avoid the taken names."""
    levels: list[AxisLevel] = []
    stem = "ts"
    while any(name.startswith(stem) for name in used_names):
        stem += "_"
    ordered = [band for dimension in range(dimensions) for band in bands if band.first == dimension]
    for band in ordered:
        tiled = [d for d in band.tiled if not band.registers or band.size(d) != 1]
        for position, sizes in enumerate(band.sizes):
            waves = (
                band.wavefront[position] if band.wavefront and position not in band.recursive else (False,) * len(sizes)
            )
            cut = [d for d in tiled if band.size(d, position) != WHOLE]
            for wavefront, part in groupby(cut, key=lambda d: waves[d - band.first]):
                tiles = tuple(
                    TileAxis(d, band.size(d, position), f"{stem}{d + 1}_l{_depth(d, band, levels)}") for d in part
                )
                levels.append(AxisLevel(band, tiles, wavefront and len(tiles) > 1, position in band.recursive))
    return tuple(levels)


def _depth(dimension: int, band: Band, before: Iterable[AxisLevel]) -> int:
    """Returns the level number of the next level of this dimension, counted from 1."""
    around = (level for level in before if any(tile.dimension == dimension for tile in level.tiles))
    return 1 + sum(all(a == b for a, b in zip(level.band.prefix, band.prefix, strict=False)) for level in around)


def tile_sizes(levels: Iterable[AxisLevel]) -> tuple[TileSize, ...]:
    """Returns the sizes that are parameters: level by level, and dimension by dimension."""
    levels = tuple(levels)
    deepest: dict[int, int] = {}
    every = [(_number(tile), tile.dimension, tile) for level in levels for tile in level.tiles]
    for number, dimension, _ in every:
        deepest[dimension] = max(number, deepest.get(dimension, 0))
    parameters = {tile.parameter: (number, at) for number, at, tile in every if tile.size is None}
    ordered = sorted(parameters.items(), key=lambda item: item[1])
    return tuple(TileSize(name, _SIZE * _GROWTH ** (deepest[at] - number)) for name, (number, at) in ordered)


def _number(tile: TileAxis) -> int:
    return int(tile.parameter.rpartition("_l")[2])


def axes_of(bands: Sequence[Band], dimensions: int) -> tuple[Axis, ...]:
    """Returns all axes, outermost first."""
    levels = levels_of(bands, dimensions)
    axes: list[Axis] = []
    for dimension in range(dimensions):
        for level in levels:
            if level.position == dimension:
                axes.extend(_tile_axes(level))
        for band in bands:
            if band.registers and band.first == dimension:
                axes.extend(_whole_axes(band))
        if Axis(dimension) not in axes:
            axes.append(Axis(dimension))
    return tuple(axes)


def scan_order(registers: Band | None, dimensions: int) -> tuple[int, ...]:
    """Returns the dimensions in the order of the loops inside all tiles: those that register tiles leave whole come
    first.
    """
    if registers is None:
        return tuple(range(dimensions))
    first, whole = registers.first, registers.left_whole
    return (*range(first), *whole, *(d for d in range(first, dimensions) if d not in whole))


def _tile_axes(level: AxisLevel) -> list[Axis]:
    if level.recursive:
        return [Axis(tile.dimension, level.band, (tile,), recursive=level.tiles) for tile in level.tiles]
    return [
        Axis(tile.dimension, level.band, level.tiles if level.wavefront and position == 0 else (tile,), level.wavefront)
        for position, tile in enumerate(level.tiles)
    ]


def _whole_axes(band: Band) -> list[Axis]:
    """Returns the axes of dimensions that register tiles leave whole. Where other statements have no such tiles, a
    dimension has tiles of one point, and a place among the points.
    """
    ones = [TileAxis(d, 1, "") for d in band.left_whole]
    return [Axis(tile.dimension, band, (tile,)) if band.prefix else Axis(tile.dimension) for tile in ones]
