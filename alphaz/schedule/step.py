"""Steps of a recipe: lines that are tried, and kept where the mapping is still proved."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from alphaz.diagnostics import Diagnostic, Rejected
from alphaz.mapping.design import Design
from alphaz.proof import Refuted
from alphaz.schedule.line import Apply, Line
from alphaz.schedule.memory import MOST, PROPOSED, said_in_full
from alphaz.schedule.proving import proved
from alphaz.verify.verified import SystemReport


@dataclass(frozen=True, slots=True)
class Step:
    """Of the `alternatives` the first that is proved is taken. `why` stands above it. `purpose` names it if none is."""

    alternatives: tuple[tuple[Line, ...], ...]
    why: str
    purpose: str


@dataclass(frozen=True, slots=True, eq=False)
class Cooked:
    """A design, the lines that made it, and the purpose of each step that was not taken, with the reason."""

    design: Design
    lines: tuple[Line, ...]
    report: SystemReport
    dropped: tuple[tuple[str, str], ...] = ()


def cook(dish: Cooked, system: str, steps: Iterable[Step], apply: Apply) -> Cooked:
    """The steps one after the other, each kept or dropped; at last, memory."""
    for step in (*steps, *_memory(dish.design, system)):
        dish = _with(dish, system, step, apply)
    return dish


def _memory(design: Design, system: str) -> Iterator[Step]:
    free = [each for each in design.system(system).locals if design.mapping(system).memory_of(each.name) is None]
    if 0 < len(free) <= MOST:
        yield Step(((PROPOSED,),), "", "less memory")


def _with(dish: Cooked, system: str, step: Step, apply: Apply) -> Cooked:
    reason = ""
    for lines in step.alternatives:
        try:
            design, report = proved(dish.design, system, lines, apply)
        except Rejected as rejected:
            reason = reason or rejected.diagnostics[0].message
            continue
        if report.is_proved:
            said = [each for line in lines for each in said_in_full(dish.design, design, system, line)]
            said[:1] = (replace(first, comment=step.why or first.comment) for first in said[:1])
            return replace(dish, design=design, lines=(*dish.lines, *said), report=report)
        reason = reason or _reason(report)
    return replace(dish, dropped=(*dish.dropped, (step.purpose, reason)))


def _reason(report: SystemReport) -> str:
    findings = [each for each in report.findings if each.is_error]
    first: Diagnostic | None = findings[0] if findings else None
    if first is None:
        refuted = any(isinstance(result.verdict, Refuted) for result in report.results)
        return "refuted" if refuted else "undecided"
    return f"{first.rule.code} {first.message}"
