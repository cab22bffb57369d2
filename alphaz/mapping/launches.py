"""The dimensions of a mapping that blocks and threads of a GPU share."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import MAPPING
from alphaz.mapping.target_mapping import LaunchDimension, RegisterTile

_MOST = {"x": 1024, "y": 1024, "z": 64}
_DEFAULT = {"x": 32, "y": 8, "z": 1}


def threads_of(entry: LaunchDimension) -> int:
    """Returns the number of threads along the axis of an entry."""
    return entry.threads or _DEFAULT[entry.axis]


def launch_dimensions(stated: Sequence[LaunchDimension]) -> tuple[LaunchDimension, ...]:
    """Returns the entries; a later one about the same dimension replaces an earlier one. Raises Rejected(AZ411) where
    an axis has two dimensions, or a block too many threads.
    """
    last: dict[tuple[object, ...], LaunchDimension] = {
        (entry.prefix, entry.dimension, entry.of_threads): entry for entry in stated
    }
    dimensions = tuple(last.values())
    for position, entry in enumerate(dimensions):
        for other in dimensions[:position]:
            if (entry.prefix, entry.axis, entry.of_threads) == (other.prefix, other.axis, other.of_threads):
                who = "threads" if entry.of_threads else "blocks"
                message = f"two dimensions are shared by {who} along {entry.axis}"
                place = (Label(other.span, f"dimension {other.dimension}"),)
                raise Rejected(Diagnostic(MAPPING, message, Label(entry.span), place, help="choose another axis"))
        if entry.of_threads:
            _check_threads(entry, dimensions)
    return dimensions


def with_registers(
    launches: Sequence[LaunchDimension], tiles: Sequence[RegisterTile]
) -> tuple[tuple[LaunchDimension, ...], tuple[RegisterTile, ...]]:
    """Returns the entries with the register tiles of their dimensions, and the register tiles of other dimensions.
    Raises Rejected(AZ411) where the size of one is that of vectors.
    """
    shared = {(entry.prefix, entry.dimension) for entry in launches if entry.of_threads}
    own = {(tile.prefix, tile.dimension): tile for tile in tiles if (tile.prefix, tile.dimension) in shared}
    sizes: dict[tuple[tuple[int, ...], int], int] = {}
    for place, tile in own.items():
        if not isinstance(tile.size, int):
            message = f"threads share dimension {tile.dimension}: the size of its register tile must be a number"
            help_ = "the size of its tiles by the number of threads"
            raise Rejected(Diagnostic(MAPPING, message, Label(tile.span), help=help_))
        sizes[place] = tile.size
    dimensions = (
        replace(entry, registers=sizes.get((entry.prefix, entry.dimension), 1)) if entry.of_threads else entry
        for entry in launches
    )
    return tuple(dimensions), tuple(tile for tile in tiles if (tile.prefix, tile.dimension) not in own)


def _check_threads(entry: LaunchDimension, every: Sequence[LaunchDimension]) -> None:
    if not 0 < threads_of(entry) <= _MOST[entry.axis]:
        message = f"{threads_of(entry)} threads along {entry.axis}: 1 to {_MOST[entry.axis]} are allowed"
        raise Rejected(Diagnostic(MAPPING, message, Label(entry.span)))
    alike = (other for other in every if other.of_threads and other.prefix == entry.prefix)
    whole = prod(map(threads_of, alike))
    if whole > _MOST["x"]:
        message = f"a block of {whole:,} threads: at most {_MOST['x']:,} are allowed"
        raise Rejected(Diagnostic(MAPPING, message, Label(entry.span)))
