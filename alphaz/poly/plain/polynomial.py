"""Polynomials in named integers with rational coefficients, in plain Python."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, lcm

from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation

Monomial = tuple[tuple[str, int], ...]
Term = tuple[Monomial, Fraction]


@dataclass(frozen=True, slots=True)
class Polynomial:
    """`sum(coefficient * product(name ** exponent))`. Terms are sorted and never zero, so `==` is semantic."""

    terms: tuple[Term, ...] = ()

    @staticmethod
    def of(terms: Iterable[tuple[Monomial, Fraction | int]]) -> "Polynomial":
        total: dict[Monomial, Fraction] = {}
        for monomial, coefficient in terms:
            total[monomial] = total.get(monomial, Fraction(0)) + coefficient
        return Polynomial(tuple(sorted((m, c) for m, c in total.items() if c)))

    @staticmethod
    def constant(value: int | Fraction) -> "Polynomial":
        return Polynomial.of([((), value)])

    @staticmethod
    def affine(value: Affine) -> "Polynomial":
        return Polynomial.of([*((((n, 1),), c) for n, c in value.terms), ((), value.constant)])

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted({name for monomial, _ in self.terms for name, _ in monomial}))

    @property
    def degree(self) -> int:
        """Returns the greatest sum of exponents; -1 for zero."""
        return max((sum(e for _, e in monomial) for monomial, _ in self.terms), default=-1)

    def __add__(self, other: "Polynomial") -> "Polynomial":
        return Polynomial.of([*self.terms, *other.terms])

    def __sub__(self, other: "Polynomial") -> "Polynomial":
        return self + other * Polynomial.constant(-1)

    def __mul__(self, other: "Polynomial") -> "Polynomial":
        return Polynomial.of((_product(a, b), c * d) for a, c in self.terms for b, d in other.terms)

    def power(self, exponent: int) -> "Polynomial":
        result = Polynomial.constant(1)
        for _ in range(exponent):
            result = result * self
        return result

    def at(self, values: Mapping[str, int]) -> Fraction:
        """Returns the value for these values of the names."""
        total = Fraction(0)
        for monomial, coefficient in self.terms:
            for name, exponent in monomial:
                coefficient *= values[name] ** exponent
            total += coefficient
        return total

    def by_powers(self, name: str) -> dict[int, "Polynomial"]:
        """Returns the coefficients of the powers of one name."""
        terms_of: dict[int, list[tuple[Monomial, Fraction]]] = {}
        for monomial, coefficient in self.terms:
            rest = tuple((n, e) for n, e in monomial if n != name)
            terms_of.setdefault(dict(monomial).get(name, 0), []).append((rest, coefficient))
        return {exponent: Polynomial.of(terms) for exponent, terms in terms_of.items()}

    def substitute(self, name: str, value: Affine) -> "Polynomial":
        """Returns the polynomial with one name replaced by an affine expression."""
        base = Polynomial.affine(value)
        result = Polynomial()
        for exponent, coefficient in self.by_powers(name).items():
            result = result + coefficient * base.power(exponent)
        return result

    def replaced(self, values: Mapping[str, Affine]) -> "Polynomial":
        """Returns the polynomial with names replaced by affine expressions, all at once."""
        return self.composed({name: Polynomial.affine(value) for name, value in values.items()})

    def composed(self, values: Mapping[str, "Polynomial"]) -> "Polynomial":
        """Returns the polynomial with names replaced by polynomials, all at once."""
        result = Polynomial()
        for monomial, coefficient in self.terms:
            term = Polynomial.constant(coefficient)
            for name, exponent in monomial:
                term = term * values.get(name, Polynomial.affine(Affine.name(name))).power(exponent)
            result = result + term
        return result

    def summed(self, name: str, lower: Affine, upper: Affine) -> "Polynomial":
        """Returns the sum over `lower <= name <= upper`, valid if `lower <= upper + 1`."""
        total = Polynomial()
        for exponent, coefficient in self.by_powers(name).items():
            below = _below(exponent)
            end, start = (_in_terms_of(below, Polynomial.affine(a)) for a in (upper + 1, lower))
            total = total + coefficient * (end - start)
        return total

    def __str__(self) -> str:
        """`(N^2+N)/2`: the highest powers first, one denominator for all."""
        if not self.terms:
            return "0"
        denominator = lcm(*(c.denominator for _, c in self.terms))
        ordered = sorted(self.terms, key=lambda term: (-sum(e for _, e in term[0]), term[0]))
        text = "".join(_term(monomial, int(c * denominator)) for monomial, c in ordered).removeprefix("+")
        if denominator == 1:
            return text
        return f"({text})/{denominator}" if len(ordered) > 1 else f"{text}/{denominator}"


def _product(left: Monomial, right: Monomial) -> Monomial:
    exponents = dict(left)
    for name, exponent in right:
        exponents[name] = exponents.get(name, 0) + exponent
    return tuple(sorted(exponents.items()))


def _term(monomial: Monomial, coefficient: int) -> str:
    names = "*".join(name if exponent == 1 else f"{name}^{exponent}" for name, exponent in monomial)
    if not names:
        return f"{coefficient:+d}"
    return f"{'-' if coefficient < 0 else '+'}{'' if abs(coefficient) == 1 else abs(coefficient)}{names}"


@cache
def _below(exponent: int) -> tuple[Fraction, ...]:
    """The coefficients, from the constant on, of the polynomial in n that is 0^e + 1^e + ... + (n-1)^e."""
    # (n)^(e+1) = sum over t<n of (t+1)^(e+1) - t^(e+1) = sum over j<=e of C(e+1,j) S_j(n)
    total = [Fraction(0)] * (exponent + 2)
    total[exponent + 1] = Fraction(1)
    for lower in range(exponent):
        for position, value in enumerate(_below(lower)):
            total[position] -= comb(exponent + 1, lower) * value
    return tuple(value / (exponent + 1) for value in total)


def _in_terms_of(coefficients: tuple[Fraction, ...], value: Polynomial) -> Polynomial:
    result = Polynomial()
    for coefficient in reversed(coefficients):
        result = result * value + Polynomial.constant(coefficient)
    return result


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
