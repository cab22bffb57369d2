"""Register tiles given in vectors: sizes with as many values as fill the registers (M0).

Neighbours in memory make the columns of a tile, two vectors wide; the first of the other dimensions of a result makes
its rows. Source: Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (TOMS 2008), section 6.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from alphaz.machine import Vectors
from alphaz.mapping.kinds import has_prefix
from alphaz.mapping.statement import Cell, Role, Statement
from alphaz.mapping.target import RegisterTile
from alphaz.model.program import System
from alphaz.poly import Affine


def with_sizes(
    stated: Sequence[RegisterTile], system: System, statements: Sequence[Statement], cells: Mapping[str, Cell]
) -> tuple[RegisterTile, ...]:
    """Returns the same tiles, each with a number. A tile along no index of a result, or of a second row, has
    one point.
    """
    tiles: list[RegisterTile] = []
    rows: set[tuple[int, ...]] = set()
    for tile in stated:
        if isinstance(tile.size, int):
            tiles.append(tile)
            continue
        members = _of_results([s for s in statements if has_prefix(s, tile.prefix)])
        widths = list(_columns(tile.size, tile, system, members, cells))
        size = max(widths, default=1)
        if not widths and tile.prefix not in rows and any(_moves(_at(tile, s), _cell(s, cells)) for s in members):
            rows.add(tile.prefix)
            size = tile.size.rows()
        tiles.append(replace(tile, size=size))
    return tuple(tiles)


def _of_results(statements: Sequence[Statement]) -> list[Statement]:
    """Returns the statements whose results are kept in registers: accumulations, or else computed values."""
    sums = [s for s in statements if s.role is Role.BODY]
    return sums or [s for s in statements if s.role is Role.VALUE]


def _columns(
    vectors: Vectors, tile: RegisterTile, system: System, members: Sequence[Statement], cells: Mapping[str, Cell]
) -> Iterator[int]:
    """Yields the widths for the statements whose neighbours in memory are along the dimension."""
    for statement in members:
        if _moves(_at(tile, statement), _cell(statement, cells)[-1:]):
            yield vectors.columns(system.variable(statement.variable).type.bits // 8)


def _at(tile: RegisterTile, statement: Statement) -> Affine:
    """Returns the component of the dates that is tiled."""
    at = len(tile.prefix) + tile.dimension
    return statement.dates[at] if at < len(statement.dates) else Affine()


def _cell(statement: Statement, cells: Mapping[str, Cell]) -> tuple[Affine, ...]:
    """Returns the cell of the result of an operation, over the names of its dates."""
    target = statement.target.renamed(statement.domain.space.names)
    return target.then(cells[statement.variable].function).outputs


def _moves(date: Affine, place: Sequence[Affine]) -> bool:
    """Returns True if the place of a result has an index of the date."""
    return any(output.coefficient(name) for output in place for name in date.names)
