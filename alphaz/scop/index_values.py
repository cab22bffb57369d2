"""Values of index expressions: polynomials of parameters and iterators, and minima or maxima of two values.

`min` and `max` are kept and lifted through monotone functions, since `x < min(a, b)` is a conjunction while `q = min(a,
b)` has a case for each.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product as iterated

from alphaz.poly import Affine
from alphaz.poly.plain.polynomial import Polynomial


@dataclass(frozen=True, slots=True)
class Extreme:
    """The minimum (`is_least`) or maximum of two values."""

    is_least: bool
    left: "Value"
    right: "Value"


Value = Polynomial | Extreme


def constant(value: int) -> Polynomial:
    return Polynomial.constant(value)


def polynomial_of(name: str) -> Polynomial:
    return Polynomial.affine(Affine.name(name))


@cache
def affine(value: Polynomial) -> Affine | None:
    """Returns the value as an affine expression; None if it is not affine."""
    if value.degree > 1 or any(c.denominator != 1 for _, c in value.terms):
        return None
    terms = [(monomial[0][0], int(c)) for monomial, c in value.terms if monomial]
    return Affine.of(terms, sum(int(c) for monomial, c in value.terms if not monomial))


def number(value: Value) -> int | None:
    """Returns the integer, if the value is one."""
    if isinstance(value, Extreme) or value.degree > 0:
        return None
    return sum(int(c) for _, c in value.terms)


def is_integer(value: Polynomial) -> bool:
    """Returns True if the value is an integer for all integers. It suffices to test all names from 0 to their
    exponents."""
    most = [max(dict(monomial).get(name, 0) for monomial, _ in value.terms) for name in value.names]
    corners = iterated(*(range(each + 1) for each in most))
    return all(value.at(dict(zip(value.names, corner, strict=True))).denominator == 1 for corner in corners)


def apply_monotone(value: Value, function: Callable[[Polynomial], Polynomial], is_rising: bool = True) -> Value:
    """Returns a monotone function of a value."""
    if isinstance(value, Polynomial):
        return function(value)
    left, right = (apply_monotone(each, function, is_rising) for each in (value.left, value.right))
    return Extreme(value.is_least == is_rising, left, right)


def add(left: Value, right: Value) -> Value:
    if isinstance(left, Extreme):
        return Extreme(left.is_least, add(left.left, right), add(left.right, right))
    if isinstance(right, Extreme):
        return Extreme(right.is_least, add(left, right.left), add(left, right.right))
    return left + right


def scale(value: Value, factor: int) -> Value:
    return apply_monotone(value, lambda each: each * constant(factor), factor >= 0)


def leaves(value: Value) -> Iterator[Polynomial]:
    if isinstance(value, Polynomial):
        yield value
    else:
        yield from leaves(value.left)
        yield from leaves(value.right)


def product(extents: Sequence[Polynomial | None]) -> Polynomial:
    """Returns the number of elements of a shape."""
    total = constant(1)
    for extent in extents:
        assert extent is not None, "only the first extent may be unknown"
        total = total * extent
    return total
