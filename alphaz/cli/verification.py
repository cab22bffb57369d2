"""The verification of scripts in several processes: tasks, the queue of those that follow from results, and verdicts.

A task is a script, one of its mappings by number, or a range of the obligations of that mapping. The process of the
last task of a script keeps its interpretation. A mapping that takes long is divided, and its results are combined.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING

from alphaz.cli.output import bar, progress
from alphaz.cli.shared_options import Choices
from alphaz.cli.verdict_output import digest
from alphaz.diagnostics import Diagnostic, Label, Rejected, ReportEntry, Source, Span
from alphaz.diagnostics.rules import INTERNAL
from alphaz.diagnostics.work_limits import Unfinished
from alphaz.lazy import lazy_import
from alphaz.legality.mapping_obligations import Verification
from alphaz.legality.reporting.findings import report
from alphaz.legality.verdicts import DesignVerdict, ObligationVerdict, Options, SystemVerdict
from alphaz.legality.verify import verification_of
from alphaz.processes.pool import Crashed, Expired, Pool
from alphaz.scripting.interpreter.run import Settings, run_script
from alphaz.scripting.interpreter.verification_cache import (
    VerificationCache,
    obligations_text,
    unverified,
    verdict_line,
    verdict_value,
)

if TYPE_CHECKING:
    from alphaz.certificate.mapping_inventory import Record
    from alphaz.figures.trace.trace_data import Trace


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
    read (each with the SHA-256 of its bytes). `lookups` are the files searched for, with their texts; None: no text.
    """

    findings: tuple[Diagnostic, ...]
    systems: tuple[tuple[str, Span | None], ...]
    files: tuple[tuple[str, str], ...]
    lookups: tuple[tuple[str, str | None], ...] = ()


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
    verification = reading.verification(task.number, task.options)
    if isinstance(verification, SystemVerdict):
        return _verdict(task, reading.design_verdicts[task.number], verification, 0.0, ())
    results = task.results
    if results is None:
        total = len(verification.matters)
        end = start + task.patience if task.stretch is None else math.inf
        stretch, results = _answer_range(verification, task.stretch or range(total), end)
        if task.stretch is not None or len(stretch) < total:
            return TaskPart(stretch, total, results, process_time() - start)
    report_ = report(verification, results, task.options)
    seconds = task.seconds if task.hinting else task.seconds + process_time() - start
    return _verdict(task, reading.design_verdicts[task.number], report_, seconds, results)


def _answer_range(
    verification: Verification, stretch: range, end: float
) -> tuple[range, tuple[ObligationVerdict, ...]]:
    """Returns the part of a range of the obligations that was finished until `end`, and its results."""
    verdicts: list[ObligationVerdict] = []
    numbers = list(verification.matters)
    for at in stretch:
        if process_time() > end:
            return range(stretch.start, at), tuple(verdicts)
        verdicts += verification.results((numbers[at],))
    return stretch, tuple(verdicts)


def _verdict(
    task: VerificationTask,
    request: DesignVerdict,
    report: SystemVerdict,
    seconds: float,
    results: tuple[ObligationVerdict, ...],
) -> ScriptVerdict:
    """Returns the verdict. Optional modules are loaded here: hints for unproved mappings, and the record for a
    certificate.
    """
    final = task.hinting or report.is_proved or not task.options.hints
    if task.hinting:
        report = lazy_import("alphaz.search.schedule.repair.search").with_hints(request.design, report)
    if task.options.advise and report.is_proved:
        advice = lazy_import("alphaz.search.memory.text").memory_advice
        findings = (*report.findings, *advice(request.design, report.system, task.options))
        report = replace(report, findings=findings)
    verdict = DesignVerdict(request.design, (report,), seconds)
    record = _record(task, report) if task.record and not task.hinting else None
    trace = _trace(request, report) if task.traced and not task.hinting else ""
    return ScriptVerdict(
        file=task.name,
        case=report.system,
        system=report.system,
        word=report.word,
        line=verdict_line(verdict),
        obligations=[(r.rule.code, r.claim, r.verdict.word) for r in report.results],
        listing=obligations_text(verdict),
        value={"script": task.name, **verdict_value(verdict)},
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
    text: str = lazy_import("alphaz.legality.reporting.memory_conflict_text").conflicts_text(report.mapping)
    return text


def _trace(request: DesignVerdict, report: SystemVerdict) -> "Trace | str":
    if report.mapping is None:
        return "the mapping is not well formed"
    try:
        trace_: Trace = lazy_import("alphaz.figures.trace.tracing").trace(
            request.design, report.system, verdict=report, with_values=True
        )
    except Rejected as rejected:
        return rejected.diagnostics[0].message
    return trace_


def _record(task: VerificationTask, report: SystemVerdict) -> "Record":
    record_: Record = lazy_import("alphaz.legality.reporting.certificate_record").record(task.name, report)
    return record_


@dataclass(slots=True)
class _Reading:
    """An interpreted script, and the last verified one of its mappings."""

    plan: TaskPlan
    design_verdicts: tuple[DesignVerdict, ...]
    latest: tuple[int, Verification | SystemVerdict] | None = None

    def verification(self, number: int, options: Options) -> Verification | SystemVerdict:
        """Returns the verification, or a verdict where the mapping is not well formed."""
        if self.latest is None or self.latest[0] != number:
            request = self.design_verdicts[number]
            self.latest = number, verification_of(request.design, request.first.system, options)
        return self.latest[1]


_last: dict[tuple[str, str, Options], _Reading] = {}


def _reading(task: VerificationTask) -> _Reading:
    key = (task.name, task.text, task.options)
    if key not in _last or task.number is None:
        _last.clear()
        _last[key] = _read(Source(task.name, task.text), tries=task.number is None)
    return _last[key]


def _read(source: Source, *, tries: bool) -> _Reading:
    verifications = VerificationCache(verify=unverified)
    session = run_script(source, Path(source.name).parent, Settings(tries=tries), verifications)
    requests = session.design_verdicts
    read = [system.span.source for request in requests for system in request.design.program.systems]
    files = dict.fromkeys(digest(source_) for source_ in (source, *read))
    systems = tuple((request.first.system, request.span) for request in requests)
    return _Reading(TaskPlan(session.findings, systems, tuple(files), tuple(session.lookups.items())), requests)


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


# Questions of one stretch, at least; and how many stretches there are of a long mapping, at most.
_STRETCH, _STRETCHES = 16, 100


@dataclass(slots=True)
class WorkQueue:
    """Determines the tasks that follow from a result: a task for each mapping of a script; where that takes long,
    ranges of its obligations, as many at a time as there are `jobs`; the verdict when all are decided; and the same
    with hints, where hints are requested.
    """

    jobs: int = 1
    _open: dict[tuple[str, int | None], "_Divided"] = field(default_factory=dict)

    def follow(
        self, task: VerificationTask, result: TaskPlan | TaskPart | ScriptVerdict | Expired | Crashed
    ) -> Iterator[VerificationTask]:
        """Yields the follow-up tasks; must be called with every result."""
        key = (task.name, task.number)
        match result:
            case TaskPlan():
                yield from (replace(task, number=position) for position in range(len(result.systems)))
            case TaskPart() if task.stretch is None:
                self._open[key] = _Divided.after(result)
                yield from self._next(task, self._open[key], self.jobs)
            case TaskPart() if key in self._open:
                self._open[key].parts.append(result)
                yield from self._next(task, self._open[key], 1)
            case _:
                self._open.pop(key, None)
                if isinstance(result, ScriptVerdict) and not result.final:
                    yield replace(task, stretch=None, results=result.results, seconds=result.seconds, hinting=True)

    def seconds_of(self, task: VerificationTask) -> float:
        """Returns the seconds that the mapping of a task has taken."""
        if task.hinting:
            return task.seconds
        divided = self._open.get((task.name, task.number))
        return divided.seconds if divided else 0.0

    def progress(self, task: VerificationTask) -> tuple[int, int]:
        """Returns the number of decided obligations of the mapping, and the total; (0, 0) where it is not divided."""
        divided = self._open.get((task.name, task.number))
        return (divided.done, divided.total) if divided else (0, 0)

    def _next(self, task: VerificationTask, divided: "_Divided", count: int) -> Iterator[VerificationTask]:
        yield from (replace(task, stretch=stretch) for stretch in divided.stretches(count))
        if divided.done == divided.total:
            yield replace(task, stretch=None, results=divided.results, seconds=monotonic() - divided.begun)


@dataclass(slots=True)
class _Divided:
    """A mapping that takes long: its start time, the finished parts, and the number of `given` obligations."""

    total: int
    parts: list[TaskPart]
    given: int
    begun: float

    @staticmethod
    def after(first: TaskPart) -> "_Divided":
        return _Divided(first.total, [first], first.stretch.stop, monotonic() - first.seconds)

    @property
    def done(self) -> int:
        return sum(len(part.stretch) for part in self.parts)

    @property
    def seconds(self) -> float:
        return sum(part.seconds for part in self.parts)

    @property
    def results(self) -> tuple[ObligationVerdict, ...]:
        """Returns the results in the order of the obligations, for every order of their completion."""
        return tuple(result for part in sorted(self.parts, key=lambda p: p.stretch.start) for result in part.results)

    def stretches(self, count: int) -> Iterator[range]:
        length = max(_STRETCH, self.total // _STRETCHES)
        for _ in range(count):
            if self.given < self.total:
                stretch = range(self.given, min(self.given + length, self.total))
                self.given = stretch.stop
                yield stretch


# The first digits of the rules that are judged when a script is verified, for comments that ignore rules.
_JUDGED = "1234567"


@dataclass(slots=True)
class RunningVerification:
    """The results for one script so far."""

    source: Source
    plan: TaskPlan | None = None
    verdicts: dict[int, ScriptVerdict] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        if self.plan is None or len(self.verdicts) < len(self.plan.systems):
            return False
        return all(verdict.final for verdict in self.verdicts.values())

    @property
    def in_order(self) -> list[ScriptVerdict]:
        return [self.verdicts[at] for at in sorted(self.verdicts)]

    @property
    def script_findings(self) -> tuple[Diagnostic, ...]:
        return self.plan.findings if self.plan else ()

    @property
    def findings(self) -> list[Diagnostic]:
        return [*self.script_findings, *(f for verdict in self.in_order for f in verdict.findings)]

    @property
    def entry(self) -> ReportEntry:
        """Returns the entry of the script itself."""
        is_wrong = any(finding.is_error for finding in self.script_findings)
        return ReportEntry(
            file=self.source.name,
            case="script",
            findings=self.script_findings,
            word="not well formed" if is_wrong else "remarks",
            line="the script itself",
            trace="these are findings on the script itself",
        )

    def select(self, choices: Choices) -> None:
        """Keeps the findings that are shown."""
        assert self.plan is not None
        about_script = choices.selected(self.script_findings, self.source, _JUDGED, self.findings)
        self.plan = replace(self.plan, findings=tuple(about_script))
        for at, verdict in self.verdicts.items():
            self.verdicts[at] = replace(verdict, findings=choices.selection.applied(verdict.findings))

    def take(self, task: VerificationTask, result: TaskPlan | TaskPart | ScriptVerdict | Expired | Crashed) -> None:
        """Records the result of a task."""
        match result:
            case TaskPlan():
                self.plan = result
            case ScriptVerdict():
                assert task.number is not None
                earlier_verdict = self.verdicts.get(task.number, result)
                self.verdicts[task.number] = replace(
                    result,
                    record=earlier_verdict.record,
                    conflicts=earlier_verdict.conflicts,
                    trace=earlier_verdict.trace,
                )
            case TaskPart():
                pass
            case _ if task.number is None:
                self.plan = no_plan(self.source, result)
            case _:
                self._fail(task.number, result)

    def _fail(self, number: int, why: Expired | Crashed) -> None:
        """Records a failure. A failed search for hints follows a verdict, which stands; running out of time is no
        finding then.
        """
        assert self.plan is not None
        none = no_verdict(self.source, *self.plan.systems[number], why)
        earlier_verdict = self.verdicts.get(number, none)
        more = none.findings if earlier_verdict is not none and isinstance(why, Crashed) else ()
        self.verdicts[number] = replace(earlier_verdict, final=True, findings=(*earlier_verdict.findings, *more))


def verified_scripts(
    sources: list[Source], tasks: list[VerificationTask], choices: Choices
) -> Iterator[RunningVerification]:
    """Yields each script when all its mappings are verified, in the order of the sources."""
    running = {source.name: RunningVerification(source) for source in sources}
    waiting = list(running.values())
    progress(f"reading {sources[0].name}")
    queue = WorkQueue(choices.jobs or 1)
    pool = Pool(
        work=rule,
        follow=queue.follow,
        jobs=choices.jobs or 1,
        timeout=choices.limits.seconds,
        memory=choices.limits.bytes,
        spent=queue.seconds_of,
        prepares=lambda task: task.number is None,
    )
    for task, result in pool.run(tasks):
        if isinstance(result, Expired):
            # A part of the work had the remaining time; the message has the limit of the user.
            result = replace(result, seconds=choices.limits.seconds or result.seconds)
        running[task.name].take(task, result)
        scripts = f"{len(sources) - len(waiting)} of {len(sources)} scripts; " if len(sources) > 1 else ""
        progress(scripts + _progress(running[task.name]) + bar(*queue.progress(task)))
        while waiting and waiting[0].is_over:
            progress("")
            yield waiting.pop(0)
    progress("")


def _progress(script: RunningVerification) -> str:
    systems = script.plan.systems if script.plan else ()
    following = next((name for position, (name, _) in enumerate(systems) if position not in script.verdicts), None)
    return script.source.name + (f": verifying {following}" if following else "")
