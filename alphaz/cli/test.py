"""`alphaz test`: compares the generated code with the reference interpreter."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import click
import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.cli.files import file_names, read_source
from alphaz.cli.inputs import HELP, Parameters, functions_folder, functions_option, parameter_sets, variable_files
from alphaz.cli.measured_mappings import (
    Subject,
    check_parameters,
    interpret,
    mapped_subjects,
    own_values,
    small_parameters,
    thread_numbers,
    values_text,
)
from alphaz.cli.output import FINDINGS, INTERNAL, exit_code, progress, show_findings
from alphaz.cli.resource_limits import limited
from alphaz.cli.target_option import target_option
from alphaz.codegen.scheduled.pipeline import PLAIN, THREADED
from alphaz.codegen.targets.registry import target_of
from alphaz.codegen.targets.smpi import simulated
from alphaz.codegen.targets.target import Target
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import listing
from alphaz.diagnostics.rules import NOT_YET
from alphaz.equivalence.differential_run import DifferentialRun, Executables, Execution, Where, agree, executables
from alphaz.equivalence.driver.generated_code import is_proof_enabled
from alphaz.equivalence.driver.prove_c import CVerdict
from alphaz.legality.verdicts import Verified
from alphaz.model.input_values import checked_parameters
from alphaz.run.data import read_array
from alphaz.run.operator_trials import operator_findings
from alphaz.scripting.interpreter.verification_cache import verdict_line

EPILOG = """\b
Examples:
  alphaz test mcm.cs
  alphaz test mcm.cs -p N=20 -p N=33 --threads 1,2 --seed 1
  alphaz test mm.cs -p P=10,Q=20,R=30 -p P=1
  alphaz test cholesky.cs -p N=8 --in A=matrix.npy
  alphaz test mcm.cs -p N=20 --threads 4 --sanitize
  alphaz test steps.cs -p N=20,T=6 --ranks 1,2,3,7
  alphaz test steps.cs -p N=20,T=6 --ranks 64 --engine smpi
  alphaz test stencil.cs -p N=20,T=6 --target cuda
  alphaz test smooth.cs -p N=8 --functions kernels.h

\b
Every system that the script maps is run on the same inputs by the
interpreter, by demand-driven C and by scheduled C with each number of threads.
An execution that is out of reach at these sizes is left out, and says so.
Without -p the parameters are small ones that are legal, as `alphaz draw` takes
them.
Inputs that are not given are random: integers from 1 to 9 of either sign,
floats in [-1, 1); where these lead to values that are no numbers (the root of
a negative one), floats in (0, 1] with a heavy diagonal are tried.

\b
Generated code runs in processes of its own: one that dies is a finding that says
with which parameters, threads and seed. Around every array stands a guard zone,
so that a write outside of it is a finding too; --sanitize also sees reads, arrays
on stacks, and what C leaves undefined, and is slower.

\b
CUDA is executed by the GPU where there is one, else by the processor, in seeded
orders of threads: with --threads 1,3 in one, then in three of them. Data races
and reads of cells without a value are findings, whatever the order was.

\b
Before that it is proved of scheduled code, where that takes no more than a
second or two, that accesses stay inside of arrays, and that all values are
computed; ALPHAZ_PROVE=no leaves it out."""


@click.command("test", epilog=EPILOG)
@click.argument("script", metavar="SCRIPT.cs", shell_complete=file_names)
@click.option("-p", "--parameters", "assignments", metavar="N=20[,M=3]", multiple=True, help=HELP)
@click.option(
    "--threads",
    "--ranks",
    "threads",
    callback=thread_numbers,
    default="1,2",
    show_default=True,
    help="Numbers of threads, of ranks of MPI, or of orders of the threads of a GPU, to run with.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The seed of the random inputs.")
@click.option("--in", "inputs", metavar="A=FILE", multiple=True, help="The file of an input.")
@functions_option
@click.option("--plain", is_flag=True, help="Test the code that `alphaz run --plain` gives.")
@click.option("--sanitize", is_flag=True, help="Build with AddressSanitizer and UndefinedBehaviorSanitizer.")
@click.option("--system", metavar="NAME", help="Only this system.")
@click.option(
    "--engine",
    type=click.Choice(["mpi", "smpi"]),
    default="mpi",
    show_default=True,
    help="Ranks are processes of MPI, or simulated by SMPI of SimGrid.",
)
@target_option
@limited
@click.pass_context
def command(
    ctx: click.Context,
    script: str,
    assignments: tuple[str, ...],
    threads: list[int],
    seed: int,
    inputs: tuple[str, ...],
    functions: str | None,
    plain: bool,
    sanitize: bool,
    system: str | None,
    engine: str,
    target: Target | None,
) -> None:
    """Compile the code of a script and compare it with the reference interpreter.

    Demand-driven C must give exactly the same values; so must scheduled C, except for floats of reductions that are
    combined in another order: these may differ within a bound.
    """
    session = interpret(read_source(script, ".cs"))
    sets = parameter_sets(assignments)
    show_findings(session.findings)
    if session.has_errors:
        ctx.exit(exit_code(session.findings))
    subjects = list(mapped_subjects(session, system))
    if assignments:
        check_parameters(subjects, sets)
    findings: list[Diagnostic] = []
    for design_verdict in session.design_verdicts:
        if not design_verdict.first.is_proved:
            click.echo(verdict_line(design_verdict))
        if not design_verdict.first.is_usable:
            show_findings(design_verdict.first.findings)
            findings += design_verdict.first.findings
    if findings:
        ctx.exit(exit_code(findings) or FINDINGS)
    files = _input_files(subjects, inputs)
    where = Where.SANITIZED if sanitize else Where.APART
    beside = [
        Path(script).parent,
        *(Path(checked.program.systems[0].span.source.name).parent for _, checked, _ in subjects),
    ]
    include = functions_folder(ctx, beside, functions)
    tried = {id(checked): checked for _, checked, _ in subjects}.values()
    show_findings([finding for checked in tried for finding in operator_findings(checked.program, include)])
    pipeline = PLAIN if plain else THREADED

    def prepared(subject: Verified | Checked, name: str) -> Executables:
        chosen = _with_engine(target, engine, subject, name)
        return executables(
            subject, name, include=include, pipeline=pipeline, where=where, proves=is_proof_enabled(), target=chosen
        )

    chosen = [
        (subject, own_values((subject,), sets if assignments else [small_parameters(subject)])) for subject in subjects
    ]
    agreements = list(_agreements(chosen, threads, seed, files, prepared))
    ctx.exit(_conclusion(agreements))


def _with_engine(target: Target | None, engine: str, subject: Verified | Checked, name: str) -> Target | None:
    """Returns the target, if one is given or the engine asks for another one than that of the mapping."""
    if engine == "mpi" or not isinstance(subject, Verified):
        return target
    mapping = subject.design.mapping(name)
    chosen = target or target_of(mapping.target_name)
    if not chosen.has_ranks:
        message = f"`--engine smpi` executes ranks, and the target of {name} is `{chosen.name}`"
        remedy = 'distribute the mapping, and write setTarget(.., "mpi")'
        raise Rejected(Diagnostic(NOT_YET, message, Label(NOWHERE), help=remedy))
    return simulated(chosen)


def _input_files(subjects: list[Subject], options: tuple[str, ...]) -> dict[str, str]:
    """Returns the file of each given input, for all systems that have it."""
    systems = [checked.program.system(name) for name, checked, _ in subjects]
    names = list(dict.fromkeys(variable.name for system in systems for variable in system.inputs))
    return variable_files(listing([s.name for s in systems]), "input", names, "--in", options)


def _agreements(
    subjects: Sequence[tuple[Subject, list[Parameters]]],
    threads: list[int],
    seed: int,
    files: Mapping[str, str],
    prepared: Callable[[Checked | Verified, str], Executables],
) -> Iterator[DifferentialRun]:
    for (name, checked, verified), sets in subjects:
        progress(f"{name}: compiling")
        these = prepared(verified or checked, name)
        if these.proof is not None:
            progress("")
            click.echo(_proof_line(these.proof))
        for values in sets:
            progress(f"{name}: running {values_text(values)}")
            agreement = agree(these, values, threads, seed, inputs=_arrays(these, values, files))
            progress("")
            _show(agreement)
            yield agreement


def _arrays(these: Executables, parameters: Parameters, files: Mapping[str, str]) -> dict[str, np.ndarray]:
    own = {name: parameters[name] for name in these.system.parameters}
    values = checked_parameters(these.system, own)
    return {v.name: read_array(Path(files[v.name]), v, values) for v in these.system.inputs if v.name in files}


def _proof_line(verdict: CVerdict) -> str:
    if not verdict.is_proved:
        return (
            f"{verdict.source.name}: not proved within the short time of this check (`alphaz prove` gives the reason)"
        )
    count = len(verdict.obligations)
    return f"{verdict.source.name}: accesses, values and parts of sums are proved to be there ({count} obligations)"


def _show(agreement: DifferentialRun) -> None:
    click.echo(f"{agreement.system}, {values_text(agreement.parameters) or 'no parameters'}, {agreement.inputs}")
    for execution in agreement.executions:
        click.echo(f"  {_line(agreement, execution)}")
    show_findings((*agreement.findings, *agreement.warnings))


def _line(agreement: DifferentialRun, execution: Execution) -> str:
    if execution.failure is not None:
        return f"{execution.title:32} failed"
    if execution.outputs is None:
        return f"{execution.title:32} left out: {execution.skipped}"
    word = "reference" if execution is agreement.reference else _verdict(agreement, execution)
    return f"{execution.title:32} {execution.seconds:9.4f} s  {word}"


def _verdict(agreement: DifferentialRun, execution: Execution) -> str:
    """Returns the text for an execution; the message of a finding names one that differs."""
    differs = any(f"the {execution.title}" in finding.message.split(" and ")[-1] for finding in agreement.findings)
    return "differs" if differs else "agrees"


def _conclusion(agreements: list[DifferentialRun]) -> int:
    """Returns the closing line and the exit code; comparing nothing is no success."""
    differing = sum(bool(agreement.findings) for agreement in agreements)
    if differing:
        click.echo(f"{differing} of {len(agreements)} runs differ")
        return FINDINGS
    if any(agreement.is_void for agreement in agreements):
        click.echo("nothing was compared in some run: all its values are no numbers")
        return INTERNAL
    if not all(agreement.agrees for agreement in agreements):
        click.echo("nothing was compared in some run: choose smaller parameters")
        return INTERNAL
    runs = "1 run agrees" if len(agreements) == 1 else f"{len(agreements)} runs agree"
    click.echo(runs)
    return 0
