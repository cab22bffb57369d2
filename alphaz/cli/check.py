"""`alphaz check`: the checks of programs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

import click

from alphaz.analysis.read import read_program
from alphaz.cli.files import file_names
from alphaz.cli.output import progress, show_findings
from alphaz.cli.resource_limits import READING
from alphaz.cli.shared_options import Choices, shared_options
from alphaz.cli.verdict_output import VerbReport, emit, last_line
from alphaz.diagnostics import Diagnostic, Label, Rejected, ReportEntry, Source, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import INTERNAL
from alphaz.diagnostics.work_limits import Unfinished
from alphaz.processes.pool import Crashed, Expired, Pool
from alphaz.run.declared_operators import trial_findings

EPILOG = """\b
Examples:
  alphaz check mcm.ab
  alphaz check --format json samples/*/*.ab
  alphaz check --jobs 4 --format sarif samples > alphaz.sarif

\b
A folder means all its .ab files, and a pattern the files that it matches.
Options and files can be kept in pyproject.toml or alphaz.toml: docs/ci.md."""


@dataclass(frozen=True, slots=True)
class CheckTask:
    """The name and text of a source, in the form in which it is sent to other processes."""

    name: str
    text: str


@click.command("check", epilog=EPILOG)
@click.argument("programs", metavar="[FILE.ab...]", shell_complete=file_names, nargs=-1)
@shared_options(READING, "a file")
@click.pass_context
def command(
    ctx: click.Context,
    programs: tuple[str, ...],
    choices: Callable[[], Choices],
) -> None:
    """Check programs: names, types, domains, definitions.

    Every variable must be defined exactly once at each point, and read only where it is defined. All errors of a file
    are reported, in the order of the text, with the smallest parameters and point that show them. Declared operators
    are tried on small values where `external_functions.h` beside the program has their bodies.
    """
    chosen = choices()
    if "html" in chosen.forms:
        raise click.UsageError("programs have no report in HTML: `alphaz verify` makes one of mappings")
    sources = chosen.sources(programs, chosen.settings.programs, ".ab")
    checked = [
        replace(entry, findings=chosen.selected(entry.findings, source, "123"))
        for entry, source in zip(_check_all(sources, chosen), sources, strict=True)
    ]
    files = count_text(len(sources), "file")
    findings = [finding for entry in checked for finding in entry.findings]
    verb_report = VerbReport(chosen, checked, findings, findings, closing=f"{files} checked", sources=sources)
    code = chosen.code(findings, sources)
    if chosen.shows_text:
        show_findings(verb_report.news, selection=chosen.selection)
        click.echo(last_line(verb_report, findings), nl=False)
    emit(verb_report)
    ctx.exit(code)


def _check_all(sources: list[Source], choices: Choices) -> list[ReportEntry]:
    """Returns the checked files in the order of the sources, for every order of their completion."""
    tasks = {CheckTask(source.name, source.text): position for position, source in enumerate(sources)}
    done: dict[int, ReportEntry] = {}
    pool = Pool(_check, jobs=choices.jobs or 1, timeout=choices.limits.seconds, memory=choices.limits.bytes)
    progress(f"checking {sources[0].name}")
    for task, result in pool.run(tasks):
        at = tasks[task]
        done[at] = result if isinstance(result, ReportEntry) else _unchecked_entry(sources[at], result)
        progress(f"{len(done)} of {len(sources)} checked: {task.name}")
    progress("")
    return [done[position] for position in range(len(sources))]


def _check(task: CheckTask) -> ReportEntry:
    start = perf_counter()
    try:
        checked = read_program(Source(task.name, task.text))
        findings = (*checked.warnings, *trial_findings(checked.program))
    except Rejected as rejected:
        findings = rejected.diagnostics
    return ReportEntry(task.name, "check", findings, perf_counter() - start)


def _unchecked_entry(source: Source, why: Expired | Crashed) -> ReportEntry:
    place = Span(source, 0, 0)
    if isinstance(why, Crashed):
        failed = Diagnostic(INTERNAL, f"an internal error, not a verdict: {why.reason}", Label(place))
        return ReportEntry(source.name, "check", (failed,))
    at = why.at or Unfinished(place, "whether the syntax of the program is correct")
    return ReportEntry(source.name, "check", (at.finding(why.limit),), why.seconds)
