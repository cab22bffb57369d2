"""Sets against brute force: membership, algebra, images and the smallest point, enumerated in plain Python."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Space, smallest_point

pytestmark = pytest.mark.slow

PARAMETERS, NAMES = ("N", "M"), ("i", "j")
SPACE = Space(PARAMETERS, NAMES)
RANGE = range(-2, 3)
# Every name stays within the range, so that enumeration sees all.
BOX = [Constraint(Affine.of([(n, sign)], 2)) for n in PARAMETERS + NAMES for sign in (1, -1)]
POINTS = [dict(zip(PARAMETERS + NAMES, values, strict=True)) for values in product(RANGE, repeat=4)]

coefficients = st.integers(-2, 2)
affines = st.builds(
    lambda cs, c: Affine.of(zip(PARAMETERS + NAMES, cs, strict=True), c),
    st.tuples(*[coefficients] * 4),
    st.integers(-4, 4),
)
constraints = st.builds(Constraint, affines, st.sampled_from([False, False, False, True]))
unions = st.lists(st.lists(constraints, max_size=3), min_size=1, max_size=3)
Union = list[list[Constraint]]


def inside(union: Union, values: dict[str, int]) -> bool:
    return any(all(c.holds(values) for c in conjunction) for conjunction in union)


def boxed(union: Union) -> Domain:
    return Domain.where(SPACE, *(conjunction + BOX for conjunction in union))


@settings(max_examples=40, deadline=None)
@given(unions, unions)
def test_algebra_agrees_with_enumeration(left: Union, right: Union) -> None:
    a, b = boxed(left), boxed(right)
    both, either, only = (a & b).pieces(), (a | b).pieces(), (a - b).pieces()
    for values in POINTS:
        in_a, in_b = inside(left, values), inside(right, values)
        assert any(p.holds(values) for p in both) == (in_a and in_b)
        assert any(p.holds(values) for p in either) == (in_a or in_b)
        assert any(p.holds(values) for p in only) == (in_a and not in_b)


@settings(max_examples=40, deadline=None)
@given(unions, affines)
def test_image_agrees_with_enumeration(union: Union, output: Affine) -> None:
    image = boxed(union).image(AffineFunction(SPACE, (output,)), ("x",)).pieces()
    reached = {(v["N"], v["M"], output.at(v)) for v in POINTS if inside(union, v)}
    for n, m, x in product(RANGE, RANGE, range(-21, 22)):
        assert any(p.holds({"N": n, "M": m, "x": x}) for p in image) == ((n, m, x) in reached)


@settings(max_examples=100, deadline=None)
@given(unions)
def test_smallest_point_is_the_smallest(union: Union) -> None:
    point = smallest_point(boxed(union))
    points = [v for v in POINTS if inside(union, v)]
    if not points:
        assert point is None
        return
    points = not_negative(points, PARAMETERS)
    least = min(points, key=lambda v: (v["N"] + v["M"], *(v[n] for n in PARAMETERS)))
    points = [v for v in points if all(v[n] == least[n] for n in PARAMETERS)]
    assert point == min(not_negative(points, NAMES), key=lambda v: tuple(v[n] for n in NAMES))


def not_negative(points: list[dict[str, int]], names: tuple[str, ...]) -> list[dict[str, int]]:
    """Name by name, wherever that leaves a point."""
    for name in names:
        points = [v for v in points if v[name] >= 0] or points
    return points
