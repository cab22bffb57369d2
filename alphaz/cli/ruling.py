"""Verdicts as plain data that can come from another process: what a script has to be judged, and each judgement.

A task is a script, or one of its mappings by number. Whoever did the last task of a script still has it interpreted.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter

from alphaz.certificate.certificate import UNDECIDED as UNDECIDED_WORD
from alphaz.certificate.certificate import File, Record
from alphaz.cli.workers import Crashed, Expired
from alphaz.diagnostics import Diagnostic, Label, Source, Span
from alphaz.diagnostics.rules import INTERNAL, UNDECIDED
from alphaz.script.judge import Judge, Judgement, unjudged
from alphaz.script.run import run_script
from alphaz.script.say import obligations_text, verdict_line, verdict_value
from alphaz.verify.hints.search import with_hints
from alphaz.verify.options import Options
from alphaz.verify.record import record
from alphaz.verify.verify import verify


@dataclass(frozen=True, slots=True)
class Task:
    """`number` is that of a mapping of the script, from 0; None asks which there are. `record`: for a certificate."""

    name: str
    text: str
    number: int | None = None
    record: bool = False
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class Plan:
    """What reading the script gave: its findings, the systems to be judged with the place that asks, the files read."""

    findings: tuple[Diagnostic, ...]
    systems: tuple[tuple[str, Span | None], ...]
    files: tuple[File, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on one mapping: its line, its obligations in lines, and as the value of the JSON document."""

    script: str
    system: str
    is_proved: bool
    line: str
    obligations: str
    value: Mapping[str, object]
    seconds: float
    findings: tuple[Diagnostic, ...]
    record: Record | None = None


def rule(task: Task) -> Plan | Ruling:
    """What the task asks for."""
    plan, matters = _interpreted(task)
    if task.number is None:
        return plan
    asked = matters[task.number]
    start = perf_counter()
    report = verify(asked.design, [asked.report.system], task.options).systems[0]
    seconds = perf_counter() - start
    if task.options.hints:
        report = with_hints(asked.design, report)
    made = Judgement(asked.design, report, seconds, asked.span)
    return Ruling(
        task.name,
        report.system,
        report.is_proved,
        verdict_line(made),
        obligations_text(made),
        verdict_value(made),
        made.seconds,
        report.findings,
        record(task.name, report) if task.record else None,
    )


def follow(task: Task, result: Plan | Ruling) -> Iterator[Task]:
    """A task for each mapping of a script."""
    if isinstance(result, Plan):
        yield from (replace(task, number=at) for at in range(len(result.systems)))


_last: dict[tuple[str, str], tuple[Plan, tuple[Judgement, ...]]] = {}


def _interpreted(task: Task) -> tuple[Plan, tuple[Judgement, ...]]:
    key = (task.name, task.text)
    if key not in _last or task.number is None:
        _last.clear()
        _last[key] = _interpret(Source(task.name, task.text))
    return _last[key]


def _interpret(source: Source) -> tuple[Plan, tuple[Judgement, ...]]:
    judge = Judge(verify=unjudged)
    session = run_script(source, Path(source.name).parent, judge=judge)
    matters = session.judgements
    read = [system.span.source for matter in matters for system in matter.design.program.systems]
    files = dict.fromkeys(_file(each) for each in (source, *read))
    systems = tuple((matter.report.system, matter.span) for matter in matters)
    return Plan(session.findings, systems, tuple(files)), matters


def _file(source: Source) -> File:
    return File(source.name, hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest())


# --- where nothing came back ------------------------------------------------------------------------------------------


def no_plan(source: Source, why: Expired | Crashed) -> Plan:
    """The script was not read to its end."""
    where = Span(source, 0, 0)
    return Plan((_failure(why, where, "what the script asks for", source.name),), (), ())


def no_ruling(source: Source, system: str, span: Span | None, why: Expired | Crashed) -> Ruling:
    """The system was not judged to the end: undecided, and never success."""
    finding = _failure(why, span or Span(source, 0, 0), f"whether the mapping of `{system}` is right", source.name)
    reason = finding.notes[0] if finding.notes else finding.message
    seconds = why.seconds if isinstance(why, Expired) else 0.0
    value = {"system": system, "verdict": UNDECIDED_WORD, "seconds": seconds, "obligations": [], "reason": reason}
    unheard = Record(source.name, system, UNDECIDED_WORD, None, ())
    line = f"{system}: {UNDECIDED_WORD}, {reason}"
    return Ruling(source.name, system, False, line, "", value, seconds, (finding,), unheard)


def _failure(why: Expired | Crashed, span: Span, what: str, name: str) -> Diagnostic:
    if isinstance(why, Expired):
        note = f"the time limit of {why.seconds:g} s is used up"
        help_ = "give it more time with --timeout, or make the mapping simpler"
        return Diagnostic(UNDECIDED, f"it is not decided {what}", Label(span), notes=(note,), help=help_)
    help_ = "please report this with the program and the script; without --jobs and --timeout it may say more"
    return Diagnostic(INTERNAL, f"an internal error, not a verdict: {why.reason} ({name})", Label(span), help=help_)
