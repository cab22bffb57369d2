"""Analyses of a text of the page: values that come one after the other, the quick ones first."""

import argparse
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import NoReturn

from alphaz.analysis.read import examine_program, read_program
from alphaz.codegen.sources import EXTERNALS, Sources
from alphaz.diagnostics import Diagnostic, Rejected, ReportEntry, Source
from alphaz.equivalence.driver.generated_cuda import is_for_blocks, with_gpu_blocks
from alphaz.equivalence.driver.prove_c import CVerdict
from alphaz.equivalence.driver.task import ProofTask, chosen_system
from alphaz.equivalence.symbolic_run import by_sum, sample_parameters
from alphaz.equivalence.value_graph import LAWS
from alphaz.figures.drawing.figures import KINDS
from alphaz.figures.trace.kernel import trace_of_kernel
from alphaz.figures.trace.rejected_program import rejected
from alphaz.figures.trace.trace_data import Trace
from alphaz.figures.trace.tracing import trace
from alphaz.ide.features.script_analysis import (
    ScriptAnalysis,
    is_program,
    session_of,
    unverified_analysis,
    verdict_on,
    verified_analysis,
)
from alphaz.ide.features.workspace import Workspace
from alphaz.ide.studio.json_values import PageTexts, Value, message_of, picture_value
from alphaz.ide.studio.request import StudioRequest
from alphaz.legality.verdicts import DesignVerdict, SystemVerdict
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.mapping.input_footprint import uncalled_systems
from alphaz.proof import Refuted
from alphaz.run.declared_operators import declares_operators, trial_findings
from alphaz.run.machine import machine
from alphaz.scripting.commands.generators import generate
from alphaz.scripting.commands.outcome import Generation, Generator
from alphaz.scripting.interpreter.python_api import prove
from alphaz.scripting.interpreter.run import Session, Settings
from alphaz.scripting.interpreter.verification_cache import verdict_line
from alphaz.search.schedule.repair.search import with_hints

# So many of the smallest parameters are tried for a figure of C.
_TRIED = 30
_KINDS_OF_C = ("dates", "lifetimes", "blocks")


@dataclass(slots=True)
class StudioState:
    """The latest analysis of a process: of these texts, for this one, with its live results."""

    files: dict[str, str] = field(default_factory=dict)
    file: str = ""
    workspace: Workspace = field(default_factory=Workspace)
    session: Session | None = None
    verdicts: list[DesignVerdict] = field(default_factory=list)
    designs: dict[str, Design] = field(default_factory=dict)
    c: CVerdict | None = None
    pictures: dict[str, Trace | str] = field(default_factory=dict)

    def is_of(self, request: StudioRequest) -> bool:
        return (self.files, self.file) == (dict(request.files), request.file)

    @property
    def systems(self) -> list[str]:
        """Returns the systems that have a picture; the last one is the outermost, as a rule."""
        return list(self.designs) if self.c is None else [self.c.system]

    def begin(self, request: StudioRequest) -> None:
        """Forgets the earlier results."""
        self.files, self.file, self.workspace = dict(request.files), request.file, open_workspace(request)
        self.session, self.c, self.verdicts, self.designs, self.pictures = None, None, [], {}, {}


def open_workspace(request: StudioRequest) -> Workspace:
    """Returns the texts as those of an editor, in the working folder."""
    workspace = Workspace()
    for name, text in request.files.items():
        if not name.endswith((".c", ".cu", ".h")):
            workspace.put(str(Path(name).resolve()), text)
    return workspace


def analyse(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    """Yields the values of an analysis of a program, a script, or C; keeps the results in `judged`."""
    judged.begin(request)
    if request.file.endswith((".c", ".cu")):
        yield from _of_c(request, judged)
    elif is_program(request.file):
        yield from _of_program(request, judged)
    elif request.file.endswith(".cs"):
        yield from _of_script(request, judged)


# --- programs and scripts ---------------------------------------------------------------------------------------------


def _of_program(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    source = Source(request.file, request.files[request.file])
    try:
        checked = read_program(source)
        tried = trial_findings(checked.program) if request.executes else ()
        path = str(Path(request.file).resolve())
        judged.workspace.analyses[path] = ScriptAnalysis(source.text, tried)
        yield _findings(request, judged, ())
    except Rejected as mistakes:
        yield _findings(request, judged, ())
        yield {"event": "verdicts", "verdicts": [_wrong(request.file, "not well formed", mistakes.diagnostics)]}
        shown = rejected(examine_program(source))
        if shown is not None:
            head: Value = {"event": "picture", "system": shown.system, "systems": [shown.system]}
            yield head | picture_value(shown, "witness", ("witness",))
        return
    systems = ", ".join(system.name for system in checked.program.systems)
    line = f"{systems}: names, types, domains and definitions are correct"
    verdict: Value = {"system": systems, "word": "checked", "line": line, "obligations": []}
    yield {"event": "verdicts", "verdicts": [verdict], "notes": _untried(request, [Design(checked)])}
    design = Design(checked)
    judged.designs = {system.name: design for system in checked.program.systems}
    yield from _pictures(request, judged)


def _of_script(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    printed: list[str] = []
    path = str(Path(request.file).resolve())
    session = session_of(path, request.files[request.file], {}, Settings(tries=request.executes, say=printed.append))
    read = unverified_analysis(request.files[request.file], session)
    judged.session = session
    judged.workspace.analyses[path] = read
    yield _findings(request, judged, session.findings)
    if printed:
        yield {"event": "printed", "text": "".join(printed)}
    if not session.design_verdicts:
        word = "not well formed" if session.has_errors else "no mapping"
        yield {"event": "verdicts", "verdicts": [_wrong(request.file, word, session.findings)]}
        return
    yield from _verified(request, judged, session, read)


def _verified(request: StudioRequest, judged: StudioState, session: Session, read: ScriptAnalysis) -> Iterator[Value]:
    matters = session.design_verdicts
    judged.verdicts = [_verdict_on(matter) for matter in matters]
    reports = [verdict.first for verdict in judged.verdicts]
    path = str(Path(request.file).resolve())
    judged.workspace.analyses[path] = verified_analysis(read, matters, reports)
    yield _findings(request, judged, session.findings)
    verdicts = [_verdict_value(verdict) for verdict in judged.verdicts]
    yield {"event": "verdicts", "verdicts": verdicts, "notes": _untried(request, session.designs)}
    judged.designs = {verdict.first.system: verdict.design for verdict in judged.verdicts}
    yield from _pictures(request, judged)
    yield _code(session, judged)
    if not all(report.is_proved for report in reports):
        hinted = [with_hints(matter.design, report) for matter, report in zip(matters, reports, strict=True)]
        judged.workspace.analyses[path] = verified_analysis(read, matters, hinted)
        yield _findings(request, judged, session.findings)


def _untried(request: StudioRequest, designs: Sequence[Design]) -> list[str]:
    """Returns the remark that the C of operators is executed on demand only."""
    if request.executes or EXTERNALS not in request.files:
        return []
    is_declared = any(declares_operators(design.program) for design in designs)
    return [f"The laws of the operators are not tried: `Try the operators` calls {EXTERNALS}."] * is_declared


def _verdict_on(matter: DesignVerdict) -> DesignVerdict:
    """Returns the verdict on a mapping and on those of the systems that it calls."""
    try:
        return verify(matter.design, [matter.first.system])
    except Rejected:
        return DesignVerdict(matter.design, (verdict_on(matter),))


def _verdict_value(verdict: DesignVerdict) -> Value:
    results = [] if verdict.first.mapping is None else verdict.first.results
    return {
        "system": verdict.first.system,
        "word": verdict.first.word,
        "line": repr(verdict.first),
        "obligations": [{"rule": r.rule.code, "claim": r.claim, "verdict": r.verdict.word} for r in results],
    }


def _wrong(name: str, word: str, findings: tuple[Diagnostic, ...]) -> Value:
    errors = sum(finding.is_error for finding in findings)
    line = f"{name}: {word}" + (f", {errors} error{'s' if errors > 1 else ''}" if errors else "")
    return {"system": name, "word": word, "line": line, "obligations": []}


def _findings(request: StudioRequest, judged: StudioState, others: tuple[Diagnostic, ...]) -> Value:
    """Returns the findings of all texts, as the language server shows them, and those without a place."""
    texts = PageTexts(request.files)
    shown = [finding for path in judged.workspace.texts for finding in judged.workspace.findings(path)]
    rest = [finding for finding in others if texts.place(finding.primary.span) is None]
    return {"event": "findings", "findings": texts.findings([*shown, *rest])}


# --- pictures and code ------------------------------------------------------------------------------------------------


def _pictures(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    """Yields the picture of the chosen system, or of the last one that no other calls."""
    systems = list(judged.designs)
    if not systems:
        return
    design = judged.designs[systems[-1]]
    chosen = request.system if request.system in systems else uncalled_systems(design.program, tuple(systems))[-1]
    yield picture(request, judged, chosen)


def picture(request: StudioRequest, judged: StudioState, system: str) -> Value:
    """Returns the trace and the figure of a system, at the parameters of the request."""
    head: Value = {"event": "picture", "system": system, "systems": judged.systems}
    try:
        shown = _trace_of(judged, system, request.parameters)
        return head | picture_value(shown, request.kind, KINDS if judged.c is None else _KINDS_OF_C)
    except Rejected as mistakes:
        return head | {"reason": message_of(mistakes)}


def _trace_of(judged: StudioState, system: str, parameters: str) -> Trace | str:
    """The trace of a mapping at these parameters; that of C is at parameters that it shows most at."""
    key = f"{system} {parameters}" if judged.c is None else system
    if key not in judged.pictures:
        report = next((v.first for v in judged.verdicts if v.first.system == system), None)
        if report is not None and report.mapping is None:
            return "the mapping is not well formed"
        wrong = next((part for part in _parts(parameters) if not _VALUE.fullmatch(part)), None)
        if wrong is not None:
            return f"`{wrong}` is not of the form N=5"
        values = {name.strip(): int(value) for name, _, value in (part.partition("=") for part in _parts(parameters))}
        shown = trace(judged.designs[system], system, values or None, report, with_values=True)
        is_shared = report is not None and report.is_proved and is_for_blocks(report)
        judged.pictures[key] = with_gpu_blocks(shown, judged.designs[system]) if is_shared else shown
    return judged.pictures[key]


_VALUE = re.compile(r"\w+\s*=\s*-?\d{1,18}")


def _parts(text: str) -> list[str]:
    """Returns the parts of `N=5, M=3`."""
    return [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]


def _code(session: Session, judged: StudioState) -> Value:
    """Returns the code that the script asks for, and that of each proved mapping that it does not ask for."""
    files: dict[str, str] = {}
    reasons: list[str] = []
    for sources in session.files.values():
        files |= sources.files
    for generation in _generations(session, judged):
        try:
            for name, text in _sources(generation, judged).files.items():
                # Generators that write one file into one folder: the page shows both.
                is_new = files.get(name, text) == text
                files[name if is_new else f"{generation.generator} {name}"] = text
        except Rejected as mistakes:
            reasons.append(mistakes.diagnostics[0].message)
    return {"event": "code", "files": files, "reasons": list(dict.fromkeys(reasons))}


def _generations(session: Session, judged: StudioState) -> list[Generation]:
    asked = [request for request in session.requests if isinstance(request, Generation)]
    known = {generation.system for generation in asked if generation.needs_proof}
    return asked + [
        Generation(v.design, v.first.system, v.design.system(v.first.system).span, Generator.SCHEDULED)
        for v in judged.verdicts
        if v.first.system not in known and v.is_proved
    ]


def _sources(generation: Generation, judged: StudioState) -> Sources:
    """Returns self-contained code, as users copy single files from the page."""
    generation = replace(generation, is_self_contained=True)
    if not generation.needs_proof:
        return generate(generation, None)
    same = (v for v in judged.verdicts if v.first.system == generation.system and v.design is generation.design)
    verdict = next(same, None) or verify(generation.design, [generation.system])
    return generate(generation, certify(verdict), machine=machine())


# --- C ----------------------------------------------------------------------------------------------------------------


class _Options(argparse.ArgumentParser):
    """The options of `alphaz prove` that the page takes."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def _options(text: str) -> argparse.Namespace:
    """Returns the options. Raises ValueError for others."""
    options = _Options(add_help=False, allow_abbrev=False)
    for name in ("--system", "--function", "--kernel", "--grid", "--block"):
        options.add_argument(name)
    for name in ("--map", "--storage", "--assume"):
        options.add_argument(name, action="append", default=[])
    options.add_argument("--sizes", type=_sizes, default={})
    options.add_argument("--laws", type=_laws, default=())
    options.add_argument("--exact", action="store_true")
    return options.parse_args(shlex.split(text))


def _sizes(text: str) -> dict[str, int]:
    pairs = _pairs(text.split(","))
    if not all(value.isdecimal() for value in pairs.values()):
        raise argparse.ArgumentTypeError("sizes are of the form T=32,U=8")
    return {name: int(value) for name, value in pairs.items()}


def _laws(text: str) -> tuple[str, ...]:
    laws = tuple(law.strip() for law in text.split(","))
    if not set(laws) <= set(LAWS):
        raise argparse.ArgumentTypeError(f"the laws are {', '.join(LAWS)}")
    return laws


def _pairs(texts: list[str]) -> dict[str, str]:
    parts = [text.partition("=") for text in texts]
    return {name.strip(): value.strip() for name, _, value in parts}


def _of_c(request: StudioRequest, judged: StudioState) -> Iterator[Value]:
    texts = PageTexts(request.files)
    program = _program_of(request)
    if program is None:
        reason = "C is proved against a program: add one (.ab)"
        yield {
            "event": "verdicts",
            "verdicts": [{"system": "", "word": "undecided", "line": reason, "obligations": []}],
        }
        return
    try:
        options = _options(request.options)
    except ValueError as mistake:
        yield {"event": "failed", "reason": f"options of the proof: {mistake}"}
        return
    try:
        judged.c = verdict = _proved(request, program, options)
    except Rejected as mistakes:
        yield {"event": "findings", "findings": texts.findings(mistakes.diagnostics)}
        yield {"event": "verdicts", "verdicts": [_wrong(request.file, "undecided", mistakes.diagnostics)]}
        return
    yield {"event": "findings", "findings": texts.findings(verdict.findings)}
    yield {"event": "verdicts", "verdicts": [_c_value(verdict)], "notes": _c_notes(verdict)}
    judged.pictures[verdict.system] = _order(verdict, program, options)
    yield picture(request, judged, verdict.system)


def _program_of(request: StudioRequest) -> str | None:
    """Returns the program of a C text: the one with its name, else the first."""
    programs = [name for name in request.files if is_program(name)]
    same = [name for name in programs if Path(request.file).stem.startswith(Path(name).stem)]
    return next(iter((*same, *programs)), None)


def _proved(request: StudioRequest, program: str, options: argparse.Namespace) -> CVerdict:
    return prove(
        program,
        request.file,
        system=options.system,
        function=options.function,
        names=_pairs(options.map),
        storage=_pairs(options.storage) or None,
        sizes=options.sizes,
        assume=options.assume,
        laws=options.laws,
        exact=options.exact,
        executes=request.executes,
        launch=None if options.grid is None else (options.kernel, options.grid, options.block or "1"),
    )


def _c_value(verdict: CVerdict) -> Value:
    answers = [(a.question.family, a.question.claim, a.verdict) for a in verdict.obligations]
    return {
        "system": verdict.system,
        "word": verdict.verdict,
        "line": str(verdict),
        "obligations": [
            {"rule": family, "claim": claim, "verdict": "violated" if isinstance(answer, Refuted) else answer.word}
            for family, claim, answer in answers
        ],
    }


def _c_notes(verdict: CVerdict) -> list[str]:
    granted = [f"taken for granted: {note}" for note in verdict.assumed]
    return granted if verdict.tried is None else [*granted, str(verdict.tried)]


def _order(verdict: CVerdict, program: str, options: argparse.Namespace) -> Trace | str:
    """Returns the order of the C at small parameters: those where it goes wrong, if it does."""
    if verdict.proof is None:
        return "the C could not be read"
    checked = read_program(Source(program, Path(program).read_text(encoding="utf-8")))
    system = chosen_system(checked, ProofTask(system=options.system))
    witness = next((finding.witness for finding in verdict.findings if finding.witness is not None), None)
    values = None if witness is None else dict(witness.parameters)
    sizes = [*islice(by_sum(system), _TRIED), *sample_parameters(system)]
    return trace_of_kernel(verdict.proof.kernel, sizes, verdict.verdict, values)


# --- reports ----------------------------------------------------------------------------------------------------------


def entries_of(request: StudioRequest, judged: StudioState) -> list[ReportEntry]:
    """Returns the entries of the report on the latest analysis."""
    if judged.c is not None:
        value = judged.c
        answers = [(a.question.family, a.question.claim, a.verdict) for a in value.obligations]
        return [
            ReportEntry(
                file=request.file,
                case="prove",
                findings=value.findings,
                seconds=value.seconds,
                system=value.system,
                word=value.verdict,
                line=str(value),
                obligations=[(family, claim, answer.word) for family, claim, answer in answers],
                notes=_c_notes(value),
                trace=judged.pictures.get(value.system, ""),
            )
        ]
    entries = [_entry(request, judged, verdict, verdict.first) for verdict in judged.verdicts]
    known = judged.workspace.analyses.get(str(Path(request.file).resolve()))
    own = known.findings if known is not None and not entries else ()
    programs = judged.workspace.check(str(Path(request.file).resolve()))
    if own or programs:
        findings = [*own, *programs]
        is_wrong = any(finding.is_error for finding in findings)
        word = "not well formed" if is_wrong else "remarks"
        entries.append(
            ReportEntry(request.file, "text", findings, word=word, line="the text itself", trace="no mapping")
        )
    return entries


def _entry(request: StudioRequest, judged: StudioState, verdict: DesignVerdict, report: SystemVerdict) -> ReportEntry:
    known = judged.workspace.analyses[str(Path(request.file).resolve())]
    hinted = {(f.rule.code, f.message, f.primary.span.start): f for f in known.findings}
    findings = [hinted.get((f.rule.code, f.message, f.primary.span.start), f) for f in report.findings]
    try:
        shown: Trace | str = _trace_of(judged, report.system, "")
    except Rejected as mistakes:
        shown = mistakes.diagnostics[0].message
    return ReportEntry(
        file=request.file,
        case=report.system,
        findings=findings,
        seconds=verdict.seconds,
        system=report.system,
        word=report.word,
        line=verdict_line(verdict),
        obligations=[(r.rule.code, r.claim, r.verdict.word) for r in report.results],
        trace=shown,
    )
