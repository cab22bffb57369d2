"""Small parameters and small tiles for figures, or those for which a witness is a violation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, product

from alphaz.mapping.loop_dimensions import axes_of
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.target_mapping import WHOLE, Band
from alphaz.order.precedence import Order, wavefront_tile
from alphaz.poly import smallest_point

# Most operations in a figure.
LIMIT = 300
POINTS = 3
_LARGEST = 10
_RAISED = 2
# Only the first of many parameters are increased for tiles.
_INCREASED = 3

Values = Mapping[str, int]


def small(mapping: ResolvedMapping) -> dict[str, int] | None:
    """Returns the smallest parameters with three points along each dimension of each statement, or as many as possible.

    First all equal, then each as small as possible. None if the smallest ones have too many operations."""
    names = mapping.system.parameters
    best, score = None, -1
    for candidate in _candidates(mapping):
        reached = _score(mapping, candidate)
        if reached is not None and reached > score:
            best, score = candidate, reached
    if best is None:
        return None
    for name in names:
        for value in range(best[name]):
            lower = {**best, name: value}
            if mapping.system.context.contains(lower) and _score(mapping, lower) == score:
                best = lower
                break
    return best


def raise_parameters(mapping: ResolvedMapping, witness: Values, holds: Callable[[Values], bool]) -> dict[str, int]:
    """Returns the parameters of a witness, increased by up to two for a better figure while it still `holds`."""
    names = mapping.system.parameters
    best, score = dict(witness), _score(mapping, witness) or 0
    for more in sorted(product(range(_RAISED + 1), repeat=min(len(names), 4)), key=lambda m: (sum(m), m)):
        candidate = {**witness, **{name: witness[name] + up for name, up in zip(names, more, strict=False)}}
        reached = _score(mapping, candidate) if mapping.system.context.contains(candidate) else None
        if reached is not None and reached > score and holds(candidate):
            best, score = candidate, reached
    return best


def is_too_large(mapping: ResolvedMapping, values: Values) -> bool:
    """Returns True if there are more operations with dates than a figure shows."""
    operations = chain.from_iterable(statement.domain.points(values) for statement in mapping.statements)
    return next(islice(operations, LIMIT, None), None) is not None


def with_parallel_tiles(mapping: ResolvedMapping, order: Order, values: Values) -> dict[str, int]:
    """Returns the parameters, increased by as little as gives two tiles of one wavefront; as they are if none of those
    tried does, or if nothing runs in wavefronts.
    """
    if not any(axis.wavefront for axis in order.axes):
        return dict(values)
    names = mapping.system.parameters[:_INCREASED]
    for more in sorted(product(range(_LARGEST // 2), repeat=len(names)), key=lambda more: (sum(more), more)):
        candidate = {**values, **{name: values[name] + up for name, up in zip(names, more, strict=True)}}
        is_drawn = mapping.system.context.contains(candidate) and not is_too_large(mapping, candidate)
        if is_drawn and _has_parallel_tiles(mapping, order, candidate):
            return candidate
    return dict(values)


def _has_parallel_tiles(mapping: ResolvedMapping, order: Order, bindings: Values) -> bool:
    for statement in mapping.statements:
        tile_of_wavefront: dict[int, tuple[int, ...]] = {}
        for point in statement.domain.points(bindings):
            values = {**bindings, **dict(zip(statement.domain.space.names, point, strict=True))}
            tile = wavefront_tile(statement, statement.date.at(values), order.axes)
            if tile is not None and tile_of_wavefront.setdefault(sum(tile), tile) != tile:
                return True
    return False


def _candidates(mapping: ResolvedMapping) -> Iterator[dict[str, int]]:
    context, names = mapping.system.context, mapping.system.parameters
    least = smallest_point(context)
    if least is None:
        return
    for up in range(_LARGEST):
        equal, above = dict.fromkeys(names, up), {name: least[name] + up for name in names}
        yield from (point for point in (equal, above) if context.contains(point))


def _score(mapping: ResolvedMapping, values: Values) -> int | None:
    """The number of dimensions of statements and variables with three points; None if there are too many operations."""
    if is_too_large(mapping, values):
        return None
    domains = [statement.domain for statement in mapping.statements] + [v.domain for v in mapping.system.variables]
    return sum(len(set(along)) >= POINTS for d in domains for along in zip(*d.points(values), strict=True))


_TRIED = 1000


def tiled_order(mapping: ResolvedMapping, bands: Sequence[Band]) -> Order:
    """Returns the order of tiles of these sizes."""
    return Order(mapping.before, axes=axes_of(bands, mapping.dimensions))


def small_tiles(mapping: ResolvedMapping) -> Order:
    """Returns tiles of 2 points along each dimension, in tiles of 4, and so on."""
    bands = [replace(band, sizes=_doubling(band)) for band in mapping.bands]
    return tiled_order(mapping, bands)


def wrong_tiles(mapping: ResolvedMapping, is_wrong: Callable[[Order], bool]) -> Order | None:
    """Returns the smallest tiles with a violation, those with fewest sizes of 1 first; None if none of up to 3 points
    has one.

    Nests that are tiled along one dimension have the same size there, so that a title can state it."""
    places = sorted({place for band in mapping.bands for level in _places(band) for place in level})
    for sizes in islice(_plain_sizes(len(places)), _TRIED):
        chosen = dict(zip(places, sizes, strict=True))
        order = tiled_order(mapping, [_with_sizes(band, chosen) for band in mapping.bands])
        if is_wrong(order):
            return order
    return None


def sizes_of(order: Order) -> tuple[tuple[int, int], ...]:
    """Returns the tiled dimensions with their sizes, outermost level first."""
    return tuple(dict.fromkeys((t.dimension, t.size or 0) for axis in order.axes for t in axis.tiles))


def _doubling(band: Band) -> tuple[tuple[int, ...], ...]:
    levels = len(band.sizes)
    return tuple(
        tuple(WHOLE if size == WHOLE else 2 ** (levels - position) for size in sizes)
        for position, sizes in enumerate(band.sizes)
    )


def _plain_sizes(count: int) -> Iterator[tuple[int, ...]]:
    """Choices of `count` sizes from 1 to 3: by the number of ones, then by the sum."""
    for ones in range(count + 1):
        for large in range(count - ones + 1):
            yield from _arranged((ones, count - ones - large, large))


def _arranged(left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The sequences with `left[k]` times k + 1, in lexicographic order."""
    if not any(left):
        yield ()
    for position, count in enumerate(left):
        if count:
            yield from (
                (position + 1, *rest) for rest in _arranged((*left[:position], count - 1, *left[position + 1 :]))
            )


def _places(band: Band) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The level and the dimension of each size."""
    start = len(band.prefix) + band.start
    return tuple(
        tuple((position, start + d) for d, size in enumerate(sizes) if size != WHOLE)
        for position, sizes in enumerate(band.sizes)
    )


def _with_sizes(band: Band, chosen: Mapping[tuple[int, int], int]) -> Band:
    start = len(band.prefix) + band.start

    def size(level: int, dimension: int, before: int | None) -> int:
        return WHOLE if before == WHOLE else chosen[level, start + dimension]

    sizes = (
        tuple(size(position, d, size_) for d, size_ in enumerate(level)) for position, level in enumerate(band.sizes)
    )
    return replace(band, sizes=tuple(sizes))
