"""`alphaz verify`: the verdicts on the mappings of scripts."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from alphaz.cli.baseline import check_target, write_file
from alphaz.cli.choices import Choices, shared_options
from alphaz.cli.deadline import PROVING, chosen_limits
from alphaz.cli.files import check_folder, file_names, folder_names
from alphaz.cli.output import FINDINGS, bar, progress, show_findings
from alphaz.cli.script_verdict import ScriptVerdict, TaskPart, TaskPlan, VerificationTask, no_plan, no_ruling, rule
from alphaz.cli.watch import WatchPass, digest_of
from alphaz.cli.work_queue import WorkQueue
from alphaz.diagnostics import Diagnostic, Source
from alphaz.diagnostics.grouping import summarized, unique
from alphaz.diagnostics.render import FORMATS
from alphaz.diagnostics.render.json import to_json
from alphaz.diagnostics.render.junit import TestCase, to_junit
from alphaz.diagnostics.render.summary import summary
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
    rulings: dict[int, ScriptVerdict] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        if self.plan is None or len(self.rulings) < len(self.plan.systems):
            return False
        return all(ruling.final for ruling in self.rulings.values())

    @property
    def in_order(self) -> list[ScriptVerdict]:
        return [self.rulings[at] for at in sorted(self.rulings)]

    @property
    def script_findings(self) -> tuple[Diagnostic, ...]:
        return self.plan.findings if self.plan else ()

    @property
    def findings(self) -> list[Diagnostic]:
        return [*self.script_findings, *(f for ruling in self.in_order for f in ruling.findings)]

    def take(self, task: VerificationTask, result: TaskPlan | TaskPart | ScriptVerdict | Expired | Crashed) -> None:
        """Records the result of a task."""
        match result:
            case TaskPlan():
                self.plan = result
            case ScriptVerdict():
                assert task.number is not None
                known = self.rulings.get(task.number, result)
                self.rulings[task.number] = replace(
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
        none = no_ruling(self.source, *self.plan.systems[number], why)
        known = self.rulings.get(number, none)
        told = none.findings if known is not none and isinstance(why, Crashed) else ()
        self.rulings[number] = replace(known, final=True, findings=(*known.findings, *told))


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
    wanted = _Wanted(options, _Shown(obligations, every), certificate, figures)

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
    hearings: list[RunningVerification] = []
    record, traced = wanted.certificate is not None, wanted.figures is not None or "html" in choices.forms
    tasks = [VerificationTask(s.name, s.text, record=record, traced=traced, options=wanted.options) for s in sources]
    for hearing in _hear(sources, tasks, choices):
        hearings.append(hearing)
        if choices.form == "text":
            _show(hearing, f"{hearing.source.name}: " if len(sources) > 1 else "", wanted.shown, choices)
    findings = unique(finding for hearing in hearings for finding in hearing.findings)
    code = choices.code(findings, sources)

    def document(form: str) -> str:
        return _document(form, hearings, choices, wanted.shown.of(findings) if form == "github" else findings)

    closing = _closing(hearings, choices, findings)
    click.echo(closing if choices.form == "text" else document(choices.form), nl=False)
    choices.write_reports(document)
    plans = [hearing.plan for hearing in hearings if hearing.plan is not None]
    rulings = [ruling for hearing in hearings for ruling in hearing.in_order]
    if wanted.certificate is not None:
        write_file(wanted.certificate, lazy_import("alphaz.cli.certified").document(plans, rulings))
    if wanted.figures is not None:
        lazy_import("alphaz.cli.figure_files").write_pictures(wanted.figures, rulings)
    failed = code if code or not _is_silent_failure(hearings) else FINDINGS
    verdicts = {(ruling.script, ruling.system): str(ruling.value["verdict"]) for ruling in rulings}
    read = {name: text for plan in plans for name, text in plan.looked}
    read |= {source.name: source.text for source in sources}
    return WatchPass(failed, verdicts, tuple(findings), {name: digest_of(text) for name, text in read.items()})


def interpret(source: Source) -> Session:
    """Returns the session of the script, interpreted and verified; nothing is written."""
    judge = VerificationCache(lambda system: progress(f"{source.name}: verifying {system}"))
    session = run_script(source, Path(source.name).parent, judge=judge)
    progress("")
    return session


def _hear(sources: list[Source], tasks: list[VerificationTask], choices: Choices) -> Iterator[RunningVerification]:
    """Yields each script when all its mappings are verified, in the order of the sources."""
    hearings = {source.name: RunningVerification(source) for source in sources}
    waiting = list(hearings.values())
    progress(f"reading {sources[0].name}")
    docket = WorkQueue(choices.jobs or 1)
    pool = Pool(
        work=rule,
        follow=docket.follow,
        jobs=choices.jobs or 1,
        timeout=choices.limits.seconds,
        memory=choices.limits.bytes,
        spent=docket.spent,
        prepares=lambda task: task.number is None,
    )
    for task, result in pool.run(tasks):
        if isinstance(result, Expired):
            # A part of the work had the remaining time; the message has the limit of the user.
            result = replace(result, seconds=choices.limits.seconds or result.seconds)
        hearings[task.name].take(task, result)
        scripts = f"{len(sources) - len(waiting)} of {len(sources)} scripts; " if len(sources) > 1 else ""
        progress(scripts + _progress(hearings[task.name]) + bar(*docket.progress(task)))
        while waiting and waiting[0].is_over:
            progress("")
            yield waiting.pop(0)
    progress("")


def _progress(hearing: RunningVerification) -> str:
    systems = hearing.plan.systems if hearing.plan else ()
    following = next((name for at, (name, _) in enumerate(systems) if at not in hearing.rulings), None)
    return hearing.source.name + (f": verifying {following}" if following else "")


def _is_silent_failure(hearings: list[RunningVerification]) -> bool:
    """Returns True if a mapping is not proved and has no finding: never success."""
    rulings = (ruling for hearing in hearings for ruling in hearing.in_order)
    return any(not ruling.is_proved and not any(f.is_error for f in ruling.findings) for ruling in rulings)


# --- showing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The options of verification, the output `shown`, and the files that are written besides reports."""

    options: Options
    shown: "_Shown"
    certificate: str | None
    figures: str | None


@dataclass(frozen=True, slots=True)
class _Shown:
    """The output for people: all `obligations`, `every` finding or one for each root."""

    obligations: bool
    every: bool

    def of(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        return list(findings) if self.every else summarized(findings, " (--all shows them)")


def _show(hearing: RunningVerification, prefix: str, shown: _Shown, choices: Choices) -> None:
    news = set(map(id, choices.news(hearing.findings)))
    show_findings([finding for finding in hearing.script_findings if id(finding) in news])
    for ruling in hearing.in_order:
        click.echo(prefix + ruling.line)
        if shown.obligations:
            click.echo(ruling.obligations, nl=False)
        click.echo(ruling.conflicts, nl=False)
        show_findings(shown.of([finding for finding in ruling.findings if id(finding) in news]), every=True)
    if not hearing.rulings and not any(finding.is_error for finding in hearing.script_findings):
        click.echo(f"{prefix}no system has a mapping: nothing was proved")


def _document(form: str, hearings: list[RunningVerification], choices: Choices, findings: list[Diagnostic]) -> str:
    news = choices.news(findings)
    match form:
        case "json":
            return _json(hearings, news)
        case "junit":
            return to_junit(list(_cases(hearings, choices)))
        case "html":
            document: str = lazy_import("alphaz.cli.reported").document(
                {hearing.source.name: hearing.source.text for hearing in hearings},
                [hearing.plan for hearing in hearings if hearing.plan is not None],
                [ruling for hearing in hearings for ruling in hearing.in_order],
                {hearing.source.name: hearing.script_findings for hearing in hearings},
            )
            return document
        case "text" | "github":
            return FORMATS[form](news) + _closing(hearings, choices, findings)
    return FORMATS[form](news)


def _closing(hearings: list[RunningVerification], choices: Choices, findings: list[Diagnostic]) -> str:
    remarks = choices.remarks(findings, [hearing.source for hearing in hearings])
    return f"{_summary(hearings, choices.news(findings))}{remarks}\n"


def _summary(hearings: list[RunningVerification], findings: list[Diagnostic]) -> str:
    rulings = [ruling for hearing in hearings for ruling in hearing.in_order]
    proved = sum(ruling.is_proved for ruling in rulings)
    mappings = "1 mapping" if len(rulings) == 1 else f"{len(rulings)} mappings"
    return f"{proved} of {mappings} proved: {summary(findings)}"


def _json(hearings: list[RunningVerification], findings: list[Diagnostic]) -> str:
    document = json.loads(to_json(findings))
    document["systems"] = [{"script": r.script, **r.value} for hearing in hearings for r in hearing.in_order]
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _cases(hearings: list[RunningVerification], choices: Choices) -> Iterator[TestCase]:
    """Yields a test case for each script and for each of its mappings."""
    for hearing in hearings:
        shown = set(map(id, choices.news(hearing.findings)))
        yield TestCase(hearing.source.name, "script", 0.0, [f for f in hearing.script_findings if id(f) in shown])
        for ruling in hearing.in_order:
            kept = [f for f in ruling.findings if id(f) in shown]
            yield TestCase(hearing.source.name, ruling.system, ruling.seconds, kept)
