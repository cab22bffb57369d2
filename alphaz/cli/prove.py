"""`alphaz prove`: proves that a C program computes a system of equations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice

import click
from click.core import ParameterSource

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.cli.certificate_documents import c_certificate_text, write_with_proofs
from alphaz.cli.figure_files import write_order
from alphaz.cli.files import file_names, folder_names, read_file, read_source
from alphaz.cli.output import CLEAN, FINDINGS, progress, show_findings
from alphaz.cli.proofs_option import check_targets, proofs_option
from alphaz.cli.resource_limits import PROVING, bounding
from alphaz.cli.shared_options import Choices, shared_options
from alphaz.cli.verdict_output import ReportPage, VerbReport, digests, emit
from alphaz.diagnostics import Diagnostic, Rejected, ReportEntry, Source
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.work_limits import OutOfTime
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.driver.claim_files import beside, read_claims
from alphaz.equivalence.driver.preprocessing import with_plain_lines
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask, StatedLaunch, assumed_parameters, chosen_system, possible_systems
from alphaz.equivalence.symbolic_run import by_sum, sample_parameters
from alphaz.equivalence.value_graph import LAWS
from alphaz.figures.trace.kernel import trace_of_kernel
from alphaz.figures.trace.trace_data import Trace
from alphaz.lazy import lazy_import
from alphaz.poly import Domain
from alphaz.processes.copies import cores
from alphaz.proof import Refuted, Verdict
from alphaz.scop.c_model import Annotation, OtherFile
from alphaz.scripting.commands.kinds.storage import layouts_said

EPILOG = """\b
Examples:
  alphaz prove gemm.ab gemm.c
  alphaz prove --function kernel --map n=N --map out=C gemm.ab kernel.c
  alphaz prove --laws distributivity,associativity gemm.ab tuned.c
  alphaz prove --kernel saxpy --grid '(N+255)/256' --block 256 saxpy.ab saxpy.cu
  alphaz prove --sizes ts1=32,ts2=8 gemm.ab tiled.c
  alphaz prove --storage T='full column leading lda' dtrmv.ab dtrmv.c
  alphaz prove --claims gemm.claims.json gemm.ab gemm.c
  alphaz prove filter.ab filtered.c smooth.c distance.c
  alphaz prove --assume 'N>=3' --format sarif jacobi.ab jacobi.c
  alphaz prove --report html=report.html lu.ab lu.c
  alphaz prove --figures out lu.ab lu.c
  alphaz prove --script steps.cs steps.ab build/steps.c
  alphaz prove --certificate lu.json lu.ab lu.c && alphaz recheck lu.json

\b
The verdict is for all values of the parameters: proved; refuted, by a data
race or by an execution under sanitizers that went wrong; or undecided, with the
reason (which is not proved: exit code 1). Sums may be computed in any order.
docs/proving-c.md lists the supported C.
\b
The JSON document is that of `check`, with one value more:
  "proofs": [{"program", "source", "system", "function", "verdict", "seconds",
    "assumed", "executed": [{"N": 1}], "obligations": [{"family", "claim", "verdict", "seconds"}]}]"""


# So many of the smallest parameters are tried for a figure.
_TRIED = 30


@click.command("prove", epilog=EPILOG)
@click.argument("program", metavar="[PROGRAM.ab", shell_complete=file_names, required=False)
@click.argument("kernel", metavar="KERNEL.c", shell_complete=file_names, required=False)
@click.argument("others", metavar="[MORE.c]...]", nargs=-1, shell_complete=file_names)
@click.option("--function", metavar="NAME", help="The C function (the one with the name of the system).")
@click.option("--system", metavar="NAME", help="The system (the one that no others call).")
@click.option(
    "--map", "names", metavar="C=NAME", multiple=True, help="The variable that an argument of C holds (C=X+Y: both)."
)
@click.option(
    "--storage",
    metavar="A=FORMAT",
    multiple=True,
    help="The storage format of an argument that is no array over a box, as in `setStorageFormat`.",
)
@click.option("--kernel", "device_kernel", metavar="NAME", help="A CUDA kernel without host code, with its launch:")
@click.option("--grid", metavar="'(N+31)/32,M'", help="its blocks in x, y and z, by the arguments of the kernel,")
@click.option("--block", metavar="32,8", help="and the threads of a block.")
@click.option("--sizes", metavar="T=32", multiple=True, help="Tile sizes; the proof holds for these alone.")
@click.option(
    "--assume",
    "assumed",
    metavar="'N>=3'",
    multiple=True,
    help="A constraint on the parameters, under which it is proved.",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Require the same expression tree: operands and sums in the order of the equations, too.",
)
@click.option("--laws", metavar="NAMES", default="", help=f"Further laws that the C may use: {', '.join(LAWS)}.")
@click.option(
    "--claims",
    metavar="FILE",
    shell_complete=file_names,
    help="Annotations of the lines of the C (KERNEL.claims.json, if it exists): checked, never trusted.",
)
@click.option(
    "--script",
    metavar="SCRIPT.cs",
    shell_complete=file_names,
    help="The script that generated a text with calls of MPI: the places of values in it are checked, never trusted.",
)
@click.option("--obligations", is_flag=True, help="Also list every obligation with its verdict.")
@click.option("--no-execution", is_flag=True, help="Do not execute the C; an unproved kernel stays undecided.")
@click.option(
    "--certificate",
    metavar="FILE",
    shell_complete=file_names,
    help="Write every obligation, to be decided again by `recheck`.",
)
@proofs_option
@click.option(
    "--figures", metavar="FOLDER", shell_complete=folder_names, help="Write figures of the order of the C, as SVG."
)
@shared_options(PROVING, "it")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    program: str | None,
    kernel: str | None,
    obligations: bool,
    certificate: str | None,
    proofs: bool,
    figures: str | None,
    choices: Callable[[], Choices],
    **stated: object,
) -> None:
    """Prove that a C function computes a system of equations, for all parameters.

    The C may be generated or handwritten; annotations in it are checked, never trusted. Functions that KERNEL.c calls
    may be defined in further files. Without files, the pairs of the project are proved (`[tool.alphaz.prove]`).
    """
    check_targets(certificate, proofs)
    if stated["script"] is not None and certificate is not None:
        raise click.UsageError("--certificate is not for --script: certificates do not have the text of ranks")
    chosen = choices()
    if program is not None and kernel is None:
        raise click.UsageError(f"{program} needs a C file: alphaz prove PROGRAM.ab KERNEL.c")
    if program is None or kernel is None:
        requests = _of_project(chosen.settings.prove)
        if figures is not None or any(stated.values()):
            raise click.UsageError("options of one proof need its files: alphaz prove PROGRAM.ab KERNEL.c")
    else:
        requests = [_Request(program=program, kernel=kernel, **stated)]  # type: ignore[arg-type]
    draws = figures is not None or "html" in chosen.forms
    results = [_result(request, chosen, draws) for request in requests]
    progress("")
    findings = [finding for result in results for finding in result.findings]
    code = chosen.code(findings, [result.source for result in results])

    if chosen.shows_text:
        for result in results:
            _show(result.verdict, chosen, result.findings, obligations)
    emit(_report(chosen, results))
    if certificate is not None:
        pairs = [(result.verdict, result.program) for result in results if result.verdict is not None]
        verdicts, programs = [verdict for verdict, _ in pairs], [equations for _, equations in pairs]
        write_with_proofs(certificate, c_certificate_text(verdicts, programs), proofs)
    if figures is not None:
        write_order(figures, results[0].source.name, results[0].order)
    is_silent = any(
        (result.verdict is None or not result.verdict.is_proved) and not result.findings for result in results
    )
    ctx.exit(FINDINGS if code == CLEAN and is_silent else code)


@dataclass(frozen=True, slots=True)
class _Request:
    """One proof: its files, and its options of the command line."""

    program: str
    kernel: str
    others: tuple[str, ...]
    function: str | None
    system: str | None
    names: tuple[str, ...]
    storage: tuple[str, ...]
    device_kernel: str | None
    grid: str | None
    block: str | None
    sizes: tuple[str, ...]
    assumed: tuple[str, ...]
    exact: bool
    laws: str
    claims: str | None
    script: str | None
    no_execution: bool

    def task(self, checked: Checked, source: Source, jobs: int) -> ProofTask:
        systems = possible_systems(checked, self.system)
        return ProofTask(
            function=self.function,
            system=self.system,
            names=dict(_name(name) for name in self.names),
            sizes=dict(_size(part) for text in self.sizes for part in text.split(",")),
            assumed=_assumption(self.assumed, systems[0].parameters) if systems else None,
            laws=Laws(_laws(self.laws), self.exact),
            executes=not self.no_execution,
            annotations=_claims(self.claims, source),
            jobs=jobs,
            layouts=layouts_said(systems[0], self.layouts) if systems else {},
            launch=_launch(self.device_kernel, self.grid, self.block),
            others=tuple(
                OtherFile(other_source, _claims(None, other_source)) for other_source in map(_c_source, self.others)
            ),
        )

    @property
    def layouts(self) -> dict[str, str]:
        return dict(_name(option, "--storage", "A=FORMAT") for option in self.storage)

    def check(self) -> None:
        """Raises click.BadParameter for an option that means nothing."""
        _laws(self.laws), self.layouts, _launch(self.device_kernel, self.grid, self.block)
        _ = [*map(_name, self.names), *(_size(part) for text in self.sizes for part in text.split(","))]


@dataclass(frozen=True, slots=True, eq=False)
class _Result:
    """One proof with its findings; without a verdict there was no time."""

    program: Source
    source: Source
    verdict: CVerdict | None
    findings: Sequence[Diagnostic]
    order: Trace | str


def _of_project(pairs: Mapping[str, Sequence[str]]) -> list[_Request]:
    """Returns the proofs that the project lists. Raises click.UsageError for none, or a wrong option of one."""
    if not pairs:
        raise click.UsageError("no files are given, and the project has no table `prove` of C files and programs")
    own = {item.name for item in fields(_Request)}
    requests = []
    for kernel, (program, *options) in pairs.items():
        inner = command.make_context("prove", [program, kernel, *options], resilient_parsing=False)
        given = [
            name for name in inner.params
            if name not in own and inner.get_parameter_source(name) is ParameterSource.COMMANDLINE
        ]  # fmt: skip
        if given:
            raise click.UsageError(f"options of {kernel} in the table `prove`: `{given[0]}` is one of all proofs")
        requests.append(_Request(**{name: inner.params[name] for name in own}))
    return requests


def _result(request: _Request, chosen: Choices, draws: bool) -> _Result:
    request.check()
    equations, source = read_source(request.program, ".ab"), _c_source(request.kernel)
    verdict: CVerdict | None = None
    order: Trace | str = "there was no time"
    findings: Sequence[Diagnostic]
    try:
        with bounding(chosen.limits):
            checked = read_program(equations)
            task = request.task(checked, source, chosen.jobs or cores())
            if request.script is None:
                verdict = prove_c(checked, source, task, lambda text: progress(f"{request.kernel}: {text}"))
            else:
                verdict = lazy_import("alphaz.cli.edited_ranks").prove(request.script, source, checked, task)
            if draws:
                order = _order(verdict, checked, task)
        findings = verdict.findings if request.script is not None else _with_script(verdict)
    except OutOfTime as over:
        findings = (over.finding,) if verdict is None else (*verdict.findings, over.finding)
    shown = chosen.selected(findings, source, "12345678")
    return _Result(program=equations, source=source, verdict=verdict, findings=shown, order=order)


def _with_script(verdict: CVerdict) -> Sequence[Diagnostic]:
    """Returns the findings; if the text calls MPI, the remedy of the first one is to name its script."""
    if verdict.is_proved or "MPI_Comm" not in verdict.source.text:
        return verdict.findings
    first, *others = verdict.findings
    return [replace(first, help="it calls MPI: name the script that generated it, `--script SCRIPT.cs`"), *others]


def _show(verdict: CVerdict | None, choices: Choices, findings: Sequence[Diagnostic], obligations: bool) -> None:
    if verdict is not None:
        click.echo(f"{verdict} ({verdict.seconds:.2f} s)")
        if obligations:
            for answer in verdict.obligations:
                click.echo(f"  {answer.question.family}  {_word(answer.verdict):<9}  {answer.question.claim}")
        for note in _notes(verdict) if verdict.is_proved else ():
            click.echo(f"  {note}")
    show_findings(choices.news(findings), selection=choices.selection)


def _notes(verdict: CVerdict) -> Sequence[str]:
    """Returns the notes about a proved function."""
    granted = [f"taken for granted: {note}" for note in verdict.assumed]
    return granted if verdict.tried is None else [*granted, str(verdict.tried)]


def _order(verdict: CVerdict, checked: Checked, task: ProofTask) -> Trace | str:
    """Returns the order of the C at small parameters: those where it goes wrong, if it does; or the reason why there is
    none.
    """
    if verdict.proof is None:
        return "the C could not be read"
    system = chosen_system(checked, task)
    witness = next((finding.witness for finding in verdict.findings if finding.witness is not None), None)
    values = None if witness is None else dict(witness.parameters)
    sizes = [*islice(by_sum(system), _TRIED), *sample_parameters(system)]
    return trace_of_kernel(verdict.proof.kernel, sizes, verdict.verdict, values)


def _report(choices: Choices, results: Sequence[_Result]) -> VerbReport:
    """Returns the report on all proofs."""
    entries = [_entry(result) for result in results]
    findings = [finding for result in results for finding in result.findings]
    sources = dict.fromkeys(source for result in results for source in (result.source, result.program))
    verdicts = [result.verdict for result in results if result.verdict is not None]
    facts = [("taken for granted", note) for verdict in verdicts for note in verdict.assumed]
    facts += [("execution", str(verdict.tried)) for verdict in verdicts if verdict.tried is not None]
    summaries = [_summary(result.program.name, result.verdict) for result in results if result.verdict is not None]
    closing, notes = (str(verdicts[0]) if verdicts else ""), entries[0].notes
    if len(results) > 1:
        proved = sum(verdict.is_proved for verdict in verdicts)
        closing, notes = f"{proved} of {count_text(len(results), 'C file')} proved", ()
    return VerbReport(
        choices=choices,
        entries=entries,
        findings=findings,
        annotations=findings,
        closing=closing,
        notes=notes,
        key="proofs",
        properties=(summaries[0] if summaries else None) if len(results) == 1 else {"proofs": summaries},
        page=ReportPage(
            title=f"alphaz prove: {', '.join(result.source.name for result in results)}",
            texts={source.name: source.text for source in sources},
            facts=[*facts, *digests(sources)],
            noun="text",
        ),
    )


def _entry(result: _Result) -> ReportEntry:
    source, verdict = result.source, result.verdict
    entry = ReportEntry(
        source.name, "prove", result.findings, system=source.name, word="undecided", line="undecided",
        trace=result.order,
    )  # fmt: skip
    if verdict is None:
        return entry
    return replace(
        entry,
        seconds=verdict.seconds,
        system=verdict.system,
        word=verdict.verdict,
        line=f"{verdict} ({verdict.seconds:.2f} s)",
        obligations=[(a.question.family, a.question.claim, _word(a.verdict)) for a in verdict.obligations],
        notes=_notes(verdict),
        value=_value(result.program.name, verdict),
    )


def _summary(program: str, verdict: CVerdict) -> dict[str, object]:
    """Returns the parts that are the same in every run."""
    ran = () if verdict.tried is None else verdict.tried.ran
    left = "" if verdict.tried is None or ran else verdict.tried.left
    return {
        "program": program,
        "source": verdict.source.name,
        "system": verdict.system,
        "function": verdict.function,
        "verdict": verdict.verdict,
        "assumed": list(verdict.assumed),
        "executed": [dict(run_) for run_ in ran],
        **({"not_executed": left} if left else {}),
    }


def _value(program: str, verdict: CVerdict) -> dict[str, object]:
    return {
        **_summary(program, verdict),
        "seconds": round(verdict.seconds, 3),
        "obligations": [
            {
                "family": obligation.question.family,
                "claim": obligation.question.claim,
                "verdict": _word(obligation.verdict),
                "seconds": round(obligation.seconds, 3),
            }
            for obligation in verdict.obligations
        ],
    }


def _word(verdict: Verdict) -> str:
    """Returns the verdict of an obligation about C as a word: a violation is "not proved"; only an
    execution refutes.
    """
    return "violated" if isinstance(verdict, Refuted) else verdict.word


def _c_source(name: str) -> Source:
    return with_plain_lines(read_file(name))


def _laws(text: str) -> frozenset[str]:
    names = frozenset(part.strip() for part in text.split(",") if part.strip())
    unknown = sorted(names - set(LAWS))
    if unknown:
        raise click.BadParameter(f"`{unknown[0]}` is none of {', '.join(LAWS)}", param_hint="'--laws'")
    return names


def _name(option: str, flag: str = "--map", form: str = "C_NAME=NAME") -> tuple[str, str]:
    name, _, new_name = (part.strip() for part in option.partition("="))
    if not name or not new_name:
        raise click.BadParameter(f"`{option}` is not of the form {form}", param_hint=f"'{flag}'")
    return name, new_name


def _launch(kernel: str | None, grid: str | None, block: str | None) -> StatedLaunch | None:
    if kernel is None and grid is None and block is None:
        return None
    if grid is None or block is None:
        missing = "--block" if grid is not None else "--grid"
        raise click.UsageError(f"a launch needs {missing} too, such as --grid '(N+255)/256' --block 256")
    return StatedLaunch(kernel, grid, block)


def _claims(name: str | None, source: Source) -> dict[int, Annotation]:
    """Returns the annotations of the named file, or of the one next to the C, if there is one."""
    place = beside(source)
    if name is None and not place.is_file():
        return {}
    return read_claims(_c_source(str(place) if name is None else name))


def _size(option: str) -> tuple[str, int]:
    name, _, value = (part.strip() for part in option.partition("="))
    if not name or not value.isdecimal() or int(value) < 1:
        raise click.BadParameter(f"`{option}` is not of the form NAME=32", param_hint="'--sizes'")
    return name, int(value)


def _assumption(texts: Sequence[str], parameters: tuple[str, ...]) -> Domain | None:
    try:
        return assumed_parameters(texts, parameters)
    except Rejected as rejected:
        message = f"`{' && '.join(texts)}` is no condition such as N>=3: {rejected.diagnostics[0].message}"
        raise click.BadParameter(message, param_hint="'--assume'") from None
