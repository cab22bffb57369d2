"""Bounding boxes at given parameters."""

import pytest

from alphaz.poly import Affine, Domain, Space, Unbounded, at_least, equal, less
from alphaz.poly.algorithms.bounds import Box, box_of

ROW, COLUMN, SIZE = Affine.name("i"), Affine.name("j"), Affine.name("N")
SPACE = Space(("N",), ("i", "j"))


def test_a_triangle() -> None:
    triangle = Domain.where(SPACE, [at_least(COLUMN, 2), less(COLUMN, ROW), less(ROW, SIZE)])
    box = box_of(triangle, {"N": 6, "unused": 1})
    assert box == Box((3, 2), (5, 4))
    assert (box.shape, box.strides, box.size) == ((3, 3), (3, 1), 9)


def test_a_union_with_a_stride() -> None:
    even = Domain.where(SPACE, [equal(ROW, COLUMN * 2), at_least(ROW, 1), less(ROW, SIZE)])
    point = Domain.where(SPACE, [equal(ROW, -3), equal(COLUMN, SIZE)])
    assert box_of(even | point, {"N": 9}) == Box((-3, 1), (8, 9))


def test_the_box_of_an_empty_set_has_no_cells() -> None:
    box = box_of(Domain.where(SPACE, [less(ROW, COLUMN), less(COLUMN, ROW)]), {"N": 3})
    assert box.shape == (0, 0)
    assert box.size == 0


def test_a_scalar_has_one_cell() -> None:
    box = box_of(Domain.universe(Space(("N",))), {"N": 3})
    assert (box.shape, box.strides, box.size) == ((), (), 1)


def test_what_is_unbounded_has_no_box() -> None:
    with pytest.raises(Unbounded):
        box_of(Domain.where(SPACE, [at_least(ROW, 0), equal(COLUMN, ROW)]), {"N": 3})
