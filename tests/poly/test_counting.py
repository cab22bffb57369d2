"""Numbers of points as polynomials: what they are, and that they agree with counting the points."""

from itertools import product

import pytest
import sympy

from alphaz.poly import Affine
from alphaz.poly.algorithms.counting import count
from alphaz.poly.plain.polynomial import Polynomial
from tests.transform.programs import domain

ONE = [
    ("{i|0<=i<N}", "N"),
    ("{i|1<=i<N}", "N-1"),
    ("{i,j|0<=i<=j<N}", "(N^2+N)/2"),
    ("{i,j,k|0<=i<j<k<N}", "(N^3-3N^2+2N)/6"),
    ("{i,j|0<=i<N && i<=j<=i+2 && j<N}", "(N^2+N)/2 where N>=1 && N<=2; 3N-3 where N>=3"),
    ("{i,j|i==j+1 && 0<=j<N} || {i,j|i==0 && 0<=j<N}", "2N"),
    ("{|}", "1"),
    ("{i|i<0 && 0<i}", "0"),
    ("{i,j|i==2j+1 && 0<=j<N} || {i,j|i==2j && 0<=j<N}", "2N"),
    ("{i|0<=i<2N && i%2==1}", "N"),
    ("{i,j|2j==i && 0<=i<=2N-4}", "N-1"),
]


@pytest.mark.parametrize(("text", "expected"), ONE, ids=[text for text, _ in ONE])
def test_one_parameter(text: str, expected: str) -> None:
    number_of_points = count(domain(text), domain("{|N>=1}"))
    assert number_of_points is not None
    assert str(number_of_points) == expected
    for size in range(1, 8):
        number = sum(value.at({"N": size}) for where, value in number_of_points.parts if where.contains({"N": size}))
        assert number == len(list(domain(text).points({"N": size})))


@pytest.mark.parametrize(
    "text", ["{i,j|0<=i<N && 0<=j<M}", "{i,j|0<=i<N && 0<=j<M && j<=i}", "{i,j|0<=i<=j+M && j<N && j>=0}"]
)
def test_two_parameters(text: str) -> None:
    points = domain(text, ("N", "M"))
    number_of_points = count(points, domain("{|N>=1 && M>=1}", ("N", "M")))
    assert number_of_points is not None
    for n, m in product(range(1, 6), repeat=2):
        values = {"N": n, "M": m}
        number = sum(value.at(values) for where, value in number_of_points.parts if where.contains(values))
        assert number == len(list(points.points(values)))


@pytest.mark.parametrize("text", ["{i|0<=2i<N}", "{i|0<=i}"])
def test_what_is_no_polynomial_is_not_guessed(text: str) -> None:
    assert count(domain(text), domain("{|N>=1}")) is None


def test_sums_of_powers() -> None:
    n = sympy.Symbol("N", integer=True)
    x = sympy.Symbol("x", integer=True)
    for exponent in range(6):
        power = Polynomial.affine(Affine.name("x")).power(exponent)
        ours = power.summed("x", Affine(constant=1), Affine.name("N"))
        known = sympy.Poly(sympy.summation(x**exponent, (x, 1, n)), n)
        assert {m: sympy.Rational(c.numerator, c.denominator) for m, c in ours.terms} == {
            ((("N", power),) if power else ()): coefficient for (power,), coefficient in known.terms()
        }
