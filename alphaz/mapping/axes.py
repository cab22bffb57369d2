"""The dimensions that loops run through: those of the dates, and tile dimensions in front of each band.

A band of dimensions s..e with sizes B gets floor(date[d] / B[d]) for d = s..e in front of dimension s, once for each
level. In a wavefront the first of them is replaced by their sum, and the others are parallel (verifier.md 3). Both the
generator of scheduled code and the proof for fixed tile sizes read this one table.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.mapping.bands import limits
from alphaz.mapping.kinds import has_prefix
from alphaz.mapping.statement import Statement
from alphaz.mapping.target import Band, DimensionKind


@dataclass(frozen=True, slots=True)
class Tile:
    """floor(date[dimension] / size). The size is None where it is a parameter of the generated function."""

    dimension: int
    size: int | None


@dataclass(frozen=True, slots=True)
class Axis:
    """One dimension of the loops: a dimension of the dates or, with a band, the sum of `tiles`.

    `dimension` is the one that it stands for.
    """

    dimension: int
    band: Band | None = None
    tiles: tuple[Tile, ...] = ()
    wavefront: bool = False

    def has(self, statement: Statement) -> bool:
        """Whether the statement is tiled here; where it is not, its coordinate is 0."""
        return self.band is None or has_prefix(statement, self.band.prefix)

    def kind(self, statement: Statement) -> DimensionKind:
        """How the coordinates of this statement are ordered."""
        if not self.wavefront:
            return statement.kinds[self.dimension]
        return DimensionKind.SEQUENTIAL if len(self.tiles) > 1 else DimensionKind.PARALLEL


def axes_of(statements: Sequence[Statement], bands: Sequence[Band], dimensions: int) -> tuple[Axis, ...]:
    """All of them, outermost first."""
    axes: list[Axis] = []
    for dimension in range(dimensions):
        for band in bands:
            if limits(band)[0] == dimension:
                axes.extend(_tile_axes(band, statements))
        axes.append(Axis(dimension))
    return tuple(axes)


def _tile_axes(band: Band, statements: Sequence[Statement]) -> list[Axis]:
    first, last = limits(band)
    tiled = [d for d in range(first, last + 1) if _is_tiled(d, band, statements)]
    axes: list[Axis] = []
    for level, sizes in enumerate(band.sizes):
        tiles = tuple(Tile(d, sizes[d - first]) for d in tiled)
        wavefront = len(tiles) > 1 and level < len(band.wavefront) and band.wavefront[level]
        for at, tile in enumerate(tiles):
            summed = tiles if wavefront and at == 0 else (tile,)
            axes.append(Axis(tile.dimension, band, summed, wavefront))
    return axes


def _is_tiled(dimension: int, band: Band, statements: Sequence[Statement]) -> bool:
    """An ordering dimension inside a band orders only what is in the same tile."""
    kinds = {s.kinds[dimension] for s in statements if has_prefix(s, band.prefix)}
    return kinds != {DimensionKind.ORDERING}
