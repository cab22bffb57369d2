"""The order of operations by its definition, on plain integers: that of the dates, that which tiles of all sizes leave,
and that of tiles of the sizes given. It shares nothing with the verifier but the mapping as stated.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from operator import itemgetter

from alphaz.mapping.target_mapping import TargetMapping

Point = tuple[int, ...]
Element = tuple[str, Point]
Loops = tuple[tuple[int, str], ...]

# Which order is meant: that of the dates, that of tiles of any sizes, that of tiles of the sizes given.
PLAIN, TILED, EXACT = "plain", "tiled", "exact"


@dataclass(frozen=True, order=True)
class Tiles:
    """A band without the ordering dimensions that lead it. Of each level and dimension `sizes` (0 leaves it whole) and
    `waves`: whether it is in a wavefront. `registers`: what has a size of 1 is left whole, around the points of the
    tile. `ordering`: what has no tiles, as it is an ordering dimension for all that the band is about. `recursive`: the
    levels whose tiles are halved; `free`: the dimensions that are parallel for all that the band is about.
    """

    start: int
    end: int
    sizes: tuple[tuple[int, ...], ...] = ()
    waves: tuple[tuple[bool, ...], ...] = ()
    registers: bool = False
    ordering: tuple[int, ...] = ()
    recursive: tuple[int, ...] = ()
    free: tuple[int, ...] = ()

    def tiled(self) -> list[int]:
        return [d for d in range(self.start, self.end + 1) if d not in self.ordering]


@dataclass(frozen=True, eq=False)
class Operation:
    """`moment`: 0 at the start, 1 dated, 2 at the end. With each element that is read, whether it is the running value.

    Contributions across a reduction dimension write nothing: each has a merge, at its date, and `adds` to its result.
    `direct` are the elements that a called system itself reads or writes, in place, all through the operation. `loops`
    are the date with its kinds.
    """

    moment: int
    statement: str
    point: Point
    date: Point = ()
    kinds: tuple[str, ...] = ()
    bands: tuple[Tiles, ...] = ()
    writes: tuple[Element, ...] = ()
    reads: tuple[tuple[Element, bool], ...] = ()
    role: str = "value"
    adds: Element | None = None
    read_directly: frozenset[Element] = frozenset()
    written_directly: frozenset[Element] = frozenset()
    loops: Loops = ()

    def __str__(self) -> str:
        return f"{self.statement}{list(self.point)} at {self.date}"


@dataclass(frozen=True)
class Order:
    """`before` is the statement ordering, closed; `varying` the dimensions in which an ordering is none, each with the
    values in the ordering dimensions before it. `every`: the constants in the dates of all statements, and their
    kinds.
    """

    mapping: TargetMapping
    length: int
    before: Collection[tuple[str, str]]
    varying: frozenset[tuple[int, tuple[int | None, ...]]] = frozenset()
    every: Collection[tuple[tuple[int | None, ...], tuple[str, ...]]] = ()

    def kinds(self, variable: str, date: Sequence[int | None]) -> tuple[str, ...]:
        """Of a variable, or a use equation, at a date."""
        kinds = ["S"] * self.length
        for setting in self.mapping.kinds:
            depth = len(setting.prefix)
            if setting.variable in (None, variable) and tuple(date[:depth]) == tuple(setting.prefix):
                for dimension in setting.dimensions:
                    kinds[depth + dimension] = setting.kind.value[0]
        for d, kind in enumerate(kinds):
            if kind == "O" and (d, nest(kinds, date, d)) in self.varying:
                kinds[d] = "S"
        return tuple(kinds)

    def bands(self, date: Point, kinds: tuple[str, ...]) -> tuple[Tiles, ...]:
        results = []
        for band in self.mapping.tiling:
            depth = len(band.prefix)
            if date[:depth] == tuple(band.prefix):
                end = depth + band.end
                start, ordering = self._inside(date, depth, depth + band.start, end)
                if start <= end:
                    behind = start - end - 1
                    sizes = tuple(tuple(1 if size is None else size for size in level[behind:]) for level in band.sizes)
                    none = (False,) * (end - start + 1)
                    waves = tuple(level[behind:] for level in band.wavefront) or (none,) * len(sizes)
                    free = self._free(date, depth, end)
                    recursive = tuple(sorted(band.recursive))
                    results.append(Tiles(start, end, sizes, waves, False, ordering, recursive, free))
        return (*results, *self._registers(date, kinds))

    def _free(self, date: Point, depth: int, end: int) -> tuple[int, ...]:
        """The dimensions up to `end` that are parallel for all that has the first `depth` values of a date."""
        members = [item for values, item in self.every if values[:depth] == date[:depth]]
        return tuple(d for d in range(end + 1) if {member[d] for member in members} == {"P"})

    def _inside(self, date: Point, depth: int, start: int, end: int) -> tuple[int, tuple[int, ...]]:
        """Where a band begins for what has the first `depth` values of a date, without the ordering dimensions that
        lead it; and which of its dimensions are ordering ones.
        """

        def kinds(d: int) -> set[str]:
            return {item[d] for values, item in self.every if values[:depth] == date[:depth]}

        while start <= end:
            if kinds(start) == {"O"}:
                depth += depth == start
                start += 1
            elif "O" in kinds(start) and depth < start and kinds(depth) == {"O"}:
                depth += 1
            else:
                break
        return start, tuple(d for d in range(start, end + 1) if kinds(d) == {"O"})

    def _registers(self, date: Point, kinds: tuple[str, ...]) -> Iterator[Tiles]:
        """The band of all register tiles that are said for these dates; a later one for a dimension counts."""
        sizes: dict[int, int] = {}
        for tile in self.mapping.registers:
            if date[: len(tile.prefix)] == tuple(tile.prefix):
                assert isinstance(tile.size, int)
                sizes[len(tile.prefix) + tile.dimension] = tile.size
        if sizes:
            start, ordering = self._inside(date, self._told_apart(date, kinds), min(sizes), self.length - 1)
            level = tuple(sizes.get(d, 1) for d in range(start, self.length))
            if level:
                yield Tiles(start, self.length - 1, (level,), ((False,) * len(level),), True, ordering)

    def _told_apart(self, date: Point, kinds: tuple[str, ...]) -> int:
        """Returns the number of values of a date that decide whether it has the prefixes of register tiles."""
        most = 0
        for prefix in {tuple(tile.prefix) for tile in self.mapping.registers}:
            common = next(n for n in range(len(prefix), -1, -1) if date[:n] == prefix[:n])
            most = max(most, common + (common < len(prefix) and kinds[common] == "O"))
        return most

    def precedes(self, a: Operation, b: Operation, mode: str = PLAIN) -> bool:
        """By the definition; under tiling, for every way in which tiles may (or, of given sizes, do) hold the two."""
        if a is b:
            return False
        if a.moment != b.moment:
            return a.moment < b.moment
        if a.moment != 1:
            return False
        return all(self._ordered(a, b, x, y) is True for x, y in self._loops(a, b, mode))

    def unordered(self, a: Operation, b: Operation, mode: str) -> bool:
        return not self.precedes(a, b, mode) and not self.precedes(b, a, mode)

    def clash(self, a: Operation, b: Operation, mode: str) -> bool:
        """Returns True if two contributions to one result are unordered and share an accumulator."""

        def harmless(one: Operation, two: Operation) -> bool:
            loops = self._loops(one, two, mode)
            return all(self._ordered(one, two, _lanes_apart(x), _lanes_apart(y)) is not False for x, y in loops)

        return not harmless(a, b) and not harmless(b, a)

    def _ordered(self, a: Operation, b: Operation, x: Loops, y: Loops) -> bool | None:
        """Returns True if a precedes b; None if a reduction dimension separates the contributions."""
        if "merge" in (a.role, b.role):
            x, y = (loops[: self._merged(operation, loops)] for operation, loops in ((a, x), (b, y)))
        for (here, one), (there, two) in zip(x, y, strict=False):
            if here != there:
                kinds = {one, two}
                if kinds == {"R"}:
                    return None
                return here < there and not kinds & {"P", "R", "V"}
        if "merge" in (a.role, b.role):
            return a.role != "merge"
        return (a.statement, b.statement) in self.before

    @staticmethod
    def _merged(operation: Operation, loops: Loops) -> int:
        """A merge stands behind the outermost loop of kind R: only what is before that loop is its date."""
        kinds = [kind for _, kind in loops]
        return kinds.index("R") if operation.role == "merge" else len(kinds)

    def _loops(self, a: Operation, b: Operation, mode: str) -> Iterator[tuple[Loops, Loops]]:
        """The values of the loops around the two, in every way that there may be."""
        parts: list[list[tuple[Loops, Loops]]] = []
        for d in range(self.length):
            if mode == TILED:
                for band in sorted(set(a.bands) & set(b.bands)):
                    if band.start == d:
                        parts.append([*_any_tiles(a, b, band), *(_any_halves(a, b, band) if band.recursive else ())])
            if mode == EXACT:
                parts += self._tiles(a, b, d)
            parts.append([(((a.date[d], a.kinds[d]),), ((b.date[d], b.kinds[d]),))])
        for way in product(*parts):
            yield tuple(v for x, _ in way for v in x), tuple(v for _, y in way for v in y)

    def _tiles(self, a: Operation, b: Operation, d: int) -> Iterator[list[tuple[Loops, Loops]]]:
        """Those of the sizes given, in front of a dimension: of each band and level."""
        mine, other = ([band for band in item.bands if band.start == d] for item in (a, b))
        if mine != other:
            # An ordering dimension in front tells the two apart.
            levels = [tuple(self._exact(item, bands)) for item, bands in ((a, mine), (b, other))]
            yield [(levels[0], levels[1])]
            return
        for band in mine:
            for at, (sizes, waves) in enumerate(zip(band.sizes, band.waves, strict=True)):
                if at not in band.recursive:
                    yield [(tuple(self._level(a, band, sizes, waves)), tuple(self._level(b, band, sizes, waves)))]
                    continue
                numbers = [(t, sizes[t - band.start]) for t in band.tiled() if sizes[t - band.start]]
                yield list(_halves([(t, a.date[t] // size, b.date[t] // size) for t, size in numbers], band))

    def _exact(self, a: Operation, bands: Sequence[Tiles]) -> Iterator[tuple[int, str]]:
        for band in bands:
            for sizes, waves in zip(band.sizes, band.waves, strict=True):
                yield from self._level(a, band, sizes, waves)

    @staticmethod
    def _level(a: Operation, band: Tiles, sizes: Sequence[int], waves: Sequence[bool]) -> Iterator[tuple[int, str]]:
        sides = [(t, waves[t - band.start], sizes[t - band.start]) for t in band.tiled()]
        dimensions = [side for side in sides if side[2]]
        whole = [t for t, _, size in dimensions if band.registers and size == 1]
        for is_wave, part in groupby(
            (dimension for dimension in dimensions if dimension[0] not in whole), itemgetter(1)
        ):
            numbers = [(a.date[t] // size, _of_tiles(a.kinds[t])) for t, _, size in part]
            if is_wave and len(numbers) > 1:
                numbers = [(sum(n for n, _ in numbers), "S"), *((n, "P") for n, _ in numbers[1:])]
            yield from numbers
        yield from ((a.date[t], a.kinds[t]) for t in whole)


def nest(kinds: Sequence[str], date: Sequence[int | None], end: int) -> tuple[int | None, ...]:
    """The values in the ordering dimensions before `end`."""
    return tuple(value for value, kind in zip(date[:end], kinds[:end], strict=True) if kind == "O")


def _any_tiles(a: Operation, b: Operation, band: Tiles) -> Iterator[tuple[Loops, Loops]]:
    """Every way in which tiles may hold two operations: where they differ, in one or in two."""
    tiled = band.tiled()
    for same in product(*((True, False) if a.date[d] != b.date[d] else (True,) for d in tiled)):
        x, y = (
            [(0 if s else item.date[d], _of_tiles(item.kinds[d])) for d, s in zip(tiled, same, strict=True)]
            for item in (a, b)
        )
        yield tuple(x), tuple(y)


def _any_halves(a: Operation, b: Operation, band: Tiles) -> Iterator[tuple[Loops, Loops]]:
    """The same of recursive tiles, in which boxes of tiles are cut anywhere."""
    differ = [d for d in band.tiled() if a.date[d] != b.date[d]]
    for apart in product((True, False), repeat=len(differ)):
        yield from _halves(
            [(d, a.date[d], b.date[d]) for d, is_apart in zip(differ, apart, strict=True) if is_apart], band
        )


def _halves(numbers: Sequence[tuple[int, int, int]], band: Tiles) -> Iterator[tuple[Loops, Loops]]:
    """Every recursion over boxes of tiles, as far as it tells two tiles apart; with each dimension, their numbers.

    They may be in two blocks, which run by their sums, and else in no order. (Where blocks differ, they may do so by
    1 or by 2: more says nothing else.) Or a box is halved between them along any dimension in which they differ.
    """
    apart = [(d, x, y) for d, x, y in numbers if x != y]
    if not apart:
        yield (), ()
    for steps in product(*(range(min(2, abs(x - y)) + 1) for _, x, y in apart)):
        if any(steps):
            moved = [step if x < y else -step for step, (_, x, y) in zip(steps, apart, strict=True)]
            along = sum(step for step, (d, *_) in zip(moved, apart, strict=True) if d not in band.free)
            yield ((0, "S"), *((0, "P") for _ in moved)), ((along, "S"), *((step, "P") for step in moved))
    for _, x, y in apart:
        yield ((x, "S"),), ((y, "S"),)


def _of_tiles(kind: str) -> str:
    """Tiles of what is done in vectors follow each other."""
    return "S" if kind == "V" else kind


def _lanes_apart(loops: Loops) -> Loops:
    """Returns the loops with the totals of vector lanes added after the loop, as if lanes ran in sequence."""
    return tuple((value, _of_tiles(kind)) for value, kind in loops)


def closed(pairs: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """The transitive closure."""
    results = set(pairs)
    while more := {(a, d) for a, b in results for c, d in results if b == c} - results:
        results |= more
    return results


def parts(name: str, of_calls: Sequence[str] = ()) -> tuple[str, ...]:
    """The statements that a name in a statement ordering may stand for."""
    return name, f"{name}.body", f"{name}.init", *of_calls
