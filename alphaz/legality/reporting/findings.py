"""Selects the findings of a verification: one for each refuted or undecided obligation, except that

- one finding stands for all of the same rule about the same read (for races: the same two families),
- a memory finding is left out where space-time findings already say that the same read, or the order of the same two
  families, is wrong; a race, where one of the two is already reported to overwrite a value; unordered accumulations,
  where their dates are the same.
The verdict (`is_proved`) never depends on these omissions: it uses all results.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import (
    ACCUMULATION,
    ASSUMED,
    CAUSALITY,
    IGNORED,
    INPUT_LOST,
    NOT_INJECTIVE,
    OUTPUT_LOST,
    OVERWRITE,
    RACE,
    TILING,
    UNDECIDED,
)  # fmt: skip
from alphaz.legality.mapping_obligations import Verification
from alphaz.legality.obligations.order_obligations import OrderObligation
from alphaz.legality.reporting.causes import causes
from alphaz.legality.reporting.mathematics import mathematics
from alphaz.legality.verdicts import ObligationVerdict, Options, SystemVerdict, TileOrder, assumption_on
from alphaz.order.precedence import Order
from alphaz.proof import Obligation, Proved, Refuted, Undecided

_TIME = (NOT_INJECTIVE, CAUSALITY, ACCUMULATION)
_MEMORY = (OVERWRITE, OUTPUT_LOST, INPUT_LOST, RACE)


@dataclass(frozen=True, slots=True)
class Failure:
    """A refuted obligation with the order under which it was stated."""

    question: OrderObligation
    order: Order
    obligation: Obligation
    verdict: Refuted


def report(trial: Verification, results: Sequence[ObligationVerdict], options: Options) -> SystemVerdict:
    """Returns the verdict on the system with its findings; `results` are those of all obligations."""
    failures: list[Failure] = []
    for result in results:
        if isinstance(result.verdict, Refuted):
            failure = Failure(*trial.stated(result), result.verdict)
            if not any(_stands_for(other, failure) for other in failures):
                failures.append(failure)
    refuted = (_finding(trial, failure, options) for failure in failures)
    undecided = (
        _undecided_diagnostic(trial.stated(r)[2], r.verdict) for r in results if isinstance(r.verdict, Undecided)
    )
    open_ = tuple(_under_assumptions(trial, (*refuted, *undecided), results))
    findings = (*open_, *_unused(trial, results), *trial.mapping.notes)
    is_sized = any(result.under is TileOrder.SIZED for result in results)
    scope = trial.orders[TileOrder.SIZED].scope.removeprefix(", for ") if is_sized else ""
    return SystemVerdict(
        system=trial.mapping.system.name,
        mapping=trial.mapping,
        results=tuple(results),
        findings=findings,
        scope=scope,
        assumptions=trial.assumptions,
    )


def _under_assumptions(
    trial: Verification, findings: Sequence[Diagnostic], results: Sequence[ObligationVerdict]
) -> Iterator[Diagnostic]:
    """Yields the findings, those of assumed rules as warnings that name the assumption and keep the rule."""
    undecided = iter([result.rule for result in results if isinstance(result.verdict, Undecided)])
    for finding in findings:
        rule = next(undecided) if finding.rule == UNDECIDED else finding.rule
        assumption = assumption_on(trial.assumptions, rule)
        if assumption is None:
            yield finding
            continue
        message = f"assumed, not proved, by `{assumption.name}`: {rule.code} {finding.message}"
        labels = (*finding.secondary, Label(assumption.span, "assumed here"))
        yield replace(finding, rule=ASSUMED, message=message, secondary=labels)


def _unused(trial: Verification, results: Sequence[ObligationVerdict]) -> Iterator[Diagnostic]:
    """Yields a warning for each assumption that no obligation needs, and for those of its rules that are proved."""
    used = [assumption_on(trial.assumptions, r.rule) for r in results if not isinstance(r.verdict, Proved)]
    for assumption in trial.assumptions:
        if assumption not in used:
            message = f"the assumption `{assumption.name}` has no effect: {', '.join(assumption.rules)} is proved"
            yield Diagnostic(IGNORED, message, Label(assumption.span), help="remove it")
            continue
        failed = {r.rule.code for r in results if not isinstance(r.verdict, Proved)}
        proved = ", ".join(code for code in assumption.rules if code not in failed)
        if proved:
            message = f"the assumption `{assumption.name}` has no effect on {proved}: proved"
            yield Diagnostic(IGNORED, message, Label(assumption.span), help=f"remove {proved} from its rules")


def _stands_for(other_failure: Failure, failure: Failure) -> bool:
    """Returns True if a finding already reported has the same cause as another one."""
    question, other = other_failure.question, failure.question
    if question.rule == other.rule and (other_failure.obligation.rule == TILING) == (failure.obligation.rule == TILING):
        return question.read is other.read and (question.read is not None or question.pair == other.pair)
    if other.rule in _MEMORY and question.rule in _TIME:
        return (question.read is not None and question.read is other.read) or question.pair == other.pair
    if other.rule == RACE and question.rule in _MEMORY:
        return bool(question.pair & other.pair)
    return other.rule == ACCUMULATION and question.rule == NOT_INJECTIVE and question.pair == other.pair


def _finding(trial: Verification, failure: Failure, options: Options) -> Diagnostic:
    question, obligation, verdict = failure.question, failure.obligation, failure.verdict
    tiling = obligation.rule == TILING
    message = f"tiling breaks an order: {question.message}" if tiling else question.message
    remedy = "do not tile these dimensions together, or skew them first" if tiling else question.remedy
    primary = Label(obligation.span, "mapped here")
    compared = question.compared(failure.order, verdict.point)
    caused = causes(trial.mapping, compared, (primary, *obligation.related))
    labels = (*obligation.related, *caused)
    root = caused[0].span if caused else obligation.span
    notes: tuple[str, ...] = ()
    if options.explain:
        notes = (mathematics(trial.mapping, question, failure.order, obligation, verdict.point),)
    return Diagnostic(
        rule=obligation.rule,
        message=message,
        primary=primary,
        secondary=labels,
        witness=verdict.witness,
        notes=notes,
        help=remedy,
        root=root,
    )


def _undecided_diagnostic(obligation: Obligation, verdict: Undecided) -> Diagnostic:
    message = f"it is not decided whether {obligation.claim}"
    return Diagnostic(UNDECIDED, message, Label(obligation.span), obligation.related, notes=(verdict.reason,))
