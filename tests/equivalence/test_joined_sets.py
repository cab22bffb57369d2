"""Joins with and without substituted equations give the same set."""

from random import Random

import pytest

from alphaz.equivalence.joined_sets import joined_domain
from alphaz.poly import Affine, Constraint, Domain
from alphaz.poly.plain.space import Space


def some(random: Random, names: tuple[str, ...]) -> Affine:
    return Affine.of(((name, random.choice((-2, -1, -1, 0, 0, 1, 1, 2))) for name in names), random.randint(-2, 2))


def conditions(random: Random, names: tuple[str, ...], count: int) -> list[Constraint]:
    return [Constraint(some(random, names), random.random() < 0.5) for _ in range(count)]


def box(names: tuple[str, ...]) -> list[Constraint]:
    return [Constraint(each) for n in names for each in (Affine.name(n) + 2, Affine(constant=3) - Affine.name(n))]


@pytest.mark.parametrize("seed", range(60))
def test_it_is_the_product_where_the_equations_hold(seed: int) -> None:
    random = Random(seed)
    x, y = ("a", "b"), ("c", "d", "e")
    left, right = (
        Domain.where(Space(("N",), names), *([*box(names), *conditions(random, (*names, "N"), 1)] for _ in range(2)))
        for names in (x, y)
    )
    space = Space(("N",), (*x, *y))
    cases = [conditions(random, (*x, *y, "N"), random.randint(0, 3)) for _ in range(random.randint(0, 3))]
    assert joined_domain(space, [left, right], *cases).equals(left.times(right) & Domain.where(space, *cases))


def test_parts_may_share_names() -> None:
    space = Space((), ("a", "b", "c"))
    one, other = (Domain.where(Space((), names), box(names)) for names in (("a", "b"), ("c", "b")))
    found = joined_domain(space, [one, other], [Constraint(Affine.name("a") - Affine.name("c"), equality=True)])
    assert found.equals(Domain.where(space, [*box(("a", "b")), Constraint(Affine.name("a") - Affine.name("c"), True)]))
