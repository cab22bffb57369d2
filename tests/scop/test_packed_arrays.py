"""From positions in packed arrays back to points: as enumeration says."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.argument_layout import ArgumentPlace, place_of
from alphaz.mapping.storage_formats import index
from alphaz.poly import Affine, Domain, Space, at_least
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.index_polynomials import is_integer
from alphaz.scop.packed_arrays import point_at, triangle
from alphaz.scripting.commands.kinds.storage import layouts_said

NAMES, MOST = ("i", "j", "n"), 5
BOX = range(-2, MOST + 3)
FORMS = (
    ("0<=i<=j<n", "packed row"),
    ("0<=i<=j<n", "packed column"),
    ("0<=j<=i<n", "packed row"),
    ("0<=j<=i<n", "packed column"),
    ("0<=j<i<n", "packed unit column"),
    ("0<=i<j<n", "packed unit row"),
    ("2<=i<j<=n", "packed row"),
)


@cache
def place(domain: str, form: str) -> ArgumentPlace:
    text = f"affine s {{n | n>=1}} input double A {{i,j | {domain}}}; output double y; let y[] = reduce(+, [i,j], A); ."
    system = read_program(Source("s.ab", text)).program.systems[0]
    return place_of(system.variable("A"), system, layouts_said(system, {"A": form})["A"])


def affines() -> st.SearchStrategy[Affine]:
    small = st.integers(-1, 1)
    return st.builds(lambda *c: Affine.of(zip(NAMES, c, strict=False), c[-1]), small, small, small, st.integers(-3, 5))


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(FORMS), affines(), affines())
def test_a_position_is_that_of_one_point(form: tuple[str, str], row: Affine, column: Affine) -> None:
    packed = place(*form).packed
    assert packed is not None
    point = {index(0): row, index(1): column}
    held = [each.substitute(point) for each in packed.held]
    domain = Domain.where(Space(("n",), NAMES[:2]), [at_least(Affine.name("n"), 1), *held])
    values = [dict(zip(NAMES, each, strict=True)) for each in product(BOX, BOX, range(1, MOST + 1))]
    inside = [value for value in values if all(one.affine.at(value) >= 0 for one in held)]
    assume(inside)
    found = point_at(packed, packed.rank.replaced(point), domain)
    assert found is not None
    for each in inside:
        assert (found[0].at(each), found[1].at(each)) == (row.at(each), column.at(each))


@pytest.mark.parametrize(
    ("text", "divisor", "expected"),
    [
        ("ii+i", 2, True),
        ("ii", 2, False),
        ("ii+iii", 4, False),
        ("iij+ij", 2, True),
        ("ij", 2, False),
        ("iii", 3, False),
    ],
)
def test_quotients_without_a_rest(text: str, divisor: int, expected: bool) -> None:
    monomials = [tuple((name, each.count(name)) for name in "ij" if name in each) for each in text.split("+")]
    quotient = Polynomial.of((monomial, Fraction(1, divisor)) for monomial in monomials)
    assert is_integer(quotient) == expected
    values = (dict(zip("ij", each, strict=True)) for each in product(range(-7, 8), repeat=2))
    assert all(quotient.at(value).denominator == 1 for value in values) == expected


@pytest.mark.parametrize(
    ("text", "shift"), [("n * (n + 1) / 2", 0), ("n * (n - 1) / 2", -1), ("(n + 1) * (n + 2) / 2", 1)]
)
def test_a_triangle_of_the_text_has_each_position_once(text: str, shift: int) -> None:
    n, half = Affine.name("n"), Polynomial.constant(Fraction(1, 2))
    rows = Polynomial.affine(n + shift)
    found = triangle(rows * Polynomial.affine(n + shift + 1) * half)
    assert found is not None, text
    for size in range(1, MOST):
        points = [
            {found.slow: i, found.fast: j, "n": size}
            for i, j in product(BOX, BOX)
            if all(held.affine.at({found.slow: i, found.fast: j, "n": size}) >= 0 for held in found.held)
        ]
        total = (size + shift) * (size + shift + 1) // 2
        assert sorted(found.rank.at(point) for point in points) == [*range(total)]


def test_other_numbers_of_elements_are_no_triangle() -> None:
    n = Polynomial.affine(Affine.name("n"))
    for count in (n, n * n, n * (n + Polynomial.constant(1)), Polynomial.constant(10), n * n * n):
        assert triangle(count) is None
