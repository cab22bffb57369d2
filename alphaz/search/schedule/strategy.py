"""The interface of a strategy: from a schedule to a whole mapping, by tactics that are applied where they are legal.
Each strategy is a module of `strategies/` that defines `STRATEGY`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from alphaz.diagnostics import Diagnostic, Rejected
from alphaz.legality.verdicts import DesignVerdict, SystemVerdict
from alphaz.legality.verify import verify
from alphaz.mapping.design import Design
from alphaz.poly import Affine, AffineFunction
from alphaz.proof import Refuted
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Dates
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Apply, Line, function_text

MOST = 24
"""Most locals for which memory is proposed."""
PROPOSED = Line("setProposedMemory")


def expanded_lines(before: Design, after: Design, system: str, line: Line) -> Iterator[Line]:
    """Yields the line; for the command that finds memory maps, yields each map, so that a script states them."""
    if line.command != PROPOSED.command:
        yield line
        return
    stated_maps = set(before.mapping(system).memory)
    for entry in (entry_ for entry_ in after.mapping(system).memory if entry_ not in stated_maps):
        space = after.system(system).variable(entry.variable).domain.space
        function = entry.function or AffineFunction.identity(space)
        named = () if entry.space == entry.variable else (entry.space,)
        moduli = (",".join(map(str, entry.moduli)),) if any(entry.moduli) else ()
        yield Line("setMemoryMap", (entry.variable, *named, function_text(function.renamed(space.names)), *moduli))


def prove_lines(design: Design, system: str, lines: Iterable[Line], apply: Apply) -> tuple[Design, SystemVerdict]:
    """Returns the design after these lines, and its verdict."""
    verdict = verdict_after(design, system, lines, apply)
    return verdict.design, verdict.first


def verdict_after(design: Design, system: str, lines: Iterable[Line], apply: Apply) -> DesignVerdict:
    """Returns the verdict on the design after these lines, which certifies it for generators."""
    for line in lines:
        design = apply(design, system, line)
    return verify(design, [system])


@dataclass(frozen=True, slots=True)
class Tactic:
    """The first of the `alternatives` that is proved is applied. `why` is printed above it. `purpose` names the tactic
    if none is."""

    alternatives: tuple[tuple[Line, ...], ...]
    why: str
    purpose: str


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """A design, the lines that made it, and the purpose of each tactic that was not applied, with the reason."""

    design: Design
    lines: tuple[Line, ...]
    report: SystemVerdict
    dropped: tuple[tuple[str, str], ...] = ()


def apply_steps(applied: Applied, system: str, steps: Iterable[Tactic], apply: Apply) -> Applied:
    """Applies the tactics one after the other, each kept or dropped; finally, memory maps."""
    for step in (*steps, *_memory(applied.design, system)):
        applied = apply_tactic(applied, system, step, apply)
    return applied


def _memory(design: Design, system: str) -> Iterator[Tactic]:
    free = [local for local in design.system(system).locals if design.mapping(system).memory_of(local.name) is None]
    if 0 < len(free) <= MOST:
        yield Tactic(((PROPOSED,),), "", "less memory")


def apply_tactic(applied: Applied, system: str, step: Tactic, apply: Apply) -> Applied:
    """Applies the first alternative of a tactic that is proved, or drops it."""
    reason = ""
    for lines in step.alternatives:
        try:
            design, report = prove_lines(applied.design, system, lines, apply)
        except Rejected as rejected:
            reason = reason or rejected.diagnostics[0].message
            continue
        if report.is_proved:
            new_lines = [line_ for line in lines for line_ in expanded_lines(applied.design, design, system, line)]
            new_lines[:1] = (replace(first, comment=step.why or first.comment) for first in new_lines[:1])
            return replace(applied, design=design, lines=(*applied.lines, *new_lines), report=report)
        reason = reason or _reason(report)
    return replace(applied, dropped=(*applied.dropped, (step.purpose, reason)))


def _reason(report: SystemVerdict) -> str:
    findings = [finding for finding in report.findings if finding.is_error]
    first: Diagnostic | None = findings[0] if findings else None
    if first is None:
        refuted = any(isinstance(result.verdict, Refuted) for result in report.results)
        return "refuted" if refuted else "undecided"
    return f"{first.rule.code} {first.message}"


@dataclass(frozen=True, slots=True, eq=False)
class StrategyPlan:
    """Rearranged dates and further `lines`, which must be legal, and tactics that are applied if they are legal.

    `starts`: the dates at which the results of accumulations are set to the identity, if not with the first
    contribution."""

    dates: Dates
    lines: tuple[Line, ...]
    steps: tuple[Tactic, ...]
    starts: Mapping[str, tuple[Affine, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """`plan` maps a tileable schedule to the plans to try in turn: empty for programs of another class.

    `rewrite` returns the lines that first change the program (as it was read), empty if it stays as it is. `others` are
    schedules to try before the one that was found, if the request has no constraints."""

    name: str
    summary: str
    plan: Callable[[Problem, Dates, Blocking], Iterator[StrategyPlan]]
    rewrite: Callable[[Design, str, Blocking], tuple[Line, ...]] | None = None
    others: Callable[[Problem, Dates], tuple[Dates, ...]] = lambda problem, dates: ()
