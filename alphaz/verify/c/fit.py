"""Affine functions through samples: where each sample allows one of several values, one function for all is looked for.

A guess, which costs nothing when it is wrong: what is found is a claim, and claims are checked.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from alphaz.poly import Affine

Point = tuple[int, ...]
Sample = tuple[Mapping[str, int], frozenset[Point]]

_MOST_GUESSES = 64


def fitted(names: Sequence[str], samples: Sequence[Sample]) -> tuple[Affine, ...] | None:
    """Integer affine expressions of `names` whose value at each sample is one of its points; None if none is found."""
    ordered = sorted(samples, key=lambda each: len(each[1]))
    if not ordered or not ordered[0][1]:
        return None
    for guess in _guesses(names, ordered, [], _MOST_GUESSES):
        return guess
    return None


def _guesses(
    names: Sequence[str], samples: Sequence[Sample], rows: list[tuple[list[Fraction], Point]], left: int
) -> "list[tuple[Affine, ...]]":
    """Depth first: the first function that fits, if one is found."""
    for at, (values, points) in enumerate(samples):
        features = [Fraction(1), *(Fraction(values[name]) for name in names)]
        weights = _combination(features, [row for row, _ in rows])
        if weights is not None:
            made = _weighted(weights, [point for _, point in rows])
            if made is None or made not in points:
                return []
            continue
        for point in sorted(points, key=lambda each: _distance(each, values)):
            if left <= 0:
                return []
            found = _guesses(names, samples[at + 1 :], [*rows, (features, point)], left - 1)
            if found:
                return found
            left //= 2
        return []
    solved = _solved(names, rows)
    return [] if solved is None else [solved]


def _distance(point: Point, values: Mapping[str, int]) -> int:
    """Points whose components are values of names are tried first."""
    known = set(values.values())
    return sum(each not in known for each in point)


def _combination(features: Sequence[Fraction], rows: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
    """The weights with which the rows give these features; None where they do not."""
    if not rows:
        return None
    # Unknown weights: a column for each row, an equation for each feature.
    matrix = [[row[at] for row in rows] + [features[at]] for at in range(len(features))]
    return _gauss(matrix, len(rows))


def _gauss(matrix: list[list[Fraction]], unknowns: int) -> list[Fraction] | None:
    """A solution of linear equations, free unknowns being 0; None where there is none."""
    pivots: list[int] = []
    row = 0
    for column in range(unknowns):
        pivot = next((at for at in range(row, len(matrix)) if matrix[at][column]), None)
        if pivot is None:
            continue
        matrix[row], matrix[pivot] = matrix[pivot], matrix[row]
        lead = matrix[row][column]
        matrix[row] = [each / lead for each in matrix[row]]
        for at in range(len(matrix)):
            if at != row and matrix[at][column]:
                factor = matrix[at][column]
                matrix[at] = [a - factor * b for a, b in zip(matrix[at], matrix[row], strict=True)]
        pivots.append(column)
        row += 1
    if any(each[-1] for each in matrix[row:]):
        return None
    solution = [Fraction(0)] * unknowns
    for at, column in enumerate(pivots):
        solution[column] = matrix[at][-1]
    return solution


def _weighted(weights: Sequence[Fraction], points: Sequence[Point]) -> Point | None:
    dimensions = len(points[0])
    found = [sum((w * p[at] for w, p in zip(weights, points, strict=True)), Fraction(0)) for at in range(dimensions)]
    return None if any(each.denominator != 1 for each in found) else tuple(int(each) for each in found)


def _solved(names: Sequence[str], rows: Sequence[tuple[list[Fraction], Point]]) -> tuple[Affine, ...] | None:
    """Coefficients for which the rows give their points: those of the last names are 0 where they are free."""
    dimensions = len(rows[0][1])
    found = []
    for at in range(dimensions):
        matrix = [[*features, Fraction(point[at])] for features, point in rows]
        solution = _gauss(matrix, len(names) + 1)
        if solution is None or any(each.denominator != 1 for each in solution):
            return None
        constant, *coefficients = (int(each) for each in solution)
        found.append(Affine.of(zip(names, coefficients, strict=True), constant))
    return tuple(found)


def equalities(names: Sequence[str], instances: Sequence[Mapping[str, int]]) -> list[Affine]:
    """Affine expressions of the names that are 0 for all instances, as many as are independent."""
    rows: list[list[Fraction]] = []
    for values in instances:
        features = [Fraction(1), *(Fraction(values[name]) for name in names)]
        if len(rows) <= len(names) and _combination(features, rows) is None:
            rows.append(features)
    reduced, pivots = _echelon(rows)
    found = []
    for free in (at for at in range(len(names) + 1) if at not in pivots):
        vector = [Fraction(0)] * (len(names) + 1)
        vector[free] = Fraction(1)
        for row, pivot in zip(reduced, pivots, strict=True):
            vector[pivot] = -row[free]
        scale = lcm(*(each.denominator for each in vector))
        constant, *coefficients = (int(each * scale) for each in vector)
        if any(coefficients):
            found.append(Affine.of(zip(names, coefficients, strict=True), constant))
    return found


def _echelon(rows: Sequence[Sequence[Fraction]]) -> tuple[list[list[Fraction]], list[int]]:
    """Reduced row echelon form, and its pivots."""
    matrix = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(len(matrix[0]) if matrix else 0):
        at = len(pivots)
        pivot = next((row for row in range(at, len(matrix)) if matrix[row][column]), None)
        if pivot is None:
            continue
        matrix[at], matrix[pivot] = matrix[pivot], matrix[at]
        lead = matrix[at][column]
        matrix[at] = [each / lead for each in matrix[at]]
        for row in range(len(matrix)):
            if row != at and matrix[row][column]:
                factor = matrix[row][column]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[at], strict=True)]
        pivots.append(column)
    return matrix[: len(pivots)], pivots
