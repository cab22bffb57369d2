"""Small parameters to look at a program with: the smallest, and so many more that affine functions show themselves."""

from collections.abc import Iterator
from itertools import product

from alphaz.model.program import System

_MOST = 10
_LARGEST = 9


def smallest(system: System) -> dict[str, int] | None:
    """The legal parameters of the least sum; None where none are small."""
    return next(iter(by_sum(system)), None)


def by_sum(system: System) -> Iterator[dict[str, int]]:
    """Legal parameters in the order of their sums."""
    names = system.parameters
    candidates = sorted(product(range(_LARGEST + 1), repeat=len(names)), key=lambda each: (sum(each), each))
    context = system.context.pieces()
    for each in candidates:
        values = dict(zip(names, each, strict=True))
        if any(piece.holds(values) for piece in context):
            yield values


def telling(system: System) -> list[dict[str, int]]:
    """Some legal parameters: all moved by as much from the smallest, and each once more by itself."""
    start = smallest(system)
    if start is None:
        return []
    names = system.parameters
    # Loops that are unrolled, or of small tiles, come round more than once at the last.
    wanted = [{n: start[n] + by for n in names} for by in (0, 1, 2, 3, 9)]
    wanted += [{**wanted[3], n: wanted[3][n] + 1} for n in names] + [{**wanted[2], n: wanted[2][n] + 2} for n in names]
    context = system.context.pieces()
    found: list[dict[str, int]] = []
    for each in wanted:
        if each not in found and any(piece.holds(each) for piece in context):
            found.append(each)
    return found[:_MOST]
