"""Integer points of sets that are stated as plain data: a few of them, at random."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from alphaz.certificate.violation_sets import LinearSum, ViolationCase

Bounds = dict[str, tuple[int, int]]
# Rows `sum >= 0`.
Rows = Sequence[LinearSum]
_WIDTHS = (7, 45, 300, 100_000, 100_000, 100_000)
_MOST_STEPS = 60
_GREATEST = 2**62


def value_of(affine: LinearSum, at: Mapping[str, int]) -> int:
    """Returns the value of a sum at a point. Raises KeyError if the point has no such coordinate."""
    return affine.constant + sum(factor * at[name] for name, factor in affine.terms.items())


def is_in(cases: Sequence[ViolationCase], at: Mapping[str, int]) -> bool:
    """Returns True if the point lies in one of the cases."""
    return any(_meets(case, dict(at)) for case in cases)


def _meets(case: ViolationCase, at: dict[str, int]) -> bool:
    for division in case.divisions:
        at[division.name] = value_of(division.sum, at) // division.by
    values = ((value_of(row.sum, at), row.equal) for row in case.rows)
    return all(value == 0 if equal else value >= 0 for value, equal in values)


def points(
    cases: Sequence[ViolationCase], parameters: Sequence[str], names: Sequence[str], random: Random
) -> Iterator[dict[str, int]]:
    """Yields points of each case, with values of the parameters: small ones, and larger ones."""
    for case in cases:
        for width in _WIDTHS:
            bounds: Bounds = dict.fromkeys(parameters, (0, width))
            bounds |= dict.fromkeys(names, (-width, width))
            bounds |= {division.name: (-width, width) for division in case.divisions}
            point = _solved(tuple(_rows(case)), bounds, random, [_MOST_STEPS])
            if point is not None:
                yield {name: point[name] for name in (*parameters, *names)}


def has_no_point(case: ViolationCase, parameters: Sequence[str], names: Sequence[str]) -> bool:
    """Returns True if the bounds of the names exclude each other, for values below _GREATEST; False is not known."""
    every = (*parameters, *names, *(division.name for division in case.divisions))
    return not _propagated(tuple(_rows(case)), dict.fromkeys(every, (-_GREATEST, _GREATEST)))


def _rows(case: ViolationCase) -> Iterator[LinearSum]:
    for row in case.rows:
        yield row.sum
        if row.equal:
            yield _negative(row.sum, 0)
    for division in case.divisions:
        rest = LinearSum({**division.sum.terms, division.name: -division.by}, division.sum.constant)
        yield rest
        yield _negative(rest, division.by - 1)


def _negative(affine: LinearSum, constant: int) -> LinearSum:
    return LinearSum({name: -factor for name, factor in affine.terms.items()}, constant - affine.constant)


def _solved(rows: Rows, bounds: Bounds, random: Random, steps: list[int]) -> dict[str, int] | None:
    """Returns a solution within the bounds, if one is found in time."""
    steps[0] -= 1
    if steps[0] < 0 or not _propagated(rows, bounds):
        return None
    open_ = next((name for name, (low, high) in bounds.items() if low < high), None)
    if open_ is None:
        return {name: low for name, (low, _) in bounds.items()}
    low, high = bounds[open_]
    for value in dict.fromkeys((random.randint(low, high), high, low, random.randint(low, high))):
        point = _solved(rows, {**bounds, open_: (value, value)}, random, steps)
        if point is not None:
            return point
    return None


def _propagated(rows: Rows, bounds: Bounds) -> bool:
    """Narrows the bounds to those that the rows leave; returns False if nothing is left."""
    for _ in range(30):
        has_changed = False
        for row in rows:
            most = row.constant + sum(f * bounds[name][f > 0] for name, f in row.terms.items())
            if most < 0:
                return False
            for name, factor in row.terms.items():
                low, high = bounds[name]
                rest = most - factor * (high if factor > 0 else low)
                if factor > 0 and -(rest // factor) > low:
                    low, has_changed = -(rest // factor), True
                elif factor < 0 and rest // -factor < high:
                    high, has_changed = rest // -factor, True
                if low > high:
                    return False
                bounds[name] = low, high
        if not has_changed:
            return True
    return True
