"""Quotients in a normal form, and bounds between which there is one integer: the arithmetic of tile numbers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import gcd

from alphaz.poly import Affine, Constraint, Piece


@dataclass(frozen=True, slots=True)
class Quotients:
    """Affine expressions divided by a number and rounded down, with the name of each."""

    names: dict[tuple[Affine, int], str] = field(default_factory=dict)

    def of(self, affine: Affine, by: int) -> Affine:
        whole, sign, rest, by = self._reduced(affine, by)
        if rest.is_constant:
            return whole
        return whole + Affine.name(self.names.setdefault((rest, by), f"quotient.{len(self.names)}")) * sign

    def has(self, affine: Affine, by: int) -> bool:
        _, _, rest, by = self._reduced(affine, by)
        return rest.is_constant or (rest, by) in self.names

    def within(self, piece: Piece) -> Piece:
        """Returns the piece extended by these quotients."""
        own: dict[str, Affine] = {}
        for floor in piece.floors:
            own[floor.name] = self.of(floor.affine.substitute(own), floor.denominator)
        return Piece(tuple(constraint.substitute(own) for constraint in piece.constraints))

    def _reduced(self, affine: Affine, by: int) -> tuple[Affine, int, Affine, int]:
        """Returns a normalised quotient; (i / 8 + 1) / 4 is (i + 8) / 32."""
        whole, sign, rest, by = _reduced(affine, by)
        inner = next(
            (quotient for quotient, name in self.names.items() if Affine.name(name) == rest - rest.constant), None
        )
        if inner is None:
            return whole, sign, rest, by
        other, its, rest, by = self._reduced(inner[0] + rest.constant * inner[1], by * inner[1])
        return whole + other * sign, sign * its, rest, by

    def definitions(self) -> Iterator[Constraint]:
        for (affine, by), name in self.names.items():
            yield from quotient_rows(affine, by, name)


def _reduced(affine: Affine, by: int) -> tuple[Affine, int, Affine, int]:
    """Returns a quotient as an integral part, a sign, and the remaining dividend and divisor, in a normal form:
    (32 i + j) / 32 is i + j / 32, (4 i) / 32 is i / 8, and (31 - j) / 32 is -(j / 32)."""
    factor = gcd(by, *(c for _, c in affine.terms))
    affine = Affine(tuple((name, c // factor) for name, c in affine.terms), affine.constant // factor)
    by //= factor
    whole = Affine(tuple((name, c // by) for name, c in affine.terms if c % by == 0), affine.constant // by)
    rest = affine - whole * by
    if rest.is_constant or rest.terms[0][1] > 0:
        return whole, 1, rest, by
    return whole, -1, Affine(constant=by - 1) - rest, by


def quotient_rows(affine: Affine, by: int, name: str) -> tuple[Constraint, Constraint]:
    rest = affine - Affine.name(name) * by
    return Constraint(rest), Constraint(Affine(constant=by - 1) - rest)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of a name by known expressions: a <= by name, and by name <= a, with `by` positive."""

    least: list[tuple[Affine, int]]
    greatest: list[tuple[Affine, int]]

    @staticmethod
    def of(positive: Iterable[Affine], name: str) -> "Bounds":
        bounds = Bounds([], [])
        for constraint in positive:
            factor = constraint.coefficient(name)
            rest = constraint - Affine.name(name) * factor
            if factor > 0:
                bounds.least.append((-rest, factor))
            elif factor < 0:
                bounds.greatest.append((rest, -factor))
        return bounds

    def both(self) -> list[tuple[Affine, int]]:
        """Returns all bounds as quotients."""
        return [*self.greatest, *((low + (by - 1), by) for low, by in self.least)]

    def only(self, inequalities: Sequence[Affine], quotients: Quotients) -> Affine | None:
        """Returns a quotient that is the only integer between two bounds, if there is one; an existing quotient
        preferred. One of the `inequalities` may show that bounds are close: N - 6 < 32 x <= i < N."""
        candidates = [
            (high, by)
            for high, by in self.greatest
            for low, factor in self.least
            if by % factor == 0
            and any(_is_below(high - low * (by // factor) + more, by) for more in (Affine(), *inequalities))
        ]
        best = next((candidate for candidate in candidates if quotients.has(*candidate)), next(iter(candidates), None))
        return None if best is None else quotients.of(*best)


def _is_below(width: Affine, by: int) -> bool:
    return width.is_constant and 0 <= width.constant < by


def is_trivial(row: Constraint) -> bool:
    return row.affine.is_constant and row.holds({})


def is_false(row: Constraint) -> bool:
    return row.affine.is_constant and not row.holds({})
