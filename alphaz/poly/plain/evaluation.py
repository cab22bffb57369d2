"""A polynomial with integer values as integer arithmetic."""

from collections import Counter
from math import lcm

from alphaz.poly.plain.integer import Integer, IntegerConstant, IntegerName, IntegerOperation
from alphaz.poly.plain.polynomial import Monomial, Polynomial

Terms = dict[Monomial, int]


def integer_of(polynomial: Polynomial) -> Integer:
    """Returns the value at integer names, if it is an integer there: `n * i + j - i * (i + 1) / 2`.

    Terms with fractions are collected over one denominator; their sum is an integer."""
    whole = {m: int(c) for m, c in polynomial.terms if c.denominator == 1}
    broken = {m: c for m, c in polynomial.terms if c.denominator != 1}
    if not broken:
        return _nested(whole)
    denominator = lcm(*(c.denominator for c in broken.values()))
    sign = -1 if all(c < 0 for c in broken.values()) else 1
    numerator = _nested({m: int(c * denominator) * sign for m, c in broken.items()})
    divided = IntegerOperation("exact_div", (numerator, IntegerConstant(denominator)))
    if not whole:
        return divided if sign > 0 else IntegerOperation("neg", (divided,))
    return IntegerOperation("+" if sign > 0 else "-", (_nested(whole), divided))


def _nested(terms: Terms) -> Integer:
    """Horner's rule: the most frequent factor is extracted."""
    products = [m for m in terms if sum(e for _, e in m) > 1]
    if not products:
        return _sum_terms([(m, c) for m, c in terms.items()])
    seen = Counter(name for m in products for name, _ in m)
    name = max(seen, key=lambda variable: (seen[variable], variable))
    inside = {_less(m, name): c for m, c in terms.items() if name in dict(m)}
    outside = {m: c for m, c in terms.items() if name not in dict(m)}
    only = next(iter(inside.values())) if len(inside) == 1 else 0
    factor = IntegerOperation(
        "*", (IntegerName(name), _nested(inside if only >= 0 else {m: -c for m, c in inside.items()}))
    )
    if not outside:
        return factor if only >= 0 else IntegerOperation("neg", (factor,))
    rest = _nested(outside)
    return IntegerOperation("+", (factor, rest)) if only >= 0 else IntegerOperation("-", (rest, factor))


def _less(monomial: Monomial, name: str) -> Monomial:
    """The monomial divided by one name."""
    return tuple((n, e - (n == name)) for n, e in monomial if n != name or e > 1)


def _sum_terms(terms: list[tuple[Monomial, int]]) -> Integer:
    """The sum of degree one: positive terms first, the constant last."""
    result: Integer | None = None
    for monomial, coefficient in sorted(terms, key=lambda term: (not term[0], term[1] < 0, term[0])):
        size = abs(coefficient)
        if not monomial:
            term: Integer = IntegerConstant(size)
        else:
            name = IntegerName(monomial[0][0])
            term = name if size == 1 else IntegerOperation("*", (IntegerConstant(size), name))
        if result is not None:
            result = IntegerOperation("-" if coefficient < 0 else "+", (result, term))
        elif isinstance(term, IntegerConstant):
            result = IntegerConstant(coefficient)
        else:
            result = IntegerOperation("neg", (term,)) if coefficient < 0 else term
    return IntegerConstant(0) if result is None else result


def size_of(polynomial: Polynomial) -> int:
    """Returns the sum of the absolute coefficients over one denominator: no step of the arithmetic exceeds this
    multiple of the largest product of names."""
    denominator = lcm(*(c.denominator for _, c in polynomial.terms))
    return int(sum(abs(c) for _, c in polynomial.terms) * denominator)
