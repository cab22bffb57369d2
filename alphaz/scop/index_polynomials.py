"""Values of index expressions as polynomials and their extremes, and conditions as unions of conjunctions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product as iterated

from alphaz.poly import Affine, Constraint, Domain
from alphaz.poly.plain.polynomial import Polynomial, Term


@dataclass(frozen=True, slots=True)
class Extreme:
    """The minimum (`is_least`) or maximum of two values."""

    is_least: bool
    left: "Value"
    right: "Value"


Value = Polynomial | Extreme


def constant_polynomial(value: int) -> Polynomial:
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
    corners = iterated(*(range(point + 1) for point in most))
    return all(value.at(dict(zip(value.names, corner, strict=True))).denominator == 1 for corner in corners)


def apply_monotone(value: Value, function: Callable[[Polynomial], Polynomial], is_rising: bool = True) -> Value:
    """Returns a monotone function of a value."""
    if isinstance(value, Polynomial):
        return function(value)
    left, right = (apply_monotone(operand, function, is_rising) for operand in (value.left, value.right))
    return Extreme(value.is_least == is_rising, left, right)


def add(left: Value, right: Value) -> Value:
    if isinstance(left, Extreme):
        return Extreme(left.is_least, add(left.left, right), add(left.right, right))
    if isinstance(right, Extreme):
        return Extreme(right.is_least, add(left, right.left), add(left, right.right))
    return left + right


def scale(value: Value, factor: int) -> Value:
    return apply_monotone(value, lambda product_: product_ * constant_polynomial(factor), factor >= 0)


def leaves(value: Value) -> Iterator[Polynomial]:
    if isinstance(value, Polynomial):
        yield value
    else:
        yield from leaves(value.left)
        yield from leaves(value.right)


def product(extents: Sequence[Polynomial | None]) -> Polynomial:
    """Returns the number of elements of a shape."""
    total = constant_polynomial(1)
    for extent in extents:
        assert extent is not None, "only the first extent may be unknown"
        total = total * extent
    return total


def divided(value: Polynomial, by: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Returns quotient and remainder by the leading monomial of the divisor. Monomials are ordered by degree, then by
    names; by 0 all remains."""
    if not by.terms:
        return Polynomial(), value
    names = sorted({name for term in (*value.terms, *by.terms) for name, _ in term[0]})

    def order(term: Term) -> tuple[int, ...]:
        exponents = dict(term[0])
        return (sum(exponents.values()), *(exponents.get(name, 0) for name in names))

    lead = max(by.terms, key=order)
    quotient = Polynomial()
    while True:
        terms = sorted(value.terms, key=order, reverse=True)
        hit = next((term_quotient for term in terms if (term_quotient := _over(term, lead)) is not None), None)
        if hit is None:
            return quotient, value
        quotient, value = quotient + hit, value - hit * by


def exact_quotient(value: Polynomial, by: Polynomial) -> Polynomial | None:
    """Returns the quotient; None if the divisor leaves a remainder."""
    quotient, rest = divided(value, by)
    return quotient if not rest.terms and quotient.terms else None


def _over(term: Term, by: Term) -> Polynomial | None:
    """Returns the quotient of two terms; None if it is no term."""
    (monomial, coefficient), (lead, factor) = term, by
    exponents = dict(monomial)
    for name, exponent in lead:
        exponents[name] = exponents.get(name, 0) - exponent
    # Of 10 N over 3 N, the quotient 3: the remainder is then less than the divisor.
    ratio = Fraction(int(coefficient / factor))
    if any(e < 0 for e in exponents.values()) or not ratio:
        return None
    return Polynomial.of([(tuple(sorted((n, e) for n, e in exponents.items() if e)), ratio)])


Condition = tuple[tuple[Constraint, ...], ...]
"""A disjunction of conjunctions. Without conjunctions it is false; an empty conjunction is true."""

TRUE: Condition = ((),)
FALSE: Condition = ()

OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
# Limit on the conjunctions of one condition.
_MOST = 200


class TooComplicated(Exception):
    """The condition has too many cases."""


class NotAffineCondition(Exception):
    """The compared values are not affine."""


def conditions_of(domain: Domain) -> tuple[Condition, ...] | None:
    """Returns the conditions of the points of a domain; None if they need quotients."""
    pieces = domain.pieces()
    return None if any(piece.floors for piece in pieces) else (tuple(piece.constraints for piece in pieces),)


def both(left: Condition, right: Condition) -> Condition:
    if len(left) * len(right) > _MOST:
        raise TooComplicated
    return tuple((*a, *b) for a in left for b in right)


def either(left: Condition, right: Condition) -> Condition:
    if len(left) + len(right) > _MOST:
        raise TooComplicated
    return (*left, *right)


def opposite(symbol: str) -> str:
    return OPPOSITE[symbol]


def holds(condition: Condition, values: Mapping[str, int]) -> bool:
    return any(all(c.holds(values) for c in conjunction) for conjunction in condition)


def comparison(symbol: str, left: Value, right: Value) -> Condition:
    """Returns `left symbol right` as a condition. Raises NotAffine, TooComplicated."""
    match symbol:
        case "==":
            return both(comparison("<=", left, right), comparison(">=", left, right))
        case "!=":
            return either(comparison("<", left, right), comparison(">", left, right))
        case ">" | ">=":
            return _not_negative(add(left, scale(right, -1)), 1 if symbol == ">" else 0)
    return comparison({"<": ">", "<=": ">="}[symbol], right, left)


def _not_negative(value: Value, least: int) -> Condition:
    """Returns `value >= least` as a condition."""
    if isinstance(value, Extreme):
        join = both if value.is_least else either
        return join(_not_negative(value.left, least), _not_negative(value.right, least))
    affine_ = affine(value)
    if affine_ is None:
        raise NotAffineCondition(str(value))
    if affine_.is_constant:
        return TRUE if affine_.constant >= least else FALSE
    return ((Constraint(affine_ - least),),)


def equals(name: str, value: Value) -> Condition:
    """Returns `name == value`: one equality, or a case for each operand of a minimum or maximum."""
    if isinstance(value, Extreme):
        symbol = "<=" if value.is_least else ">="
        bounds = (comparison(symbol, polynomial_of(name), operand) for operand in (value.left, value.right))
        return both(both(*bounds), either(equals(name, value.left), equals(name, value.right)))
    affine_ = affine(value)
    if affine_ is None:
        raise NotAffineCondition(str(value))
    return ((Constraint(Affine.name(name) - affine_, equality=True),),)
