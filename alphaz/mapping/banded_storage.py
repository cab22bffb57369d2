"""The rank of an element of a band in packed storage: each row is a part of a whole row, shorter at both ends.

With T(x) = x(x+1)/2, row r of a matrix whose columns are f..g has the columns max(f,r+b)..min(g,r+a). So before row i,
from row s on, there are (i-s)(g-f+1) elements minus the missing ones: T(max(0,g-a-s)) - T(max(0,g-a-i)) at the row
ends, and as many at the row beginnings. A proof compares this rank with the counted one
(`alphaz.poly.algorithms.counted_positions`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from alphaz.poly import Affine, Constraint, Domain, at_least, less
from alphaz.poly.algorithms.counted_positions import Ranking, is_rank
from alphaz.poly.plain.polynomial import Polynomial


@dataclass(frozen=True, slots=True)
class Clamp:
    """A name in a polynomial for the value of an affine expression where that is positive, and for 0 elsewhere."""

    name: str
    value: Affine

    def replaced(self, values: Mapping[str, Affine]) -> "Clamp":
        return Clamp(self.name, self.value.substitute(values))


@dataclass(frozen=True, slots=True)
class Diagonals:
    """The points (i,j) with s <= i, f <= j <= g and b <= j-i <= a."""

    start: Affine
    first: Affine
    last: Affine
    below: Affine
    above: Affine


def band_rank(band: Diagonals, points: Domain, ranking: Ranking) -> tuple[Polynomial, tuple[Clamp, ...]] | None:
    """Returns the rank of a point, with a proof; None where the band does not begin in its first row. `points` are
    those of the context.
    """
    row, column = map(Affine.name, points.space.names)
    ends, beginnings = band.last - band.above, band.below - band.first
    clamps = _Clamps(points)
    width = Polynomial.affine(band.last - band.first + 1)
    before = Polynomial.affine(row - band.start) * width
    lacking = _triangle(clamps.of(ends - band.start)) - _triangle(clamps.of(ends - row))
    # Of the rows before i: T of one less, which is as far as the last of them is cut.
    lacking += _triangle(clamps.of(row + beginnings)) - clamps.of(row + beginnings)
    lacking -= _triangle(clamps.of(band.start + beginnings)) - clamps.of(band.start + beginnings)
    rank = before - lacking + Polynomial.affine(column - band.first) - clamps.of(row + beginnings)
    for where, values in _regions(clamps.found, points):
        if not is_rank(ranking, where, rank.replaced(values)):
            return None
    return rank, tuple(clamps.found)


def _triangle(value: Polynomial) -> Polynomial:
    return (value * value + value) * Polynomial.constant(Fraction(1, 2))


class _Clamps:
    """Collects the affine expressions that do not have one sign at all points."""

    def __init__(self, points: Domain) -> None:
        self._points = points
        self.found: list[Clamp] = []

    def of(self, value: Affine) -> Polynomial:
        if self._points.is_subset(Domain.where(self._points.space, [at_least(Affine(), value)])):
            return Polynomial()
        if self._points.is_subset(Domain.where(self._points.space, [at_least(value, Affine())])):
            return Polynomial.affine(value)
        clamp = next((entry for entry in self.found if entry.value == value), None)
        if clamp is None:
            clamp = Clamp(f"[+{len(self.found)}]", value)
            self.found.append(clamp)
        return Polynomial.affine(Affine.name(clamp.name))


def _regions(clamps: Sequence[Clamp], points: Domain) -> Iterator[tuple[Domain, dict[str, Affine]]]:
    """Yields the regions where each clamp is its value or 0, with that choice."""
    regions: list[tuple[list[Constraint], dict[str, Affine]]] = [([], {})]
    for clamp in clamps:
        regions = [
            ([*constraints, constraint], {**values, clamp.name: value})
            for constraints, values in regions
            for constraint, value in (
                (at_least(clamp.value, Affine()), clamp.value),
                (less(clamp.value, Affine()), Affine()),
            )
        ]
    for constraints, values in regions:
        yield points & Domain.where(points.space, constraints), values
