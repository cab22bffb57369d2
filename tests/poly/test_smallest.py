"""The smallest point: what people are shown of a set that is not empty."""

from itertools import islice, product

import pytest

from alphaz.poly import Affine, Constraint, Domain, Space, at_least, equal, smallest_point
from alphaz.poly.algorithms.smallest import by_sum

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
    bounds = (at_least(item, -9) for item in (N, M, i, j))
    assert smallest_point(Domain.where(Space(("N", "M"), ("i", "j")), (*constraints, *bounds))) == point


def test_the_empty_set_has_no_smallest_point() -> None:
    assert smallest_point(Domain.empty(Space(("N",), ("i",)))) is None


def test_parameters_in_the_order_of_their_sums_are_those_of_the_box() -> None:
    space = Space(("N", "M"), ())
    context = Domain.where(space, (at_least(N, 2), at_least(M - N, -1), equal(M, Affine.name("N") * 2))) | Domain.where(
        space, (at_least(N + M, 3), at_most(N, 1))
    )
    box = sorted(product(range(8), repeat=2), key=lambda item: (sum(item), item))
    wanted = [at for item in box if context.contains(at := dict(zip(("N", "M"), item, strict=True)))]
    assert list(by_sum(context, 7)) == wanted
    assert len(wanted) > 5


def test_of_many_parameters_the_first_are_found_without_all() -> None:
    names = tuple(f"P{at}" for at in range(20))
    context = Domain.where(Space(names, ()), [at_least(Affine.name(name), 1) for name in names])
    results = [tuple(item.values()) for item in islice(by_sum(context, 9), 3)]
    assert results == [(1,) * 20, (*(1,) * 19, 2), (*(1,) * 18, 2, 1)]


def test_without_parameters_there_is_one_choice_or_none() -> None:
    space = Space((), ())
    assert list(by_sum(Domain.universe(space), 9)) == [{}]
    assert not list(by_sum(Domain.empty(space), 9))
