"""Vertices of sets: the extremes of affine expressions are there."""

from hypothesis import given
from hypothesis import strategies as st

from alphaz.poly import Affine, Domain, Space, at_least
from alphaz.poly.algorithms.bounds import extremes
from alphaz.poly.algorithms.set_operations import vertices

_SPACE = Space((), ("i", "j"))
_I, _J = Affine.name("i"), Affine.name("j")
_ROWS = st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(-4, 8))


def _inside(rows: list[tuple[int, int, int]]) -> Domain:
    box = [at_least(item + 5, 0) for item in (_I, _J, -_I, -_J)]
    return Domain.where(_SPACE, [*box, *(at_least(_I * a + _J * b + c, 0) for a, b, c in rows)])


@given(st.lists(_ROWS, max_size=3), st.lists(_ROWS, max_size=2), st.integers(-3, 3), st.integers(-3, 3))
def test_extremes_lie_at_vertices(
    one: list[tuple[int, int, int]], two: list[tuple[int, int, int]], a: int, b: int
) -> None:
    domain = _inside(one) | _inside(two)
    points = vertices(domain)
    if points:
        values = [a * i + b * j for i, j in points]
        assert (min(values), max(values)) == extremes(domain, _I * a + _J * b)


def test_a_triangle_has_three() -> None:
    triangle = Domain.where(_SPACE, [at_least(_I, 0), at_least(_J, _I), at_least(-_J, -9)])
    assert sorted(vertices(triangle) or ()) == [(0, 0), (0, 9), (9, 9)]


def test_none_are_given_where_extremes_may_lie_elsewhere() -> None:
    assert vertices(Domain.where(_SPACE, [at_least(_I, 0)])) is None
    fractional = Domain.where(_SPACE, [at_least(_J * 2, 0), at_least(_I * -2 - _J * 3, -7), at_least(_I, _J)])
    assert vertices(fractional) is None
