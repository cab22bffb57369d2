"""The dimensions of a mapping that blocks and threads of a GPU share."""

from collections.abc import Sequence
from math import prod

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import MAPPING
from alphaz.mapping.target import LaunchDimension

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
    found = tuple(last.values())
    for at, entry in enumerate(found):
        for other in found[:at]:
            if (entry.prefix, entry.axis, entry.of_threads) == (other.prefix, other.axis, other.of_threads):
                who = "threads" if entry.of_threads else "blocks"
                message = f"two dimensions are shared by {who} along {entry.axis}"
                place = (Label(other.span, f"dimension {other.dimension}"),)
                raise Rejected(Diagnostic(MAPPING, message, Label(entry.span), place, help="choose another axis"))
        if entry.of_threads:
            _check_threads(entry, found)
    return found


def _check_threads(entry: LaunchDimension, every: Sequence[LaunchDimension]) -> None:
    if not 0 < threads_of(entry) <= _MOST[entry.axis]:
        message = f"{threads_of(entry)} threads along {entry.axis}: 1 to {_MOST[entry.axis]} are allowed"
        raise Rejected(Diagnostic(MAPPING, message, Label(entry.span)))
    alike = (other for other in every if other.of_threads and other.prefix == entry.prefix)
    whole = prod(map(threads_of, alike))
    if whole > _MOST["x"]:
        message = f"a block of {whole:,} threads: at most {_MOST['x']:,} are allowed"
        raise Rejected(Diagnostic(MAPPING, message, Label(entry.span)))
