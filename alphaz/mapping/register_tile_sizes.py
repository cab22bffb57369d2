"""Register tiles given in vectors: sizes with as many values as fill the registers (M0).

Neighbours in memory make the columns of a tile, two or three vectors wide; the first of the other dimensions of a
result makes its rows. Source: Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (TOMS 2008),
section 6.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from alphaz.machine import Vectors
from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.statement import Cell, Role, Statement
from alphaz.mapping.target_mapping import Band, RegisterTile
from alphaz.model.program import System
from alphaz.poly import Affine


def with_sizes(
    stated: Sequence[RegisterTile],
    bands: Sequence[Band],
    system: System,
    statements: Sequence[Statement],
    cells: Mapping[str, Cell],
) -> tuple[RegisterTile, ...]:
    """Returns the same tiles, each with a number. A tile along no index of a result, or of a second row, has
    one point.
    """
    by_prefix = {tile.prefix: [other for other in stated if other.prefix == tile.prefix] for tile in stated}
    bits = {variable.name: variable.type.bits for variable in system.variables}
    sized = {prefix: _sized(tiles, bands, bits, statements, cells) for prefix, tiles in by_prefix.items()}
    return tuple(sized[tile.prefix].pop(0) for tile in stated)


def _sized(
    tiles: Sequence[RegisterTile],
    bands: Sequence[Band],
    bits: Mapping[str, int],
    statements: Sequence[Statement],
    cells: Mapping[str, Cell],
) -> list[RegisterTile]:
    """Returns the tiles below one prefix with numbers, of the first shape that fits the tiles around."""
    members = _of_results([s for s in statements if has_prefix(s, tiles[0].prefix)])
    chosen: list[RegisterTile] = []
    for number in range(max((len(tile.size.shapes) for tile in tiles if isinstance(tile.size, Vectors)), default=1)):
        chosen, has_rows = [], False
        for tile in tiles:
            size = tile.size
            if isinstance(size, Vectors):
                wide, high = size.shapes[number]
                size = max((wide * lanes for lanes in _lanes(size, tile, bits, members, cells)), default=0)
                if not size and not has_rows and any(_moves(_at(tile, s), _cell(s, cells)) for s in members):
                    size, has_rows = high, True
            chosen.append(replace(tile, size=size or 1))
        if all(isinstance(tile.size, Vectors) for tile in tiles) and all(_fits(tile, bands) for tile in chosen):
            break
    return chosen


def _fits(tile: RegisterTile, bands: Sequence[Band]) -> bool:
    """Returns True if the tiles around, where their sizes are known, are multiples of the register tile."""
    around = [
        band.sizes[-1][tile.dimension - band.start]
        for band in bands
        if band.prefix == tile.prefix and band.start <= tile.dimension <= band.end and not band.registers
    ]
    return not any(size and size % tile.size for size in around if isinstance(tile.size, int))


def _of_results(statements: Sequence[Statement]) -> list[Statement]:
    """Returns the statements whose results are kept in registers: accumulations, or else computed values."""
    sums = [s for s in statements if s.role is Role.BODY]
    return sums or [s for s in statements if s.role is Role.VALUE]


def _lanes(
    vectors: Vectors,
    tile: RegisterTile,
    bits: Mapping[str, int],
    members: Sequence[Statement],
    cells: Mapping[str, Cell],
) -> Iterator[int]:
    """Yields the values in a vector, for the statements whose neighbours in memory are along the dimension."""
    for statement in members:
        if _moves(_at(tile, statement), _cell(statement, cells)[-1:]):
            yield vectors.lanes(bits[statement.variable] // 8)


def _at(tile: RegisterTile, statement: Statement) -> Affine:
    """Returns the component of the dates that is tiled."""
    position = len(tile.prefix) + tile.dimension
    return statement.dates[position] if position < len(statement.dates) else Affine()


def _cell(statement: Statement, cells: Mapping[str, Cell]) -> tuple[Affine, ...]:
    """Returns the cell of the result of an operation, over the names of its dates."""
    target = statement.target.renamed(statement.domain.space.names)
    return target.then(cells[statement.variable].function).outputs


def _moves(date: Affine, place: Sequence[Affine]) -> bool:
    """Returns True if the place of a result has an index of the date."""
    return any(output.coefficient(name) for output in place for name in date.names)
