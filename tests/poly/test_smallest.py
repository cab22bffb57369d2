"""The smallest point: what people are shown of a set that is not empty."""

import pytest

from alphaz.poly import Affine, Constraint, Domain, Space, at_least, smallest_point

N, M, i, j = map(Affine.name, "NMij")


def at_most(affine: Affine, bound: int) -> Constraint:
    return at_least(-affine, -bound)


@pytest.mark.parametrize(
    ("constraints", "point"),
    [
        ((at_least(N, -2), at_least(i, -3)), {"N": 0, "M": 0, "i": 0, "j": 0}),
        ((at_least(i, -3), at_most(i, -1)), {"N": 0, "M": 0, "i": -3, "j": 0}),
        ((at_most(N, -1), at_least(N, -4), at_least(i + N, 0)), {"N": -4, "M": 0, "i": 4, "j": 0}),
        ((at_least(N + M, 3), at_least(M, 1), at_least(N, 1)), {"N": 1, "M": 2, "i": 0, "j": 0}),
        ((at_least(j - i, 1), at_least(i, -5)), {"N": 0, "M": 0, "i": 0, "j": 1}),
    ],
)
def test_values_are_not_negative_where_they_need_not_be_and_then_the_least(
    constraints: tuple[Constraint, ...], point: dict[str, int]
) -> None:
    bounds = (at_least(each, -9) for each in (N, M, i, j))
    assert smallest_point(Domain.where(Space(("N", "M"), ("i", "j")), (*constraints, *bounds))) == point


def test_the_empty_set_has_none() -> None:
    assert smallest_point(Domain.empty(Space(("N",), ("i",)))) is None
