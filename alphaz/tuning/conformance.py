"""Checks that a mapping is the planned one: a rewrite that fails silently would otherwise be timed instead of another.

Source: Belter, Efficient Generation of Sequences of Dense Linear Algebra through Auto-Tuning (2012), section 7.2."""

from collections.abc import Sequence
from itertools import pairwise

from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.tuning.fusion import FusionStep, blocks


def departure(mapping: ResolvedMapping, steps: Sequence[FusionStep]) -> str:
    """Returns the difference between the dates and tiles of a mapping and those of a sequence of steps; empty if there
    is none."""
    for step in steps:
        statement = _statement(mapping, step)
        if statement is not None and _loops(statement) != step.loops:
            return f"the loops of {step.operation} are {','.join(_loops(statement))}, not {','.join(step.loops)}"
    for before, step in pairwise(steps):
        one, other = _statement(mapping, before), _statement(mapping, step)
        if one is not None and other is not None and _shared_loops(one, other) != step.shared:
            return f"{before.operation} and {step.operation} share {_shared_loops(one, other)} loops, not {step.shared}"
    found = {band.prefix: band.sizes for band in mapping.bands if not band.registers}
    wanted = {(nest,): levels for nest, levels in blocks(steps).items()}
    return "" if found == wanted else f"the blocks of the nests are {found}, not {wanted}"


def _statement(mapping: ResolvedMapping, step: FusionStep) -> Statement | None:
    """The statement of a step; None if the operation was dropped, as a copy."""
    own = [s for s in mapping.statements if s.variable == step.operation and s.role in (Role.VALUE, Role.BODY)]
    return own[0] if own else None


def _loops(statement: Statement) -> tuple[str, ...]:
    """The loops of a statement: dates alternate between places in the sequence and loops."""
    return tuple(date.names[0] for date in statement.dates[1::2] if date.names)


def _shared_loops(one: Statement, other: Statement) -> int:
    places = [a == b for a, b in zip(one.dates[::2], other.dates[::2], strict=True)]
    same = places.index(False) if False in places else len(places)
    return min(same, len(_loops(one)), len(_loops(other)))
