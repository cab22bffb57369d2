"""Integer affine expressions and constraints, by name, in plain Python, without isl."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Affine:
    """`sum(coefficient * name) + constant`. Terms are sorted by name and never zero, so `==` is semantic."""

    terms: tuple[tuple[str, int], ...] = ()
    constant: int = 0

    @staticmethod
    def of(terms: Iterable[tuple[str, int]] = (), constant: int = 0) -> "Affine":
        """Collects terms in any order, with repetitions."""
        total: dict[str, int] = {}
        for name, coefficient in terms:
            total[name] = total.get(name, 0) + coefficient
        return Affine(_without_zeros(total), constant)

    @staticmethod
    def name(name: str) -> "Affine":
        return Affine(((name, 1),))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.terms)

    @property
    def is_constant(self) -> bool:
        return not self.terms

    def coefficient(self, name: str) -> int:
        return dict(self.terms).get(name, 0)

    def at(self, values: Mapping[str, int]) -> int:
        """Returns the value for these values of the names. Raises KeyError if one is missing."""
        value = self.constant
        for name, coefficient in self.terms:
            value += coefficient * values[name]
        return value

    def substitute(self, values: Mapping[str, "Affine"]) -> "Affine":
        """Returns the expression with each name of `values` replaced, all at once."""
        terms, constant, is_changed = [], self.constant, False
        for name, coefficient in self.terms:
            value = values.get(name)
            if value is None:
                terms.append((name, coefficient))
            else:
                is_changed = True
                constant += coefficient * value.constant
                terms += [(n, coefficient * c) for n, c in value.terms]
        return Affine.of(terms, constant) if is_changed else self

    def rename(self, names: Mapping[str, str]) -> "Affine":
        return Affine.of(((names.get(n, n), c) for n, c in self.terms), self.constant)

    def __add__(self, other: "Affine | int") -> "Affine":
        if isinstance(other, int):
            return Affine(self.terms, self.constant + other)
        return self._plus(other, 1)

    def __neg__(self) -> "Affine":
        return Affine(tuple((n, -c) for n, c in self.terms), -self.constant)

    def __sub__(self, other: "Affine | int") -> "Affine":
        if isinstance(other, int):
            return Affine(self.terms, self.constant - other)
        return self._plus(other, -1)

    def _plus(self, other: "Affine", factor: int) -> "Affine":
        """Returns `self + factor * other`."""
        constant = self.constant + factor * other.constant
        if not other.terms:
            return Affine(self.terms, constant)
        total = dict(self.terms)
        for name, coefficient in other.terms:
            total[name] = total.get(name, 0) + factor * coefficient
        return Affine(_without_zeros(total), constant)

    def __mul__(self, factor: int) -> "Affine":
        terms = tuple((n, c * factor) for n, c in self.terms) if factor else ()
        return Affine(terms, self.constant * factor)

    def __str__(self) -> str:
        """Returns the usual text: `j-i`, `2i+1`, `0`; positive terms first."""
        ordered = sorted(self.terms, key=lambda term: term[1] < 0)
        pieces = [f"{c:+d}{n}".replace("+1" + n, "+" + n).replace("-1" + n, "-" + n) for n, c in ordered]
        if self.constant or not pieces:
            pieces.append(f"{self.constant:+d}")
        return "".join(pieces).removeprefix("+")


def _without_zeros(total: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted([term for term in total.items() if term[1]]))


@dataclass(frozen=True, slots=True)
class Constraint:
    """`affine >= 0`, or `affine == 0` with `equality`."""

    affine: Affine
    equality: bool = False

    def holds(self, values: Mapping[str, int]) -> bool:
        # As `Affine.at`, without a call: this is the innermost loop of all enumerations.
        value = self.affine.constant
        for name, coefficient in self.affine.terms:
            value += coefficient * values[name]
        return value == 0 if self.equality else value >= 0

    def rename(self, names: Mapping[str, str]) -> "Constraint":
        return Constraint(self.affine.rename(names), self.equality)

    def substitute(self, values: Mapping[str, Affine]) -> "Constraint":
        affine = self.affine.substitute(values)
        return self if affine is self.affine else Constraint(affine, self.equality)

    def __str__(self) -> str:
        """Returns the usual text: every coefficient positive, `i==j+1`, `0<=i`, `i<N`, `2<=k`."""
        left = Affine(tuple((n, -c) for n, c in self.affine.terms if c < 0))
        right = Affine(tuple((n, c) for n, c in self.affine.terms if c > 0))
        constant = self.affine.constant
        if self.equality:
            return _equation(left, right, constant)
        if not left.terms:
            return f"{right}>={-constant}"
        if constant == -1 and right.terms:
            return f"{left}<{right}"
        return f"{left}<={right + constant}" if constant >= 0 or not right.terms else f"{left - constant}<={right}"


def _equation(left: Affine, right: Affine, constant: int) -> str:
    """`left == right + constant`, names on the left and no negative number next to a name."""
    if constant < 0 or not left.terms:
        left, right, constant = right, left, -constant
    if constant < 0 and right.terms:
        return f"{left - constant}=={right}"
    return f"{left}=={right + constant}"


def equal(left: Affine, right: Affine | int) -> Constraint:
    return Constraint(left - right, equality=True)


def at_least(left: Affine, right: Affine | int) -> Constraint:
    """Returns `left >= right`."""
    return Constraint(left - right)


def less(left: Affine, right: Affine) -> Constraint:
    """Returns `left < right`, over the integers."""
    return Constraint(right - left - 1)
