"""`alphaz verify`: the verdicts on the mappings of scripts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from alphaz.cli.baseline import check_target, write_file
from alphaz.cli.choices import Choices, shared_options
from alphaz.cli.deadline import PROVING, chosen_limits
from alphaz.cli.files import check_folder, file_names, folder_names
from alphaz.cli.output import FINDINGS, bar, progress, show_findings
from alphaz.cli.report import ReportPage, VerbReport, emit, last_line
from alphaz.cli.script_verdict import ScriptVerdict, TaskPart, TaskPlan, VerificationTask, no_plan, no_verdict, rule
from alphaz.cli.watch import WatchPass, digest_of
from alphaz.cli.work_queue import WorkQueue
from alphaz.diagnostics import Diagnostic, ReportEntry, Source
from alphaz.diagnostics.grouping import summarized, unique
from alphaz.lazy import lazy_import
from alphaz.legality.options import Options
from alphaz.processes.pool import Crashed, Expired, Pool
from alphaz.scripting.interpreter.judge import VerificationCache
from alphaz.scripting.interpreter.run import run_script
from alphaz.scripting.interpreter.session import Session

EPILOG = """\b
Examples:
  alphaz verify mcm.cs
  alphaz verify --obligations mcm.cs
  alphaz verify --jobs 4 --timeout 60 --format sarif samples > alphaz.sarif
  alphaz verify --report html=report.html samples/matrix-chain
  alphaz verify --figures out wrong-sharing.cs
  alphaz verify --watch mcm.cs
  alphaz verify --certificate mcm.json mcm.cs && alphaz recheck mcm.json

\b
A mapping is proved for all values of the parameters at once, or refuted with
the smallest counterexample, or undecided (which is not proved: exit code 1).
A folder stands for all its .cs files, and a pattern for what it matches.
Options and files can be kept in pyproject.toml or alphaz.toml: docs/ci.md.
\b
The JSON document is that of `check`, with one value more:
  "systems": [{"script", "system", "verdict", "seconds",
    "only"?, "obligations": [{"rule", "claim", "verdict", "engine"?, "witness"?, "reason"?}]}]"""


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

    def take(self, task: VerificationTask, result: TaskPlan | TaskPart | ScriptVerdict | Expired | Crashed) -> None:
        """Records the result of a task."""
        match result:
            case TaskPlan():
                self.plan = result
            case ScriptVerdict():
                assert task.number is not None
                known = self.verdicts.get(task.number, result)
                self.verdicts[task.number] = replace(
                    result, record=known.record, conflicts=known.conflicts, trace=known.trace
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
        known = self.verdicts.get(number, none)
        more = none.findings if known is not none and isinstance(why, Crashed) else ()
        self.verdicts[number] = replace(known, final=True, findings=(*known.findings, *more))


@click.command("verify", epilog=EPILOG)
@click.argument("scripts", metavar="[SCRIPT.cs...]", shell_complete=file_names, nargs=-1)
@shared_options(PROVING, "a script or a mapping")
@click.option("--obligations", is_flag=True, help="Also list every obligation with its verdict.")
@click.option(
    "--explain",
    is_flag=True,
    help="Print the obligation of each finding in mathematics, and the values that may not share a cell.",
)
@click.option(
    "--exact-tiles", is_flag=True, help="Where tiling is not legal for all sizes, prove it for the given sizes."
)
@click.option("--all", "every", is_flag=True, help="Show every finding, not only one for each root.")
@click.option(
    "--advise",
    type=click.Choice(["memory"]),
    help="Search for memory maps of a lower degree, if the mapping is proved.",
)
@click.option("--no-hints", is_flag=True, help="Do not search for changes that make a refuted mapping legal.")
@click.option(
    "--certificate",
    metavar="FILE",
    shell_complete=file_names,
    help="Write every obligation, to be decided again by `recheck`.",
)
@click.option(
    "--figures", metavar="FOLDER", shell_complete=folder_names, help="Write a figure of each mapping, as SVG."
)
@click.option("--watch", is_flag=True, help="Verify again when a file changes, and print the differences.")
@click.pass_context
def command(
    ctx: click.Context,
    scripts: tuple[str, ...],
    form: str | None,
    reports: tuple[str, ...],
    jobs: int | None,
    timeout: float | None,
    memory: float | None,
    baseline: str | None,
    write_baseline: str | None,
    obligations: bool,
    explain: bool,
    exact_tiles: bool,
    every: bool,
    advise: str | None,
    no_hints: bool,
    certificate: str | None,
    figures: str | None,
    watch: bool,
) -> None:
    """Prove or refute the mappings of command scripts; generates nothing.

    Every system that has a mapping is verified, as the mapping stands at the end of the script and wherever the script
    verifies it or generates code for it.
    """
    check_target(certificate)
    check_folder(figures)
    if watch and write_baseline is not None:
        raise click.UsageError("--watch does not go with --write-baseline, which is done once")
    options = Options(exact_tiles, explain, hints=not no_hints, advise=advise is not None)
    wanted = _Wanted(options=options, obligations=obligations, every=every, certificate=certificate, figures=figures)

    def chosen() -> Choices:
        return Choices.of(form, reports, jobs, chosen_limits(timeout, memory, PROVING), baseline, write_baseline)

    if watch:
        lazy_import("alphaz.cli.watch").watch(
            lambda: _verify(scripts, chosen(), wanted),
            lambda: scripts or chosen().settings.scripts,
            lambda: [source.name for source in chosen().sources(scripts, chosen().settings.scripts, ".cs")],
        )
    ctx.exit(_verify(scripts, chosen(), wanted).code)


def _verify(scripts: tuple[str, ...], choices: Choices, wanted: "_Wanted") -> WatchPass:
    """Verifies all scripts once: shows the findings, and writes the requested files."""
    sources = choices.sources(scripts, choices.settings.scripts, ".cs")
    running: list[RunningVerification] = []
    record, traced = wanted.certificate is not None, wanted.figures is not None or "html" in choices.forms
    tasks = [VerificationTask(s.name, s.text, record=record, traced=traced, options=wanted.options) for s in sources]
    for script in _verified_scripts(sources, tasks, choices):
        running.append(script)
        if choices.form == "text":
            _show(script, f"{script.source.name}: " if len(sources) > 1 else "", wanted, choices)
    found = _report(running, choices, wanted)
    code = choices.code(found.findings, sources)
    if choices.form == "text":
        click.echo(last_line(found, found.findings), nl=False)
    emit(found)
    plans = [script.plan for script in running if script.plan is not None]
    verdicts = [verdict for script in running for verdict in script.in_order]
    if wanted.certificate is not None:
        write_file(wanted.certificate, lazy_import("alphaz.cli.certified").document(plans, verdicts))
    if wanted.figures is not None:
        lazy_import("alphaz.cli.figure_files").write_pictures(wanted.figures, verdicts)
    failed = code if code or not _is_silent_failure(verdicts) else FINDINGS
    words = {(verdict.file, verdict.system): verdict.word for verdict in verdicts}
    read = {name: text for plan in plans for name, text in plan.looked}
    read |= {source.name: source.text for source in sources}
    return WatchPass(failed, words, tuple(found.findings), {name: digest_of(text) for name, text in read.items()})


def interpret(source: Source) -> Session:
    """Returns the session of the script, interpreted and verified; nothing is written."""
    judge = VerificationCache(lambda system: progress(f"{source.name}: verifying {system}"))
    session = run_script(source, Path(source.name).parent, judge=judge)
    progress("")
    return session


def _verified_scripts(
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
        spent=queue.spent,
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
    following = next((name for at, (name, _) in enumerate(systems) if at not in script.verdicts), None)
    return script.source.name + (f": verifying {following}" if following else "")


def _is_silent_failure(verdicts: Sequence[ScriptVerdict]) -> bool:
    """Returns True if a mapping is not proved and has no finding: never success."""
    return any(not verdict.is_proved and not any(f.is_error for f in verdict.findings) for verdict in verdicts)


# --- showing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The options of verification, the output for people (all `obligations`, `every` finding or one for each root), and
    the files that are written besides reports.
    """

    options: Options
    obligations: bool
    every: bool
    certificate: str | None
    figures: str | None

    def shown(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        return list(findings) if self.every else summarized(findings, " (--all shows them)")


def _show(script: RunningVerification, prefix: str, wanted: _Wanted, choices: Choices) -> None:
    news = set(map(id, choices.news(script.findings)))
    show_findings([finding for finding in script.script_findings if id(finding) in news])
    for verdict in script.in_order:
        click.echo(prefix + verdict.line)
        if wanted.obligations:
            click.echo(verdict.listing, nl=False)
        click.echo(verdict.conflicts, nl=False)
        show_findings(wanted.shown([finding for finding in verdict.findings if id(finding) in news]), every=True)
    if not script.verdicts and not any(finding.is_error for finding in script.script_findings):
        click.echo(f"{prefix}no system has a mapping: nothing was proved")


def _report(running: Sequence[RunningVerification], choices: Choices, wanted: _Wanted) -> VerbReport:
    verdicts = [verdict for script in running for verdict in script.in_order]
    findings = unique(finding for script in running for finding in script.findings)
    mappings = "1 mapping" if len(verdicts) == 1 else f"{len(verdicts)} mappings"
    texts = {script.source.name: script.source.text for script in running}
    files = dict.fromkeys(file for script in running if script.plan is not None for file in script.plan.files)
    page = ReportPage(
        title=f"alphaz verify: {mappings if len(texts) != 1 else next(iter(texts))}",
        texts=texts,
        facts=[(name, f"SHA-256 {digest}") for name, digest in files],
    )
    return VerbReport(
        choices=choices,
        entries=[entry for script in running for entry in (script.entry, *script.in_order)],
        findings=findings,
        annotations=wanted.shown(findings),
        closing=f"{sum(verdict.is_proved for verdict in verdicts)} of {mappings} proved",
        sources=[script.source for script in running],
        key="systems",
        page=page,
    )
