"""A check: an obligation, and the finding if it does not hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.analysis.texts.domain_texts import own_limits
from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import INTERNAL, UNDECIDED
from alphaz.poly import AffineFunction, Domain, OutOfBudget
from alphaz.poly.algorithms.congruence import set_text
from alphaz.proof import Contradiction, Obligation, Refuted, Undecided, discharge


@dataclass(frozen=True, slots=True, eq=False)
class ProgramCheck:
    """An obligation with its finding: `message` and `label` are for the obligation's span if it is refuted."""

    obligation: Obligation
    message: str
    label: str
    help: str | None = None


def answer(question: ProgramCheck) -> Diagnostic | None:
    """Returns None if it is proved; undecided is a finding of its own (AZ801), never success."""
    obligation = question.obligation
    try:
        verdict = discharge(obligation)
    except Contradiction as fault:
        return Diagnostic(INTERNAL, str(fault), Label(obligation.span))
    if isinstance(verdict, Refuted):
        primary = Label(obligation.span, question.label)
        return Diagnostic(
            obligation.rule, question.message, primary, obligation.related, verdict.witness, help=question.help
        )
    if isinstance(verdict, Undecided):
        return undecided_diagnostic(obligation, verdict.reason)
    return None


def undecided_diagnostic(obligation: Obligation, reason: str | OutOfBudget) -> Diagnostic:
    return Diagnostic(
        UNDECIDED,
        f"cannot decide whether {obligation.claim}",
        Label(obligation.span, "undecided"),
        notes=(str(reason),),
        help="fewer pieces in the domains (`||`, `!=`, branches) make it easier, and stronger conditions on parameters",
    )


# --- words of witnesses -----------------------------------------------------------------------------------------


def parameter_values(values: Mapping[str, int], parameters: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((name, values[name]) for name in parameters)


def parameters_text(values: Mapping[str, int], parameters: tuple[str, ...]) -> str:
    """Returns `N=3, M=2: `, the beginning of the sentence of a witness; empty without parameters."""
    text = ", ".join(f"{name}={values[name]}" for name in parameters)
    return f"{text}: " if text else ""


def point_text(name: str, point: Sequence[object]) -> str:
    """Returns `A[1,2]`, or the bare name of a scalar."""
    return f"{name}[{','.join(map(str, point))}]" if point else name


def place_suffix(values: Mapping[str, int], names: tuple[str, ...], owner: AffineFunction | None) -> str:
    """Returns ` at k=3`: the indices of a reduction, which are not in the point of the equation; empty without any."""
    if owner is None:
        return ""
    shown = {output.terms[0][0] for output in owner.outputs if len(output.terms) == 1}
    hidden = [name for name in names if name not in shown]
    return f", at {', '.join(f'{name}={values[name]}' for name in hidden)}," if hidden else ""


def limits(domain: Domain, context: Domain) -> str:
    """Returns the domain as in a declaration."""
    return set_text(own_limits(domain, context))
