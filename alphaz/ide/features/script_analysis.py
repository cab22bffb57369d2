"""Analysis of a script for an editor: findings, verdicts, and facts about each variable, as data that another process
can send."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Diagnostic, Rejected, Source, Span
from alphaz.figures.drawing.figures import best, figure
from alphaz.figures.trace.tracing import trace
from alphaz.legality.verdicts import DesignVerdict, SystemVerdict
from alphaz.legality.verify import verify
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.run.declared_operators import trial_findings
from alphaz.scripting.interpreter.run import Session, Settings, run_script
from alphaz.scripting.interpreter.verification_cache import VerificationCache, unverified
from alphaz.search.schedule.repair.search import with_hints

PROGRAM = ".ab"


def is_program(path: str) -> bool:
    return Path(path).suffix == PROGRAM


@dataclass(frozen=True, slots=True)
class AnalysisJob:
    """A script to be verified, or a program whose declared operators are tried. `texts` are unsaved programs, by whole
    path; `hinting`: with fixes, which takes some seconds for a refuted mapping."""

    name: str
    text: str
    texts: Mapping[Path, str] = field(default_factory=dict)
    hinting: bool = False


@dataclass(frozen=True, slots=True)
class FigureRequest:
    """A request for the figure of one system's mapping that shows most."""

    name: str
    text: str
    texts: Mapping[Path, str]
    system: str


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A verdict. `line` is that of `alphaz verify`; `span` is the command that requested it, or the first of the
    mapping."""

    system: str
    word: str
    line: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class VariableMapping:
    """The mapping by a script of a variable of a program (`file`, a whole path), in lines."""

    file: str
    system: str
    variable: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScriptAnalysis:
    """The analysis of a script, or of the operators of a program. `files` are the whole paths of the programs that were
    read. Unless it is `is_verified`, the proof is still running.

    `text` is the analysed one."""

    text: str
    findings: tuple[Diagnostic, ...] = ()
    verdicts: tuple[ShownVerdict, ...] = ()
    facts: tuple[VariableMapping, ...] = ()
    files: tuple[str, ...] = ()
    is_verified: bool = False


def staged_analyses(job: AnalysisJob) -> Iterator[ScriptAnalysis]:
    """Yields first the findings of parsing and interpreting; then the verdicts; then, on request, with fixes."""
    if is_program(job.name):
        program = read_program(Source(job.name, job.text)).program
        yield ScriptAnalysis(job.text, trial_findings(program), is_verified=True)
        return
    session = session_of(job.name, job.text, job.texts, Settings(tries=True))
    matters = session.design_verdicts
    read = unverified_analysis(job.text, session)
    yield read
    if not matters:
        return
    reports = [verdict_on(matter) for matter in matters]
    yield verified_analysis(read, matters, reports)
    if job.hinting and not all(report.is_proved for report in reports):
        hinted = [with_hints(asked.design, report) for asked, report in zip(matters, reports, strict=True)]
        yield verified_analysis(read, matters, hinted)


def unverified_analysis(text: str, session: Session) -> ScriptAnalysis:
    """Returns the analysis of an interpreted script without verdicts."""
    matters = session.design_verdicts
    return ScriptAnalysis(
        text=text,
        findings=session.findings,
        verdicts=(),
        facts=tuple(_facts(session)),
        files=tuple(dict.fromkeys(str(Path(name).resolve()) for name in _programs(matters, session))),
        is_verified=not matters,
    )


def draw(asked: FigureRequest) -> str:
    """Returns the figure as SVG. Raises Rejected if there is no such mapping, or it cannot be drawn."""
    session = session_of(asked.name, asked.text, asked.texts)
    errors = [finding for finding in session.findings if finding.is_error]
    if errors:
        raise Rejected(*errors)
    design = next(
        design_verdict.design
        for design_verdict in session.design_verdicts
        if design_verdict.first.system == asked.system
    )
    shown = trace(design, asked.system)
    return figure(shown, best(shown)).svg


def session_of(name: str, text: str, texts: Mapping[Path, str], settings: Settings | None = None) -> Session:
    """Returns the interpreted script, with its mappings as unverified ones."""
    return run_script(Source(name, text), Path(name).parent, settings, VerificationCache(verify=unverified), texts)


def _programs(matters: tuple[DesignVerdict, ...], session: Session) -> Iterator[str]:
    for design in (*session.designs, *(matter.design for matter in matters)):
        for system in design.program.systems:
            yield system.span.source.name


def verdict_on(asked: DesignVerdict) -> SystemVerdict:
    """Returns the verdict on a mapping; one that is not well formed has a verdict, too."""
    try:
        return verify(asked.design, [asked.first.system]).systems[0]
    except Rejected as rejected:
        return SystemVerdict(asked.first.system, None, (), rejected.diagnostics)


def verified_analysis(
    read: ScriptAnalysis, matters: tuple[DesignVerdict, ...], reports: list[SystemVerdict]
) -> ScriptAnalysis:
    """Returns the analysis with the verdicts on all mappings of the script."""
    verdicts = tuple(map(_verdict, matters, reports))
    findings = tuple(finding for report in reports for finding in report.findings)
    return replace(read, findings=(*read.findings, *findings), verdicts=verdicts, is_verified=True)


def _verdict(asked: DesignVerdict, report: SystemVerdict) -> ShownVerdict:
    mapping = asked.design.mapping(report.system)
    stated = [*(entry.span for entry in mapping.space_time), *(entry.span for entry in mapping.memory)]
    stated += [kind.span for kind in mapping.kinds]
    first = min(stated, key=lambda span: span.start, default=None)
    return ShownVerdict(report.system, report.word, repr(report), first or asked.span)


def _facts(session: Session) -> Iterator[VariableMapping]:
    for design in session.designs:
        for name in design.mapped_systems:
            file = str(Path(design.system(name).span.source.name).resolve())
            for variable, lines in _lines(design, name).items():
                yield VariableMapping(file, name, variable, tuple(lines))


def _lines(design: Design, system: str) -> dict[str, list[str]]:
    """Dates, cells and commands of each variable."""
    lines: dict[str, list[str]] = {variable.name: [] for variable in design.system(system).variables}
    try:
        mapping = resolve(design, system)
    except Rejected:
        return lines
    for statement in mapping.statements:
        if statement.variable in lines and statement.equation is not None:
            kinds = ", ".join(kind.value.lower() for kind in statement.kinds)
            lines[statement.variable].append(f"{statement.name}: date {statement.date}, {kinds}")
    for variable, cell in mapping.cells.items():
        if variable in lines:
            moduli = f" mod ({','.join(map(str, cell.moduli))})" if any(cell.moduli) else ""
            lines[variable].append(f"cell {cell.space}: {cell.function}{moduli}")
    stated = design.mapping(system)
    commands = [(entry.variable, _line(entry.span)) for entry in stated.space_time]
    commands += [(entry.variable, _line(entry.span)) for entry in stated.memory]
    for variable, text in commands:
        if variable in lines and text and text not in lines[variable]:
            lines[variable].append(text)
    return lines


def _line(span: Span) -> str:
    """The line of the script that contains it."""
    return span.source.line(span.position[0]).strip()
