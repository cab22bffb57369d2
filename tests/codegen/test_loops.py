"""Scanning visits exactly the points of all domains, in the lexicographic order of their dates."""

from collections.abc import Sequence
from functools import reduce
from operator import or_

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.c import tree as c
from alphaz.codegen.c.nest import loops_in_c, reached_instances
from alphaz.loops import scanning
from alphaz.loops.scanning import readable_scan, scan
from alphaz.loops.tree import Conditional, Instance, Scan
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Space, at_least
from alphaz.poly.algorithms.bounds import bounding_box, guard, image_modulo
from alphaz.poly.algorithms.smallest import first_of_each, preimage_of
from alphaz.poly.plain.integer_expression import IntegerConstant, IntegerName, IntegerOperation, value_of
from tests.codegen.loop_machine import visits

SPACE = Space(("N",), ("i", "j"))
i, j, N = (Affine.name(n) for n in ("i", "j", "N"))
SQUARE = [at_least(i, 0), at_least(N, i), at_least(j, 0), at_least(N, j)]
CONTEXT = Domain.where(Space(("N",)), [at_least(N, 1)])

coefficients = st.integers(-2, 2)
affines = st.builds(
    lambda a, b, n, k: i * a + j * b + N * n + k, coefficients, coefficients, st.integers(0, 1), coefficients
)
constraints = st.builds(lambda a, e: Constraint(a, e), affines, st.sampled_from([False, False, False, True]))
domains = st.lists(constraints, max_size=2).map(lambda more: Domain.where(SPACE, [*SQUARE, *more]))
unions = st.lists(domains, min_size=1, max_size=3).map(lambda parts: reduce(or_, parts))


def dates_in_order(scans: Sequence[Scan], n: int) -> list[tuple[tuple[int, ...], str, tuple[int, ...]]]:
    found = []
    for one in scans:
        for point in one.domain.points({"N": n}):
            values = {"N": n, **dict(zip(one.domain.space.names, point, strict=True))}
            found.append((tuple(component.at(values) for component in one.date), one.name, point))
    return sorted(found)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(unions, st.tuples(affines, affines, affines)), min_size=1, max_size=2),
    st.integers(1, 5),
    st.booleans(),
)
def test_all_points_in_the_order_of_their_dates(
    given_: list[tuple[Domain, tuple[Affine, ...]]], n: int, separate: bool
) -> None:
    """Every operation has a date of its own, as S1 asks: its point and a number come last."""
    scans = [Scan(f"s{at}", domain, (*date, Affine(constant=at), i, j)) for at, (domain, date) in enumerate(given_)]
    iterators = [f"c{at}" for at in range(6)]
    tree = scan(scans, CONTEXT, iterators, range(6) if separate else ())
    expected = [(name, point) for _, name, point in dates_in_order(scans, n)]
    assert list(visits(tree, {"N": n})) == expected


def test_what_takes_long_to_tell_apart_is_tested_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    triangle = Domain.where(SPACE, [*SQUARE, at_least(i, j)])
    scans = [Scan(name, domain, (i, j)) for name, domain in (("s", Domain.where(SPACE, SQUARE)), ("t", triangle))]
    apart = readable_scan(scans, CONTEXT, ["x", "y"])
    monkeypatch.setattr(scanning, "_STEPS", 1)
    short = readable_scan(scans, CONTEXT, ["x", "y"])
    assert short == scan(scans, CONTEXT, ["x", "y"], whole=[0]) != apart
    assert sorted(visits(short, {"N": 3})) == sorted(visits(apart, {"N": 3}))


def test_iterators_keep_strange_names() -> None:
    space = Space(("N'",), ("min", "i'"))
    names = [Affine.name(n) for n in space.names]
    bounds = [c for n in names for c in (at_least(n, 0), at_least(Affine.name("N'"), n))]
    scans = [Scan("s", Domain.where(space, bounds), tuple(names))]
    tree = scan(scans, Domain.universe(Space(("N'",))), ["max", "e'"])
    assert len(list(visits(tree, {"N'": 2}))) == 9


@settings(max_examples=60, deadline=None)
@given(domains, st.integers(1, 6))
def test_the_bounding_box_is_the_least(domain: Domain, n: int) -> None:
    points = list(domain.points({"N": n}))
    box = bounding_box(domain, CONTEXT)
    if points:
        lower = tuple(value_of(low, {"N": n}) for low in box.lower)
        upper = tuple(value_of(high, {"N": n}) for high in box.upper)
        assert lower == tuple(map(min, zip(*points, strict=True)))
        assert upper == tuple(map(max, zip(*points, strict=True)))
        assert [value_of(e, {"N": n}) for e in box.extents] == [
            high - low + 1 for low, high in zip(lower, upper, strict=True)
        ]


@settings(max_examples=60, deadline=None)
@given(domains, domains, st.integers(1, 5))
def test_a_guard_is_membership(domain: Domain, known: Domain, n: int) -> None:
    test = guard(domain, known)
    inside = set(domain.points({"N": n}))
    for point in known.points({"N": n}):
        holds = True if test is None else bool(value_of(test, {"N": n, "i": point[0], "j": point[1]}))
        assert holds == (point in inside)


@pytest.mark.parametrize("modulus", [2, 3, 5])
def test_a_folded_image(modulus: int) -> None:
    domain = Domain.where(SPACE, SQUARE)
    image = image_modulo(domain, AffineFunction(SPACE, (i + j * 2, j)), (modulus, 0), ("a", "b"))
    expected = {((p + 2 * q) % modulus, q) for p in range(4) for q in range(4)}
    assert set(image.points({"N": 3})) == expected


@settings(max_examples=40, deadline=None)
@given(domains, affines, affines, st.integers(1, 4))
def test_the_first_contribution_to_each_result(domain: Domain, target: Affine, early: Affine, n: int) -> None:
    projection = AffineFunction(SPACE, (target,))
    date = (early, i, j)
    first = set(first_of_each(domain, projection, date).points({"N": n}))
    best: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    for point in domain.points({"N": n}):
        values = {"N": n, "i": point[0], "j": point[1]}
        key, when = target.at(values), tuple(a.at(values) for a in date)
        best[key] = min(best.get(key, (when, point)), (when, point))
    assert first == {point for _, point in best.values()}


def test_a_fiber_has_the_points_of_one_result() -> None:
    domain = Domain.where(SPACE, SQUARE)
    body = preimage_of(domain, AffineFunction(SPACE, (i + j,)), ("z",))
    assert body.space.parameters == ("N", "z")
    assert list(body.points({"N": 3, "z": 2})) == [(0, 2), (1, 1), (2, 0)]


def test_a_test_that_has_failed_is_not_made_again() -> None:
    def asked(name: str, then: str, otherwise: Conditional | None) -> Conditional:
        return Conditional(
            IntegerOperation("<", (IntegerName(name), IntegerConstant(1))), Instance(then, ()), otherwise
        )

    tree = asked("N", "a", asked("M", "b", asked("N", "dead", asked("K", "c", None))))
    names = {name: Affine.name(name) for name in "NMK"}
    calls: dict[Instance, tuple[c.Statement, ...]] = {
        call: (c.Evaluate(c.Call(call.name, ())),) for call, _ in reached_instances(tree, names)
    }
    (first,) = loops_in_c(tree, names, calls)
    assert c.functions_called([first]) == {"a", "b", "c"}


def test_points_that_are_said_by_others_have_loops() -> None:
    """isl takes no domains with unknown floors, as projections have them."""
    space = Space(("N", "M"), ("a", "b", "e", "f", "g", "h"))
    a, b, e, f, g, h, n, m = (Affine.name(name) for name in (*space.names, *space.parameters))
    said = Domain.where(
        space,
        [Constraint(e * 4 - f * 3 + g * 4 + h * 6 - a, True), at_least(e, 0), at_least(n + m, e), at_least(f, -2)],
    )
    more = [at_least(n + m, f), at_least(g, 0), at_least(b, g), at_least(h, -2), at_least(b, h), at_least(e + f, b * 2)]
    points = (said & Domain.where(space, [*more, at_least(b, 0), at_least(n, b)])).onto(("a", "b"))
    context = Domain.where(Space(("N", "M")), [at_least(n, 1), at_least(m, 1)])
    tree = scan([Scan("S", points, (b, a))], context, ("c0", "c1"))
    values = {"N": 1, "M": 1}
    found = [point for _, point in visits(tree, values)]
    assert sorted(found) == sorted(points.points(values))
    assert len(found) > 20
