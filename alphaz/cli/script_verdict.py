"""Verdicts as plain data for other processes: the verification tasks of a script, and each verdict.

A task is a script, one of its mappings by number, or a range of the obligations of that mapping. The process of the
last task of a script keeps its interpretation.
"""

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from alphaz.cli.report import digest
from alphaz.diagnostics import Diagnostic, Label, Rejected, ReportEntry, Source, Span
from alphaz.diagnostics.deadline import Unfinished
from alphaz.diagnostics.rules import INTERNAL
from alphaz.lazy import lazy_import
from alphaz.legality.options import ObligationVerdict, Options
from alphaz.legality.reporting.findings import report
from alphaz.legality.verification import Verification
from alphaz.legality.verified import SystemVerdict
from alphaz.processes.pool import Crashed, Expired
from alphaz.scripting.interpreter.judge import (
    CachedVerdict,
    VerificationCache,
    obligations_text,
    unjudged,
    verdict_line,
    verdict_value,
    verdict_word,
)
from alphaz.scripting.interpreter.run import run_script

if TYPE_CHECKING:
    from alphaz.certificate.certificate import Record
    from alphaz.figures.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class VerificationTask:
    """A task. `number` is that of a mapping of the script, from 0; None requests the list of mappings. `record`: for a
    certificate. `traced`: with a trace, for figures.

    `stretch` requests the results of these obligations alone; `results` has all results, which took `seconds`, and
    requests the verdict. Otherwise the mapping is verified for `patience` seconds: longer work is divided. `hinting`
    requests a verdict again, with hints: if it runs out of time, the earlier verdict stands.
    """

    name: str
    text: str
    number: int | None = None
    record: bool = False
    traced: bool = False
    options: Options = field(default_factory=Options)
    stretch: range | None = None
    results: tuple[ObligationVerdict, ...] | None = None
    seconds: float = 0.0
    patience: float = 0.5
    hinting: bool = False


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """The result of reading a script: its findings, the systems to verify with the place that requests it, the files
    read (each with the SHA-256 of its bytes). `looked` are the files searched for, with their texts; None: no text.
    """

    findings: tuple[Diagnostic, ...]
    systems: tuple[tuple[str, Span | None], ...]
    files: tuple[tuple[str, str], ...]
    looked: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class TaskPart:
    """The results of a range of the obligations of a mapping; `total` is their number."""

    stretch: range
    total: int
    results: tuple[ObligationVerdict, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class ScriptVerdict(ReportEntry):
    """The verdict on one mapping, as it is reported. `listing` has its obligations in lines; `conflicts` the values
    that may not share a cell, in lines, where an explanation was requested.

    Where it is not `final`, hints are still to be searched for; `results` are its results.
    """

    listing: str = ""
    conflicts: str = ""
    record: "Record | None" = None
    final: bool = True
    results: tuple[ObligationVerdict, ...] = ()


def rule(task: VerificationTask) -> TaskPlan | TaskPart | ScriptVerdict:
    """Returns the result of the task; for a mapping that takes long, the first part."""
    reading = _reading(task)
    if task.number is None:
        return reading.plan
    start = process_time()
    trial = reading.trial(task.number, task.options)
    if isinstance(trial, SystemVerdict):
        return _verdict(task, reading.judgements[task.number], trial, 0.0, ())
    results = task.results
    if results is None:
        total = len(trial.matters)
        end = start + task.patience if task.stretch is None else math.inf
        stretch, results = _answered(trial, task.stretch or range(total), end)
        if task.stretch is not None or len(stretch) < total:
            return TaskPart(stretch, total, results, process_time() - start)
    made = report(trial, results, task.options)
    seconds = task.seconds if task.hinting else task.seconds + process_time() - start
    return _verdict(task, reading.judgements[task.number], made, seconds, results)


def _answered(trial: Verification, stretch: range, end: float) -> tuple[range, tuple[ObligationVerdict, ...]]:
    """Returns the part of a range of the obligations that was finished until `end`, and its results."""
    found: list[ObligationVerdict] = []
    numbers = list(trial.matters)
    for at in stretch:
        if process_time() > end:
            return range(stretch.start, at), tuple(found)
        found += trial.results((numbers[at],))
    return stretch, tuple(found)


def _verdict(
    task: VerificationTask,
    asked: CachedVerdict,
    report: SystemVerdict,
    seconds: float,
    results: tuple[ObligationVerdict, ...],
) -> ScriptVerdict:
    """Returns the verdict. Optional modules are loaded here: hints for unproved mappings, and the record for a
    certificate.
    """
    final = task.hinting or report.is_proved or not task.options.hints
    if task.hinting:
        report = lazy_import("alphaz.search.schedule.repair.search").with_hints(asked.design, report)
    if task.options.advise and report.is_proved:
        advice = lazy_import("alphaz.search.memory.text").memory_advice
        findings = (*report.findings, *advice(asked.design, report.system, task.options))
        report = replace(report, findings=findings)
    made = CachedVerdict(asked.design, report, seconds, asked.span)
    record = _record(task, report) if task.record and not task.hinting else None
    trace = _trace(asked, report) if task.traced and not task.hinting else ""
    return ScriptVerdict(
        file=task.name,
        case=report.system,
        system=report.system,
        word=report.word,
        line=verdict_line(made),
        obligations=[(r.rule.code, r.claim, verdict_word(r.verdict)) for r in report.results],
        listing=obligations_text(made),
        value={"script": task.name, **verdict_value(made)},
        seconds=seconds,
        findings=report.findings,
        conflicts=_conflicts(task, report),
        record=record,
        trace=trace,
        final=final,
        results=() if final else results,
    )


def _conflicts(task: VerificationTask, report: SystemVerdict) -> str:
    if report.mapping is None or not task.options.explain or task.hinting:
        return ""
    text: str = lazy_import("alphaz.legality.reporting.conflict_text").conflicts_text(report.mapping)
    return text


def _trace(asked: CachedVerdict, report: SystemVerdict) -> "Trace | str":
    if report.mapping is None:
        return "the mapping is not well formed"
    try:
        made: Trace = lazy_import("alphaz.figures.trace.tracing").trace(
            asked.design, report.system, verdict=report, with_values=True
        )
    except Rejected as rejected:
        return rejected.diagnostics[0].message
    return made


def _record(task: VerificationTask, report: SystemVerdict) -> "Record":
    made: Record = lazy_import("alphaz.legality.reporting.record").record(task.name, report)
    return made


@dataclass(slots=True)
class _Reading:
    """An interpreted script, and the last verified one of its mappings."""

    plan: TaskPlan
    judgements: tuple[CachedVerdict, ...]
    latest: tuple[int, Verification | SystemVerdict] | None = None

    def trial(self, number: int, options: Options) -> Verification | SystemVerdict:
        """Returns the verification, or a verdict where the mapping is not well formed."""
        if self.latest is None or self.latest[0] != number:
            self.latest = number, _try_verification(self.judgements[number], options)
        return self.latest[1]


def _try_verification(asked: CachedVerdict, options: Options) -> Verification | SystemVerdict:
    try:
        return Verification.of(asked.design, asked.report.system, options)
    except Rejected as rejected:
        return SystemVerdict(asked.report.system, None, (), rejected.diagnostics)


_last: dict[tuple[str, str, Options], _Reading] = {}


def _reading(task: VerificationTask) -> _Reading:
    key = (task.name, task.text, task.options)
    if key not in _last or task.number is None:
        _last.clear()
        _last[key] = _read(Source(task.name, task.text))
    return _last[key]


def _read(source: Source) -> _Reading:
    judge = VerificationCache(verify=unjudged)
    session = run_script(source, Path(source.name).parent, judge=judge)
    matters = session.judgements
    read = [system.span.source for matter in matters for system in matter.design.program.systems]
    files = dict.fromkeys(digest(each) for each in (source, *read))
    systems = tuple((matter.report.system, matter.span) for matter in matters)
    return _Reading(TaskPlan(session.findings, systems, tuple(files), tuple(session.looked.items())), matters)


# --- where nothing came back ------------------------------------------------------------------------------------------


def no_plan(source: Source, why: Expired | Crashed) -> TaskPlan:
    """Returns the plan of a script that was not read to its end."""
    where = Span(source, 0, 0)
    return TaskPlan((_failure(why, where, "what the script asks for", source.name),), (), ())


def no_verdict(source: Source, system: str, span: Span | None, why: Expired | Crashed) -> ScriptVerdict:
    """Returns the verdict on a system without a complete verification: undecided, and never success."""
    finding = _failure(why, span or Span(source, 0, 0), f"whether the mapping of `{system}` is right", source.name)
    reason = finding.notes[0] if finding.notes else finding.message
    seconds = why.seconds if isinstance(why, Expired) else 0.0
    value = {"script": source.name, "system": system, "verdict": "undecided", "seconds": seconds}
    value |= {"obligations": [], "reason": reason}
    return ScriptVerdict(
        file=source.name,
        case=system,
        system=system,
        word="undecided",
        line=f"{system}: undecided, {reason}",
        value=value,
        seconds=seconds,
        findings=(finding,),
    )


def _failure(why: Expired | Crashed, span: Span, what: str, name: str) -> Diagnostic:
    if isinstance(why, Expired):
        return (why.at or Unfinished(span, what)).finding(why.limit)
    help_ = "please report this with the program and the script; without --jobs and --timeout it may say more"
    return Diagnostic(INTERNAL, f"an internal error, not a verdict: {why.reason} ({name})", Label(span), help=help_)
