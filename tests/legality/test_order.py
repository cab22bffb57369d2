"""The order itself: constraints against plain integers, ≺ against its laws, ≺_T against tiles of every size."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target_mapping import Band, DimensionKind
from alphaz.order.operations import ConcreteInstance, Phase, StatementInstances, SymbolicInstance
from alphaz.order.precedence import Order, always_before
from alphaz.poly import Affine, AffineFunction, Domain, Space

S, P, O = DimensionKind.SEQUENTIAL, DimensionKind.PARALLEL, DimensionKind.ORDERING  # noqa: E741
R = DimensionKind.REDUCTION
LENGTH = 3
Kinds = tuple[DimensionKind, ...]
Point = tuple[int, ...]


def family(name: str, kinds: Kinds, constants: dict[int, int] | None = None) -> StatementInstances:
    """A statement whose date is its indices, with some components constant."""
    space = Space((), ("a", "b", "c"))
    fixed = constants or {}
    outputs = tuple(Affine.of(constant=fixed[d]) if d in fixed else Affine.name(n) for d, n in enumerate(space.names))
    identity = AffineFunction.identity(space)
    domain = Domain.universe(space)
    statement = Statement(name, name, Role.VALUE, domain, identity, AffineFunction(space, outputs), kinds)
    return StatementInstances(name, name, Phase.DATED, domain, identity, statement)


def precedes(order: Order, a: ConcreteInstance, b: ConcreteInstance) -> bool:
    return order.compare(a, b).precedes


def by_constraints(order: Order, a: ConcreteInstance, b: ConcreteInstance) -> bool:
    """The same question, asked of the constraints."""
    names = (("a", "b", "c"), ("d", "e", "f"))
    one, two = (SymbolicInstance(e.family, tuple(map(Affine.name, n))) for e, n in zip((a, b), names, strict=True))
    values = dict(zip((*names[0], *names[1]), (*a.point, *b.point), strict=True))
    fails = any(all(c.holds(values) for c in conjunction) for conjunction in order.failures(one, two))
    unordered = any(all(c.holds(values) for c in conjunction) for conjunction in order.unordered(one, two))
    back = any(all(c.holds(values) for c in conjunction) for conjunction in order.failures(two, one))
    assert unordered == (fails and back)
    return not fails


KINDS = st.tuples(*[st.sampled_from((S, P, O))] * LENGTH)
POINTS = st.tuples(*[st.integers(0, 3)] * LENGTH)
BANDS = st.sampled_from(
    ((), (Band("b", (), 0, 1, ()),), (Band("b", (), 1, 2, ()),), (Band("b", (), 0, 2, ()),), (Band("b", (), 2, 2, ()),))
)
ORDERS = st.builds(Order, st.sampled_from((frozenset(), frozenset({("A", "B")}), frozenset({("B", "A")}))), BANDS)


@pytest.mark.slow
@given(KINDS, POINTS, POINTS, ORDERS)
@settings(max_examples=300, deadline=None)
def test_constraints_and_plain_integers_agree(kinds: Kinds, p: Point, q: Point, order: Order) -> None:
    constants = [{d: x for d, x in enumerate(point) if kinds[d] is O} for point in (p, q)]
    a, b = (family(n, kinds, c).event({}, x) for n, c, x in zip("AB", constants, (p, q), strict=True))
    assert precedes(order, a, b) == by_constraints(order, a, b)


@pytest.mark.slow
@given(KINDS, POINTS, POINTS, POINTS, ORDERS)
@settings(max_examples=300, deadline=None)
def test_it_is_a_strict_partial_order(kinds: Kinds, p: Point, q: Point, r: Point, order: Order) -> None:
    a, b, c = (family(n, kinds).event({}, x) for n, x in zip("ABC", (p, q, r), strict=True))
    assert not precedes(order, a, a)
    assert not (precedes(order, a, b) and precedes(order, b, a))
    if precedes(order, a, b) and precedes(order, b, c):
        assert precedes(order, a, c)


def tiled_date(date: Point, kinds: Kinds, band: Band, sizes: dict[int, int]) -> tuple[Point, Kinds]:
    """The date of the tiled loops: what leads, tile numbers of all but ordering dimensions, then the date's rest."""
    start = band.start
    while start <= band.end and kinds[start] is O:
        start += 1
    tiles = [d for d in range(start, band.end + 1) if kinds[d] is not O]
    numbers = tuple(date[d] // sizes[d] for d in tiles)
    return (*date[:start], *numbers, *date[start:]), (*kinds[:start], *(kinds[d] for d in tiles), *kinds[start:])


def resolved(band: Band, kinds: Kinds) -> tuple[Band, ...]:
    """The band as the verifier has it, of statements that are all of these kinds."""
    start = next((d for d in range(band.start, band.end + 1) if kinds[d] is not O), LENGTH)
    ordering = frozenset(d for d in range(start, band.end + 1) if kinds[d] is O)
    return (replace(band, start=start, ordering=ordering),) if start <= band.end else ()


def lexicographic(p: Point, q: Point, kinds: Kinds) -> bool:
    k = next((d for d, (x, y) in enumerate(zip(p, q, strict=True)) if x != y), None)
    return k is not None and kinds[k] is not P and p[k] < q[k]


@pytest.mark.slow
@pytest.mark.parametrize("band", [Band("b", (), 0, 1, ()), Band("b", (), 1, 2, ()), Band("b", (), 0, 2, ())])
@given(KINDS, POINTS, POINTS)
@settings(max_examples=150, deadline=None)
def test_tiled_order_is_what_holds_for_all_tile_sizes(band: Band, kinds: Kinds, p: Point, q: Point) -> None:
    """Coordinates are not negative here: then tiles of size 4 hold everything, and sizes 1 to 4 are all there are."""
    if p == q:
        return
    a, b = (family("A", kinds).event({}, x) for x in (p, q))
    always = True
    for sizes in product((1, 2, 3, 4), repeat=LENGTH):
        (one, loops), (two, _) = (tiled_date(x, kinds, band, dict(enumerate(sizes))) for x in (p, q))
        always = always and lexicographic(one, two, loops)
    assert precedes(Order(frozenset(), resolved(band, kinds)), a, b) == always


@pytest.mark.slow
@given(KINDS, POINTS, POINTS, st.tuples(*[st.integers(1, 5)] * LENGTH))
@settings(max_examples=150, deadline=None)
def test_tiled_order_holds_wherever_tiles_begin(kinds: Kinds, p: Point, q: Point, sizes: Point) -> None:
    """With negative coordinates too."""
    band = Band("b", (), 0, 2, ())
    p, q = (tuple(x - 2 for x in point) for point in (p, q))
    a, b = (family("A", kinds).event({}, x) for x in (p, q))
    if precedes(Order(frozenset(), resolved(band, kinds)), a, b):
        (one, loops), (two, _) = (tiled_date(x, kinds, band, dict(enumerate(sizes))) for x in (p, q))
        assert lexicographic(one, two, loops)


def test_start_and_end() -> None:
    space = Space((), ("a", "b", "c"))
    identity, domain = AffineFunction.identity(space), Domain.universe(space)
    start, end = (StatementInstances("v", "v", moment, domain, identity) for moment in (Phase.START, Phase.END))
    order = Order(frozenset())
    early, now, late = (f.event({}, (0, 0, 0)) for f in (start, family("A", (S, S, S)), end))
    assert precedes(order, early, now)
    assert precedes(order, now, late)
    assert precedes(order, early, late)
    assert not precedes(order, now, early)
    assert not precedes(order, late, now)
    other = start.event({}, (1, 1, 1))
    assert not precedes(order, early, other)
    assert not precedes(order, other, early)


def test_distinct_constants_in_front_settle_it_without_constraints() -> None:
    order = Order(frozenset(), (Band("b", (), 1, 2, ()),))
    one, two = (
        SymbolicInstance(family(n, (O, S, P), {0: at}), tuple(map(Affine.name, "abc")))
        for n, at in (("A", 0), ("B", 1))
    )
    assert order.failures(one, two) == ()
    assert order.failures(two, one) == ((),)
    assert order.unordered(one, two) == ()


def test_a_leading_ordering_dimension_is_outside_the_band() -> None:
    whole = Band("b", (), 0, 2, ())
    band = Order(frozenset(), resolved(whole, (O, S, S)))
    first = family("A", (O, S, S), {0: 0}).event({}, (0, 3, 3))
    second = family("B", (O, S, S), {0: 1}).event({}, (1, 0, 0))
    assert precedes(band, first, second)
    back = family("A", (S, S, S)).event({}, (0, 3, 3)), family("B", (S, S, S)).event({}, (1, 0, 0))
    assert not precedes(Order(frozenset(), resolved(whole, (S, S, S))), *back)


def test_of_nested_bands_the_widest_counts() -> None:
    nested = Order(frozenset(), (Band("in", (), 0, 1, ()), Band("out", (), 0, 2, ())))
    a, b = (family("A", (S, S, S)).event({}, at) for at in ((0, 0, 1), (1, 0, 0)))
    assert not precedes(nested, a, b)
    assert not by_constraints(nested, a, b)
    inner = Order(frozenset(), (Band("in", (), 0, 1, ()),))
    assert precedes(inner, a, b)
    assert by_constraints(inner, a, b)


def test_behind_an_ordering_dimension_in_a_band_the_weaker_of_two_kinds_counts() -> None:
    """The loops of a tile hold both statements: where one is parallel there, their tiles are unordered."""
    band = Order(frozenset(), (Band("b", (), 0, 2, ()),))
    a = family("A", (S, O, P), {1: 0}).event({}, (0, 0, 0))
    b = family("B", (S, O, S), {1: 1}).event({}, (0, 1, 1))
    assert not precedes(band, a, b)
    assert not by_constraints(band, a, b)
    both = family("A", (S, O, S), {1: 0}).event({}, (0, 0, 0))
    assert precedes(band, both, b)
    assert by_constraints(band, both, b)


def test_a_reduction_dimension_in_a_band_is_parallel_to_all_but_contributions() -> None:
    bands = (Band("b", (), 0, 1, ()),)
    a, b = (family("A", (S, R, S)).event({}, at) for at in ((0, 0, 0), (1, 1, 0)))
    assert not precedes(Order(frozenset(), bands), a, b)
    assert not by_constraints(Order(frozenset(), bands), a, b)
    assert precedes(Order(frozenset(), bands, private=True), a, b)
    assert by_constraints(Order(frozenset(), bands, private=True), a, b)


def test_reasons() -> None:
    kinds = (S, P, S)
    a = family("A", kinds)
    order, tiled = Order(frozenset({("A", "B")})), Order(frozenset(), (Band("b", (), 0, 2, ()),))

    def reason(order: Order, p: Point, q: Point, other: str = "A") -> str:
        return order.compare(a.event({}, p), (a if other == "A" else family(other, kinds)).event({}, q)).reason

    assert reason(order, (0, 0, 0), (0, 0, 0)) == "the same operation"
    assert reason(order, (1, 0, 0), (0, 0, 0)) == "later"
    assert reason(order, (0, 1, 0), (0, 0, 5)) == "unordered: dimension 1 is parallel"
    assert reason(order, (0, 0, 0), (0, 0, 0), "C") == "unordered: the same date, and no statement ordering"
    assert order.compare(family("B", kinds).event({}, (0, 0, 0)), a.event({}, (0, 0, 0))).reason == (
        "later by the statement ordering"
    )
    assert reason(tiled, (0, 0, 3), (1, 0, 2)) == (
        "unordered: tiling of dimensions 0..2 may put the second in an earlier tile (dimension 2 goes from 3 back to 2)"
    )
    assert reason(tiled, (0, 0, 0), (1, 1, 0)) == (
        "unordered: tiling of dimensions 0..2 may put the two in tiles that run in parallel (dimension 1)"
    )


@given(KINDS, POINTS, POINTS, st.tuples(*[st.integers(-1, 1)] * 2), ORDERS)
@settings(max_examples=150, deadline=None)
def test_what_constants_settle_holds_under_every_order(
    kinds: Kinds, p: Point, q: Point, first: tuple[int, int], order: Order
) -> None:
    kinds = (O, *kinds[1:])
    order = replace(order, bands=tuple(item for band in order.bands for item in resolved(band, kinds)))
    one, two = (family(n, kinds, {0: at, 1: 7}) for n, at in zip("AB", first, strict=True))
    assert always_before(one, two) == (first[0] < first[1])
    if always_before(one, two):
        assert precedes(order, one.event({}, p), two.event({}, q))
