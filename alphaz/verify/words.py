"""The words of witnesses: `N=3: SR_M[1,3,2], at (2,1,2), reads M[3,3], which is written at (2,3,3), unordered: ...`."""

from collections.abc import Sequence

from alphaz.diagnostics import Label, Witness
from alphaz.mapping.statement import Role
from alphaz.model.program import System
from alphaz.verify.comparison import Comparison
from alphaz.verify.operations import Event, Family, Moment, Values


def witness(system: System, values: Values, events: Sequence[tuple[str, Event]], sentence: str) -> Witness:
    """The places of the events by role, and the sentence behind the parameters."""
    parameters = tuple((name, values[name]) for name in system.parameters)
    before = ", ".join(f"{name}={value}" for name, value in parameters)
    places = tuple(event.place(role) for role, event in events)
    return Witness(parameters, places, f"{before}: {sentence}" if before else sentence)


def element(name: str, point: Sequence[int]) -> str:
    """`M[3,3]`; a scalar has no brackets."""
    return f"{name}[{','.join(map(str, point))}]" if point else name


def operation(event: Event) -> str:
    """`SR_M[1,3,2], at (2,1,2)`."""
    name = element(event.family.name, event.own)
    if event.family.moment is Moment.END:
        return "the end"
    if event.family.moment is Moment.START:
        return f"{name}, at the start"
    if event.family.merge:
        return f"the merge of {element(event.family.variable, event.target)}, after {when(event)}"
    return f"{name}, at {when(event)}"


def when(event: Event) -> str:
    """`(2,1,2)`; of a merge `(2,*,*)`, the loop behind which it stands."""
    date = event.date or ()
    if event.family.merge and event.family.statement is not None:
        known = date[: event.family.statement.merged_at]
        return f"({','.join((*map(str, known), *'*' * (len(date) - len(known))))})"
    return f"({','.join(map(str, date))})"


def written(event: Event) -> str:
    """How and when a value came about: `which is written at (2,3,3)`."""
    if event.family.moment is Moment.START:
        return "which is there from the start"
    if event.family.merge:
        return f"which is merged after {when(event)}"
    role = event.family.statement.role if event.family.statement else Role.VALUE
    if role is Role.BODY:
        return f"to which {element(event.family.name, event.point)} contributes at {when(event)}"
    return f"which is {'initialised' if role is Role.INIT else 'written'} at {when(event)}"


def overwriting(with_writing: Comparison, with_reading: Comparison) -> str:
    """Why a write falls between the writing and the reading of another value."""
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


def mapped(family: Family) -> tuple[Label, ...]:
    """The label of the command (or declaration) that dates a family; none for START and END."""
    if family.statement is None:
        return ()
    return (Label(family.span, f"dates of {family.name}"),)
