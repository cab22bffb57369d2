"""Bands of dimensions that are tiled together, with leading ordering dimensions moved into the prefix (M0).

Source: verifier.md section 3, Tiling: ordering dimensions that lead a band separate nests, each tiled on its own.
"""

from collections.abc import Sequence
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import IGNORED, MAPPING
from alphaz.mapping.kinds import has_prefix, ordering_value
from alphaz.mapping.statement import Statement
from alphaz.mapping.target import Band, DimensionKind


def resolved_bands(
    statements: Sequence[Statement], stated: Sequence[Band], dimensions: int
) -> tuple[tuple[Band, ...], tuple[Diagnostic, ...]]:
    """The bands that tile something, and warnings about those that do not. Raises Rejected (AZ411)."""
    bands: list[Band] = []
    notes: list[Diagnostic] = []
    for band in stated:
        members = [s for s in statements if has_prefix(s, band.prefix)]
        _check_bounds(band, dimensions)
        _check_prefix(band, members)
        _check_wavefront(band, members)
        nests = _nests(band, members) if members else ()
        if not nests:
            notes.append(Diagnostic(IGNORED, "no dimension of any statement is tiled by this band", Label(band.span)))
        bands += nests
    _check_overlaps(bands)
    return tuple(bands), tuple(notes)


def limits(band: Band) -> tuple[int, int]:
    """The first and the last dimension of the band, counted from 0 whatever its prefix."""
    return len(band.prefix) + band.start, len(band.prefix) + band.end


def _reject(band: Band, message: str, help_: str | None = None) -> Rejected:
    return Rejected(Diagnostic(MAPPING, message, Label(band.span), help=help_))


def _check_bounds(band: Band, dimensions: int) -> None:
    first, last = limits(band)
    if not 0 <= band.start <= band.end or last >= dimensions:
        below = f" below a prefix of {len(band.prefix)}" if band.prefix else ""
        message = f"there is no band {band.start}..{band.end}{below}: the dates have {dimensions} dimensions"
        raise _reject(band, message)
    if any(len(sizes) != last - first + 1 for sizes in band.sizes):
        raise _reject(band, f"a band of {last - first + 1} dimensions needs as many tile sizes at each level")


def _check_prefix(band: Band, members: Sequence[Statement]) -> None:
    for statement in members:
        if any(kind is not DimensionKind.ORDERING for kind in statement.kinds[: len(band.prefix)]):
            message = f"the prefix of the band covers dimensions of {statement.name} that are not of kind ORDERING"
            raise _reject(band, message, "declare them with setOrderingDimensions")


def _check_wavefront(band: Band, members: Sequence[Statement]) -> None:
    """Tiles of one wavefront would accumulate together, and no loop stands around them behind which to merge."""
    first, last = limits(band)
    if not any(band.wavefront):
        return
    for statement in members:
        if DimensionKind.REDUCTION in statement.kinds[first : last + 1]:
            at = statement.kinds.index(DimensionKind.REDUCTION, first)
            setting = statement.settings[at]
            places = (Label(setting.span, f"dimension {at} is a reduction dimension"),) if setting else ()
            message = f"tiles that run in wavefronts have a reduction dimension, {at}"
            raise Rejected(Diagnostic(MAPPING, message, Label(band.span), places, help="let the tiles run in sequence"))


def _nests(band: Band, members: Sequence[Statement]) -> tuple[Band, ...]:
    """The band without the ordering dimensions that lead it: one for each nest that they separate."""
    first, last = limits(band)
    if any(s.kinds[first] is not DimensionKind.ORDERING for s in members):
        return (band,)
    if first == last:
        return ()
    shorter = replace(band, sizes=tuple(level[1:] for level in band.sizes), end=band.end - 1)
    if band.start > 0:
        return _nests(replace(shorter, start=band.start + 1, end=band.end), members)
    nests: list[Band] = []
    for value in sorted({ordering_value(s, first) for s in members}):
        inside = [s for s in members if ordering_value(s, first) == value]
        nests += _nests(replace(shorter, prefix=(*band.prefix, value)), inside)
    return tuple(nests)


def _check_overlaps(bands: Sequence[Band]) -> None:
    """Two bands of one nest are disjoint, or one is inside the other."""
    for at, band in enumerate(bands):
        for other in bands[:at]:
            if _same_nest(band, other) and _cross(limits(band), limits(other)):
                message = f"bands {_range(band)} and {_range(other)} overlap, and neither is inside the other"
                place = Label(other.span, f"dimensions {_range(other)}")
                raise Rejected(Diagnostic(MAPPING, message, Label(band.span), (place,)))


def _range(band: Band) -> str:
    first, last = limits(band)
    return f"{first}..{last}"


def _same_nest(left: Band, right: Band) -> bool:
    return all(a == b for a, b in zip(left.prefix, right.prefix, strict=False))


def _cross(left: tuple[int, int], right: tuple[int, int]) -> bool:
    (first, last), (start, end) = left, right
    disjoint = last < start or end < first
    nested = (first <= start and end <= last) or (start <= first and last <= end)
    return not disjoint and not nested
