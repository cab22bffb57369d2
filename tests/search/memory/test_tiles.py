"""The number of cells that a tile writes."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import product

import pytest

from alphaz.legality.conflicts import conflicts_of
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.search.memory.lattices import Vector
from alphaz.search.memory.set_sizes import SetSizes, VariableTiles
from tests.search.memory.programs import kernel


def _tiles(design: Design, system: str, variable: str) -> VariableTiles:
    operations = conflicts_of(resolve(design, system)).operations
    return VariableTiles.of(operations, variable, SetSizes.of(design.system(system), {}))


def _most_by_enumeration(rows: Sequence[Vector], factors: Sequence[int]) -> int:
    """X of heat-3d-tuned: dates (t, t+i, t+j, k) in tiles of 8, 32 and 32, over a box that whole tiles fit in."""
    cells = defaultdict(set)
    for t, i, j in product(range(24), range(110), range(110)):
        tile = (t // 8, (t + i) // 32, (t + j) // 32)
        moved = (sum(a * b for a, b in zip(row, (t, i, j, 0), strict=True)) for row in rows)
        cells[tile].add(tuple(m % f if f else m for m, f in zip(moved, factors, strict=True)))
    return max(map(len, cells.values()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "factors"),
    [(((-1, 1, 0, 0), (-1, 0, 1, 0)), (0, 0)), (((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)), (2, 0, 0))],
)
def test_no_tile_writes_more_cells(rows: Sequence[Vector], factors: Sequence[int]) -> None:
    """The box is at most a fifth larger than what is written, which is skewed."""
    design, system = kernel("heat-3d-tuned")
    message, most = _tiles(design, system, "X").cells(rows, factors), _most_by_enumeration(rows, factors)
    assert most <= message <= 1.2 * most


def test_a_date_that_is_not_cut_counts_whole_and_a_factor_less() -> None:
    design, system = kernel("heat-3d-tuned")
    tiles = _tiles(design, system, "X")
    planes = tiles.cells(((0, 1, 0, 0), (0, 0, 1, 0)), (0, 0))
    assert planes == (32 + 8 - 1) ** 2
    assert tiles.cells(((0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)), (0, 0, 0)) == planes * 1000
    assert tiles.cells(((0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)), (0, 0, 5)) == planes * 5


def test_without_tiles_there_is_nothing_to_count() -> None:
    design, system = kernel("heat-3d")
    assert _tiles(design, system, "X").cells(((0, 1, 0, 0),), (0,)) == 0
