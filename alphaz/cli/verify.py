"""`alphaz verify`: the verdicts on the mappings of scripts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import click

from alphaz.cli.files import check_folder, file_names, folder_names
from alphaz.cli.output import ASSUMED, CLEAN, FINDINGS, show_findings
from alphaz.cli.proofs_option import check_targets, proofs_option
from alphaz.cli.resource_limits import PROVING
from alphaz.cli.shared_options import Choices, shared_options
from alphaz.cli.verdict_output import ReportPage, VerbReport, emit, last_line
from alphaz.cli.verification import RunningVerification, ScriptVerdict, VerificationTask, verified_scripts
from alphaz.cli.watch import WatchPass, digest_of
from alphaz.diagnostics import Diagnostic
from alphaz.diagnostics.finding_groups import summarized, unique
from alphaz.diagnostics.message_words import count_text
from alphaz.lazy import lazy_import
from alphaz.legality.verdicts import Options

EPILOG = """\b
Examples:
  alphaz verify mcm.cs
  alphaz verify --obligations mcm.cs
  alphaz verify --jobs 4 --timeout 60 --format sarif samples > alphaz.sarif
  alphaz verify --report html=report.html samples/matrix-chain
  alphaz verify --figures out wrong-sharing.cs
  alphaz verify --watch mcm.cs
  alphaz verify --certificate mcm.json mcm.cs && alphaz recheck mcm.json
  alphaz verify --certificate mcm.json --proofs mcm.cs && alphaz recheck --kernel mcm.json

\b
A mapping is proved for all values of the parameters at once, or refuted with
the smallest counterexample, or undecided (which is not proved: exit code 1).
Exit code 3: no findings, but some mapping is proved under named assumptions only.
A folder stands for all its .cs files, and a pattern for what it matches.
Options and files can be kept in pyproject.toml or alphaz.toml: docs/ci.md.
\b
The JSON document is that of `check`, with one value more:
  "systems": [{"script", "system", "verdict", "seconds",
    "only"?, "obligations": [{"rule", "claim", "verdict", "engine"?, "witness"?, "reason"?}]}]"""


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
@proofs_option
@click.option(
    "--figures", metavar="FOLDER", shell_complete=folder_names, help="Write a figure of each mapping, as SVG."
)
@click.option("--watch", is_flag=True, help="Verify again when a file changes, and print the differences.")
@click.pass_context
def command(
    ctx: click.Context,
    scripts: tuple[str, ...],
    choices: Callable[[], Choices],
    obligations: bool,
    explain: bool,
    exact_tiles: bool,
    every: bool,
    advise: str | None,
    no_hints: bool,
    certificate: str | None,
    proofs: bool,
    figures: str | None,
    watch: bool,
) -> None:
    """Prove or refute the mappings of command scripts; generates nothing.

    Every system that has a mapping is verified, as the mapping stands at the end of the script and wherever the script
    verifies it or generates code for it.
    """
    check_targets(certificate, proofs)
    check_folder(figures)
    if watch and ctx.params["write_baseline"] is not None:
        raise click.UsageError("--watch does not go with --write-baseline, which is done once")
    options = Options(exact_tiles, explain, hints=not no_hints, advise=advise is not None)
    request = _Wanted(
        options=options,
        obligations=obligations,
        every=every,
        certificate=certificate,
        proofs=proofs,
        figures=figures,
    )
    if watch:
        lazy_import("alphaz.cli.watch").watch(
            lambda: _verify(scripts, choices(), request),
            lambda: scripts or choices().settings.scripts,
            lambda: [source.name for source in choices().sources(scripts, choices().settings.scripts, ".cs")],
        )
    ctx.exit(_verify(scripts, choices(), request).code)


def _verify(scripts: tuple[str, ...], choices: Choices, request: "_Wanted") -> WatchPass:
    """Verifies all scripts once: shows the findings, and writes the requested files."""
    sources = choices.sources(scripts, choices.settings.scripts, ".cs")
    running: list[RunningVerification] = []
    record, traced = request.certificate is not None, request.figures is not None or "html" in choices.forms
    tasks = [VerificationTask(s.name, s.text, record=record, traced=traced, options=request.options) for s in sources]
    for script in verified_scripts(sources, tasks, choices):
        script.select(choices)
        running.append(script)
        if choices.shows_text:
            _show(script, f"{script.source.name}: " if len(sources) > 1 else "", request, choices)
    verb_report = _report(running, choices, request)
    code = choices.code(verb_report.findings, sources)
    if choices.shows_text:
        click.echo(last_line(verb_report, verb_report.findings), nl=False)
    emit(verb_report)
    plans = [script.plan for script in running if script.plan is not None]
    verdicts = [verdict for script in running for verdict in script.in_order]
    if request.certificate is not None and code and not verdicts:
        click.echo(f"{request.certificate} is not written: no mapping was verified", err=True)
    elif request.certificate is not None:
        certificates = lazy_import("alphaz.cli.certificate_documents")
        certificates.write_with_proofs(
            request.certificate, certificates.mapping_certificate_text(plans, verdicts), request.proofs
        )
    if request.figures is not None:
        lazy_import("alphaz.cli.figure_files").write_pictures(request.figures, verdicts)
    failed = code or _silent_code(verdicts, choices)
    words = {(verdict.file, verdict.system): verdict.word for verdict in verdicts}
    read = {name: text for plan in plans for name, text in plan.lookups}
    read |= {source.name: source.text for source in sources}
    return WatchPass(failed, words, tuple(verb_report.findings), {name: digest_of(text) for name, text in read.items()})


def _silent_code(verdicts: Sequence[ScriptVerdict], choices: Choices) -> int:
    """Returns the exit code without errors: an unproved mapping is never success, and an assumed one has its own."""
    silent = [v for v in verdicts if not v.is_proved and not any(f.is_error for f in v.findings)]
    if any(not verdict.is_assumed for verdict in silent):
        return FINDINGS
    return ASSUMED if silent and choices.writes is None else CLEAN


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
    proofs: bool
    figures: str | None

    def shown_findings(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        return list(findings) if self.every else summarized(findings, " (--all shows them)")


def _show(script: RunningVerification, prefix: str, request: _Wanted, choices: Choices) -> None:
    news = set(map(id, choices.news(script.findings)))
    selection = choices.selection
    show_findings([finding for finding in script.script_findings if id(finding) in news], selection=selection)
    for verdict in script.in_order:
        click.echo(prefix + verdict.line)
        if request.obligations:
            click.echo(verdict.listing, nl=False)
        click.echo(verdict.conflicts, nl=False)
        of_verdict = [finding for finding in verdict.findings if id(finding) in news]
        show_findings(request.shown_findings(of_verdict), every=True, selection=selection)
    if not script.verdicts and not any(finding.is_error for finding in script.script_findings):
        click.echo(f"{prefix}no system has a mapping: nothing was proved")


def _closing(verdicts: Sequence[ScriptVerdict], mappings: str) -> str:
    assumed = sum(verdict.is_assumed for verdict in verdicts)
    remark = f", {assumed} under assumptions" if assumed else ""
    return f"{sum(verdict.is_proved for verdict in verdicts)} of {mappings} proved{remark}"


def _report(running: Sequence[RunningVerification], choices: Choices, request: _Wanted) -> VerbReport:
    verdicts = [verdict for script in running for verdict in script.in_order]
    findings = unique(finding for script in running for finding in script.findings)
    mappings = count_text(len(verdicts), "mapping")
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
        annotations=request.shown_findings(findings),
        closing=_closing(verdicts, mappings) if verdicts else "",
        sources=[script.source for script in running],
        key="systems",
        page=page,
    )
