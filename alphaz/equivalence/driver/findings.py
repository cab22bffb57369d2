"""Findings about C that is not proved."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Witness, WitnessPoint
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import C_CONTRADICTED, C_NOT_PROVED, C_REFUTED
from alphaz.equivalence.bounds_and_race_obligations import misread_instances
from alphaz.equivalence.c_proof import Answer, Proof, unclaimed
from alphaz.equivalence.data_races import Race
from alphaz.equivalence.device_faults import DeviceFault
from alphaz.equivalence.driver.sanitized_run import Mismatch, size_text
from alphaz.equivalence.sample_sizes import MOST_INSTANCES, has_large_runs
from alphaz.equivalence.symbolic_run import Fault, smallest
from alphaz.equivalence.type_reasons import type_reasons
from alphaz.equivalence.value_graph import PADDING
from alphaz.proof import Proved, Refuted, Undecided
from alphaz.scop.c_model import KernelStatement

_MOST_FINDINGS = 3
# The families whose obligations do not depend on claims: bounds of arrays, and concurrent accesses.
_ABOUT_ACCESSES = frozenset({"C0", "C6"})


def refuted(proof: Proof, wrong: Mismatch, macros: Mapping[str, str]) -> Diagnostic:
    span = proof.kernel.span
    notes = [f"the macro `{name}` was {wrong.parameters[parameter]} then" for name, parameter in macros.items()]
    for disagreement in proof.disagreements:
        if disagreement.fault.statement is not None:
            span = disagreement.fault.statement.span
        notes.append(f"in a run of the model: {_fault_text(disagreement.fault)}")
    failed = [answer.question for answer in proof.answers if not answer.is_proved]
    reasons = type_reasons(proof.proof_context, wrong.parameters)[:_MOST_FINDINGS] if wrong.is_value else []
    if reasons:
        span, notes = reasons[0].statement.span, [*notes[: len(macros)], *(reason.text for reason in reasons)]
    elif span is proof.kernel.span and failed and failed[0].about is not None:
        span = failed[0].about.span
    if not proof.disagreements and not reasons:
        notes += list(dict.fromkeys(f"failed: {assumption.claim} ({assumption.family})" for assumption in failed))[
            :_MOST_FINDINGS
        ]
    witness = Witness(tuple(wrong.parameters.items()), (), str(wrong))
    return Diagnostic(
        C_REFUTED, f"`{proof.kernel.function}` does not compute what the equations say", Label(span),
        witness=witness, notes=tuple(notes),
    )  # fmt: skip


def _fault_text(fault: Fault) -> str:
    difference = fault.difference()
    return fault.what if difference is None else f"{fault.what}: {difference}"


def refuted_by_execution(function: str, unread: Diagnostic, wrong: Mismatch) -> Diagnostic:
    """Returns the finding that an execution went wrong, of a function that cannot be compared with the equations."""
    message = f"`{function}` does not compute what the equations say"
    witness = Witness(tuple(wrong.parameters.items()), (), str(wrong))
    return Diagnostic(
        C_REFUTED, message, unread.primary, witness=witness, notes=(f"it was only executed: {unread.message}",)
    )


def racing(function: str, race: Race, help_: str) -> Diagnostic:
    """Returns the finding of a data race, with both accesses."""
    one, other = race.one, race.other
    places, acts = [], []
    for role, access in (("one", one), ("other", other)):
        statement = access.step.statement
        places.append(WitnessPoint(role, str(statement), access.point))
        at = ", ".join(f"{name}={value}" for name, value in access.instance.items())
        acts.append(f"{statement}{' at ' if at else ''}{at} {'writes' if access.is_write else 'reads'} it")
    cell = "".join(f"[{subscript}]" for subscript in one.step.cell(one.access, one.point))
    name = f"{one.access.array.label}{cell}"
    inputs = f" and {race.inputs}" if race.inputs else ""
    sentence = f"{size_text(race.parameters)}{inputs}: {'; '.join(acts)}"
    witness = Witness(tuple(race.parameters.items()), tuple(places), sentence)
    others = (Label(other.step.statement.span),) if other.step.statement is not one.step.statement else ()
    actors = "different threads of a parallel region, without a barrier between them,"
    if race.loop is not None:
        actors = f"iterations of the parallel loop in line {race.loop.span.position[0]}"
    return Diagnostic(
        C_REFUTED,
        f"`{function}` has a data race: {actors} access `{name}` at once",
        Label(one.step.statement.span),
        others,
        witness,
        ("a program with a data race is undefined, whatever a run of it computes",),
        help=help_ or None,
    )


def faulty(function: str, fault: DeviceFault) -> Diagnostic:
    """Returns the finding of what is undefined in code of a GPU."""
    first, *others = fault.spans
    witness = Witness(tuple(fault.parameters.items()), (), f"{size_text(fault.parameters)}: {fault.sentence}")
    return Diagnostic(
        C_REFUTED, f"`{function}` is undefined: {fault.message}", Label(first), tuple(map(Label, others)), witness
    )


def contradicted(proof: Proof, assumed: Sequence[str], reason: str, wrong: Mismatch | None = None) -> Diagnostic:
    """Returns the finding that a proved function went wrong in an execution, with both sides."""
    count = len(proof.answers)
    granted = (f"taken for granted: {assumption}" for assumption in assumed)
    return Diagnostic(
        C_CONTRADICTED,
        f"`{proof.kernel.function}` is proved to compute the equations, but {reason}",
        Label(proof.kernel.span),
        witness=None if wrong is None else Witness(tuple(wrong.parameters.items()), (), str(wrong)),
        notes=(f"the proof: {count_text(count, 'obligation')}, all proved", *granted),
        help="proof and execution disagree, so nothing is proved: please report this, with the program and the C",
    )


def _difference_text(fault: Fault, has_agreed: bool) -> str:
    """Returns the fault of a symbolic run in words. Values that agree in executions do not differ: operations do."""
    if has_agreed and fault.output:
        return f"{fault.output} is computed by other operations than in the equations"
    return f"{fault.what}, according to a symbolic run"


def open_ones(proof: Proof, reason: str, laws: Sequence[str], has_agreed: bool = False) -> list[Diagnostic]:
    """Returns the first few obligations that are not proved, as findings. With these `laws` it is proved; `has_agreed`:
    the executed code agrees."""
    diagnostics = []
    for disagreement in () if misread_instances(proof.kernel) else proof.disagreements:
        span = proof.kernel.span if disagreement.fault.statement is None else disagreement.fault.statement.span
        at = size_text(disagreement.parameters)
        message = f"not proved: for {at}, {_difference_text(disagreement.fault, has_agreed)}"
        difference = "infinities and NaN" if laws == (PADDING,) else "rounding"
        help_ = f"it is proved with --laws {','.join(laws)}: then {difference} may differ" if laws else None
        part = disagreement.fault.difference()
        notes = (reason,) if part is None else (str(part), reason)
        return [Diagnostic(C_NOT_PROVED, message, Label(span), notes=notes, help=help_)]
    context = proof.proof_context
    without_claims = unclaimed(proof.kernel, context.claims)
    is_too_large = bool(without_claims) and has_large_runs(proof.kernel, context.system)
    of_types = None if is_too_large else _of_types(proof, without_claims, reason)
    if of_types is not None:
        return [of_types]
    for answer in proof.answers:
        is_about_claims = answer.question.family not in _ABOUT_ACCESSES
        if is_about_claims and is_too_large:
            continue
        match answer.verdict:
            case Proved():
                continue
            case Refuted(_, witness):
                # Without parameters, the execution would have failed at a true counterexample.
                is_false = is_about_claims and has_agreed and not context.system.parameters
                diagnostics.append(_finding(proof, answer, None if is_false else witness, reason))
            case Undecided(why):
                diagnostics.append(_finding(proof, answer, None, f"{why}; {reason}"))
    if is_too_large:
        diagnostics.append(_too_large(without_claims[0], reason))
    omitted = len(diagnostics) - _MOST_FINDINGS
    if omitted > 0:
        last = diagnostics[_MOST_FINDINGS - 1]
        diagnostics[_MOST_FINDINGS - 1] = replace(last, notes=(*last.notes, f"and {omitted} more"))
    return diagnostics[:_MOST_FINDINGS]


def _of_types(proof: Proof, without_claims: Sequence[KernelStatement], reason: str) -> Diagnostic | None:
    """Returns the finding that statements without claims compute in other types than the equations, if that is so."""
    parameters = smallest(proof.proof_context.system) if without_claims else None
    reasons = [] if parameters is None else type_reasons(proof.proof_context, parameters)
    about = [entry for entry in reasons if entry.statement in without_claims][:_MOST_FINDINGS]
    if not about:
        return None
    first, *others = about
    notes = (*(other.text for other in others), reason)
    help_ = "compute it in the type of the equations, or convert the operands in the equations"
    return Diagnostic(C_NOT_PROVED, f"not proved: {first.text}", Label(first.statement.span), notes=notes, help=help_)


def _too_large(statement: KernelStatement, reason: str) -> Diagnostic:
    message = "not proved: its constant sizes are too large to infer the values that this statement computes"
    notes = (f"a run of the model has more than {MOST_INSTANCES:,} instances", reason)
    help_ = "make the sizes parameters: arguments of the function, or macros"
    return Diagnostic(C_NOT_PROVED, message, Label(statement.span), notes=notes, help=help_)


def _finding(proof: Proof, answer: Answer, witness: Witness | None, reason: str) -> Diagnostic:
    question = answer.question
    span = question.span or (question.about.span if question.about is not None else proof.kernel.span)
    related = tuple(Label(other.span) for other in question.others if other.span != span)
    message = f"not proved: {question.claim} ({question.family})"
    return Diagnostic(C_NOT_PROVED, message, Label(span), related, witness, (reason,))
