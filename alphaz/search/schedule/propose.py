"""A mapping for a system: dates from an engine, as lines of a script, proved by the verifier."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from alphaz.analysis.facts.data_guarded_reductions import guarded_of
from alphaz.analysis.texts.node_numbers import Site, sites
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import IGNORED, NO_STRATEGY
from alphaz.legality.verdicts import SystemVerdict
from alphaz.mapping.design import Design
from alphaz.model.expression import Reduce
from alphaz.model.program import UseEquation, defined_by
from alphaz.search.schedule.attempts import EngineFailure, Find, attempts
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Dates, dates_of
from alphaz.search.schedule.infeasibility import first_cut, no_schedule
from alphaz.search.schedule.problem import Problem, problem_of
from alphaz.search.schedule.request import AUTO, NONE, ScheduleRequest, is_granted, with_memory
from alphaz.search.schedule.script_lines import Apply, Line, lines_of
from alphaz.search.schedule.strategies.registry import STRATEGIES, strategies_of
from alphaz.search.schedule.strategy import Applied, Strategy, StrategyPlan, apply_steps, prove_lines


def with_reduction_equations(design: Design, system: str, apply: Apply) -> tuple[Design, tuple[Line, ...]]:
    """Returns the design with an equation for each such reduction of the system, and the lines that make them.

    There is one line if all reductions of the program are moved; else one for each equation, or for each reduction if
    an equation has selections as well, and in the inputs of a call."""
    lines: list[Line] = []
    facts = design.checked.facts
    if any(
        site.system.name == system and facts.context_domain[site.expression].is_empty() for site, _ in _inner(design)
    ):
        lines.append(Line("Simplify", (system,), of_system=False))
        design = apply(design, "", lines[0])
    while (line := _next(design, system)) is not None:
        design = apply(design, "", line)
        lines.append(line)
    return design, tuple(lines)


def _next(design: Design, system: str) -> Line | None:
    inner = list(_inner(design))
    chosen = [site for site, selects in inner if not selects and site.system.name == system]
    if not chosen:
        return None
    if len(chosen) == len(inner):
        return Line("NormalizeReduction", of_system=False)
    first = chosen[0]
    in_part = any(selects and site.equation is first.equation for site, selects in inner)
    if in_part or isinstance(first.equation, UseEquation):
        return Line("NormalizeReduction", (first.text,), of_system=False)
    (variable, *_) = defined_by(first.equation)
    return Line("NormalizeReduction", (first.system.name, variable), of_system=False)


def _inner(design: Design) -> Iterator[tuple[Site, bool]]:
    """The reductions that are not a whole right-hand side, and whether each is guarded."""
    facts = design.checked.facts
    for site in sites(design.program):
        if isinstance(site.expression, Reduce) and not _is_whole(site):
            yield site, guarded_of(site.expression, facts, site.system.context) is not None


def _is_whole(site: Site) -> bool:
    return getattr(site.equation, "expression", None) is site.expression


_MOST_CUTS = 4


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt with its result."""

    tried: str
    outcome: str


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A proved mapping of a system: the design that has it, and the lines that made it.

    The lines of `rewriting` come first, and turn the given design into `undated`. `unproved_text` states why generated
    code is not proved, if a proof was tried."""

    design: Design
    system: str
    undated: Design
    rewriting: tuple[Line, ...]
    problem: Problem
    dates: Dates
    lines: tuple[Line, ...]
    attempts: tuple[Attempt, ...]
    report: SystemVerdict
    unproved_text: str = ""


def propose(design: Design, system: str, schedule_request: ScheduleRequest, apply: Apply) -> Proposal:
    """Returns the first schedule that is found and proved, optimised by the first strategy that applies; for a program
    in which every reduction has an equation (see `normalized`).

    Raises Rejected (AZ511) if there is no schedule, and (AZ513) if a strategy that was named does not apply."""
    plain = _in_pieces(*with_reduction_equations(design, system, apply), system, schedule_request, apply)
    if schedule_request.strategy == NONE:
        return plain
    strategies = strategies_of(schedule_request.strategy)
    for strategy in strategies:
        start = _rewritten_proposal(design, plain, strategy, schedule_request, apply)
        attempt = _of_strategy(start, strategy, schedule_request, apply)
        if attempt is not None:
            return attempt
    if schedule_request.strategy != AUTO:
        message = f"the strategy {schedule_request.strategy} does not fit {system}"
        summaries = tuple(f"{strategy.name}: {strategy.summary}" for strategy in (*STRATEGIES, *strategies))
        raise Rejected(Diagnostic(NO_STRATEGY, message, Label(plain.problem.system.span), notes=summaries))
    return plain


def _rewritten_proposal(
    design: Design, plain: Proposal, strategy: Strategy, schedule_request: ScheduleRequest, apply: Apply
) -> Proposal:
    """The start of a strategy: the proposal or, if it changes the program, one for the changed program (if any)."""
    lines = (
        () if strategy.rewrite is None else strategy.rewrite(design, plain.system, Blocking(schedule_request.machine))
    )
    if not lines:
        return plain
    try:
        for line in lines:
            design = apply(design, "", line)
        changed, more = with_reduction_equations(design, plain.system, apply)
        return _plain(changed, (*lines, *more), plain.system, schedule_request, apply)
    except Rejected:
        return plain


def _of_strategy(
    start: Proposal, strategy: Strategy, schedule_request: ScheduleRequest, apply: Apply
) -> Proposal | None:
    """The first of its plans whose dates are legal and meet the request."""
    problem = start.problem
    others = strategy.others(problem, start.dates) if schedule_request.is_plain else ()
    plans = (
        plan
        for dates in (*others, start.dates)
        for plan in strategy.plan(problem, dates, Blocking(schedule_request.machine))
    )
    granted = (plan for plan in plans if is_granted(problem, start.dates, plan.dates, schedule_request))
    attempts_ = (_applied_plan(start, strategy, plan, apply) for plan in granted)
    return next((applied_plan for applied_plan in attempts_ if applied_plan is not None), None)


def _applied_plan(start: Proposal, strategy: Strategy, plan: StrategyPlan, apply: Apply) -> Proposal | None:
    """The mapping of a plan; None if its dates are not legal."""
    lines = (*lines_of(start.problem, plan.dates, threads=False, starts=plan.starts), *plan.lines)
    mapped, report = prove_lines(start.undated, start.system, lines, apply)
    if not report.is_proved:
        return None
    applied = _with_effect(start, apply_steps(Applied(mapped, lines, report), start.system, plan.steps, apply), apply)
    outcomes = (*start.attempts, Attempt(f"strategy {strategy.name}", "proved"))
    outcomes += tuple(Attempt(purpose, f"left out, {reason}") for purpose, reason in applied.dropped)
    return replace(
        start, design=applied.design, dates=plan.dates, lines=applied.lines, attempts=outcomes, report=applied.report
    )


def _with_effect(start: Proposal, applied: Applied, apply: Apply) -> Applied:
    """Removes parallel loops of statements that are not executed, because they copy cells onto themselves."""
    for line in (line for line in applied.lines if line.command == "setParallel"):
        others = tuple(line_ for line_ in applied.lines if line_ is not line)
        if not _without_effect(applied.report):
            break
        design, report = prove_lines(start.undated, start.system, others, apply)
        if report.is_proved and _without_effect(report) < _without_effect(applied.report):
            applied = replace(applied, design=design, lines=others, report=report)
    return applied


def _without_effect(report: SystemVerdict) -> int:
    return sum(finding.rule == IGNORED for finding in report.findings)


def _in_pieces(
    design: Design, rewriting: tuple[Line, ...], system: str, schedule_request: ScheduleRequest, apply: Apply
) -> Proposal:
    """A proposal with dates alone; for a strategy, variables that have no schedule in one piece are split."""
    cuts: list[tuple[Line, ...]] = []
    while True:
        try:
            attempt = _plain(
                design, (*rewriting, *(line for lines in cuts for line in lines)), system, schedule_request, apply
            )
        except Rejected as refused:
            few = schedule_request.strategy != NONE and len(cuts) < _MOST_CUTS
            lines = first_cut(design.program, problem_of(design, system), schedule_request.operations) if few else ()
            if not lines:
                raise
            try:
                for line in lines:
                    design = apply(design, "", line)
            except Rejected:
                raise refused from None
            cuts.append(lines)
            continue
        attempts = (Attempt("in one piece", f"no schedule; {' '.join(map(str, lines))}") for lines in cuts)
        return replace(attempt, attempts=(*attempts, *attempt.attempts))


def _plain(
    design: Design, rewriting: tuple[Line, ...], system: str, schedule_request: ScheduleRequest, apply: Apply
) -> Proposal:
    problem = problem_of(design, system)
    tried: list[Attempt] = []
    for words, find in attempts(schedule_request):
        try:
            dates = dates_of(problem, find(problem))
        except EngineFailure as reason:
            tried.append(Attempt(words, str(reason)))
            continue
        around = _around_memory(problem, dates, find)
        for dated, text in ((around, f"{words}, with the memory that is given"), (dates, words)):
            attempt = None if dated is None else _as_it_is(design, system, problem, dated, apply)
            if attempt is not None:
                outcomes = (*tried, Attempt(text, "proved"))
                return replace(attempt, rewriting=rewriting, attempts=outcomes)
        tried.append(Attempt(words, "not proved"))
    raise Rejected(
        no_schedule(
            design.program,
            problem,
            [f"{attempt_.tried}: {attempt_.outcome}" for attempt_ in tried],
            schedule_request.operations,
        )
    )


def _around_memory(problem: Problem, dates: Dates, find: Find) -> Dates | None:
    """Dates for the given memory, in the order of values that other dates suggest; None if there are none."""
    ordered = with_memory(problem, dates) if problem.cells else None
    if ordered is None:
        return None
    try:
        return dates_of(ordered, find(ordered))
    except EngineFailure:
        return None


def _as_it_is(design: Design, system: str, problem: Problem, dates: Dates, apply: Apply) -> Proposal | None:
    """A proposal with these dates alone, if they are proved."""
    lines = tuple(lines_of(problem, dates))
    mapped, report = prove_lines(design, system, lines, apply)
    return (
        Proposal(
            design=mapped,
            system=system,
            undated=design,
            rewriting=(),
            problem=problem,
            dates=dates,
            lines=lines,
            attempts=(),
            report=report,
        )
        if report.is_proved
        else None
    )
