"""`alphaz run`: executes a command script."""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import click

from alphaz.analysis.checks.checked_program import Checked
from alphaz.cli.config import options
from alphaz.cli.files import InputError, check_output, file_names, folder_names, read_source
from alphaz.cli.output import ASSUMED, FINDINGS, exit_code, progress, show_findings
from alphaz.cli.proofs_option import check_targets, proofs_option
from alphaz.cli.resource_limits import limited
from alphaz.cli.target_option import target_option
from alphaz.codegen.scheduled.pipeline import NAMES, OPTIONAL, PLAIN, Pipeline, described
from alphaz.codegen.scheduled.scheduled_c import explained, tree_text
from alphaz.codegen.sources import EXTERNALS, Sources
from alphaz.codegen.targets.target import Target
from alphaz.codegen.toolchain import C
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.rules import REFUSED
from alphaz.equivalence.driver.claim_files import with_claims
from alphaz.equivalence.driver.generated_code import NOT_PROVED, prove_generated, prove_stage_a
from alphaz.equivalence.driver.generated_code import ProvedCode as ProvedSources
from alphaz.equivalence.driver.prove_c import CVerdict
from alphaz.lazy import lazy_import
from alphaz.legality.verdicts import Options, Verified
from alphaz.legality.verify import verify
from alphaz.machine import VECTORS, Machine
from alphaz.proof import Proved, Refuted, Undecided, discharge
from alphaz.run.compiler import find_compiler
from alphaz.run.files import write_sources
from alphaz.run.library import NotCompiled, compiled
from alphaz.run.machine import PIN, machine
from alphaz.scripting.commands.generators import generate
from alphaz.scripting.commands.outcome import Generation
from alphaz.scripting.interpreter.run import Session, Settings, run_script
from alphaz.scripting.interpreter.verification_cache import VerificationCache

Generate = Callable[[Generation, Verified | None], Sources]

EPILOG = """\b
Examples:
  alphaz run mcm.cs
  alphaz run mcm.cs -o build
  alphaz run mcm.cs -o build --plain
  alphaz run mcm.cs -o build --self-contained
  alphaz run mcm.cs -o build --prove
  alphaz run mcm.cs -o build --prove --certificate mcm.json
  alphaz run mcm.cs -o build --target sequential
  alphaz run mcm.cs -o build --target cuda --prove
  alphaz run gemm-tuned.cs -o build --vectors avx512
  alphaz run seidel-2d.cs -o build --explain

\b
Code is generated only for proved mappings. Files are written after the whole script
has succeeded: an error leaves none of them."""


def _list(ctx: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        click.echo(described())
        ctx.exit()


def _optional(ctx: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Checks that the passes to leave out are optional."""
    for name in names:
        if name not in OPTIONAL:
            those = ", ".join(name for name in NAMES if name in OPTIONAL)
            raise click.BadParameter(f"{name} is always run; these are optional: {those}", ctx, parameter)
    return names


def _self_contained(generator: Generate) -> Generate:
    """Returns the generator of code without `alphaz.h`."""
    return lambda generation, verified: generator(replace(generation, is_self_contained=True), verified)


def _generator(
    pipeline: Pipeline, target: Target | None, explain: bool, machine: Machine
) -> Callable[[Generation, Verified | None], Sources]:
    """Returns the generator: of code, or of the text of loops where the passes end before all are run."""
    if pipeline.until is None:
        return (
            partial(_explained_sources, pipeline, target, machine)
            if explain
            else partial(generate, pipeline=pipeline, target=target, machine=machine)
        )

    def show(generation: Generation, verified: Verified | None) -> Sources:
        if verified is not None:
            text = tree_text(verified, generation.system, pipeline, target=target, machine=machine)
            click.echo(text, nl=False)
        return Sources({})

    return show


def _proving(
    generator: Callable[[Generation, Verified | None], Sources],
    verdicts: list[tuple[CVerdict, Source]],
    prove: Callable[[Sources, Checked, str], ProvedSources],
    is_required: bool,
) -> Callable[[Generation, Verified | None], Sources]:
    """Returns the same generator, which proves scheduled code before returning it. Code of a mapping that is assumed is
    not proved: it may be wrong; Rejected (AZ804) where a proof `is_required`."""

    def proved_sources(generation: Generation, verified: Verified | None) -> Sources:
        sources = generator(generation, verified)
        if verified is None or not sources.files:
            return sources
        if verified.assumed:
            if is_required:
                message = f"the C of `{generation.system}` is not proved: its mapping is assumed"
                raise Rejected(Diagnostic(REFUSED, message, Label(generation.span), help="leave out `--prove`"))
            return sources
        progress(f"proving the C of {generation.system}")
        proof = prove(sources, verified.design.checked, generation.system)
        verdicts.append((proof.verdict, verified.design.checked.program.source))
        return proof.sources

    return proved_sources


def _explained_sources(
    pipeline: Pipeline, target: Target | None, machine: Machine, generation: Generation, verified: Verified | None
) -> Sources:
    """Returns code, with the proofs of its loop transformations: proved, or with the smallest witness; and the
    innermost loops that are not vectorised.
    """
    if verified is not None:
        explanation = explained(verified, generation.system, pipeline, target=target, machine=machine)
        for obligation, is_proved in explanation.answers:
            verdict = Proved() if is_proved else discharge(obligation)
            match verdict:
                case Refuted(witness=witness):
                    click.echo(f"{generation.system}: not done: {obligation.claim}\n  refuted: {witness.sentence}")
                case Undecided(reason):
                    click.echo(f"{generation.system}: not done: {obligation.claim}\n  undecided: {reason}")
                case Proved():
                    click.echo(f"{generation.system}: proved: {obligation.claim}")
        for obstacle in explanation.obstacles:
            click.echo(f"{generation.system}: not in vectors: {obstacle}")
    return generate(generation, verified, pipeline=pipeline, target=target, machine=machine)


@click.command("run", epilog=EPILOG)
@click.argument("script", metavar="SCRIPT.cs", shell_complete=file_names)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    shell_complete=folder_names,
    help="The output folder of the generated files, also for `../x` in the script (next to the script).",
)
@click.option("--assume-legal", is_flag=True, help="Generate code for unproved mappings too; its header states this.")
@click.option("--exact-tiles", is_flag=True, help="Accept mappings that are proved only for the given tile sizes.")
@click.option("--plain", is_flag=True, help="Only the passes that the mapping requires; no optional pass.")
@click.option(
    "--without",
    multiple=True,
    type=click.Choice(NAMES),
    metavar="PASS",
    callback=_optional,
    help="Leave out an optional pass (may be given several times).",
)
@click.option("--stop-after", type=click.Choice(NAMES), help="Print the loops after a pass, and write no code.")
@click.option("--passes", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List the passes.")
@target_option
@click.option(
    "--vectors",
    type=click.Choice(sorted(VECTORS)),
    help=f"The vector instructions of the code (those of this machine, or of the variable {PIN}).",
)
@click.option(
    "--self-contained",
    is_flag=True,
    help="C files that have the functions that they use themselves, and do not include alphaz.h.",
)
@click.option(
    "--prove/--no-prove",
    "proves",
    default=None,
    envvar="ALPHAZ_PROVE",
    help="Prove all of the generated C, or none; by default, proofs within 10 s (stage A). Its header has the result.",
)
@click.option("--claims", is_flag=True, help="Also write NAME.claims.json: the value that each line of the C computes.")
@click.option(
    "--explain",
    is_flag=True,
    help="Print the proofs for loop transformations, those that failed, and why loops are not vectorised.",
)
@click.option(
    "--certificate",
    metavar="FILE",
    shell_complete=file_names,
    help="With --prove: write every obligation, of mappings and of C, to be decided again by `recheck`.",
)
@proofs_option
@click.option("--timings", is_flag=True, help="Print the times to parse, verify and generate, and to compile the code.")
@limited
@click.pass_context
def command(
    ctx: click.Context,
    script: str,
    output: str | None,
    assume_legal: bool,
    exact_tiles: bool,
    plain: bool,
    without: tuple[str, ...],
    stop_after: str | None,
    target: Target | None,
    vectors: str | None,
    self_contained: bool,
    proves: bool | None,
    claims: bool,
    explain: bool,
    certificate: str | None,
    proofs: bool,
    timings: bool,
) -> None:
    """Execute a command script, code generation included."""
    check_output(output)
    source = read_source(script, ".cs")
    if output is not None and Path(output).exists() and not Path(output).is_dir():
        raise InputError(f"{output} is a file, not a folder")
    folder = None if output is None else Path(output)
    pipeline = Pipeline(PLAIN.without if plain else frozenset(without), stop_after)
    if certificate is not None and not proves:
        raise click.UsageError("--certificate goes with --prove: it is about the C as well")
    check_targets(certificate, proofs)
    verdicts: list[tuple[CVerdict, Source]] = []
    generator = _generator(pipeline, target, explain, machine(vectors))
    if self_contained:
        generator = _self_contained(generator)
    if proves is not False:
        generator = _proving(
            generator,
            verdicts,
            partial(prove_generated, jobs=options().jobs) if proves else prove_stage_a,
            is_required=bool(proves),
        )
    watch = Stopwatch(generator)
    settings = Settings(
        generate=watch.timed,
        output=folder,
        assume_legal=assume_legal,
        tries=True,
        instructions=vectors,
        say=lambda text: click.echo(text, nl=False),
    )
    verify_options = Options(exact_tiles)
    verifications = VerificationCache(
        lambda system: progress(f"verifying {system}"), partial(verify, options=verify_options)
    )
    session = run_script(source, Path(script).parent, settings, verifications)
    progress("")
    for design_verdict in session.design_verdicts:
        show_findings(design_verdict.first.findings)
    show_findings(session.findings)
    for verdict, _ in verdicts if proves else ():
        click.echo(f"{verdict.source.name}: {verdict} ({verdict.seconds:.2f} s)")
        show_findings(verdict.findings)
    _write(session, claims, {v.source.name for v, _ in verdicts if not v.is_proved and NOT_PROVED in v.source.text})
    if timings:
        progress("compiling")
        lines = watch.lines(session, Path(script).parent)
        progress("")
        click.echo(lines, nl=False)
    if certificate is not None:
        text = _certificate(script, session, [pair for pair in verdicts if not pair[0].parts])
        lazy_import("alphaz.cli.certificate_documents").write_with_proofs(certificate, text, proofs)
    if proves and not all(verdict.is_proved for verdict, _ in verdicts):
        ctx.exit(FINDINGS)
    every = [*session.findings, *(f for j in session.design_verdicts for f in j.first.findings)]
    code = exit_code(session.findings if assume_legal and not session.has_errors else every)
    usable = all(design_verdict.first.is_usable for design_verdict in session.design_verdicts)
    ctx.exit(code if code or session.is_clean or assume_legal else ASSUMED if usable else FINDINGS)


def _certificate(script: str, session: Session, verdicts: Sequence[tuple[CVerdict, Source]]) -> str:
    """Returns the certificate of the mappings, and of the generated C files."""
    certificates = lazy_import("alphaz.cli.certificate_documents")
    texts = {
        name: Source(str(folder / name), text)
        for folder, sources in session.files.items()
        for name, text in sources.files.items()
    }
    verdicts_ = [replace(verdict, source=texts.get(verdict.source.name, verdict.source)) for verdict, _ in verdicts]
    reports = [design_verdict.first for design_verdict in session.design_verdicts]
    mappings = [certificates.record(script, report) for report in reports]
    text: str = certificates.c_certificate_text(verdicts_, [program for _, program in verdicts], mappings)
    return text


def _write(session: Session, claims: bool, unproved: Collection[str]) -> None:
    """Writes the files, and names those whose text is `unproved`."""
    for folder, sources in session.files.items():
        for path in write_sources(with_claims(sources) if claims else sources, folder):
            remark = ": prototypes only, to be given bodies, or linked" if path.name == EXTERNALS else ""
            remark = remark or (": the mapping is proved, this text is not" if path.name in unproved else "")
            click.echo(f"wrote {path}{remark}")


@dataclass(slots=True)
class Stopwatch:
    """Measures the time of generators where they are called; the rest is the remaining time."""

    generate: Generate
    begun: float = field(default_factory=time.perf_counter)
    generating: float = 0.0

    def timed(self, generation: Generation, verified: Verified | None) -> Sources:
        """Returns the result of the generator."""
        before = time.perf_counter()
        try:
            return self.generate(generation, verified)
        finally:
            self.generating += time.perf_counter() - before

    def lines(self, session: Session, include: Path) -> str:
        """Returns the table, after the script has ended. For it the C files are compiled, and the result
        is discarded.
        """
        verifying = sum(design_verdict.seconds for design_verdict in session.design_verdicts)
        reading = time.perf_counter() - self.begun - verifying - self.generating
        rows = [
            ("parse", f"{reading:8.3f} s  texts, checks, commands"),
            ("verify", f"{verifying:8.3f} s"),
            ("generate", f"{self.generating:8.3f} s"),
            ("compile", _compiling(session, include)),
        ]
        return "".join(f"  {name:9}{text}\n" for name, text in rows)


def _is_code(sources: Sources) -> bool:
    suffixes = (C.suffix, sources.toolchain.language.suffix if sources.toolchain else C.suffix)
    return any(name.endswith(suffixes) for name in sources.files)


def _compiling(session: Session, include: Path) -> str:
    sources = [source for source in session.files.values() if _is_code(source)]
    if not sources:
        return f"{'-':>8}    no C was generated"
    compilers = [find_compiler(source.toolchain) for source in sources]
    before = time.perf_counter()
    try:
        for source, compiler in zip(sources, compilers, strict=True):
            compiled(source, compiler, compiler.toolchain.exact, include, remember=False)
    except NotCompiled as problem:
        return f"{'-':>8}    {problem.first_lines(1)[0]}"
    commands = dict.fromkeys(" ".join((*compiler.command, *compiler.toolchain.exact)) for compiler in compilers)
    return f"{time.perf_counter() - before:8.3f} s  {', '.join(commands)}"
