"""Sets with integer divisions, written with remainders and read again; remainders against plain arithmetic."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.analysis.elaborate.programs import elaborate_domain
from alphaz.analysis.texts.domain_texts import can_be_written
from alphaz.analysis.texts.show import domain_shown
from alphaz.diagnostics import Source
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Space
from alphaz.poly.algorithms.congruence import set_text
from alphaz.syntax.parser import parse_domain

SPACE = Space(("N",), ("i", "j", "k"))
NAMES = (*SPACE.parameters, *SPACE.names)
BOX = [dict(zip(("N", "x", "y"), at, strict=True)) for at in product((0, 1, 4), range(-6, 7), range(-6, 7))]
coefficients = st.integers(-2, 2)
affines = st.builds(
    lambda cs, c: Affine.of(zip(NAMES, cs, strict=True), c), st.tuples(*[coefficients] * 4), st.integers(-4, 4)
)
constraints = st.builds(Constraint, affines, st.sampled_from([False, False, False, True]))


def read(text: str) -> Domain:
    return elaborate_domain(parse_domain(Source("t", text)), SPACE.parameters)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(constraints, max_size=3), st.tuples(affines, affines), st.booleans())
def test_an_image_is_written_and_read_again(
    bounds: list[Constraint], outputs: tuple[Affine, Affine], complement: bool
) -> None:
    image = Domain.where(SPACE, bounds).image(AffineFunction(SPACE, outputs), ("x", "y"))
    image = image.complement() if complement else image
    if not can_be_written(image):  # it would take too many remainders
        return
    here, there = image.pieces(), read(domain_shown(image)).pieces()
    for point in BOX:
        assert any(p.holds(point) for p in here) == any(p.holds(point) for p in there), (point, domain_shown(image))


@settings(max_examples=40, deadline=None)
@given(
    st.tuples(coefficients, coefficients, st.integers(-4, 4)),
    st.integers(1, 5),
    st.sampled_from(("==", "!=", "<", "<=", ">", ">=")),
    st.sampled_from(("0", "1", "N", "j%2", "(i-j)%2")),
)
def test_remainders_are_those_of_arithmetic(
    sum_: tuple[int, int, int], modulus: int, relation: str, right: str
) -> None:
    a, b, c = sum_
    left = f"{a}*i+{b}*j+{c}"
    plain = left.replace("*", "").replace("+-", "-")
    result = read(f"{{i,j | ({plain})%{modulus} {relation} {right}}}")
    here = result.pieces()
    there = read(domain_shown(result)).pieces() if can_be_written(result) else here
    shown = read(set_text(result)).pieces() if can_be_written(result) and not result.is_empty() else here
    formula = compile(f"({left})%{modulus} {relation} {right}", "formula", "eval")
    for i, j, n in product(range(-5, 6), range(-3, 4), range(3)):
        point = {"i": i, "j": j, "N": n}
        wanted = eval(formula, point.copy())  # noqa: S307 - made above
        assert [any(p.holds(point) for p in pieces) for pieces in (here, there, shown)] == [wanted] * 3, domain_shown(
            result
        )
