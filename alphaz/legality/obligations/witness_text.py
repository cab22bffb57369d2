"""Texts of witnesses: `N=3: SR_M[1,3,2], at (2,1,2), reads M[3,3], which is written at (2,3,3), unordered: ...`."""

from collections.abc import Sequence
from dataclasses import replace

from alphaz.analysis.checks.obligation_finding import parameters_text, point_text
from alphaz.diagnostics import Label, Witness, WitnessPoint
from alphaz.mapping.cells import location
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role, date_text
from alphaz.order.operations import ConcreteInstance, Phase, StatementInstances, Values
from alphaz.order.precedence import Comparison, Order, tile_of


def witness(
    mapping: ResolvedMapping,
    order: Order,
    values: Values,
    events: Sequence[tuple[str, ConcreteInstance]],
    sentence: str,
    reason: str = "",
) -> Witness:
    """Returns the witness: the places of the events by role, and the sentence that follows the parameters."""
    names = mapping.system.parameters
    parameters = tuple((name, values[name]) for name in names)
    places = tuple(_place(mapping, order, values, role, event) for role, event in events)
    return Witness(parameters, places, f"{parameters_text(values, names)}{sentence}", reason)


def _place(mapping: ResolvedMapping, order: Order, values: Values, role: str, event: ConcreteInstance) -> WitnessPoint:
    """Returns the place of an event, with its cell if it is a value that is written or read, and its tiles if their
    sizes are known.
    """
    place, family = event.place(role), event.family
    cell = mapping.cells.get(family.variable)
    if cell is not None and len(cell.function.domain.names) == len(event.target) and not _is_argument(family):
        place = replace(place, cell=location(cell, values, event.target))
    return replace(place, tile=tile_of(event, order.axes)[0])


def _is_argument(family: StatementInstances) -> bool:
    """Returns True if the family is an operation of a call whose text does not name the value it writes."""
    of_calls = (Role.CALL, Role.ALLOCATION, Role.COPY, Role.FREE)
    return family.whole is None and family.statement is not None and family.statement.role in of_calls


def operation(event: ConcreteInstance) -> str:
    """Returns the operation with its date: `SR_M[1,3,2], at (2,1,2)`."""
    name = point_text(event.family.name, event.own)
    if event.family.moment is Phase.END:
        return "the end"
    if event.family.moment is Phase.START:
        return f"{name}, at the start"
    if event.family.merge:
        return f"the merge of {point_text(event.family.variable, event.target)}, after {when(event)}"
    return f"{name}, at {when(event)}"


def when(event: ConcreteInstance) -> str:
    """Returns the date, `(2,1,2)`; for a merge `(2,*,*)`, the loop that it follows."""
    date = event.date or ()
    if event.family.merge and event.family.statement is not None:
        prefix = date[: event.family.statement.merged_at]
        return f"({','.join((*map(str, prefix), *'*' * (len(date) - len(prefix))))})"
    return date_text(date)


def written_text(event: ConcreteInstance) -> str:
    """Returns how and when a value was written: `which is written at (2,3,3)`."""
    if event.family.moment is Phase.START:
        return "which is there from the start"
    if event.family.merge:
        return f"which is merged after {when(event)}"
    role = event.family.statement.role if event.family.statement else Role.VALUE
    if role is Role.BODY:
        return f"to which {point_text(event.family.name, event.point)} contributes at {when(event)}"
    return f"which is {'initialised' if role is Role.INIT else 'written'} at {when(event)}"


def overwriting(with_writing: Comparison, with_reading: Comparison) -> str:
    """Returns the reason why a write lies between the write and the read of another value."""
    if with_writing.is_later and with_reading.is_later:
        return "in between"
    causes = []
    if not with_writing.is_later:
        causes.append(_relation("its writing", with_writing))
    if not with_reading.is_later:
        causes.append(_relation("the reading", with_reading))
    return " and ".join(causes)


def _relation(to: str, comparison: Comparison) -> str:
    kind, _, cause = comparison.reason.partition(": ")
    return f"{kind} with {to}: {cause}" if cause else f"in {kind} as {to}"


def date_labels(family: StatementInstances) -> tuple[Label, ...]:
    """Returns the label of the command (or declaration) that dates a family; none for START and END."""
    if family.statement is None:
        return ()
    return (Label(family.span, f"dates of {family.name}"),)
