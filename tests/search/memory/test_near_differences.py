"""The listed differences near zero, against membership point by point."""

from itertools import product

import pytest

from alphaz.poly import Affine, AffineFunction, Domain, Space, at_least
from alphaz.search.memory import lattices
from alphaz.search.memory.lattices import ReuseVector

i, j, n = map(Affine.name, ("i", "j", "N"))
SPACE = Space(("N",), ("i", "j"))
RISING = Domain.where(SPACE, [at_least(i, 1), at_least(n, i)], [at_least(-i, 1), at_least(j, 3)])
EVEN = Domain.where(SPACE, [at_least(n, 0)]).image(AffineFunction(SPACE, (i * 2, j * 3)), ("i", "j"))
SKEWED = (RISING | EVEN).image(AffineFunction(SPACE, (i * 2 + j, j)), ("i", "j"))


def around_zero(differences: Domain) -> set[tuple[int, ...]]:
    plain = differences.with_only(())
    points = product(range(-8, 9), repeat=2)
    return {point for point in points if any(point) and plain.contains(dict(zip(("i", "j"), point, strict=True)))}


@pytest.mark.parametrize("differences", [RISING, EVEN, RISING | EVEN, SKEWED, Domain.empty(SPACE)])
def test_differences_near_zero_are_listed(differences: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = around_zero(differences)
    assert ReuseVector.of(differences).near == expected
    monkeypatch.setattr(lattices, "_LISTED", 1)
    assert ReuseVector.of(differences).near <= expected


def test_pieces_without_floors_are_listed_without_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattices, "_LISTED", 1)
    rising = ReuseVector.of(RISING).near
    assert rising == around_zero(RISING)
    assert rising <= ReuseVector.of(RISING | EVEN).near < around_zero(RISING | EVEN)
