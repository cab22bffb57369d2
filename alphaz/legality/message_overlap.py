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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from alphaz.diagnostics import NOWHERE, Rule, Witness
from alphaz.diagnostics.rules import (
    ACCUMULATION,
    CAUSALITY,
    GHOST_LOST,
    INPUT_LOST,
    LATE_MESSAGE,
    OUTPUT_LOST,
    OVERWRITE,
    RACE,
)
from alphaz.legality.mapping_obligations import order_obligations
from alphaz.legality.obligations.order_obligations import OrderObligation
from alphaz.legality.obligations.rank_communication import Ranks, ReceivedValue, ranks_of, remote_reads
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.mapping.target_mapping import DimensionKind
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import Phase, StatementInstances, Values
from alphaz.order.precedence import Conjunction, Order, smaller
from alphaz.poly import Affine, at_least
from alphaz.proof import Contradiction, is_empty_by_isl

# The widest border that is tried, in places.
_WIDEST = 16
# isl operations for one question; no clock, so that the generated text is the same everywhere.
_OPERATIONS = 1_000_000

_ROLES = ("reader", "producer")
_OF_ONE_RANK = (CAUSALITY, ACCUMULATION, OVERWRITE, OUTPUT_LOST, INPUT_LOST, RACE)


@dataclass(frozen=True, slots=True)
class Border:
    """The numbers of places at the low and at the high end of a block, by dimension, whose operations may read values
    of other ranks.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]


def overlap_of(table: OperationTable) -> Border | str:
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
    places = distribution.dimensions
    if any(DimensionKind.ORDERING in statement.kinds[places] for statement in table.mapping.statements):
        return "places are dimensions of kind ordering"
    border = _border(table, ranks)
    if border is None:
        return f"a read of a value of another rank may be more than {_WIDEST} places away"
    if not any((*border.low, *border.high)):
        return "no rank reads a value of another one"
    for question in lost_copies(table, ranks):
        if not _is_empty(question.violation_space, question.alternatives(Order(frozenset()))[0]):
            variable, writer = question.read.variable if question.read else "", question.families[-1][1]
            return f"{writer.name} writes cells in which copies of {variable} arrive"
    if not _is_legal_at_once(table, ranks):
        return "operations of one step at different places depend on each other"
    return border


def _border(table: OperationTable, ranks: Ranks) -> Border | None:
    """Returns the widths of the border; None if they are not constant, or large."""
    pairs = list(_pairs(table))
    width = ranks.distribution.width
    low = [_largest([(space, _distance(ranks, used, position)) for space, used in pairs]) for position in range(width)]
    high = [
        _largest([(space, -_distance(ranks, used, position)) for space, used in pairs]) for position in range(width)
    ]
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
    return _is_empty(space, ((at_least(distance, width + 1),),))


def _is_empty(space: ViolationSpace, cases: Sequence[Conjunction]) -> bool:
    return is_empty_by_isl(lambda: space.counterexamples(cases), _OPERATIONS, inf) is True


def lost_copies(table: OperationTable, ranks: Ranks) -> Iterator[OrderObligation]:
    """Yields the obligations that late arrivals overwrite no value of the rank (D12)."""
    ghosts, cells = ranks.distribution.ghosts, table.mapping.cells
    for read, sender in remote_reads(table):
        for writer in table.families:
            if writer.moment is not Phase.DATED or cells[writer.variable].space != ghosts[read.variable].space:
                continue
            space, used = ReceivedValue.added(ViolationSpace(table.system), _ROLES, read, sender)
            space, w = space.with_any("writer", writer)
            space = space.in_one_cell(cells[writer.variable], w.target, ghosts[read.variable], used.index)
            space = ranks.with_steps(space, (used.consumer, used.producer, w))
            cases = tuple(
                (*where, *after)
                for where, arrival in ranks.sent(used.producer, [used.consumer, w])
                for after in smaller(arrival, ranks.moment(w))
            )
            claim = f"{writer.name} writes no cells in which copies of {read.variable} arrive"
            families = (("producer", sender), ("writer", writer))
            yield _obligation(GHOST_LOST, claim, space, cases, read, families)


def borders(table: OperationTable, ranks: Ranks, border: Border) -> Iterator[OrderObligation]:
    """Yields the obligations that no value comes from beyond the border (D12)."""
    for read, sender in remote_reads(table):
        space, used = ReceivedValue.added(ViolationSpace(table.system), _ROLES, read, sender)
        distances = [_distance(ranks, used, position) for position in range(ranks.distribution.width)]
        low = (at_least(x, width + 1) for x, width in zip(distances, border.low, strict=True))
        high = (at_least(-x, width + 1) for x, width in zip(distances, border.high, strict=True))
        cases = tuple((case,) for case in (*low, *high))
        claim = f"{read.reader.name} reads {read.variable} of other ranks in the border alone"
        yield _obligation(LATE_MESSAGE, claim, space, cases, read, (("producer", sender),))


def _obligation(
    rule: Rule,
    claim: str,
    space: ViolationSpace,
    cases: tuple[Conjunction, ...],
    read: Read,
    families: tuple[tuple[str, StatementInstances], ...],
) -> OrderObligation:
    """Returns an obligation that is never reported: without a proof there is no overlap."""

    def explain(_: Order, values: Values) -> Witness:
        raise Contradiction(f"{claim}: {values}")

    return OrderObligation(
        rule=rule,
        claim=claim,
        violation_space=space,
        alternatives=lambda _: (cases,),
        recheck=lambda *_: True,
        explain=explain,
        message=claim,
        remedy="",
        span=NOWHERE,
        read=read,
        kind="D12",
        families=families,
        ordered=False,
    )


def order_at_once(table: OperationTable, ranks: Ranks) -> Order:
    """Returns the order on one rank, without tiles, in which the places of a step have no order."""
    first = ranks.distribution.position
    return Order(table.mapping.before, at_once=range(first, first + ranks.distribution.width))


def questions_at_once(table: OperationTable) -> Iterator[OrderObligation]:
    """Yields the obligations that depend on the order on one rank."""
    for matter in order_obligations(table):
        question = matter.ask()
        if question.rule in _OF_ONE_RANK:
            yield question


def _is_legal_at_once(table: OperationTable, ranks: Ranks) -> bool:
    """Returns True if the mapping is legal where the places of a step have no order."""
    order = order_at_once(table, ranks)
    obligations = (question.under(order) for question in questions_at_once(table))
    return all(
        is_empty_by_isl(obligation.violations, _OPERATIONS, inf) is True
        for obligation in obligations
        if obligation is not None
    )
