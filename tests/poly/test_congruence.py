"""Texts of sets: remainders instead of quotients."""

from alphaz.poly import Affine, AffineFunction, Domain, Space, at_least, less
from alphaz.poly.algorithms.congruence import set_text

i, n = map(Affine.name, ("i", "N"))
LINE = Domain.where(Space(("N",), ("i",)), [at_least(i, 0), less(i, n)])


def test_a_set_without_floors_has_its_own_text() -> None:
    assert set_text(LINE) == str(LINE)


def test_floors_are_written_as_remainders() -> None:
    odd = LINE.image(AffineFunction(LINE.space, (i * 2 + 1,)), ("x",))
    text = set_text(odd)
    assert "floor" in str(odd)
    assert "floor" not in text
    assert "x%2==1" in text


def test_a_remainder_of_a_sum_is_in_parentheses() -> None:
    shifted = LINE.image(AffineFunction(LINE.space, (i * 3 + n,)), ("x",))
    assert "(2N+x)%3==0" in set_text(shifted)
