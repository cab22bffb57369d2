"""In which tiles an operation is, where their sizes are known."""

from collections.abc import Sequence

from alphaz.mapping.axes import Axis
from alphaz.verify.order.operations import Event


def tile_of(event: Event, axes: Sequence[Axis]) -> tuple[tuple[int, ...] | None, int | None]:
    """The numbers of its tiles, outermost first, and the number of its outermost wavefront."""
    statement = event.family.statement
    if statement is None or event.date is None:
        return None, None
    numbers: dict[tuple[int, int | None], int] = {}
    wavefront = None
    for axis in axes:
        tiles = axis.tiles if axis.has(statement) else ()
        for tile in tiles:
            numbers.setdefault((tile.dimension, tile.size), event.date[tile.dimension] // (tile.size or 1))
        if axis.wavefront and len(tiles) > 1 and wavefront is None:
            wavefront = sum(event.date[tile.dimension] // (tile.size or 1) for tile in tiles)
    return tuple(numbers.values()) or None, wavefront
