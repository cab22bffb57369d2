"""Domains against what they must be, and what must not be combined."""

from itertools import islice
from time import process_time

import pytest

from alphaz.poly import (
    Affine,
    AffineFunction,
    Domain,
    OutOfBudget,
    Space,
    SpaceMismatch,
    Unbounded,
    at_least,
    budget,
    equal,
    fresh_names,
    less,
)  # fmt: skip

i, j, n = map(Affine.name, ("i", "j", "N"))
SPACE = Space(("N",), ("i", "j"))
TRIANGLE = Domain.where(SPACE, [at_least(j, 0), less(j, i), less(i, n)])


def test_points_come_in_lexicographic_order() -> None:
    assert list(TRIANGLE.points({"N": 4})) == [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]


def test_points_of_a_large_set_come_in_order_and_one_after_the_other() -> None:
    assert list(islice(TRIANGLE.points({"N": 10**6}), 3)) == [(1, 0), (2, 0), (2, 1)]
    diagonal = TRIANGLE & Domain.where(SPACE, [equal(j, i - 1)])
    assert list(diagonal.points({"N": 200})) == [(x, x - 1) for x in range(1, 200)]


def test_points_of_an_infinite_set_are_refused() -> None:
    with pytest.raises(Unbounded):
        Domain.where(SPACE, [at_least(i, 0)]).points({"N": 1})


def test_image_knows_the_holes() -> None:
    evens = Domain.where(SPACE.with_names(("i",)), [at_least(i, 0), less(i, n)])
    image = evens.image(AffineFunction(evens.space, (i * 2,)), ("x",))
    assert list(image.points({"N": 3})) == [(0,), (2,), (4,)]
    assert [image.contains({"N": 3, "x": x}) for x in range(6)] == [True, False, True, False, True, False]


def test_preimage_and_embedding_follow_names() -> None:
    line = Domain.where(SPACE.with_names(("i",)), [equal(i, 2)])
    turned = line.embedded(Space(("N",), ("j", "i")))
    assert turned.contains({"N": 0, "i": 2, "j": 9})
    assert not turned.contains({"N": 0, "i": 9, "j": 2})


def test_fixed_keeps_the_space() -> None:
    fixed = TRIANGLE.fixed({"N": 2})
    assert fixed.space == SPACE
    assert fixed.equals(TRIANGLE & Domain.where(SPACE, [equal(n, 2)]))


def test_parameters_for_which_there_is_a_point() -> None:
    assert TRIANGLE.parameters().contains({"N": 2})
    assert not TRIANGLE.parameters().contains({"N": 1})


@pytest.mark.parametrize("name", ["min", "exists", "mod", "a'", "z_a", "größe", "AND", "true", "x.1", "floor"])
def test_any_name_can_name_a_dimension(name: str) -> None:
    space = Space(("N",), (name, "other"))
    domain = Domain.where(space, [at_least(Affine.name(name), 3), less(Affine.name(name), n)])
    assert domain.contains({"N": 5, name: 3, "other": 0})
    assert not domain.contains({"N": 5, name: 5, "other": 0})


def test_spaces_that_differ_are_never_combined() -> None:
    other = Domain.universe(Space(("M",), ("i", "j")))
    for combine in (lambda: TRIANGLE & other, lambda: TRIANGLE - other, lambda: TRIANGLE.equals(other)):
        with pytest.raises(SpaceMismatch):
            combine()
    with pytest.raises(SpaceMismatch):
        Domain.where(SPACE, [at_least(Affine.name("k"), 0)])
    with pytest.raises(SpaceMismatch):
        Space(("N",), ("i", "i"))
    with pytest.raises(SpaceMismatch):
        TRIANGLE.preimage(AffineFunction(SPACE, (i,)))


def test_budget_runs_out_as_unknown() -> None:
    with pytest.raises(OutOfBudget), budget(3):
        TRIANGLE.complement().is_empty()
    assert not TRIANGLE.is_empty()


def test_fresh_names_are_fresh() -> None:
    assert fresh_names(2, "t", ["t", "x"]) == ("t0", "t1")
    assert fresh_names(2, "t", ["t1"]) == ("t_0", "t_1")


def test_text_is_the_language() -> None:
    assert set(str(TRIANGLE).removeprefix("{i,j | ").removesuffix("}").split(" && ")) == {"j<i", "i<N", "j>=0"}
    assert str(Domain.empty(SPACE)) == "{i,j | false}"


def test_a_union_of_thousands_of_pieces_is_made_without_copying_it_for_each() -> None:
    start = process_time()
    domain = Domain.where(Space(("N",), ("i",)), *([equal(i, 2 * at)] for at in range(8000)))
    assert process_time() - start < 4
    assert domain.piece_count == 8000
    assert {piece.constraints[0].affine.constant for piece in domain.pieces()} == {-2 * at for at in range(8000)}
