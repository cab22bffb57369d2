"""Verifying a design: every obligation of every mapped system, stated, discharged, and reported.

What is reported: one finding for each refuted or undecided obligation, except that
- one finding stands for all of the same rule about the same read (for races: the same two families),
- a memory finding is left out where space-time findings already say that the same read, or the order of the same two
  families, is wrong; a race, where one of the two is already reported to overwrite something; unordered accumulations,
  where their dates are the same.
The verdict (`is_proved`) never depends on what is left out: it looks at all results.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import (
    ACCUMULATION,
    CAUSALITY,
    INPUT_LOST,
    NOT_INJECTIVE,
    OUTPUT_LOST,
    OVERWRITE,
    RACE,
    REFUSED,
    TILING,
    UNDECIDED,
)  # fmt: skip
from alphaz.mapping.axes import axes_of
from alphaz.mapping.design import Design
from alphaz.mapping.footprint import called
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statements import resolve
from alphaz.proof import Obligation, Proved, Refuted, Undecided, Verdict, discharge
from alphaz.verify.accumulation import accumulation
from alphaz.verify.causes import causes
from alphaz.verify.lifetimes import lifetimes
from alphaz.verify.mathematics import mathematics
from alphaz.verify.memory import overwrites, races
from alphaz.verify.options import Options
from alphaz.verify.order import Order
from alphaz.verify.question import Question, Settled
from alphaz.verify.reads import Operations, operations
from alphaz.verify.space_time import causality, one_date_each
from alphaz.verify.verified import Report, Result, SystemReport, Verified


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, the order under which it was asked, and what came of it."""

    question: Question
    order: Order
    obligation: Obligation
    verdict: Verdict


_TIME = (NOT_INJECTIVE, CAUSALITY, ACCUMULATION)
_MEMORY = (OVERWRITE, OUTPUT_LOST, INPUT_LOST, RACE)


def verify(design: Design, systems: Iterable[str] | None = None, options: Options | None = None) -> Report:
    """The verdicts on these systems, or on all that have a mapping, and on those with a mapping that they call.

    Raises KeyError where there is no such system.
    """
    chosen = design.mapped_systems if systems is None else tuple(systems)
    names = tuple(dict.fromkeys((*chosen, *_called(design, chosen))))
    return Report(design, tuple(_verify_system(design, name, options or Options()) for name in names))


def _called(design: Design, systems: Iterable[str]) -> Iterator[str]:
    """A call is proved for what the called system computes, so that has to be proved as well."""
    for name in systems:
        for callee in called(design.program, design.system(name)):
            if not design.mapping(callee.name).is_empty:
                yield callee.name


def is_legal(design: Design, system: str, options: Options | None = None) -> bool:
    """Whether everything is proved; stops at the first obligation that is not."""
    try:
        mapping = resolve(design, system)
    except Rejected:
        return False
    return all(isinstance(a.verdict, Proved) for a in _answers(mapping, options or Options()))


def certify(report: Report) -> Verified:
    """The licence to generate code. Raises Rejected (AZ804, then the findings) unless everything is proved."""
    if not report.is_proved:
        raise Rejected(*(_refusal(s) for s in report.systems if not s.is_proved), *_errors(report))
    scopes = {s.system: s.scope for s in report.systems if s.scope}
    return Verified(report.design, _mappings(report), scopes=scopes)


def assume_legal(report: Report) -> Verified:
    """The same for what is not proved, as the generated code will say. Raises Rejected if it is not well formed."""
    malformed = [s for s in report.systems if s.mapping is None]
    if malformed:
        raise Rejected(*(f for s in malformed for f in s.findings))
    return Verified(report.design, _mappings(report), _errors(report))


def questions(every: Operations) -> Iterator[Question | Settled]:
    """Everything that may go wrong, in the order of verifier.md section 3."""
    for family in (one_date_each, causality, accumulation, overwrites, races, lifetimes):
        yield from family(every)


def orders(mapping: ResolvedMapping) -> tuple[Order, Order | None]:
    """The order without tiling, and with it where there are bands."""
    return Order(mapping.before), Order(mapping.before, mapping.bands) if mapping.bands else None


def sized_order(mapping: ResolvedMapping) -> Order | None:
    """The order of tiles of the sizes that the script gives; None where it gives none."""
    sizes = [size for band in mapping.bands for level in band.sizes for size in level]
    if not sizes or None in sizes:
        return None
    return Order(mapping.before, axes=axes_of(mapping.statements, mapping.bands, mapping.dimensions))


def _mappings(report: Report) -> dict[str, ResolvedMapping]:
    return {s.system: s.mapping for s in report.systems if s.mapping is not None}


def _errors(report: Report) -> tuple[Diagnostic, ...]:
    return tuple(f for f in report.findings if f.is_error)


def _refusal(report: SystemReport) -> Diagnostic:
    """At the first finding, which follows it."""
    first = next(f for f in report.findings if f.is_error)
    message = f"no code is generated for system {report.system}: its mapping is not proved"
    return Diagnostic(REFUSED, message, Label(first.primary.span))


def _verify_system(design: Design, name: str, options: Options) -> SystemReport:
    design.system(name)
    try:
        mapping = resolve(design, name)
    except Rejected as rejected:
        return SystemReport(name, None, (), rejected.diagnostics)
    answers = tuple(_answers(mapping, options))
    results = tuple(Result(a.obligation, a.verdict) for a in answers)
    findings = _findings(mapping, answers, options)
    scope = next((a.order.scope.removeprefix(", for ") for a in answers if a.order.axes), "")
    return SystemReport(name, mapping, results, (*findings, *mapping.notes), scope)


def _answers(mapping: ResolvedMapping, options: Options) -> Iterator[Answer]:
    """Each question, and again under tiling where it is proved without."""
    plain, tiled = orders(mapping)
    sized = sized_order(mapping) if options.exact_tiles else None
    for question in questions(operations(mapping)):
        if isinstance(question, Settled):
            continue
        verdict: Verdict = Proved()
        obligation = question.under(plain)
        if obligation is not None:
            verdict = discharge(obligation)
            yield Answer(question, plain, obligation, verdict)
        if tiled is not None and question.ordered and isinstance(verdict, Proved):
            yield from _tiled_answers(question, tiled, sized)


def _tiled_answers(question: Question, tiled: Order, sized: Order | None) -> Iterator[Answer]:
    """For all tile sizes; for those given only where that fails (what holds for all sizes holds for these)."""
    obligation = question.under(tiled, TILING)
    if obligation is None:
        return
    verdict = discharge(obligation)
    again = None if sized is None or isinstance(verdict, Proved) else question.under(sized, TILING)
    if sized is None or again is None:
        yield Answer(question, tiled, obligation, verdict)
    else:
        yield Answer(question, sized, again, discharge(again))


# --- findings -----------------------------------------------------------------------------------------------------


def _findings(mapping: ResolvedMapping, answers: Sequence[Answer], options: Options) -> tuple[Diagnostic, ...]:
    told: list[Answer] = []
    for answer in answers:
        if isinstance(answer.verdict, Refuted) and not any(_stands_for(other, answer) for other in told):
            told.append(answer)
    open_ones = (_undecided(a.obligation, a.verdict) for a in answers if isinstance(a.verdict, Undecided))
    refuted = (_finding(mapping, a, a.verdict, options) for a in told if isinstance(a.verdict, Refuted))
    return (*refuted, *open_ones)


def _stands_for(told: Answer, answer: Answer) -> bool:
    """Whether a finding that is told has the cause of another one."""
    question, other = told.question, answer.question
    if question.rule is other.rule and (told.obligation.rule is TILING) == (answer.obligation.rule is TILING):
        return question.read is other.read and (question.read is not None or question.pair == other.pair)
    if other.rule in _MEMORY and question.rule in _TIME:
        return (question.read is not None and question.read is other.read) or question.pair == other.pair
    if other.rule is RACE and question.rule in _MEMORY:
        return bool(question.pair & other.pair)
    return other.rule is ACCUMULATION and question.rule is NOT_INJECTIVE and question.pair == other.pair


def _finding(mapping: ResolvedMapping, answer: Answer, verdict: Refuted, options: Options) -> Diagnostic:
    question, obligation = answer.question, answer.obligation
    tiling = obligation.rule is TILING
    message = f"tiling breaks an order: {question.message}" if tiling else question.message
    remedy = "do not tile these dimensions together, or skew them first" if tiling else question.remedy
    primary = Label(obligation.span, "mapped here")
    compared = question.compared(answer.order, verdict.point)
    labels = (*obligation.related, *causes(mapping, compared, (primary, *obligation.related)))
    notes: tuple[str, ...] = ()
    if options.explain:
        notes = (mathematics(mapping, question, answer.order, obligation, verdict.point),)
    return Diagnostic(obligation.rule, message, primary, labels, verdict.witness, notes, remedy)


def _undecided(obligation: Obligation, verdict: Undecided) -> Diagnostic:
    message = f"it is not decided whether {obligation.claim}"
    return Diagnostic(UNDECIDED, message, Label(obligation.span), obligation.related, notes=(verdict.reason,))
