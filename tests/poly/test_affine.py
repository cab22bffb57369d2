"""Affine expressions and constraints in plain Python."""

import pytest

from alphaz.poly import Affine, Constraint, at_least, equal, less

i, j, n = map(Affine.name, ("i", "j", "N"))


@pytest.mark.parametrize(
    ("affine", "text"),
    [
        (j - i, "j-i"),
        (i * 2 + 1, "2i+1"),
        (i - i, "0"),
        (-i, "-i"),
        (-i - 3, "-i-3"),
        (n - i * 2 - j, "N-2i-j"),
        (Affine(constant=-4), "-4"),
    ],
)
def test_affine_is_shown_as_people_write_it(affine: Affine, text: str) -> None:
    assert str(affine) == text


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (at_least(i, 0), "i>=0"),
        (less(i, n), "i<N"),
        (at_least(n, i), "i<=N"),
        (at_least(n, i + 3), "i+3<=N"),
        (at_least(n, i - 3), "i<=N+3"),
        (at_least(-i, -5), "i<=5"),
        (equal(i, j + 1), "i==j+1"),
        (equal(i, 4), "i==4"),
        (equal(i + j, 4), "i+j==4"),
    ],
)
def test_constraint_is_shown_as_people_write_it(constraint: Constraint, text: str) -> None:
    assert str(constraint) == text


def test_equality_is_semantic() -> None:
    assert i + j == j + i
    assert i + j - j == i
    assert hash(i * 2) == hash(i + i)


def test_substitution_is_simultaneous() -> None:
    assert (i - j).substitute({"i": j, "j": i}) == j - i


def test_value_at_a_point() -> None:
    assert (i * 3 - j + 2).at({"i": 2, "j": 5}) == 3
    with pytest.raises(KeyError):
        i.at({"j": 1})
