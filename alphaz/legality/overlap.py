"""Overlap of messages and work on blocks: a rank sends at the end of a step, computes the inner places of the next
step, waits for its messages, and computes the border places.

Inner places have a distance from the ends of the block, so that their operations read no value of another rank. The
overlap changes the order on a rank in two ways, and is proved legal by two questions:

- operations of one step at different places change their order: the mapping with parallel places is legal;
- values arrive after the inner operations of the next step: no operation of a rank in a later step writes a cell in
  which a received copy arrives (D12). Reads before an arrival are those that D4 to D6 are about: arrivals keep their
  order, and inner operations read no copies.

Everything else keeps its order. Source: distributed.md, Communication.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

from alphaz.legality.obligations.communication import Ranks, ReceivedValue, ranks_of, remote_reads
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.legality.verify import is_legal
from alphaz.mapping.design import Design
from alphaz.mapping.target import DimensionKind, KindSetting
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import Phase, SymbolicInstance
from alphaz.order.precedence import smaller
from alphaz.poly import Affine, at_least
from alphaz.proof import is_empty_by_isl

# The widest border that is tried, in places.
_WIDEST = 16
# isl operations for one question; no clock, so that the generated text is the same everywhere.
_OPERATIONS = 1_000_000

_ROLES = ("reader", "producer")


@dataclass(frozen=True, slots=True)
class Border:
    """The numbers of places at the low and at the high end of a block, by dimension, whose operations may read values
    of other ranks.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]


def overlap_of(design: Design, system: str, table: OperationTable) -> Border | str:
    """Returns the border of an overlap that is proved; else the reason why there is none."""
    ranks = ranks_of(table)
    assert ranks is not None
    distribution = ranks.distribution
    if not distribution.is_by_blocks:
        return "places are dealt out"
    if ranks.is_pipeline:
        return "the mapping is a pipeline: ranks receive before they compute"
    if distribution.combined:
        return f"ranks combine the values of {min(distribution.combined)} at the end of a step"
    if any(band.first < distribution.position for band in distribution.bands):
        return "steps are tiles"
    border = _border(table, ranks)
    if border is None:
        return f"a read of a value of another rank may be more than {_WIDEST} places away"
    if not any((*border.low, *border.high)):
        return "no rank reads a value of another one"
    reason = _lost_copy(table, ranks)
    if reason:
        return reason
    if not is_legal(_with_parallel_places(design, system, ranks), system):
        return "operations of one step at different places depend on each other"
    return border


def _border(table: OperationTable, ranks: Ranks) -> Border | None:
    """Returns the widths of the border; None if they are not constant, or large."""
    pairs = list(_pairs(table))
    width = ranks.distribution.width
    low = [_largest([(space, _distance(ranks, used, at)) for space, used in pairs]) for at in range(width)]
    high = [_largest([(space, -_distance(ranks, used, at)) for space, used in pairs]) for at in range(width)]
    if None in low or None in high:
        return None
    return Border(tuple(side or 0 for side in low), tuple(side or 0 for side in high))


def _pairs(table: OperationTable) -> Iterator[tuple[ViolationSpace, ReceivedValue]]:
    for read, writer in remote_reads(table):
        yield ReceivedValue.added(ViolationSpace(table.system), _ROLES, read, writer)


def _distance(ranks: Ranks, used: ReceivedValue, dimension: int) -> Affine:
    """Returns the places from the value to its reader."""
    return ranks.place(used.consumer)[dimension] - ranks.place(used.producer)[dimension]


def _largest(distances: list[tuple[ViolationSpace, Affine]]) -> int | None:
    """Returns the largest distance, at least 0; None if it is not known to be small."""
    widths = (0, 1, 2, 3, 4, 6, 8, 12, _WIDEST)
    return next((width for width in widths if all(_is_within(space, x, width) for space, x in distances)), None)


def _is_within(space: ViolationSpace, distance: Affine, width: int) -> bool:
    farther = ((at_least(distance, width + 1),),)
    return is_empty_by_isl(lambda: space.counterexamples(farther), _OPERATIONS, inf) is True


def _lost_copy(table: OperationTable, ranks: Ranks) -> str:
    """Returns the reason why a late arrival may overwrite a value of the rank; empty if it is proved not to (D12)."""
    ghosts, cells = ranks.distribution.ghosts, table.mapping.cells
    for read, sender in remote_reads(table):
        for writer in table.families:
            if writer.moment is not Phase.DATED or cells[writer.variable].space != ghosts[read.variable].space:
                continue
            space, used = ReceivedValue.added(ViolationSpace(table.system), _ROLES, read, sender)
            space, w = space.with_any("writer", writer)
            space = space.in_one_cell(cells[writer.variable], w.target, ghosts[read.variable], used.index)
            space = ranks.with_steps(space, (used.consumer, used.producer, w))
            if not _is_never_later(ranks, space, used, w):
                return f"{writer.name} writes cells in which copies of {read.variable} arrive"
    return ""


def _is_never_later(ranks: Ranks, space: ViolationSpace, used: ReceivedValue, w: SymbolicInstance) -> bool:
    """Returns True if the writer, on the rank of the reader, is never in a step after that of the value."""
    cases = tuple(
        (*where, *after)
        for where, arrival in ranks.sent(used.producer, [used.consumer, w])
        for after in smaller(arrival, ranks.moment(w))
    )
    return is_empty_by_isl(lambda: space.counterexamples(cases), _OPERATIONS, inf) is True


def _with_parallel_places(design: Design, system: str, ranks: Ranks) -> Design:
    """Returns the design on one rank, without tiles, in which places have no order in a step."""
    stated, distribution = design.mapping(system), ranks.distribution
    places = tuple(range(distribution.position, distribution.position + distribution.width))
    kinds = (*stated.kinds, KindSetting(None, (), places, DimensionKind.PARALLEL))
    plain = replace(stated, kinds=kinds, distribution=(), ghosts=(), communication=(), processors=(), tiling=())
    return design.with_mapping(system, plain)
