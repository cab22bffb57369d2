"""Boxes inside domains, against counting them out."""

from itertools import product

import pytest

from alphaz.poly import Affine, Domain, Space, at_least, less
from alphaz.poly.algorithms.tile_corners import (
    BoxKey,
    BoxStep,
    box_points,
    conflict,
    corners_of_points,
    full_tile_corners,
    lines_agree,
    unequal_pairs,
)

i, j, n = map(Affine.name, ("i", "j", "N"))
SPACE = Space(("N",), ("i", "j"))
TRIANGLE = Domain.where(SPACE, [at_least(j, 0), less(j, i + 1), less(i, n)])
SQUARE = Domain.where(SPACE, [at_least(j, 0), less(j, n), at_least(i, 0), less(i, n)])
STEPS = (BoxStep("i", -1, 2), BoxStep("j", 1, 3))
OFFSETS = list(product((0, -1), (0, 1, 2)))


@pytest.mark.parametrize("domain", [TRIANGLE, SQUARE])
@pytest.mark.parametrize("size", [0, 1, 4, 9])
def test_boxes_are_those_that_lie_inside(domain: Domain, size: int) -> None:
    points = set(domain.points({"N": size}))
    wanted = {(x, y) for x, y in points if {(x + r, y + s) for r, s in OFFSETS} <= points}
    corner = full_tile_corners(domain, STEPS)
    assert set(corner.points({"N": size})) == wanted
    assert set(box_points(corner, STEPS).points({"N": size})) == {(x + r, y + s) for x, y in wanted for r, s in OFFSETS}


BLOCKS = Domain.where(SPACE, [at_least(j + j, i), less(j, n), at_least(i, 0), less(i, n)])


@pytest.mark.parametrize("domain", [TRIANGLE, SQUARE, BLOCKS])
@pytest.mark.parametrize(("size", "sign"), [(1, 1), (2, 1), (3, -1)])
def test_lines_of_a_box_have_the_same_points(domain: Domain, size: int, sign: int) -> None:
    points = set(domain.points({"N": 9}))
    lines = {x: {y for z, y in points if z == x} for x, _ in points}
    apart = any(lines[x] != lines.get(x + r, lines[x]) for x in lines for r in range(size))
    assert lines_agree(domain, (BoxStep("i", sign, size),), ("j",)) is not apart


def test_corners_to_which_another_point_belongs() -> None:
    keys, other = (BoxKey(i, 4), BoxKey(j)), (BoxKey(i + 1, 4), BoxKey(j))
    result = corners_of_points(SQUARE, keys, TRIANGLE, other)
    size = 7
    points = list(TRIANGLE.points({"N": size}))
    wanted = [(x, y) for x, y in SQUARE.points({"N": size}) if any(y == v and 0 <= u + 1 - x < 4 for u, v in points)]
    assert list(result.points({"N": size})) == wanted


@pytest.mark.parametrize(
    ("steps", "keys", "cells", "apart", "wanted"),
    [
        ((), (), ((i,), (j - 1,)), False, False),
        ((), (), ((i,), (i + n,)), False, True),
        ((), (i,), ((j,), (j,)), False, False),
        ((), (i,), ((j,), (j,)), True, True),
        (STEPS, (i, j), ((i,), (i,)), True, False),
        (STEPS, (i, j), ((i, j), (i, j)), True, True),
        (STEPS, (i, j), ((i, j), (i, j + 1)), True, False),
        (STEPS, (i, j), ((i, j), (i, j + 3)), True, True),
        (STEPS, (i,), ((i, j), (i, j + 3)), True, False),
    ],
)
def test_cells_that_meet(
    steps: tuple[BoxStep, ...], keys: list[Affine], cells: tuple[list[Affine], list[Affine]], apart: bool, wanted: bool
) -> None:
    one, other = (list(map(BoxKey, cell)) for cell in cells)
    assert conflict(full_tile_corners(SQUARE, steps), steps, keys, one, other, apart).is_empty() is wanted


def test_points_apart_that_share_cells() -> None:
    cell, next_cell = [BoxKey(i), BoxKey(j)], [BoxKey(i), BoxKey(j + 1)]
    assert unequal_pairs(SQUARE, cell, j, SQUARE, cell, j).is_empty()
    assert not unequal_pairs(SQUARE, cell, j, SQUARE, next_cell, j).is_empty()
    even, odd = [BoxKey(i, modulus=2), BoxKey(j)], [BoxKey(i - 1, modulus=2), BoxKey(j)]
    assert not unequal_pairs(SQUARE, even, i, SQUARE, even, i).is_empty()
    assert unequal_pairs(SQUARE, [*even, BoxKey(i)], i, SQUARE, [*odd, BoxKey(i)], i).is_empty()
    assert not unequal_pairs(SQUARE, even, i, SQUARE, odd, i).is_empty()
