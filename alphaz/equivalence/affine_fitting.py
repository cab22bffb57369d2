"""Affine functions through samples: each sample allows one of several values, one function must fit all.

The result is a guess: it becomes a claim, and claims are proved. A wrong guess does no harm.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from alphaz.poly import Affine

Point = tuple[int, ...]
Sample = tuple[Mapping[str, int], frozenset[Point]]
Row = tuple[int, ...]

_MOST_GUESSES = 64
_MOST_SAMPLES, _MOST_SCANNED = 400, 1_500


def fitted(names: Sequence[str], samples: Sequence[Sample], near: Sequence[Affine] = ()) -> tuple[Affine, ...] | None:
    """Returns integer affine expressions of `names` whose value at each sample is one of its points; None if there are
    none.

    Of several fits, the one that uses the last names; with `near`, the one closest to it.
    """
    if any(not coordinate.is_constant for coordinate in near):
        rest = fitted(names, [(at, frozenset(_less(point, near, at) for point in points)) for at, points in samples])
        return None if rest is None else tuple(a + b for a, b in zip(near, rest, strict=True))
    ordered = sorted(samples, key=lambda sample: len(sample[1]))
    if not ordered or not ordered[0][1]:
        return None
    # Features in the order in which they become pivots: of two names that always agree the later one is taken. If i is
    # 4b + t, that gives b = (i - t) / 4: then the earlier ones.
    for turned in (list(names)[::-1], list(names)):
        equations = [((1, *(values[name] for name in turned)), points) for values, points in ordered]
        affines = next(_guesses(turned, equations, _Basis(), _MOST_GUESSES), None)
        if affines is not None:
            return affines
    return None


def informative(names: Sequence[str], instances: Sequence[Mapping[str, int]]) -> list[int]:
    """Returns the positions of the first instances, and of later ones at which the names take independent values: those
    of a second tile."""
    chosen, basis = list(range(min(len(instances), _MOST_SAMPLES))), _Basis()
    for position, values in enumerate(instances[:_MOST_SCANNED] if len(instances) > _MOST_SAMPLES else ()):
        row = basis.reduced((1, *(values[name] for name in names)))
        pivot = next((column for column, entry in enumerate(row) if entry), None)
        if pivot is not None:
            basis = basis.with_row(pivot, row)
            chosen += [position] if position >= _MOST_SAMPLES else []
        if len(basis.rows) > len(names):
            break
    return chosen


def _less(point: Point, near: Sequence[Affine], values: Mapping[str, int]) -> Point:
    return tuple(p - coordinate.at(values) for p, coordinate in zip(point, near, strict=True))


class _Basis:
    """Independent rows of features in echelon form, each with its value: integers, up to a factor."""

    def __init__(self, rows: tuple[tuple[int, Row], ...] = ()) -> None:
        self.rows = rows

    def reduced(self, row: Row) -> Row:
        """Returns the row reduced by the basis: 0 at all pivots."""
        for pivot, pivot_row in self.rows:
            if row[pivot]:
                own_factor, pivot_factor = row[pivot], pivot_row[pivot]
                row = tuple(a * pivot_factor - b * own_factor for a, b in zip(row, pivot_row, strict=True))
        if any(abs(entry) > _LARGE for entry in row):
            factor = gcd(*row)
            row = tuple(entry // factor for entry in row)
        return row

    def with_row(self, pivot: int, row: Row) -> "_Basis":
        factor = gcd(*row)
        return _Basis((*self.rows, (pivot, tuple(entry // factor for entry in row))))


_LARGE = 1 << 62


def _guesses(
    names: Sequence[str], samples: Sequence[tuple[Row, frozenset[Point]]], basis: _Basis, count: int
) -> Iterator[tuple[Affine, ...]]:
    """Yields the fitting functions, depth first; the first one is used."""
    width = len(names) + 1
    for position, (features, points) in enumerate(samples):
        dimensions = len(next(iter(points), ()))
        row = basis.reduced((*features, 1, *(0 for _ in range(dimensions))))
        pivot = next((column for column in range(width) if row[column]), None)
        if pivot is None:
            if not points or _dependent_point(row[width], row[width + 1 :]) not in points:
                return
            continue
        for point in sorted(points, key=lambda candidate: _distance(candidate, features)):
            if count <= 0:
                return
            # The row states: these features times the function equal `scale` times the point, minus the basis's part.
            scale = row[width]
            own = tuple(value + scale * p for value, p in zip(row[width + 1 :], point, strict=True))
            yield from _guesses(
                names, samples[position + 1 :], basis.with_row(pivot, (*row[:width], 0, *own)), count - 1
            )
            count //= 2
        return
    solved = _solved(names, basis)
    if solved is not None:
        yield solved


def _dependent_point(scale: int, rest: Row) -> Point | None:
    """Returns the point that the basis determines for dependent features."""
    if any(entry % scale for entry in rest):
        return None
    return tuple(-entry // scale for entry in rest)


def _distance(point: Point, features: Row) -> int:
    """Returns the rank of a point in the search: points whose components are values of names, up to sign, come first,
    last names before others."""
    sizes = [abs(feature) for feature in features[1:]]
    return sum(sizes.index(abs(coordinate)) if abs(coordinate) in sizes else len(sizes) for coordinate in point)


def _solved(names: Sequence[str], basis: _Basis) -> tuple[Affine, ...] | None:
    """Returns the function determined by the basis, with free coefficients 0."""
    width = len(names) + 1
    dimensions = len(basis.rows[0][1]) - width - 1 if basis.rows else 0
    solutions = []
    for dimension in range(dimensions):
        solution = [Fraction(0)] * width
        for pivot, row in reversed(basis.rows):
            rest = sum((row[c] * solution[c] for c in range(width) if c != pivot and row[c]), Fraction(0))
            solution[pivot] = (row[width + 1 + dimension] - rest) / row[pivot]
        if any(coefficient.denominator != 1 for coefficient in solution):
            return None
        constant, *coefficients = (int(coefficient) for coefficient in solution)
        solutions.append(Affine.of(zip(names, coefficients, strict=True), constant))
    return tuple(solutions)


def equalities(names: Sequence[str], instances: Sequence[Mapping[str, int]]) -> list[Affine]:
    """Returns independent affine expressions of the names that are 0 for all instances, as many as there are."""
    basis, width = _Basis(), len(names) + 1
    for values in instances:
        if len(basis.rows) == width:
            return []
        row = basis.reduced((1, *(values[name] for name in names)))
        pivot = next((column for column in range(width) if row[column]), None)
        if pivot is not None:
            basis = basis.with_row(pivot, row)
    pivots = {pivot for pivot, _ in basis.rows}
    constraints = []
    for free in (position for position in range(width) if position not in pivots):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for pivot, row in reversed(basis.rows):
            rest = sum((row[c] * vector[c] for c in range(width) if c != pivot and row[c]), Fraction(0))
            vector[pivot] = -rest / row[pivot]
        scale = lcm(*(coefficient.denominator for coefficient in vector))
        constant, *coefficients = (int(coefficient * scale) for coefficient in vector)
        if any(coefficients):
            constraints.append(Affine.of(zip(names, coefficients, strict=True), constant))
    return constraints
