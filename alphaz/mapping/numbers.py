"""Limits of the constants of a mapping, so that the index arithmetic of generated code never overflows (M0)."""

from collections.abc import Iterator
from math import prod

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import MAPPING
from alphaz.mapping.target import TargetMapping
from alphaz.poly import AffineFunction

# Generated code takes parameters within +-2^40: sums of a few of their multiples fit into 63 bits.
_LARGEST, _LARGEST_FACTOR = 1 << 40, 1 << 20

# The accumulators of a register tile are on the stack.
_MOST_POINTS = 1 << 12


def check_numbers(stated: TargetMapping) -> None:
    """Checks the limits. Raises Rejected (AZ411)."""
    for function, span in _functions(stated):
        for output in function.outputs:
            factors = [abs(factor) for _, factor in output.terms]
            if max(factors, default=0) > _LARGEST_FACTOR or abs(output.constant) > _LARGEST:
                message = f"the numbers of {output} are too large for the index arithmetic of generated code"
                raise _refused(message, span, "factors go up to 2^20, constants up to 2^40")
    tiles = [(size, band.span) for band in stated.tiling for level in band.sizes for size in level]
    for size, span in tiles:
        if size is not None and size > _LARGEST:
            message = f"tiles of {size} points are too large for the index arithmetic of generated code"
            raise _refused(message, span, "sizes go up to 2^40")
    for tile in stated.registers:
        below = [other for other in stated.registers if tile.prefix[: len(other.prefix)] == other.prefix]
        sizes = {len(other.prefix) + other.dimension: other.size for other in below}
        points = prod(size for size in sizes.values() if isinstance(size, int))
        if points > _MOST_POINTS:
            message = f"a register tile of {points} points is too large"
            raise _refused(message, tile.span, f"it may have up to {_MOST_POINTS}; setTiling makes larger tiles")


def _functions(stated: TargetMapping) -> Iterator[tuple[AffineFunction, Span]]:
    """Yields the maps in a script."""
    for dates in stated.space_time:
        yield dates.function, dates.span
        if dates.init is not None:
            yield dates.init, dates.span
    for memory in stated.memory:
        if memory.function is not None:
            yield memory.function, memory.span
    for argument in stated.argument_dates:
        yield argument.function, argument.span


def _refused(message: str, span: Span, remedy: str) -> Rejected:
    return Rejected(Diagnostic(MAPPING, message, Label(span), help=remedy))
