"""Memory traffic of a loop nest: for each depth, the distinct lines of memory that the loops inside touch.

At depth k this is the traffic if all data that one prefix of length k touches stay in the cache, and no data stay from
one prefix to the next.
Counts are exact if loops are not tiled and an array has no mod factors: numbers of points of images, as polynomials. A
tile of g values counts as one: r < g values in a row lie in (r+g-1)/g tiles on average; more than g values lie in one
tile for each g. Lines of memory are counted in the same way."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import ceil, prod

from alphaz.mapping.loop_dimensions import Axis
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.poly import Affine, AffineFunction, Domain, Unbounded, at_least, fresh_names
from alphaz.poly.algorithms.bounds import box_of
from alphaz.poly.algorithms.counting import Count, count
from alphaz.search.cost.dated_accesses import ReferenceTouch, touches_of

LINE = 64
"""Bytes of a line of memory."""

# Tiles without a stated size.
_SIZE = 32


@dataclass(frozen=True, slots=True)
class Tiled:
    """A dimension of the dates whose tile is known, for the statements of a band."""

    dimension: int
    size: int
    axis: Axis


@dataclass(frozen=True, slots=True)
class Prefix:
    """The outermost loops of a nest: dimensions of the dates whose values are known, and dimensions whose tile is
    known."""

    points: tuple[int, ...] = ()
    tiles: tuple[Tiled, ...] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """Traffic of one array: lines read and lines written back, over all prefixes; `elements` if they are exact."""

    array: str
    lines: float
    written: float
    elements: Count | None

    @property
    def bytes(self) -> float:
        return (self.lines + self.written) * LINE


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """Memory traffic of a mapping at some parameters. Numbers are estimates as floats: they may exceed any integer of
    C."""

    mapping: ResolvedMapping
    parameters: Mapping[str, int]
    touches: tuple[ReferenceTouch, ...]
    prefixes: tuple[Prefix, ...]
    counts: dict[str, Count | None] = field(repr=False)
    _counted: dict[tuple[object, ...], tuple[float, Count | None]] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(
        mapping: ResolvedMapping, parameters: Mapping[str, int], counts: dict[str, Count | None] | None = None
    ) -> "Movement":
        """Returns the traffic of a mapping. `parameters` may contain tile sizes; missing ones have their defaults.
        `counts` are the counts of sets; new counts are added to it, because mappings of one system have many in
        common."""
        return Movement(
            mapping=mapping,
            parameters=parameters,
            touches=touches_of(mapping),
            prefixes=_prefixes(mapping, parameters),
            counts={} if counts is None else counts,
        )

    @property
    def _near(self) -> Domain:
        """Parameters between half and twice the given ones; sets are restricted to them, so that counts stay simple."""
        context = self.mapping.system.context
        limits = []
        for name in context.space.parameters:
            value = self.parameters[name]
            low, high = (value // 2, 2 * value) if value > 1 else (value, value)
            limits += [at_least(Affine.name(name), low), at_least(Affine(constant=high), Affine.name(name))]
        return context & Domain.where(context.space, limits)

    @property
    def depth(self) -> int:
        return len(self.prefixes) - 1

    def traffic(self, depth: int) -> tuple[Moved, ...]:
        """Returns the traffic of each array if only the data that one prefix of this length touches stay in the
        cache."""
        arrays = dict.fromkeys(touch.array for touch in self.touches)
        return tuple(self._array_traffic(array, self.prefixes[depth]) for array in arrays)

    def bytes_at(self, depth: int) -> float:
        return sum(array_traffic.bytes for array_traffic in self.traffic(depth))

    def footprint(self, depth: int) -> float:
        """Returns the bytes that one prefix of this length touches, on average."""
        lines = sum(array_traffic.lines for array_traffic in self.traffic(depth))
        return lines * LINE / max(1.0, self._prefixes_at(self.prefixes[depth]))

    def fitting(self, size: float) -> int:
        """Returns the outermost depth whose data stay in a cache of `size` bytes: the data of a whole prefix, or of one
        iteration of the next loop, so that the next iteration reuses them."""
        fits = (self.footprint(depth) <= size for depth in range(self.depth + 1))
        first = next((depth for depth, it in enumerate(fits) if it), self.depth + 1)
        return max(0, first - 1)

    def _array_traffic(self, array: str, prefix: Prefix) -> Moved:
        every = [touch for touch in self.touches if touch.array == array]
        lines, elements = self._lines(every, prefix)
        written_lines, _ = self._lines([touch for touch in every if touch.is_write], prefix)
        return Moved(array, lines, written_lines, elements)

    def _lines(self, touches: Sequence[ReferenceTouch], prefix: Prefix) -> tuple[float, Count | None]:
        if not touches:
            return 0.0, None
        width = len(touches[0].element)
        moduli = touches[0].moduli
        plain = [position for position in range(width) if not moduli[position]]
        pairs, exact = self._pairs(touches, prefix.points, plain)
        for position in range(width):
            if moduli[position]:
                more, exact = self._pairs(touches, prefix.points, [*plain, position])[0], None
                pairs *= min(float(moduli[position]), more / pairs) if pairs else 0.0
        if width and not moduli[-1]:
            rest, _ = self._pairs(touches, prefix.points, [at for at in plain if at != width - 1])
            run = pairs / rest if rest else 1.0
            run = min([run, *self._along(touches, prefix)])
            lines = pairs / run * _pieces(run, LINE / touches[0].bytes) if run else 0.0
        else:
            lines = pairs
        return lines * self._in_tiles(touches, prefix, plain), None if prefix.tiles else exact

    def _along(self, touches: Sequence[ReferenceTouch], prefix: Prefix) -> list[float]:
        """The sizes of tiles that cut the rows of memory."""
        return [float(tile.size) for tile in prefix.tiles if any(_follows(t, tile) for t in touches)]

    def _in_tiles(self, touches: Sequence[ReferenceTouch], prefix: Prefix, plain: Sequence[int]) -> float:
        """The number of tiles in which an element is touched, on average."""
        rows, result = list[int | Tiled](prefix.points), 1.0
        before = self._pairs(touches, rows, plain)[0]
        for tiled in prefix.tiles:
            rows.append(tiled)
            after = self._pairs(touches, rows, plain)[0]
            row = after / before if before else 1.0
            result, before = result * _pieces(row, tiled.size), after
        return result

    def _prefixes_at(self, prefix: Prefix) -> float:
        """The number of prefixes; one if nothing is touched."""
        if not self.touches:
            return 1.0
        return self._pairs(self.touches, prefix.points, [])[0] * self._in_tiles(self.touches, prefix, [])

    def _pairs(
        self, touches: Sequence[ReferenceTouch], dimensions: Iterable[int | Tiled], indices: Iterable[int]
    ) -> tuple[float, Count | None]:
        """Distinct values of these dimensions of the dates and these indices of the elements."""
        key = (tuple(map(id, touches)), tuple(dimensions), tuple(indices))
        if key not in self._counted:
            self._counted[key] = self._number(touches, tuple(dimensions), tuple(indices))
        return self._counted[key]

    def _number(
        self, touches: Sequence[ReferenceTouch], dimensions: Sequence[int | Tiled], indices: Sequence[int]
    ) -> tuple[float, Count | None]:
        width = len(dimensions) + len(indices)
        names = fresh_names(width, "c", self.mapping.system.parameters)
        images = []
        for touch in touches:
            values = (
                *(_coordinate(touch, dimension) for dimension in dimensions),
                *(touch.element[at] for at in indices),
            )
            images.append(touch.domain.image(AffineFunction(touch.domain.space, values), names))
        whole = reduce(Domain.__or__, images).simplify()
        text = str(whole.set)
        if text not in self.counts:
            self.counts[text] = count(whole, self._near)
        count_ = self.counts[text]
        if count_ is not None:
            return float(count_.at(self.parameters)), count_
        return sum(
            min(map(self._at_most, (touch.domain, image))) for touch, image in zip(touches, images, strict=True)
        ), None

    def _at_most(self, domain: Domain) -> float:
        """Returns the number of points; if it is not a polynomial, of those of the bounding box."""
        fixed = domain.fixed({name: self.parameters[name] for name in domain.space.parameters})
        number = count(fixed, fixed.parameters())
        return _boxed(domain, self.parameters) if number is None else float(number.at(self.parameters))


def _boxed(domain: Domain, parameters: Mapping[str, int]) -> float:
    try:
        return float(prod(box_of(domain, parameters).shape))
    except Unbounded:
        return 0.0


def _pieces(run: float, size: float) -> float:
    """The average number of pieces of `size` values that a row of `run` values touches: a short row begins anywhere, a
    long one at the start of a piece."""
    return float(ceil(run / size)) if run >= size else (run + size - 1) / size


def _coordinate(touch: ReferenceTouch, along: int | Tiled) -> Affine:
    """In a dimension that is tiled for others, an operation is in the first tile."""
    if isinstance(along, int):
        return touch.date[along]
    return touch.date[along.dimension] if along.axis.has(touch.statement) else Affine()


def _follows(touch: ReferenceTouch, tiled: Tiled) -> bool:
    """Returns True if the tile determines where in its row an element is."""
    return bool(set(_coordinate(touch, tiled).names) & set(touch.element[-1].names))


def _prefixes(mapping: ResolvedMapping, parameters: Mapping[str, int]) -> tuple[Prefix, ...]:
    defaults = {size.name: size.default for size in mapping.tile_sizes}
    points: tuple[int, ...] = ()
    tiles: dict[int, Tiled] = {}
    prefixes = [Prefix()]
    for axis in mapping.axes:
        if axis.band is None:
            points = (*points, axis.dimension)
            tiles.pop(axis.dimension, None)
        for tile in axis.tiles:
            size = tile.size or parameters.get(tile.parameter) or defaults.get(tile.parameter, _SIZE)
            tiles[tile.dimension] = Tiled(tile.dimension, size, axis)
        prefixes.append(Prefix(points, tuple(tiles.values())))
    return tuple(prefixes)
