"""Steps of a recipe: lines that are tried, and kept where the mapping is still proved."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from alphaz.diagnostics import Diagnostic, Rejected
from alphaz.mapping.design import Design
from alphaz.poly import AffineFunction
from alphaz.proof import Refuted
from alphaz.schedule.emit import function_text
from alphaz.schedule.line import Apply, Line
from alphaz.schedule.proving import proved
from alphaz.verify.verified import SystemReport

PROPOSED_MEMORY = "setProposedMemory"


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
    """The steps one after the other, each kept or dropped."""
    for step in steps:
        dish = _with(dish, system, step, apply)
    return dish


def _with(dish: Cooked, system: str, step: Step, apply: Apply) -> Cooked:
    reason = ""
    for lines in step.alternatives:
        try:
            design, report = proved(dish.design, system, lines, apply)
        except Rejected as rejected:
            reason = reason or rejected.diagnostics[0].message
            continue
        if report.is_proved:
            lines = tuple(each for line in lines for each in _in_full(dish.design, design, system, line))
            said = (replace(lines[0], comment=step.why or lines[0].comment), *lines[1:]) if lines else ()
            return replace(dish, design=design, lines=(*dish.lines, *said), report=report)
        reason = reason or _reason(report)
    return replace(dish, dropped=(*dish.dropped, (step.purpose, reason)))


def _in_full(before: Design, design: Design, system: str, line: Line) -> Iterator[Line]:
    """The line; of one that has found memory maps, each of these, so that the script says what was found."""
    if line.command != PROPOSED_MEMORY:
        yield line
        return
    known = set(before.mapping(system).memory)
    for entry in (each for each in design.mapping(system).memory if each not in known):
        space = design.system(system).variable(entry.variable).domain.space
        function = entry.function or AffineFunction.identity(space)
        named = () if entry.space == entry.variable else (entry.space,)
        moduli = (",".join(map(str, entry.moduli)),) if any(entry.moduli) else ()
        yield Line("setMemoryMap", (entry.variable, *named, function_text(function.renamed(space.names)), *moduli))


def _reason(report: SystemReport) -> str:
    findings = [each for each in report.findings if each.is_error]
    first: Diagnostic | None = findings[0] if findings else None
    if first is None:
        refuted = any(isinstance(result.verdict, Refuted) for result in report.results)
        return "refuted" if refuted else "undecided"
    return f"{first.rule.code} {first.message}"
