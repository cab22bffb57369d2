"""Small parameters for sample runs: the smallest, and enough others to determine affine functions."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from alphaz.model.program import System
from alphaz.poly.algorithms.smallest import by_sum as points_by_sum

_MOST = 10
_LARGEST = 9


def smallest(system: System) -> Mapping[str, int] | None:
    """Returns the legal parameters of the least sum; None if no small ones are legal."""
    return next(iter(by_sum(system)), None)


def legal(system: System, wanted: Iterable[Mapping[str, int]]) -> Iterator[Mapping[str, int]]:
    """Yields those that the context allows, each once."""
    context = system.context.pieces()
    seen: set[frozenset[tuple[str, int]]] = set()
    for each in wanted:
        known = frozenset(each.items())
        if known not in seen and any(piece.holds(each) for piece in context):
            seen.add(known)
            yield each


def by_sum(system: System) -> Iterator[Mapping[str, int]]:
    """Yields legal parameters in the order of their sums, computed lazily."""
    return points_by_sum(system.context, _LARGEST)


def telling(system: System) -> list[Mapping[str, int]]:
    """Returns some legal parameters: all increased equally from the smallest, and each additionally by itself."""
    start = smallest(system)
    if start is None:
        return []
    names = system.parameters
    # With the last of these, unrolled loops and loops of small tiles have more than one iteration.
    wanted = [{n: start[n] + by for n in names} for by in (0, 1, 2, 3, 9)]
    wanted += [{**wanted[3], n: wanted[3][n] + 1} for n in names] + [{**wanted[2], n: wanted[2][n] + 2} for n in names]
    return list(islice(legal(system, wanted), _MOST))
