"""The result of comparing two operations, and the tiles that contain an operation."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from alphaz.mapping.axes import Axis
from alphaz.mapping.target import Band
from alphaz.order.operations import ConcreteInstance, StatementInstances


def tile_of(event: ConcreteInstance, axes: Sequence[Axis]) -> tuple[tuple[int, ...] | None, int | None]:
    """Returns the numbers of the tiles of an operation, outermost first, and the number of its outermost wavefront."""
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
    """Whether a precedes b. `is_later` where b precedes a, else they are unordered; `reason` explains it."""

    precedes: bool
    is_later: bool = False
    reason: str = ""
    cause: Cause | None = field(default=None, compare=False)


BEFORE = Comparison(True)
LATER = Comparison(False, True, "later")
