"""Small tiles for figures: of 2 and 3 points, or of the sizes for which a witness is a violation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from alphaz.mapping.axes import axes_of
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.target import WHOLE, Band
from alphaz.order.precedence import Order

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
        tuple(WHOLE if size == WHOLE else 2 ** (levels - at) for size in sizes) for at, sizes in enumerate(band.sizes)
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
    for at, count in enumerate(left):
        if count:
            yield from ((at + 1, *rest) for rest in _arranged((*left[:at], count - 1, *left[at + 1 :])))


def _places(band: Band) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The level and the dimension of each size."""
    start = len(band.prefix) + band.start
    return tuple(
        tuple((at, start + d) for d, size in enumerate(sizes) if size != WHOLE) for at, sizes in enumerate(band.sizes)
    )


def _with_sizes(band: Band, chosen: Mapping[tuple[int, int], int]) -> Band:
    start = len(band.prefix) + band.start

    def size(level: int, dimension: int, before: int | None) -> int:
        return WHOLE if before == WHOLE else chosen[level, start + dimension]

    sizes = (tuple(size(at, d, each) for d, each in enumerate(level)) for at, level in enumerate(band.sizes))
    return replace(band, sizes=tuple(sizes))
