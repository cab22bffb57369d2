"""The order of operations, from the inventory of a certificate: without tiles, for tiles of all sizes, of given sizes.

docs/verifier.md (section 2) and docs/obligations/tiling.md define it. Where the definition depends on the values of
parameters, the order here may be smaller.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from .cases import Json, Sum, all_equal, case, equal, integers, less, words
from .checker import boolean, elements, integer, members

BAND = "prefix first last ordering registers sizes wavefront recursive"
MOMENTS = ("start", "dated", "end")
UNORDERED = ("PARALLEL", "REDUCTION", "VECTOR")
KINDS = (*UNORDERED, "SEQUENTIAL", "ORDERING")


# --- tiles ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TileBand:
    """Dimensions `first` to `last` of the dates that begin with `prefix` are tiled together, except `ordering` ones.

    A level has a size for each dimension; 0 leaves it whole, None is a parameter.
    """

    prefix: tuple[int, ...]
    first: int
    last: int
    ordering: frozenset[int]
    registers: bool
    sizes: tuple[tuple[int | None, ...], ...]
    wavefront: tuple[tuple[bool, ...], ...]
    recursive: frozenset[int]

    @staticmethod
    def of(value: object) -> "TileBand":
        fields = members(value, BAND)
        first = integer(fields["first"], 0)
        last = integer(fields["last"], first)
        levels = [elements(level, last - first + 1) for level in elements(fields["sizes"])]
        flags = elements(fields["wavefront"])
        return TileBand(
            prefix=tuple(integers(fields["prefix"])),
            first=first,
            last=last,
            ordering=frozenset(integers(fields["ordering"], first, last + 1)),
            registers=boolean(fields["registers"]),
            sizes=tuple(tuple(None if size is None else integer(size, 0) for size in level) for level in levels),
            wavefront=tuple(tuple(map(boolean, elements(level, last - first + 1))) for level in flags),
            recursive=frozenset(integers(fields["recursive"], 0, len(levels))),
        )

    @property
    def tiled(self) -> list[int]:
        return [at for at in range(self.first, self.last + 1) if at not in self.ordering]

    @property
    def whole(self) -> list[int]:
        """Returns the dimensions that register tiles leave whole: their loops are inside those over the tiles."""
        return [at for at in self.tiled if self.registers and self.sizes[0][at - self.first] == 1]

    def step_size(self, at: int) -> int:
        """Returns the size of the outermost tiles; 0 if one has all values, or they only order its contents."""
        return 0 if at in self.ordering else integer(self.sizes[0][at - self.first], 0)

    def has(self, date: Sequence[Sum]) -> bool:
        return list(date[: len(self.prefix)]) == [({}, value) for value in self.prefix]


@dataclass(frozen=True, slots=True)
class TileLoop:
    """A loop over the points of a dimension or, with a band, over tiles: the numbers of `tiles` (dimension, size) are
    added up, to a sum of all of them in the first loop of a `wavefront`. `halved`: the level, where recursive.
    """

    dimension: int
    band: TileBand | None = None
    tiles: tuple[tuple[int, int], ...] = ()
    wavefront: bool = False
    halved: int | None = None

    def kind(self, kinds: Sequence[str], is_tiled: bool) -> str:
        """Returns the kind that orders its values for operations with these kinds of dimensions."""
        kind = kinds[self.dimension]
        if self.band is None:
            return kind
        if not is_tiled or (kind == "VECTOR" and not self.wavefront) or (self.wavefront and len(self.tiles) > 1):
            return "SEQUENTIAL"
        return "PARALLEL" if self.wavefront else kind


def loops_of(bands: Sequence[TileBand], dimensions: int) -> list[TileLoop]:
    """Returns the loops of tiles of the given sizes, outermost first: all loops over tiles of a band stand before the
    loop of its first dimension, and dimensions that register tiles leave whole follow the loops over these tiles.
    """
    loops: list[TileLoop] = []
    for dimension in range(dimensions):
        there = [band for band in bands if band.first == dimension]
        for band in there:
            for level in range(len(band.sizes)):
                loops += _loops_of_level(band, level)
        for band in (band for band in there if band.registers):
            loops += (TileLoop(at, band, ((at, 1),)) if band.prefix else TileLoop(at) for at in band.whole)
        if TileLoop(dimension) not in loops:
            loops.append(TileLoop(dimension))
    return loops


def _loops_of_level(band: TileBand, level: int) -> Iterator[TileLoop]:
    cut = list[tuple[int, int]]()
    for at in (at for at in band.tiled if at not in band.whole and band.sizes[level][at - band.first] != 0):
        cut.append((at, integer(band.sizes[level][at - band.first], 1)))
    if level in band.recursive:
        yield from (TileLoop(tile[0], band, (tile,), halved=level) for tile in cut)
        return
    flags = band.wavefront[level] if band.wavefront else (False,) * (band.last - band.first + 1)
    for flag, part in groupby(cut, key=lambda tile: flags[tile[0] - band.first]):
        tiles = tuple(part)
        is_wave = flag and len(tiles) > 1
        for at, tile in enumerate(tiles):
            yield TileLoop(tile[0], band, tiles if is_wave and at == 0 else (tile,), is_wave)


# --- operations -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An operation of a family at a point. `whole` is the number of its operation, whose indices are `own`.

    `date` and `kinds` are those that are compared: of a merge the components before the loop after which it merges; for
    tiles of given sizes those of their loops. `raw` is the date without tiles.
    """

    family: Json
    whole: int
    point: list[Sum]
    own: list[Sum]
    target: list[Sum]
    date: list[Sum]
    kinds: list[str]
    raw: list[Sum]

    @property
    def moment(self) -> int:
        return MOMENTS.index(words([self.family["moment"]], MOMENTS)[0])

    @property
    def merges(self) -> bool:
        return self.family["role"] == "merge"


@dataclass(frozen=True, slots=True)
class OperationOrder:
    """The order of operations. `before` is the statement ordering. `bands` are tiled with all sizes; `loops` are those
    of tiles of given sizes. One that is `private` orders the contributions to one sum. Dimensions `at_once` are
    parallel.
    """

    before: list[object]
    bands: Sequence[TileBand] = ()
    loops: Sequence[TileLoop] = ()
    private: bool = False
    at_once: range = range(0)

    def failures(self, a: Occurrence, b: Occurrence) -> list[Json]:
        """Returns the cases where a does not precede b."""
        if a.moment != b.moment or MOMENTS[a.moment] != "dated":
            return [] if a.moment < b.moment else [case()]
        cases: list[Json] = []
        for at, (x, y) in enumerate(zip(a.date, b.date, strict=False)):
            same, kind = list(map(equal, a.date[:at], b.date[:at])), self.kind(a, b, at)
            ahead, behind = [*same, less(x, y)], [*same, less(y, x)]
            reversed_ = [case(*ahead, row) for row in self.reversals(a, b, at)]
            if kind == "REDUCTION" and self.private and a.family["role"] == "contribution":
                cases += [*reversed_, *(case(*behind, row) for row in self.reversals(a, b, at))]
            elif kind in UNORDERED or self.may_merge_between(a, b, at):
                cases += [case(*ahead), case(*behind)]
            else:
                cases += [case(*behind), *reversed_]
        count = min(len(a.date), len(b.date))
        return cases if self.comes_last(a, b) else [*cases, *all_equal(a.date[:count], b.date[:count])]

    def kind(self, a: Occurrence, b: Occurrence, at: int) -> str:
        """Returns the kind that orders two operations that first differ in this component."""
        one, other = a.kinds[at], b.kinds[at]
        if at in self.at_once or (one != other and {one, other} & {*UNORDERED}):
            return "PARALLEL"
        return "SEQUENTIAL" if one == "VECTOR" and self.private else one

    def comes_last(self, a: Occurrence, b: Occurrence) -> bool:
        """Returns True if a precedes b where all components of their dates agree."""
        if a.merges or b.merges:
            return b.merges and not a.merges and not self.merges_in_registers(a, b)
        return [a.family["name"], b.family["name"]] in self.before

    def band(self, a: Occurrence, b: Occurrence, at: int) -> TileBand | None:
        """Returns the widest band in which both are tiled along a dimension."""
        bands = (band for band in self.bands if band.has(a.date) and band.has(b.date) and band.first <= at <= band.last)
        return max(bands, key=lambda band: band.last - band.first, default=None)

    def reversals(self, a: Occurrence, b: Occurrence, first: int) -> Iterator[Json]:
        """Yields the conditions under which tiles may reverse a and b, where a is first by component `first`."""
        if self.loops and self.loops[first].halved is not None:
            level = self.loops[first].band, self.loops[first].halved
            for at in range(first + 1, len(self.loops)):
                if (self.loops[at].band, self.loops[at].halved) == level:
                    yield from _apart(a.date[at], b.date[at], self.kind(a, b, at) in UNORDERED)
        band = self.band(a, b, first)
        if band is None:
            return
        for at in range(first + 1, min(band.last + 1, len(a.date), len(b.date))):
            kinds = {a.kinds[at], b.kinds[at]}
            free = ({"ORDERING"} if at in band.ordering else set()) | ({"REDUCTION"} if self.private else set())
            if not kinds <= free:
                yield from _apart(a.date[at], b.date[at], bool(kinds - free & {"PARALLEL", "REDUCTION"}))

    def may_merge_between(self, a: Occurrence, b: Occurrence, first: int) -> bool:
        """Returns True if a tile may have the whole loop of a merge, and an operation that differs first in `first`."""
        band = self.band(a, b, first) if a.merges or b.merges else None
        return band is not None and ((a.merges and len(a.date) <= band.last) or self.merges_in_registers(a, b))

    def merges_in_registers(self, a: Occurrence, b: Occurrence) -> bool:
        """Returns True if the loop of the merge b may be inside of register tiles, and a in another of these tiles."""
        around = [band for band in self.bands if b.merges and band.registers and band.has(a.date) and band.has(b.date)]
        inside = [band for band in around if len(b.date) in band.whole]
        return any(at > len(b.date) and at not in band.whole for band in inside for at in band.tiled)


def _apart(x: Sum, y: Sum, is_parallel: bool) -> list[Json]:
    return [less(y, x), less(x, y)] if is_parallel else [less(y, x)]
