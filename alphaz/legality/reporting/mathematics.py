"""An obligation in the mathematics of the thesis: participants, context domain, required order, failing inequality.

Source: the AlphaZ Verifier thesis, chapter 4 (consumer, producer, context domain); verifier.md section 3.
"""

from collections.abc import Iterator

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.diagnostics.rules import (
    ACCUMULATION,
    CAUSALITY,
    DROPPED,
    GHOST_LOST,
    IN_PLACE,
    LATE_MESSAGE,
    NOT_INJECTIVE,
    PACKING,
    RACE,
    SENT_LOST,
    SEVERAL_PLACES,
    TILING,
)
from alphaz.legality.obligations.order_obligations import OrderObligation
from alphaz.mapping.cells import one_cell
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import date_text
from alphaz.order.operations import Phase, SymbolicInstance
from alphaz.order.precedence import Order
from alphaz.proof import Obligation, Values

MUST = {
    NOT_INJECTIVE: "operation != other  =>  date(operation) != date(other)",
    CAUSALITY: "producer < consumer",
    ACCUMULATION: "operation < other  or  other < operation",
    RACE: "writer < other  or  other < writer",
    PACKING: "writer and consumer in one tile  =>  different cells",
    IN_PLACE: "the caller's variable has the point",
    LATE_MESSAGE: "producer on another rank than consumer  =>  arrival(producer) < consumer",
    SEVERAL_PLACES: "one value  =>  one place; sent to another rank  =>  one step",
    SENT_LOST: "consumer on another rank, one step  =>  writer < producer",
    GHOST_LOST: "what arrives, or is written, in the cell of the value comes before it or after consumer",
    DROPPED: "the copy has the cell of what it copies",
}
KEPT = "writer < producer  or  consumer < writer  or  writer = consumer"

NAMES = {"reader": "consumer"}


def mathematics(
    mapping: ResolvedMapping, question: OrderObligation, order: Order, obligation: Obligation, point: Values
) -> str:
    """Returns several lines: the operations with their dates, the context domain, the required order and
    its violation.
    """
    rows = [*_operations(question), ("context", _context(question)), *_cells(mapping, question)]
    rows += [("order", text) for text in _order(mapping, order)]
    must = MUST.get(question.rule, KEPT)
    rows += [("to prove", f"for all points of the context: {must}"), *_failing(question, order, point)]
    width = max(len(name) for name, _ in rows)
    rule = question.rule.summary.rpartition("(")[2].rstrip(").")
    again = " under tiling" if obligation.rule == TILING else ""
    return "\n".join([f"obligation {rule}{again}", *(f"{name:{width}}  {text}" for name, text in rows)])


def _operations(question: OrderObligation) -> Iterator[tuple[str, str]]:
    read = question.read
    for role, instance in question.occurrences:
        text = f"{point_text(instance.family.name, instance.point)} {_date(instance)}"
        if role == "reader" and read is not None:
            verb = "accumulates into" if read.is_running else "reads"
            text += f", {verb} {point_text(read.variable, read.function.outputs)}"
        elif instance.family.moment is not Phase.END and not instance.family.target.is_identity:
            text += f", writes {point_text(instance.family.variable, instance.target)}"
        yield NAMES.get(role, role), text


def _date(instance: SymbolicInstance) -> str:
    if instance.family.moment is not Phase.DATED:
        return "at the start" if instance.family.moment is Phase.START else "at the end"
    at = date_text(instance.date)
    return f"after the reduction dimension of {at}" if instance.family.merge else f"at {at}"


def _context(question: OrderObligation) -> str:
    """Returns the domain where all operations exist and read, each constraint once; a union is shown by its first
    piece.
    """
    violation_space = question.violation_space
    names = ",".join((*violation_space.system.parameters, *violation_space.names))
    pieces = [domain.pieces()[:1] for domain in (violation_space.system.context, *violation_space.domains)]
    constraints = [c for piece_ in pieces for piece in piece_ for c in piece.constraints if not piece.floors]
    lattices = [str(piece) for piece_ in pieces for piece in piece_ if piece.floors]
    text = " && ".join(dict.fromkeys((*map(str, constraints), *lattices))) or "true"
    union = any(len(domain.pieces()) > 1 for domain in violation_space.domains)
    return f"{{{names} | {text}}}{' (and other pieces)' if union else ''}"


def _cells(mapping: ResolvedMapping, question: OrderObligation) -> Iterator[tuple[str, str]]:
    """Yields the equation of the cells of a memory obligation."""
    by_role = dict(question.occurrences)
    writer, other = by_role.get("writer"), by_role.get("producer") or by_role.get("other")
    if writer is None or other is None or question.rule is GHOST_LOST:
        return
    own_cell, other_cell = mapping.cells[writer.family.variable], mapping.cells[other.family.variable]
    index = question.read.function.outputs if question.read is not None else other.target
    cell = one_cell(
        own_cell, writer.target, other_cell, index, (*mapping.system.parameters, *question.violation_space.names)
    )
    choices = (
        f"({' || '.join(' && '.join(map(str, constraint)) for constraint in choice)})" for choice in cell.choices
    )
    yield "one cell", " && ".join((*map(str, cell.constraints), *choices)) or f"{own_cell.space} has one cell"


def _order(mapping: ResolvedMapping, order: Order) -> Iterator[str]:
    kinds = dict.fromkeys(tuple(map(str.lower, s.kinds)) for s in mapping.statements)
    for kind in kinds:
        yield f"a < b: lexicographic over ({', '.join(kind)})" if kind else "a < b: by statement ordering"
    for band in order.bands:
        yield f"dimensions {band.first}..{band.last} tiled with any sizes: none decreases from a to b"
    if order.axes:
        numbers = [
            " + ".join(f"floor(d{t.dimension}/{t.size})" for t in a.tiles) or f"d{a.dimension}" for a in order.axes
        ]
        yield f"dates with tile numbers ({', '.join(numbers)})"
    for halved in dict.fromkeys(axis.recursive for axis in order.axes if axis.recursive):
        text = ", ".join(f"floor(d{t.dimension}/{t.size})" for t in halved)
        yield f"recursive tiles: of ({text}) none decreases from a to b"


def _failing(question: OrderObligation, order: Order, point: Values) -> Iterator[tuple[str, str]]:
    """Yields the inequalities of the first violation, and the comparisons that fail there."""
    occurrences = [instance for _, instance in question.occurrences]
    values = {**point, **order.tile_numbers(occurrences, point), **question.auxiliary(occurrences, point)}
    for alternative in question.alternatives(order):
        constraint = next((c for c in alternative if all(x.holds(values) for x in c)), None)
        if constraint:
            yield "fails where", " && ".join(map(str, dict.fromkeys(constraint)))
        elif constraint == ():
            yield "fails", "everywhere in the context"
    yield "for example", ", ".join(f"{name}={value}" for name, value in point.items())
    for comparison in dict.fromkeys(c for c in question.compared(order, point) if c.reason):
        yield "because", comparison.reason
