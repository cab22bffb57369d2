"""Bands of dimensions that are tiled together, with leading ordering dimensions moved into the prefix (M0).

Source: verifier.md section 3, Tiling: ordering dimensions that lead a band separate nests; each nest is tiled
separately.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Edit, Fix, Label, Rejected
from alphaz.diagnostics.rules import IGNORED, MAPPING, ONE_DIMENSION
from alphaz.mapping.dimension_kinds import by_value, has_prefix
from alphaz.mapping.statement import Statement
from alphaz.mapping.target_mapping import SINGLE, WHOLE, Band, DimensionKind, RegisterTile

# Boxes of tiles with more sides than this are not halved.
MOST_SIDES = 8
# The call of a script, and its arguments before the dimension.
_TILING = re.compile(r"""setTiling\s*\(\s*(.*?)\s*,\s*(?:0|"0"|'0')\s*\)""", re.DOTALL)


def resolved_bands(
    statements: Sequence[Statement], stated: Sequence[Band], registers: Sequence[RegisterTile], dimensions: int
) -> tuple[tuple[Band, ...], tuple[Diagnostic, ...]]:
    """Returns the non-empty bands, register tiles last, and warnings about empty ones. Raises Rejected (AZ411)."""
    plain, final = ([tile for tile in registers if tile.is_final is kind] for kind in (False, True))
    bands: list[Band] = []
    notes: list[Diagnostic] = []
    if not registers and [_is_first_alone(band) for band in stated] == [True] and _may_be_all(statements):
        raise Rejected(_which(stated[0], dimensions))
    for band in (*stated, *register_bands(plain, statements, dimensions)):
        members = [s for s in statements if has_prefix(s, band.prefix)]
        _check_bounds(band, dimensions)
        _check_prefix(band, members)
        _check_shared(band, members)
        _check_merged(band, members)
        nests = _nests(band, members) if members else ()
        if not nests:
            notes.append(Diagnostic(IGNORED, "no dimension of any statement is tiled by this band", Label(band.span)))
        bands += nests
    _check_overlaps(bands)
    _check_registers(bands)
    if final:
        bands = _with_final_sizes(bands, final)
        span = final[-1].span
        _check_registers([replace(band.of_final(), span=span) if band.final else band for band in bands])
    return tuple(_with_ordering(band, statements) for band in bands), tuple(notes)


def _with_final_sizes(bands: Sequence[Band], tiles: Sequence[RegisterTile]) -> list[Band]:
    """Returns the bands with the sizes of register tiles inside of tiles that fill buffers of final values."""
    used: set[tuple[tuple[int, ...], int, bool]] = set()
    sized: list[Band] = []
    for band in bands:
        at = {
            len(tile.prefix) + tile.dimension: tile for tile in tiles if band.prefix[: len(tile.prefix)] == tile.prefix
        }
        here = {d: at[d] for d in band.tiled if d in at and band.registers and band.size(d) != 1}
        used.update(tile.place for tile in here.values())
        sizes = tuple(_size(here[d]) if d in here else band.size(d) for d in range(band.first, band.last + 1))
        sized.append(replace(band, final=sizes) if here else band)
    for tile in tiles:
        if tile.place not in used:
            message = f"dimension {tile.dimension} has no register tile but this one, of tiles with final values"
            help_ = 'give its size in all other tiles too, without "final"'
            raise Rejected(Diagnostic(MAPPING, message, Label(tile.span), help=help_))
    return sized


def _is_first_alone(band: Band) -> bool:
    """Returns True for `setTiling(.., 0)` without a size."""
    return (band.name, band.start, band.end, band.sizes) == (f"{SINGLE}0", 0, 0, ((None,),))


def _may_be_all(statements: Sequence[Statement]) -> bool:
    """Returns True if tiling all dimensions differs from tiling the first one."""
    return any(kind is not DimensionKind.ORDERING for statement in statements for kind in statement.kinds[1:])


def _which(band: Band, dimensions: int) -> Diagnostic:
    """Returns the diagnostic about an ambiguous tiling, with a way to write each meaning."""
    match = _TILING.fullmatch(band.span.text)
    call = match[1] if match else ".."
    system = call.rpartition(",")[2].strip()
    order = "recursive" if band.recursive else "omp" if any(map(any, band.wavefront)) else "sequential"
    meanings = (
        (
            f"tile all {dimensions} dimensions",
            f'setTiling({call}, "{order}")',
            f'design = design.set_tiling({system}, order="{order}")',
        ),
        (
            "tile dimension 0 alone",
            f'setBandForTiling({call}, "outer", 0, 0)',
            f'design = design.set_band_for_tiling({system}, "outer", 0, 0)',
        ),
    )
    return Diagnostic(
        ONE_DIMENSION,
        f"dimension 0 alone may be meant, or all {dimensions} dimensions of the dates",
        Label(band.span),
        notes=("scripts of the first version of the language mean all with a 0, later ones the dimension",),
        help="\n".join(f"to {meaning}, write {command};" for meaning, command, _ in meanings),
        fixes=tuple(
            Fix(meaning, (Edit(band.span, command),), f"{command};", python, is_tried=False)
            for meaning, command, python in (meanings if match else ())
        ),
    )


def register_bands(stated: Sequence[RegisterTile], statements: Sequence[Statement], dimensions: int) -> Iterator[Band]:
    """Yields one band for each prefix, from its first piece to the last dimension.

    Pieces below a prefix are also pieces below all longer ones; of two for one dimension the later one counts.
    """
    named = dict.fromkeys(tile.prefix for tile in stated)
    idle = [prefix for prefix in named if not any(has_prefix(s, prefix) for s in statements)]
    for prefix in dict.fromkeys((*(_told_apart(s, named) for s in statements), *idle)):
        below = [tile for tile in stated if prefix[: len(tile.prefix)] == tile.prefix]
        absolute = {len(tile.prefix) + tile.dimension: tile for tile in below}
        tiles = {at - len(prefix): tile for at, tile in absolute.items() if at >= len(prefix)}
        if not tiles:
            continue
        first, last = min(tiles), max(max(tiles), dimensions - 1 - len(prefix))
        sizes = tuple(_size(tiles.get(position)) for position in range(first, last + 1))
        span = max(tiles.values(), key=lambda tile: (tile.span.end, tile.dimension)).span
        yield Band(name=f"2:{prefix}", prefix=prefix, start=first, end=last, sizes=(sizes,), registers=True, span=span)


def _size(tile: RegisterTile | None) -> int:
    if tile is None:
        return 1
    assert isinstance(tile.size, int), "sizes are chosen before bands are made"
    return tile.size


def _told_apart(statement: Statement, prefixes: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """Returns the shortest part of the statement's prefix that identifies one of these prefixes."""
    length = 0
    for prefix in prefixes:
        common = next((n for n in range(len(prefix), 0, -1) if has_prefix(statement, prefix[:n])), 0)
        apart = common < len(prefix) and statement.kinds[common] is DimensionKind.ORDERING
        length = max(length, common + apart)
    return tuple(o.constant for o in statement.date.outputs[:length])


def _reject(band: Band, message: str, help_: str | None = None) -> Rejected:
    return Rejected(Diagnostic(MAPPING, message, Label(band.span), help=help_))


def _check_bounds(band: Band, dimensions: int) -> None:
    if not 0 <= band.start <= band.end or band.last >= dimensions:
        below = f" below a prefix of {len(band.prefix)}" if band.prefix else ""
        named = f"dimension {band.start}" if band.start == band.end else f"band {band.start}..{band.end}"
        message = f"there is no {named}{below}: the dates have {dimensions} dimensions, counted from 0"
        raise _reject(band, message)
    if any(len(sizes) != band.end - band.start + 1 for sizes in band.sizes):
        raise _reject(band, f"a band of {band.end - band.start + 1} dimensions needs as many tile sizes at each level")


def _check_prefix(band: Band, members: Sequence[Statement]) -> None:
    for statement in members:
        if any(kind is not DimensionKind.ORDERING for kind in statement.kinds[: len(band.prefix)]):
            message = f"the prefix of the band covers dimensions of {statement.name} that are not of kind ORDERING"
            raise _reject(band, message, "declare them with setOrderingDimensions")


def _check_shared(band: Band, members: Sequence[Statement]) -> None:
    """Checks that a merge has an enclosing loop: tiles of one diagonal would accumulate in parallel without a loop to
    merge after.
    """
    first, last = band.first, band.last
    if not band.recursive and not any(map(any, band.wavefront)):
        return
    if band.recursive and last - first >= MOST_SIDES:
        raise _reject(band, f"recursive tiles have at most {MOST_SIDES} dimensions, and this band {last - first + 1}")
    run = "are recursive" if band.recursive else "run in wavefronts"
    for statement in members:
        if DimensionKind.REDUCTION in statement.kinds[first : last + 1]:
            position = statement.kinds.index(DimensionKind.REDUCTION, first)
            setting = statement.settings[position]
            places = (Label(setting.span, f"dimension {position} is a reduction dimension"),) if setting else ()
            message = f"tiles that {run} have a reduction dimension, {position}"
            raise Rejected(Diagnostic(MAPPING, message, Label(band.span), places, help="let the tiles run in sequence"))


def _check_merged(band: Band, members: Sequence[Statement]) -> None:
    """Checks that accumulations are merged after the tiles of the outermost level, not inside them: each inner tile
    would merge again into a result, without knowing whether it is the first.
    """
    whole = [band.first + position for position, size in enumerate(band.sizes[0]) if size == WHOLE]
    for statement in members:
        for at in (at for at in whole if statement.kinds[at] is DimensionKind.REDUCTION):
            setting = statement.settings[at]
            places = (Label(setting.span, f"dimension {at} is a reduction dimension"),) if setting else ()
            message = f"the outermost tiles leave a reduction dimension whole, {at}"
            help_ = "give it a size at that level, or leave it out of the band"
            raise Rejected(Diagnostic(MAPPING, message, Label(band.span), places, help=help_))


def _with_ordering(band: Band, statements: Sequence[Statement]) -> Band:
    """Returns the band with the dimensions that are ordering ones for all its statements; where a statement has further
    ones, the tiles are those of all statements, and may reverse the order of that ordering dimension.
    """
    members = [s for s in statements if has_prefix(s, band.prefix)]
    ordering = (
        d for d in range(band.first, band.last + 1) if {s.kinds[d] for s in members} == {DimensionKind.ORDERING}
    )
    return replace(band, ordering=frozenset(ordering))


def _nests(band: Band, members: Sequence[Statement]) -> tuple[Band, ...]:
    """Returns the band without the ordering dimensions that lead it: one band for each nest that they separate."""
    first = band.first
    kinds = {s.kinds[first] for s in members}
    if kinds != {DimensionKind.ORDERING}:
        return _bands_of_nests(band, members) if DimensionKind.ORDERING in kinds else (band,)
    if band.start == band.end:
        return ()
    sizes, wavefront = tuple(level[1:] for level in band.sizes), tuple(level[1:] for level in band.wavefront)
    shorter = replace(band, sizes=sizes, wavefront=wavefront, end=band.end - 1)
    if band.start > 0:
        return _nests(replace(shorter, start=band.start + 1, end=band.end), members)
    nests: list[Band] = []
    for value, inside in by_value(members, first).items():
        nests += _nests(replace(shorter, prefix=(*band.prefix, value)), inside)
    return tuple(nests)


def _bands_of_nests(band: Band, members: Sequence[Statement]) -> tuple[Band, ...]:
    """Returns the band of each nest, where the dimension that leads it orders the statements of some nests only."""
    position = len(band.prefix)
    if band.start == 0 or any(s.kinds[position] is not DimensionKind.ORDERING for s in members):
        return (band,)
    nests: list[Band] = []
    for value, inside in by_value(members, position).items():
        below = replace(band, prefix=(*band.prefix, value), start=band.start - 1, end=band.end - 1)
        nests += _nests(below, inside)
    return tuple(nests)


def _check_overlaps(bands: Sequence[Band]) -> None:
    """Checks that two bands of one nest are disjoint, or one is inside the other."""
    for other, band in _of_one_nest(bands):
        if _cross(band, other):
            message = f"bands {_range(band)} and {_range(other)} overlap, and neither is inside the other"
            place = Label(other.span, f"dimensions {_range(other)}")
            raise Rejected(Diagnostic(MAPPING, message, Label(band.span), (place,)))


def _of_one_nest(bands: Sequence[Band]) -> Iterator[tuple[Band, Band]]:
    """Yields every two bands of which one prefix leads the other, in their order."""
    numbers: dict[tuple[int, ...], list[int]] = {}
    for position, band in enumerate(bands):
        numbers.setdefault(band.prefix, []).append(position)
    for position, band in enumerate(bands):
        for length in range(len(band.prefix) + 1):
            for other in numbers.get(band.prefix[:length], ()):
                if length < len(band.prefix) or other < position:
                    yield bands[min(position, other)], bands[max(position, other)]


def _check_registers(bands: Sequence[Band]) -> None:
    """Checks that register tiles are innermost, and that each lies inside one tile of every enclosing band."""
    for other, band in _of_one_nest([b for b in bands if b.registers]):
        message = f"there are register tiles of {_range(band)} inside those of {_range(other)}"
        place, help_ = Label(other.span, "register tiles"), "say both below the same ordering prefix"
        raise Rejected(Diagnostic(MAPPING, message, Label(band.span), (place,), help=help_))
    for band in (b for b in bands if b.registers):
        for other in (b for b in bands if not b.registers and _same_nest(band, b)):
            if other.first > band.first:
                message = f"dimensions {_range(other)} are tiled inside the register tiles of {_range(band)}"
                place = Label(band.span, "register tiles")
                raise Rejected(Diagnostic(MAPPING, message, Label(other.span), (place,)))
            _check_multiples(band, other)


def _check_multiples(band: Band, around: Band) -> None:
    (pieces,) = band.sizes
    for position, piece in enumerate(pieces, band.first):
        sizes = [around.size(position, level) for level in range(len(around.sizes)) if position <= around.last]
        bad = [size for size in sizes if piece is not None and (size is None or size % piece)]
        if bad:
            size = "a parameter" if bad[0] is None else str(bad[0])
            points = "1 point" if piece == 1 else f"{piece} points"
            message = f"a register tile has {points} in dimension {position}, and the tile around it {size}"
            place = Label(around.span, "tiled here")
            help_ = "give the tile a size" + (f" that is a multiple of {piece}" if piece != 1 else "")
            raise Rejected(Diagnostic(MAPPING, message, Label(band.span), (place,), help=help_))


def _range(band: Band) -> str:
    return f"{band.first}..{band.last}"


def _same_nest(left: Band, right: Band) -> bool:
    return all(a == b for a, b in zip(left.prefix, right.prefix, strict=False))


def _cross(one: Band, two: Band) -> bool:
    disjoint = one.last < two.first or two.last < one.first
    nested = (one.first <= two.first and two.last <= one.last) or (two.first <= one.first and one.last <= two.last)
    return not disjoint and not nested
