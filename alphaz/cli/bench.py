"""`alphaz bench`: measures the code of a script, alone and against peers."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import click

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.facts.work_and_traffic import traffic_of
from alphaz.cli.files import InputError, file_names, read_source
from alphaz.cli.inputs import HELP, parameter_sets, plot_file
from alphaz.cli.measured_mappings import (
    BenchResult,
    Rivals,
    candidate_mappings_of,
    check_parameters,
    interpret,
    own_values,
    thread_numbers,
    values_text,
)
from alphaz.cli.output import FINDINGS, exit_code, progress, show_error_findings, show_findings
from alphaz.cli.resource_limits import MEASURING, limited_to
from alphaz.cli.target_option import target_option
from alphaz.codegen.targets.target import Target
from alphaz.diagnostics import Diagnostic
from alphaz.diagnostics.message_words import count_text, did_you_mean, listing, plural
from alphaz.figures.drawing.charts import Dot, Roof, roofline
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.processes.copies import bounded, cores
from alphaz.run.bench import idle
from alphaz.run.bench.blas_libraries import BlasLibrary, misfit
from alphaz.run.bench.command_peer import PREFIX
from alphaz.run.bench.contest import NOISY, NoPeer, Timing, alternately, slower_with_threads
from alphaz.run.bench.contestants import PEERS, enter, files_beside
from alphaz.run.bench.fork_server import keep_memory
from alphaz.run.bench.idle import Idleness, wait_until_idle
from alphaz.run.ceilings import ceilings
from alphaz.run.machine import this_machine
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.scripting.interpreter.verification_cache import verdict_line
from alphaz.search.schedule.propose import propose
from alphaz.search.schedule.request import NONE, ScheduleRequest

EPILOG = """\b
Examples:
  alphaz bench gemm-tuned.cs -p NI=1000,NJ=1000,NK=1000
  alphaz bench gemm-tuned.cs -p NI=500,NJ=500,NK=500 --against gcc,polly,numpy
  alphaz bench gemm.cs gemm-tuned.cs -p NI=500,NJ=500,NK=500 --against gcc,plain
  alphaz bench lu-tuned.cs -p N=500 -p N=1000 --threads 1,2,4 --format json
  alphaz bench gemm-tuned.cs -p NI=500,NJ=500,NK=500 --against numpy,blis --against "command:./mine --fast"
  alphaz bench gemm.cs -p NI=4096,NJ=4096,NK=4096 --target cuda

\b
All contestants run alternately, on the same inputs, in rounds; a first round is
not timed, and its results are compared, as are those of the last one. Times are
medians with their range; a speed-up is the median of the ratios within each round.
What takes less than 5 ms runs for 5 ms in each round, which has the median. Rounds
go on, up to three times as many, while the middle half of the times of a contestant
spans more than 5 % of its median. Before the first round, alphaz waits (--wait)
until other processes leave enough processors idle.
\b
Peers of the program P.ab lie beside it (or those of its system S: S-peer.c, S-peer.py):
  gcc    P-peer.c, by gcc -O3 -march=native -fopenmp
  plain  loops without a mapping of yours: what `alphaz schedule --strategy none` finds,
         by gcc for one thread
  polly  P-peer.c, by clang -O3 -march=native -mllvm -polly -mllvm -polly-parallel
  numpy  peer(p, v) of P-peer.py, with as many threads of its BLAS
  blis   the same with the routines of libblis in place of scipy.linalg.blas,
         with kernels for this processor; ALPHAZ_BLIS names its file
The table names the processor for which a BLAS has chosen its kernels, and warns
where that is not this one.
P-peer.c has a function with the name and the parameters of the generated one
(see the generated header) that returns nothing. Without it, gcc and polly
compile the generated code itself. P-peer.py may also have data(p, rng), which
returns inputs by name, and prepare(p, v), which returns more attributes of v and
is not timed; p has the parameters, v the inputs. It is Python, and runs.
Any other C file with such a function is a peer too: --against gcc,fused.c compiles
it as it does P-peer.c. Mappings and compiled peers run in processes of their own:
a peer that crashes is left out, and the others go on.
\b
With --target cuda the time is that of the function for arrays in the memory of the
GPU, by its events, in the median of 3 to 25 calls a round: copies between host and
GPU are not in it. It needs a GPU and nvcc (benchmarks/cuda/README.md).
\b
Operations are those of the equations (`alphaz complexity`), bytes those of all
inputs and outputs, each once: what no mapping can avoid."""


def _against(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> list[str] | None:
    if not values:
        return None
    names: list[str] = []
    for value in values:
        if value.startswith(PREFIX):
            names.append(value)
            continue
        listed = [name.strip() for name in value.split(",")] if value else []
        for name in listed:
            if name not in PEERS and Path(name).suffix != ".c":
                known = did_you_mean(name, PEERS) or listing(PEERS)
                raise click.BadParameter(f"`{name}` is no peer: {known}, a C file, or {PREFIX}PROGRAM")
        names += listed
    return list(dict.fromkeys(names))


def _figure(_: click.Context, __: click.Parameter, value: str | None) -> Path | None:
    return None if value is None else plot_file(value)


@click.command("bench", epilog=EPILOG)
@click.argument("scripts", metavar="SCRIPT.cs...", shell_complete=file_names, nargs=-1, required=True)
@click.option("-p", "--parameters", "assignments", metavar="N=1000[,M=3]", multiple=True, help=HELP)
@click.option(
    "--threads",
    "--ranks",
    "threads",
    callback=thread_numbers,
    default="1,2",
    show_default=True,
    help="Numbers of threads, or of ranks of MPI, to run with.",
)
@click.option(
    "--against",
    callback=_against,
    metavar="PEERS",
    multiple=True,
    help="Peers: gcc, plain, polly, numpy, blis, C files, or one command:PROGRAM (gcc, or plain without a P-peer.c).",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1000),
    default=5,
    show_default=True,
    help="The number of timed runs of each, three times as many if they are noisy.",
)
@click.option(
    "--wait",
    type=click.FloatRange(0),
    default=lambda: idle.LIMIT,
    show_default=f"{idle.LIMIT:g}",
    help="Seconds to wait at most for idle processors.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The seed of the random inputs.")
@click.option("--system", metavar="NAME", help="Only this system.")
@click.option("--plot", metavar="FILE", callback=_figure, help="Draw a roofline figure: .png, .svg or .pdf.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@target_option
@limited_to(MEASURING)
@click.pass_context
def command(
    ctx: click.Context,
    scripts: tuple[str, ...],
    assignments: tuple[str, ...],
    threads: list[int],
    against: list[str] | None,
    rounds: int,
    wait: float,
    seed: int,
    system: str | None,
    plot: Path | None,
    form: str,
    target: Target | None,
) -> None:
    """Measure the scheduled code of scripts, side by side and against plain C, Polly and NumPy.

    Several scripts map the same systems, of one program or of several: the table has a row for each, named after the
    script. The mappings must be proved, if need be under named assumptions. Results that differ are a finding.
    """
    sessions = [interpret(read_source(script, ".cs")) for script in dict.fromkeys(scripts)]
    sets = parameter_sets(assignments)
    show = show_findings if form == "text" else show_error_findings
    findings = [finding for session in sessions for finding in session.findings]
    show([finding for finding in findings if finding.is_error])
    if any(session.has_errors for session in sessions):
        ctx.exit(exit_code(findings))
    rivals = candidate_mappings_of(sessions, system)
    check_parameters([subject for rival in rivals for subject in rival.subjects.values()], sets)
    refuted: list[Diagnostic] = []
    for design_verdict in (design_verdict for session in sessions for design_verdict in session.design_verdicts):
        if not design_verdict.first.is_proved:
            click.echo(verdict_line(design_verdict), err=form != "text")
        if not design_verdict.first.is_usable:
            show(design_verdict.first.findings)
            refuted += design_verdict.first.findings
    if refuted:
        ctx.exit(exit_code(refuted) or FINDINGS)
    keep_memory()
    benches: list[BenchResult] = []
    for rival in rivals:
        for parameters in own_values(tuple(rival.subjects.values()), sets):
            bench = _measure(rival, parameters, threads, against, rounds, seed, wait, target)
            benches.append(bench)
            if form == "text":
                click.echo("\n".join(_table(bench)))
    if form == "json":
        click.echo(json.dumps({"benches": [_value(bench) for bench in benches]}, indent=2))
    if plot is not None:
        draw(plot, benches, threads)
    ctx.exit(FINDINGS if any(bench.differs for bench in benches) else 0)


def _measure(
    rivals: Rivals,
    parameters: Mapping[str, int],
    threads: list[int],
    against: list[str] | None,
    rounds: int,
    seed: int,
    wait: float,
    code_target: Target | None,
) -> BenchResult:
    name, checked, _ = next(iter(rivals.subjects.values()))
    mapped: dict[str, Verified] = {}
    for label, (_, _, verified) in rivals.subjects.items():
        if verified is None:
            raise InputError(f"`{name}` has no mapping: there is no scheduled code to be measured")
        mapped[label] = verified
    progress(f"{name}: compiling")
    traffic = traffic_of(checked.facts, checked.program.system(name))
    files = files_beside(Path(checked.program.source.name), name)
    usual = ["plain" if files.c is None else "gcc"]
    entry = enter(
        mapped,
        name,
        parameters,
        threads,
        usual if against is None else against,
        files,
        seed,
        lambda: _plain_loops(checked, name),
        code_target,
    )
    target = checked.program.system(name)
    own = {parameter: parameters[parameter] for parameter in target.parameters}
    at = f"{name}, {values_text(parameters)}"

    def watch(text: str) -> None:
        progress(f"{at}: {text}" if text else "")

    idleness = wait_until_idle(max(threads), wait, watch)
    if not idleness.is_idle:
        # Threads that wait actively would keep those that work from the few processors.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    timings, failures = alternately(target, own, entry.contestants, rounds, watch, entry.layouts, repeats=True)
    slower = slower_with_threads(timings, idleness.busy, cores())
    blas = _libraries(timings)
    remarks = (*entry.remarks, *failures, *slower, *_blas_remarks(blas))
    return BenchResult(
        system=name,
        parameters=parameters,
        operations=traffic.operations_at(parameters),
        bytes=traffic.bytes_at(parameters),
        timings=timings,
        remarks=remarks,
        own=tuple(mapped),
        warnings=tuple(_warnings(timings, blas, idleness)),
        libraries=blas,
        idleness=idleness,
    )


def _plain_loops(checked: Checked, system: str) -> Verified:
    """Returns a proved mapping that has dates alone. Raises Rejected where none is found."""
    progress(f"{system}: scheduling plain loops")
    wanted = ScheduleRequest(strategy=NONE, bounded=bounded)
    return certify(verify(propose(Design(checked), system, wanted, carry_out).design, [system]))


Libraries = Mapping[str, tuple[BlasLibrary, ...]]


def _libraries(timings: Sequence[Timing]) -> Libraries:
    """Returns the BLAS libraries of contestants that have some, by the name of the contestant."""
    libraries_of: dict[str, tuple[BlasLibrary, ...]] = {}
    for contestant in (timing.contestant for timing in timings):
        if contestant.name not in libraries_of:
            with suppress(NoPeer):
                libraries_of[contestant.name] = contestant.libraries()
    return {name: libraries for name, libraries in libraries_of.items() if libraries}


def _blas_remarks(blas: Libraries) -> Iterator[tuple[str, str]]:
    for name, libraries in blas.items():
        yield f"BLAS of {name}", ", ".join(dict.fromkeys(map(str, libraries)))


def _warnings(timings: Sequence[Timing], blas: Libraries, idleness: Idleness) -> Iterator[str]:
    """Yields reasons why figures may be wrong."""
    instructions = this_machine().instructions
    misfits = (misfit(library, instructions, os.environ) for libraries in blas.values() for library in libraries)
    yield from dict.fromkeys(text for text in misfits if text is not None)
    remark = idleness.remark()
    if remark is not None and not idleness.is_idle:
        yield remark
    for timing in timings:
        if timing.spread > NOISY:
            rounds = count_text(len(timing.seconds), "round")
            yield f"{timing.contestant.title} is noisy: half of {rounds} lie {timing.spread:.0%} apart"


# --- showing ----------------------------------------------------------------------------------------------------------


def _table(bench: BenchResult) -> Iterator[str]:
    operations = "an unknown number of" if bench.operations is None else _short(bench.operations).rstrip()
    size = "an unknown number of " if bench.bytes is None else _short(bench.bytes)
    yield f"{bench.system}, {values_text(bench.parameters)}: {operations} operations, {size}B of inputs and outputs"
    width = max(9, *(len(timing.contestant.name) for timing in bench.timings))
    members = "/".join(dict.fromkeys(plural(timing.contestant.member) for timing in bench.timings))
    yield f"  {'':{width}} {members:7}   seconds (range)            Gop/s    GB/s   speed-up"
    for timing in bench.timings:
        yield (
            f"  {timing.contestant.name:{width}} {timing.contestant.threads or '-':>6}{'':{max(len(members) - 7, 0)}}"
            + _figures(bench, timing)
        )
    for name, remark in bench.remarks:
        yield f"  {name}: {remark}"
    for warning in bench.warnings:
        yield f"  warning: {warning}"


def _figures(bench: BenchResult, timing: Timing) -> str:
    rates = "".join(
        f"{'-' if number is None else format(number / timing.median / 1e9, '.2f'):>8}"
        for number in (bench.operations, bench.bytes)
    )
    speed = "" if timing is bench.base else f"{timing.faster_than(bench.base):11.2f}"
    times = f"{timing.median:10.4f} {f'({min(timing.seconds):.4f} .. {max(timing.seconds):.4f})':18}"
    differs = "".join(f"  DIFFERS: {d.name} is {d.other}, not {d.reference}" for d in timing.differences[:1])
    return f"{times}{rates}{speed}{differs}"


def _short(number: int) -> str:
    """Returns three digits and a prefix, or a space."""
    for power, prefix in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if number >= 10**power:
            return f"{number / 10**power:.3g} {prefix}"
    return f"{number} "


def _value(bench: BenchResult) -> dict[str, object]:
    return {
        "system": bench.system,
        "parameters": dict(bench.parameters),
        "operations": bench.operations,
        "bytes": bench.bytes,
        "contestants": [
            {
                "name": timing.contestant.name,
                "threads": timing.contestant.threads,
                "member": timing.contestant.member,
                "seconds": list(timing.seconds),
                "median": timing.median,
                "range": [min(timing.seconds), max(timing.seconds)],
                "spread": timing.spread,
                "speedup": timing.faster_than(bench.base),
                "agrees": not timing.differences,
                "compared": timing.contestant.outputs is not None,
                "blas": [asdict(library) for library in bench.libraries.get(timing.contestant.name, ())],
            }
            for timing in bench.timings
        ],
        "base": {"name": bench.base.contestant.name, "threads": bench.base.contestant.threads},
        "remarks": dict(bench.remarks),
        "warnings": list(bench.warnings),
        "machine": {"instructions": this_machine().instructions, "cores": cores(), **asdict(bench.idleness)},
    }


def draw(path: Path, benches: Sequence[BenchResult], threads: Sequence[int]) -> None:
    """Measures the ceilings of the machine, and draws all measurements against them."""
    measured_benches = [bench for bench in benches if bench.operations and bench.bytes]
    if not measured_benches:
        raise InputError("no figure: the operations and bytes of these systems are no polynomials")
    progress("measuring the machine")
    roofs = [Roof(f"machine, {count_text(c.threads, 'thread')}", c.bytes, c.operations) for c in ceilings(threads)]
    progress("")
    names = list(dict.fromkeys(bench.system for bench in measured_benches))
    dots = list(_dots(measured_benches))
    figure = roofline(", ".join(names), roofs, dots, path.suffix.removeprefix("."))
    try:
        path.write_bytes(figure)
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror or problem}") from None
    click.echo(f"wrote {path}", err=True)


def _dots(benches: Sequence[BenchResult]) -> list[Dot]:
    dots: list[Dot] = []
    for bench in benches:
        assert bench.operations is not None
        assert bench.bytes is not None
        for timing in bench.timings:
            contestant = timing.contestant
            group = (
                "its own threads" if contestant.threads is None else count_text(contestant.threads, contestant.member)
            )
            intensity = bench.operations / bench.bytes
            dots.append(Dot(contestant.name, group, intensity, bench.operations / timing.median))
    return dots
