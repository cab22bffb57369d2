"""A band skewed: an outer dimension is added to an inner one, so that no dependence leads back into an earlier tile."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from alphaz.diagnostics.rules import TILING
from alphaz.mapping.bands import limits
from alphaz.mapping.kinds import has_prefix
from alphaz.mapping.target import Band, DimensionKind, SpaceTimeMap
from alphaz.poly import AffineFunction
from alphaz.schedule.repair.case import Case
from alphaz.schedule.repair.hint import Hint


def skew(case: Case) -> Iterator[Hint]:
    """Inner dimensions by one outer dimension, once or twice, for all statements of the band."""
    if not case.has(TILING):
        return
    for factor in (1, 2):
        for band in case.resolved.bands:
            first, last = limits(band)
            for outer, inner in combinations(range(first, last + 1), 2):
                yield _skewed(case, band, ((outer, inner),), factor)
            if last - first > 1:
                yield _skewed(case, band, tuple((first, inner) for inner in range(first + 1, last + 1)), factor)


def _skewed(case: Case, band: Band, pairs: tuple[tuple[int, int], ...], factor: int) -> Hint:
    members = {s.variable for s in case.resolved.statements if has_prefix(s, band.prefix) and _moves(s.kinds, pairs)}
    changed = [_entry(entry, pairs, factor) for name, entry in case.dates().items() if name in members]
    mapping = case.stated
    for entry in changed:
        mapping = mapping.with_space_time(entry)
    inner = ",".join(str(i) for _, i in pairs)
    plural = "s" if len(pairs) > 1 else ""
    text = f"dimension{plural} {inner} skewed by {factor} times dimension {pairs[0][0]}"
    return Hint(text, tuple(map(case.dated, changed)), mapping)


def _moves(kinds: tuple[DimensionKind, ...], pairs: tuple[tuple[int, int], ...]) -> bool:
    """An ordering dimension is no place to add anything to."""
    return all(kinds[at] is not DimensionKind.ORDERING for pair in pairs for at in pair)


def _entry(entry: SpaceTimeMap, pairs: tuple[tuple[int, int], ...], factor: int) -> SpaceTimeMap:
    init = None if entry.init is None else _function(entry.init, pairs, factor)
    return replace(entry, function=_function(entry.function, pairs, factor), init=init)


def _function(function: AffineFunction, pairs: tuple[tuple[int, int], ...], factor: int) -> AffineFunction:
    added = {inner: function.outputs[outer] * factor for outer, inner in pairs}
    outputs = (o + added[at] if at in added else o for at, o in enumerate(function.outputs))
    return replace(function, outputs=tuple(outputs))
