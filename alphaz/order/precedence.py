"""The order of operations (a precedes b): ≺ without bands, ≺_T with bands (for all tile sizes), or that of given tile
sizes (with axes).

Let k be the first dimension where the dates differ. PARALLEL (or REDUCTION, or VECTOR): unordered; otherwise the
smaller date is first. Equal dates: the statement ordering decides. Where k lies in a tiled band, no SEQUENTIAL (or
VECTOR) component of the band may decrease and no PARALLEL one may differ. Source: verifier.md sections 2 and 3
(Tiling); the AlphaZ Verifier thesis 4 and 4.4. With axes the dates are preceded by the numbers of the tiles,
floor(date[d] / size), before each band, and ordered by ≺. The cuts of recursive tiles are unknown: with them a ≺ b
survives a first difference in the number of a tile only if no other number of that tile decreases, and none of a
PARALLEL dimension differs, as for tiles of all sizes.

A merge follows the loop of its reduction dimension r: only the components of its date before r count; where they agree
with another operation, the merge is later. Where r is tiled for all sizes, one tile may contain the whole band, so the
merge precedes no operation that differs first in the band. Register tiles of dimensions after r enclose its loop if
they leave r whole: then no operation in the band precedes the merge, except in the order of tiles of known sizes.

This module states the same definition twice: as constraints (`failures`, `unordered`), and by plain integers
(`compare`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.loop_dimensions import Axis, TileAxis
from alphaz.mapping.statement import Statement
from alphaz.mapping.target_mapping import Band, DimensionKind
from alphaz.order.operations import ConcreteInstance, Phase, StatementInstances, SymbolicInstance, Values
from alphaz.poly import Affine, Constraint, at_least, equal, less


def tile_of(event: ConcreteInstance, axes: Sequence[Axis]) -> tuple[tuple[int, ...] | None, int | None]:
    """Returns the numbers of the tiles of an operation, outermost first, and the number of its outermost wavefront."""
    statement = event.family.statement
    if statement is None or event.date is None:
        return None, None
    numbers: dict[tuple[int, int | None], int] = {}
    for axis in axes:
        for tile in axis.tiles if axis.has(statement) else ():
            numbers.setdefault((tile.dimension, tile.size), event.date[tile.dimension] // (tile.size or 1))
    tile_in_wavefront = wavefront_tile(statement, event.date, axes)
    return tuple(numbers.values()) or None, None if tile_in_wavefront is None else sum(tile_in_wavefront)


def wavefront_tile(statement: Statement, date: Sequence[int], axes: Sequence[Axis]) -> tuple[int, ...] | None:
    """Returns the numbers of the tile whose sum is its outermost wavefront; None without a wavefront."""
    waves = (axis.tiles for axis in axes if axis.wavefront and axis.has(statement) and len(axis.tiles) > 1)
    tiles = next(waves, None)
    return None if tiles is None else tuple(date[tile.dimension] // (tile.size or 1) for tile in tiles)


@dataclass(frozen=True, slots=True)
class Cause:
    """The part of the mapping that makes two operations unordered, or late: a dimension, a band, the statement
    ordering.
    """

    families: tuple[StatementInstances, StatementInstances]
    dimension: int | None = None
    band: Band | None = None
    ordered: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """True if a precedes b. `is_later` where b precedes a, else they are unordered; `reason` explains it."""

    precedes: bool
    is_later: bool = False
    reason: str = ""
    cause: Cause | None = field(default=None, compare=False)


BEFORE = Comparison(True)
LATER = Comparison(False, True, "later")


Conjunction = tuple[Constraint, ...]

# Why operations that differ first in such a dimension are unordered; others are parallel.
_UNORDERED = {DimensionKind.REDUCTION: "a reduction dimension", DimensionKind.VECTOR: "done in vectors"}

SEQUENTIAL, PARALLEL, ORDERING = DimensionKind.SEQUENTIAL, DimensionKind.PARALLEL, DimensionKind.ORDERING
REDUCTION, VECTOR = DimensionKind.REDUCTION, DimensionKind.VECTOR


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The order of operations; `before` is the closed statement ordering, `bands` are those tiled with unknown sizes.

    With `axes`, the loops of tiles of known sizes, there are no bands. In a `private` order operations that a
    reduction dimension separates count as ordered, both ways, and a vector dimension as sequential. Dimensions
    `at_once` count as parallel. A `literal` order returns its conjunctions as the definition states them, including
    those that never hold.
    """

    before: frozenset[tuple[str, str]]
    bands: tuple[Band, ...] = ()
    axes: tuple[Axis, ...] = ()
    private: bool = False
    literal: bool = False
    at_once: range = range(0)
    _nests: Mapping[tuple[int, ...], tuple[Band, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Indexes the bands by prefix: a program of hundreds of nests has as many bands, and each pair of operations
        uses them.
        """
        nests: dict[tuple[int, ...], tuple[Band, ...]] = {}
        for band in self.bands:
            nests[band.prefix] = (*nests.get(band.prefix, ()), band)
        object.__setattr__(self, "_nests", nests)

    @property
    def is_tiled(self) -> bool:
        return bool(self.bands or self.axes)

    @property
    def scope(self) -> str:
        """Returns the text that follows a claim under this order."""
        if self.axes:
            return f", for {sizes_text(self.axes)}"
        if self.at_once:
            return ", with all places of a step at once"
        return ", for all tile sizes" if self.bands else ""

    # --- as constraints ------------------------------------------------------------------------------------------

    def failures(self, a: SymbolicInstance, b: SymbolicInstance) -> tuple[Conjunction, ...]:
        """Returns the cases where a does not precede b: a union of conjunctions, () where it always does."""
        if a.family.moment is not b.family.moment:
            return () if a.family.moment < b.family.moment else ((),)
        if a.family.moment is not Phase.DATED:
            return ((),)
        failures: list[list[Constraint]] = []
        same: list[Constraint] = []
        for position, (x, y) in enumerate(zip(self._date(a), self._date(b), strict=False)):
            kind, ahead, behind = self._kind(a.family, b.family, position), [*same, less(x, y)], [*same, less(y, x)]
            if kind is REDUCTION and self.private:
                failures += ([*ahead, broken] for broken in self._broken(a, b, position))
                failures += ([*behind, broken] for broken in self._broken(a, b, position))
            elif kind.is_unordered or self._merges_in_band(a.family, b.family, position):
                failures += (ahead, behind)
            else:
                failures.append(behind)
                failures += ([*ahead, broken] for broken in self._broken(a, b, position))
            same.append(equal(x, y))
            if _never(same[-1]):
                break
        else:
            if not self._precedes_at_one_date(a.family, b.family):
                failures.append(same)
        return self._given(failures)

    def unordered(self, a: SymbolicInstance, b: SymbolicInstance) -> tuple[Conjunction, ...]:
        """Returns the cases where neither precedes the other."""
        if a.family.moment is not b.family.moment:
            return ()
        if a.family.moment is not Phase.DATED:
            return ((),)
        cases: list[list[Constraint]] = []
        same: list[Constraint] = []
        for position, (x, y) in enumerate(zip(self._date(a), self._date(b), strict=False)):
            for one, two, ahead in ((a, b, less(x, y)), (b, a, less(y, x))):
                families = one.family, two.family
                if self._kind(*families, position).is_unordered or self._merges_in_band(*families, position):
                    cases.append([*same, ahead])
                else:
                    cases += ([*same, ahead, broken] for broken in self._broken(one, two, position))
            same.append(equal(x, y))
            if _never(same[-1]):
                break
        else:
            pairs = ((a.family, b.family), (b.family, a.family))
            if not any(self._precedes_at_one_date(one, two) for one, two in pairs):
                cases.append(same)
        return self._given(cases)

    def tiles(self, occurrences: Iterable[SymbolicInstance]) -> tuple[tuple[str, ...], Conjunction]:
        """Returns the names of the tile numbers in the constraints about these operations, and their definitions."""
        numbers = self._tile_numbers(occurrences)
        constraints: list[Constraint] = []
        for name, (affine, size) in numbers.items():
            rest = affine - Affine.name(name) * size
            constraints += (at_least(rest, 0), at_least(-rest, 1 - size))
        return tuple(numbers), tuple(constraints)

    def tile_numbers(self, occurrences: Iterable[SymbolicInstance], values: Values) -> dict[str, int]:
        """Returns the values of the tile numbers at one point."""
        numbers = self._tile_numbers(occurrences)
        return {name: affine.at(values) // size for name, (affine, size) in numbers.items()}

    def _tile_numbers(self, occurrences: Iterable[SymbolicInstance]) -> dict[str, tuple[Affine, int]]:
        return {
            tile_name(affine, size): (affine, size)
            for occurrence in occurrences
            if occurrence.family.statement is not None
            for axis in self.axes
            for affine, size in _tiles(occurrence.date, axis, occurrence.family)
        }

    def _date(self, instance: SymbolicInstance) -> tuple[Affine, ...]:
        """Returns the compared components: with the numbers of tiles; for a merge, only those before its loop."""
        if not self.axes:
            return instance.date[: self._merged_at(instance.family)]
        date = []
        for axis in self.axes[: self._merged_at(instance.family)]:
            numbers = () if axis.band is None else _tiles(instance.date, axis, instance.family)
            names = [(tile_name(affine, size), 1) for affine, size in numbers]
            date.append(instance.date[axis.dimension] if axis.band is None else Affine.of(names))
        return tuple(date)

    def _kinds(self, family: StatementInstances) -> tuple[DimensionKind, ...]:
        """Returns the kinds that order the components of `_date`."""
        if not self.axes or family.statement is None:
            return family.kinds
        return tuple(axis.kind(family.statement) for axis in self.axes)

    def _kind(self, a: StatementInstances, b: StatementInstances, position: int) -> DimensionKind:
        """Returns the kind that orders two operations that first differ in this component. A tile may contain
        statements of two kinds.
        """
        kinds = {self._kinds(a)[position], self._kinds(b)[position]}
        if position in self.at_once:
            return PARALLEL
        if len(kinds) > 1 and any(kind.is_unordered for kind in kinds):
            return PARALLEL
        kind = self._kinds(a)[position]
        return SEQUENTIAL if kind is VECTOR and self.private else kind

    def _merged_at(self, family: StatementInstances) -> int | None:
        return self._kinds(family).index(REDUCTION) if family.merge else None

    def _precedes_at_one_date(self, a: StatementInstances, b: StatementInstances) -> bool:
        """Returns True if a precedes b where all compared components agree."""
        if a.merge or b.merge:
            return b.merge and not a.merge and not self._merges_inside(a, b)
        return (a.name, b.name) in self.before

    def _given(self, alternatives: Iterable[Iterable[Constraint]]) -> tuple[Conjunction, ...]:
        stated = conjunctions(alternatives)
        return stated if self.literal else possible(stated)

    def _broken(self, a: SymbolicInstance, b: SymbolicInstance, first: int) -> Iterator[Constraint]:
        """Yields the ways in which tiling may reverse the order of a and b, where a is first by dimension `first`."""
        if halved := self._halved_with(first):
            x, y = self._date(a), self._date(b)
            for at in halved:
                yield less(y[at], x[at])
                if self._kind(a.family, b.family, at).is_unordered:
                    yield less(x[at], y[at])
        band = self._band(a.family, b.family, first)
        for at in self._tiled_with(a.family, b.family, band, first):
            kind = self._strictest(a.family, b.family, band, at)
            if kind is not ORDERING:
                yield less(b.date[at], a.date[at])
            if kind is PARALLEL:
                yield less(a.date[at], b.date[at])

    def _strictest(
        self, a: StatementInstances, b: StatementInstances, band: Band | None, position: int
    ) -> DimensionKind:
        """Returns the strictest kind that orders the two: after an ordering dimension that separates them, statements
        may have different kinds. The dimension is tiled together with others.
        """
        kinds = {a.kinds[position].of_tiles, b.kinds[position].of_tiles}
        if band is not None and position not in band.ordering:
            kinds = {SEQUENTIAL if kind is ORDERING else kind for kind in kinds}
        if REDUCTION in kinds:
            kinds = kinds - {REDUCTION} | {ORDERING if self.private else PARALLEL}
        return next(kind for kind in (PARALLEL, SEQUENTIAL, ORDERING) if kind in kinds)

    def _tiled_with(self, a: StatementInstances, b: StatementInstances, band: Band | None, first: int) -> range:
        """Returns the later dimensions of the widest band that contains `first`, as far as they count."""
        if band is None:
            return range(0)
        ends = (band.last + 1, *(end for end in map(self._merged_at, (a, b)) if end is not None))
        return range(first + 1, min(ends))

    def _halved_with(self, first: int) -> tuple[int, ...]:
        """Returns the axes after `first` that number the same recursive tile."""
        if not self.axes or not self.axes[first].recursive:
            return ()
        mine = self.axes[first]
        every = enumerate(self.axes[first + 1 :], first + 1)
        return tuple(at for at, axis in every if (axis.band, axis.recursive) == (mine.band, mine.recursive))

    def _merges_in_band(self, a: StatementInstances, b: StatementInstances, first: int) -> bool:
        """Returns True if one tile may contain the loop of the merge a and an operation that first differs from it in
        `first`.
        """
        if not a.merge and not b.merge:
            return False
        band, at = self._band(a, b, first), self._merged_at(a)
        if band is None:
            return False
        return (at is not None and at <= band.last) or self._merges_inside(a, b)

    def _merges_inside(self, a: StatementInstances, b: StatementInstances) -> bool:
        """Returns True if the loop of the merge b may lie inside register tiles of later dimensions, which leave it
        whole, and a in another one of those tiles. The order of tiles of known sizes decides this exactly.
        """
        at = self._merged_at(b)
        if at is None or self.axes:
            return False
        return any(band.registers and _is_in(band, a) and _stands_inside(band, at) for band in self._bands_of(b))

    def _band(self, a: StatementInstances, b: StatementInstances, first: int) -> Band | None:
        around = [band for band in self._bands_of(a) if _is_in(band, b) and band.first <= first <= band.last]
        return max(around, key=lambda band: band.end - band.start, default=None)

    def _bands_of(self, family: StatementInstances) -> Iterator[Band]:
        """Yields the bands whose prefix leads the dates of the family."""
        if self._nests and family.statement is not None:
            leading = takewhile(lambda output: output.is_constant, family.statement.date.outputs)
            prefix = tuple(output.constant for output in leading)
            for length in range(len(prefix) + 1):
                yield from self._nests.get(prefix[:length], ())

    # --- by plain integers ---------------------------------------------------------------------------------------

    def compare(self, a: ConcreteInstance, b: ConcreteInstance) -> Comparison:
        """Returns whether a precedes b, by the definition."""
        if a.is_same(b):
            return Comparison(False, False, "the same operation")
        if a.family.moment is not b.family.moment:
            return BEFORE if a.family.moment < b.family.moment else LATER
        if a.date is None or b.date is None:
            return Comparison(False, False, "unordered: both at the start")
        pairs = tuple(zip(self._numbers(a), self._numbers(b), strict=False))
        first = next((position for position, (x, y) in enumerate(pairs) if x != y), None)
        if first is None:
            return self._at_one_date(a.family, b.family)
        kind = self._kind(a.family, b.family, first)
        if kind is REDUCTION and self.private:
            return self._within_tiles(a, b, first) or BEFORE
        if kind.is_unordered:
            return self._across(a.family, b.family, first)
        if pairs[first][0] < pairs[first][1]:
            return self._one_tile(a, b, first) or self._within_tiles(a, b, first) or BEFORE
        undone = self._one_tile(b, a, first) or self._within_tiles(b, a, first)
        return self._later(a.family, b.family, first, pairs[first]) if undone is None else undone

    def _numbers(self, instance: ConcreteInstance) -> tuple[int, ...]:
        """Returns the compared date, as `_date`, in plain integers."""
        assert instance.date is not None
        if not self.axes:
            return instance.date[: self._merged_at(instance.family)]
        return tuple(
            instance.date[axis.dimension]
            if axis.band is None
            else sum(value // size for value, size in _tile_values(instance.date, axis, instance.family))
            for axis in self.axes[: self._merged_at(instance.family)]
        )

    def _across(self, a: StatementInstances, b: StatementInstances, first: int) -> Comparison:
        """Returns unordered, because of the first component in which the two differ."""
        axis = self.axes[first] if self.axes else None
        at = axis.dimension if axis else first
        kind = _UNORDERED.get(self._kind(a, b, first), "parallel")
        if axis is None or axis.band is None:
            return Comparison(False, False, f"unordered: dimension {at} is {kind}", Cause((a, b), at))
        why = (
            "tiles of one wavefront run in parallel" if axis.wavefront else f"tiles of dimension {at}, which is {kind}"
        )
        return Comparison(False, False, f"unordered: {why}", Cause((a, b), at, axis.band))

    def _later(self, a: StatementInstances, b: StatementInstances, first: int, values: tuple[int, int]) -> Comparison:
        axis = self.axes[first] if self.axes else None
        if axis is None or axis.band is None:
            return LATER
        one, two = values
        why = f"tile {one} of dimension {axis.dimension} follows tile {two}"
        if axis.wavefront:
            why = f"wavefront {one} of tiles follows wavefront {two}"
        return Comparison(False, True, f"later: {why}", Cause((a, b), band=axis.band))

    def _at_one_date(self, a: StatementInstances, b: StatementInstances) -> Comparison:
        if self._precedes_at_one_date(a, b):
            return BEFORE
        merged = next((f for f in (a, b) if f.merge and f.statement is not None), None)
        if merged is not None and merged.statement is not None:
            at = merged.statement.merged_at
            if a.merge and b.merge:
                return Comparison(False, False, f"unordered: both are merged after dimension {at}", Cause((a, b), at))
            return Comparison(False, True, f"later: it follows the whole loop of dimension {at}", Cause((a, b), at))
        if (b.name, a.name) in self.before:
            ordered = Cause((a, b), ordered=(b.name, a.name))
            return Comparison(False, True, "later by the statement ordering", ordered)
        return Comparison(False, False, "unordered: the same date, and no statement ordering")

    def _one_tile(self, a: ConcreteInstance, b: ConcreteInstance, first: int) -> Comparison | None:
        """Returns unordered where the merge a, whose loop is tiled, may share a tile with b; None otherwise."""
        if not self._merges_in_band(a.family, b.family, first):
            return None
        band = self._band(a.family, b.family, first)
        assert band is not None
        reason = f"one tile of dimensions {band.first}..{band.last} may hold all that is merged"
        return Comparison(False, False, f"unordered: {reason}", Cause((a.family, b.family), band=band))

    def _within_tiles(self, a: ConcreteInstance, b: ConcreteInstance, first: int) -> Comparison | None:
        """Returns the reason why tiling reverses the order of a and b; None where it does not."""
        assert a.date is not None
        assert b.date is not None
        if halved := self._halved_with(first):
            return self._apart(a, b, halved)
        band = self._band(a.family, b.family, first)
        for at in self._tiled_with(a.family, b.family, band, first):
            kind = self._strictest(a.family, b.family, band, at)
            x, y = a.date[at], b.date[at]
            if kind is PARALLEL and x != y:
                why = f"may put the two in tiles that run in parallel (dimension {at})"
            elif kind is SEQUENTIAL and x > y:
                why = f"may put the second in an earlier tile (dimension {at} goes from {x} back to {y})"
            else:
                continue
            assert band is not None
            cause = Cause((a.family, b.family), at if kind is PARALLEL else None, band)
            return Comparison(False, False, f"unordered: tiling of dimensions {band.first}..{band.last} {why}", cause)
        return None

    def _apart(self, a: ConcreteInstance, b: ConcreteInstance, halved: Sequence[int]) -> Comparison | None:
        """Returns the same for recursive tiles, where their numbers decide."""
        numbers = self._numbers(a), self._numbers(b)
        for at in halved:
            one, two = numbers[0][at], numbers[1][at]
            axis, is_unordered = self.axes[at], self._kind(a.family, b.family, at).is_unordered
            if one > two or (one < two and is_unordered):
                way = "in parallel" if is_unordered else f"from tile {one} back to {two}"
                reason = f"unordered: recursive tiles may be halved between the two (dimension {axis.dimension}, {way})"
                return Comparison(False, False, reason, Cause((a.family, b.family), band=axis.band))
        return None


def _tiles(date: Sequence[Affine], axis: Axis, family: StatementInstances) -> tuple[tuple[Affine, int], ...]:
    """Returns the terms of the coordinate of an axis: floor(affine / size)."""
    return tuple((date[at], size) for at, size in _sizes(axis, family))


def _tile_values(date: Sequence[int], axis: Axis, family: StatementInstances) -> tuple[tuple[int, int], ...]:
    return tuple((date[at], size) for at, size in _sizes(axis, family))


def _sizes(axis: Axis, family: StatementInstances) -> Iterator[tuple[int, int]]:
    assert family.statement is not None
    for tile in axis.tiles if axis.has(family.statement) else ():
        assert tile.size is not None
        yield tile.dimension, tile.size


def tile_name(affine: Affine, size: int) -> str:
    """Returns a name that no program uses, and that is the same for the same number."""
    return f"({affine})/{size}"


def sizes_text(axes: Sequence[Axis]) -> str:
    """Returns `tile sizes 30,30 of dimensions 0,1`, outermost first, with the level where there are several, and the
    register tiles. Never empty: tiles of one point change the order, too.
    """
    levels: dict[tuple[bool, str], list[TileAxis]] = {}
    for axis in axes:
        if not (axis.wavefront and len(axis.tiles) == 1):
            for tile in axis.tiles:
                registers = axis.band is not None and axis.band.registers
                levels.setdefault((registers, "" if registers else tile.level), []).append(tile)
    several = sum(not registers for registers, _ in levels) > 1
    texts = [_tiles_text(tiles, *which, several) for which, tiles in levels.items()]
    return " and ".join(texts) or "register tiles of one point"


def _tiles_text(tiles: Sequence[TileAxis], registers: bool, level: str, several: bool) -> str:
    plural = "s" if len(tiles) > 1 else ""
    sizes, dimensions = ",".join(str(t.size) for t in tiles), ",".join(str(t.dimension) for t in tiles)
    what = f"register tiles of {sizes}" if registers else f"tile size{plural} {sizes}"
    where = f"of dimension{plural} {dimensions}" if not registers else f"in dimension{plural} {dimensions}"
    return f"{what} {where}" + (f" (level {level})" if several and not registers else "")


def always_before(a: StatementInstances, b: StatementInstances) -> bool:
    """Returns True if every operation of `a` precedes every one of `b` under every order, because of the constants of
    the ordering dimensions that lead their dates (they lie outside all bands) or because one is START or END.
    """
    if a.moment is not b.moment:
        return a.moment < b.moment
    return next((x < y for x, y in zip(a.nest, b.nest, strict=False) if x != y), False)


def _stands_inside(band: Band, dimension: int) -> bool:
    """Returns True if the loop of a dimension lies inside register tiles of dimensions that follow it in the dates."""
    whole, behind = band.left_whole, (at for at in band.tiled if at > dimension)
    return dimension in whole and any(at not in whole for at in behind)


def _is_in(band: Band, family: StatementInstances) -> bool:
    return family.statement is not None and has_prefix(family.statement, band.prefix)


def _never(constraint: Constraint) -> bool:
    return constraint.affine.is_constant and not constraint.holds({})


def conjunctions(alternatives: Iterable[Iterable[Constraint]]) -> tuple[Conjunction, ...]:
    """Returns the conjunctions as stated, including `-1 >= 0` and the like."""
    return tuple(tuple(conjunction) for conjunction in alternatives)


def possible(stated: Iterable[Conjunction]) -> tuple[Conjunction, ...]:
    """Removes constraints that always hold, and conjunctions that never do, as far as constants show."""
    return tuple(
        tuple(dict.fromkeys(c for c in conjunction if not c.affine.is_constant))
        for conjunction in stated
        if not any(_never(c) for c in conjunction)
    )


def differences(a: Iterable[Affine], b: Iterable[Affine]) -> tuple[Conjunction, ...]:
    """Returns the cases where two points differ."""
    pairs = tuple(zip(a, b, strict=True))
    return conjunctions([c] for x, y in pairs for c in (less(x, y), less(y, x)))


def smaller(a: Iterable[Affine], b: Iterable[Affine]) -> tuple[Conjunction, ...]:
    """Returns the cases where the first point is lexicographically before the second."""
    cases: list[list[Constraint]] = []
    same: list[Constraint] = []
    for x, y in zip(a, b, strict=True):
        cases.append([*same, less(x, y)])
        same.append(equal(x, y))
    return conjunctions(cases)
