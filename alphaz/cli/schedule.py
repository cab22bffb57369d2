"""`alphaz schedule`: finds and proves a mapping, and writes it as a script."""

import os
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from pathlib import Path

import click

from alphaz.analysis.read import read_program
from alphaz.cli.chosen_gpu import chosen_gpu
from alphaz.cli.files import InputError, file_names, read_file, read_source
from alphaz.cli.inputs import named_system, parameter_sets
from alphaz.cli.output import progress
from alphaz.cli.proposal_script import Find, Heading, script_of_proposals
from alphaz.cli.resource_limits import limited
from alphaz.cli.text_output import script_target, text_options
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.codegen.targets.registry import target_names, target_of
from alphaz.diagnostics import Span
from alphaz.diagnostics.message_words import listing
from alphaz.equivalence.driver.generated_cuda import estimated, text_verdict
from alphaz.legality.verify import certify, verify
from alphaz.machine import GPUS, USUAL, Network
from alphaz.mapping.design import Design
from alphaz.processes.copies import bounded
from alphaz.run.machine import machine as this_machine
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.scripting.commands.kinds.argument_values import literal
from alphaz.search.schedule.distributed.search import RankRequest, propose_ranks
from alphaz.search.schedule.gpu.search import GpuRequest, propose_gpu
from alphaz.search.schedule.ilp.cost import COSTS, Cost, read_cost
from alphaz.search.schedule.propose import propose
from alphaz.search.schedule.request import AUTO, NONE, Fuse, Goal, ScheduleEngine, ScheduleRequest
from alphaz.search.schedule.strategies.registry import STRATEGIES, strategy_names

EPILOG = """\b
Examples:
  alphaz schedule gemm.ab
  alphaz schedule gemm.ab -o gemm.cs --explain
  alphaz schedule jacobi-2d.ab --goal parallel --fuse no
  alphaz schedule jacobi-2d.ab --target mpi --ranks 64 --sizes N=4000,T=100
  alphaz schedule gemm.ab --target cuda --gpu h100 --explain -o gemm-cuda.cs

\b
The printed or written script is proved by `alphaz verify` itself; without a schedule
the exit code is 1, and nothing is written."""

MACHINES = ("usual", "here")
RANK_TARGETS = [name for name in target_names() if target_of(name).has_ranks]
GOALS, FUSES, ENGINES = ([choice.value for choice in choices] for choices in (Goal, Fuse, ScheduleEngine))


def _known_strategy(ctx: click.Context, parameter: click.Parameter, name: str) -> str:
    """Returns the name. Strategies are looked up when the command runs, since packages may add some."""
    if name not in (names := strategy_names()):
        raise click.BadParameter(f"{name} is no strategy; there are: {', '.join(names)}", ctx, parameter)
    return name


def _strategy_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in strategy_names() if name.startswith(incomplete)]


def _network(_: click.Context, __: click.Parameter, text: str | None) -> Network | None:
    try:
        latency, rate = (float(number) for number in (text or "0,1").split(","))
    except ValueError:
        latency = rate = -1.0
    if not (0 <= latency < inf and 0 < rate < inf):
        raise click.BadParameter(f"`{text}` is no network: write seconds and bytes a second, as in 2e-6,10e9")
    return None if text is None else Network(latency, rate)


@click.command("schedule", epilog=EPILOG)
@click.argument("program", metavar="FILE.ab", shell_complete=file_names)
@text_options("FILE.cs")
@click.option("--system", metavar="NAME", help="Only this system.")
@click.option(
    "--goal",
    type=click.Choice([g.value for g in Goal]),
    default=Goal.TILE.value,
    help="The goal of the mapping (tile).",
)
@click.option(
    "--fuse",
    type=click.Choice([f.value for f in Fuse]),
    default=Fuse.SMART.value,
    help="Which statements share loops (smart).",
)
@click.option("--engine", type=click.Choice(ENGINES), default=ENGINES[0], help="The scheduling engine (isl).")
@click.option(
    "--cost",
    metavar="NAME|FILE",
    shell_complete=file_names,
    help="The cost function of the engine ilp: a list of terms.",
)
@click.option(
    "--constraint",
    "--wish",
    "constraints",
    multiple=True,
    metavar="TEXT",
    help="With the engine ilp: `parallel X 1` (that row of X), `fuse X, Y 2` (so many loops), or `separate X, Z`.",
)
@click.option(
    "--strategy",
    "--recipe",
    "strategy",
    metavar="NAME",
    callback=_known_strategy,
    shell_complete=_strategy_names,
    default=AUTO,
    help=f"The optimisation strategy: {', '.join((AUTO, NONE, *(s.name for s in STRATEGIES)))}, "
    "or one of another package (auto).",
)
@click.option(
    "--machine",
    type=click.Choice(MACHINES),
    default=MACHINES[0],
    help="The target machine: its caches and vectors (usual).",
)
@click.option(
    "--target",
    type=click.Choice([*RANK_TARGETS, CUDA_TARGET.name]),
    help="Find a mapping for this target: ranks, with places, steps and communication, by a model of the network; or "
    "a GPU (cuda), with blocks, threads, shared memory and registers, by a model of its time.",
)
@click.option(
    "--gpu",
    metavar="NAME|FILE",
    shell_complete=file_names,
    help=f"With --target cuda, the GPU: {', '.join(GPUS)}, or a file of JSON (the one of this machine, or h100).",
)
@click.option("--ranks", type=click.IntRange(2, 4096), help="With --target, the number of ranks (16).")
@click.option(
    "--sizes", metavar="N=1000,..", multiple=True, help="With --target, the parameters to be fast for (1000)."
)
@click.option(
    "--network",
    metavar="SECONDS,BYTES",
    callback=_network,
    help="With --target, the latency of a message, and the bytes a second (2e-6,10e9).",
)
@click.option("--reuse", is_flag=True, help="Place reads of one element near each other.")
@click.option(
    "--explain", is_flag=True, help="Write the reasons as comments: dependences carried by each loop, cuts, attempts."
)
@limited
def command(
    program: str,
    output: str | None,
    prints: bool,
    force: bool,
    system: str | None,
    explain: bool,
    reuse: bool,
    constraints: tuple[str, ...],
    target: str | None,
    gpu: str | None,
    ranks: int | None,
    sizes: tuple[str, ...],
    network: Network | None,
    **wanted: str,
) -> None:
    """Find a mapping of a program, prove it, and write it as a script."""
    source = read_source(program, ".ab")
    schedule_request = replace(_schedule_request(**wanted, constraints="; ".join(constraints)), reuse=reuse)
    find = _search(target, gpu, ranks, sizes, network, schedule_request)
    file = script_target(output, prints, force)
    design = Design(read_program(source))
    names = [s.name for s in design.program.systems] if system is None else [named_system(design.program, system)]
    program_path = Path(os.path.relpath(program, file.folder)).as_posix()
    of_ranks = {"target": target, "ranks": None if ranks is None else str(ranks), "sizes": ",".join(sizes) or None}
    of_ranks["network"] = None if network is None else f"{network.latency:g},{network.bytes:g}"
    of_ranks["gpu"] = gpu
    made_by = _made_by(program, {**wanted, **of_ranks}, constraints, reuse)
    heading = Heading(literal(program_path), made_by, explain, file.folder)
    file.write(script_of_proposals(design, names, find, heading))


def _search(
    target: str | None,
    gpu: str | None,
    ranks: int | None,
    sizes: tuple[str, ...],
    network: Network | None,
    schedule_request: ScheduleRequest,
) -> Find:
    """Returns the search for the target."""
    if target == CUDA_TARGET.name:
        if ranks is not None or network is not None:
            raise InputError("`--ranks` and `--network` are for distributed mappings: give --target mpi")
        gpu_request = _gpu_request(gpu, sizes, schedule_request)
        return lambda design, system: propose_gpu(design, system, schedule_request, gpu_request, carry_out)
    if gpu is not None:
        raise InputError("`--gpu` is for mappings for a GPU: give --target cuda")
    rank_request = _rank_request(target, ranks, sizes, network, schedule_request)
    if rank_request is None:
        return lambda design, system: propose(design, system, schedule_request, carry_out)
    return lambda design, system: propose_ranks(design, system, schedule_request, rank_request, carry_out)


def _gpu_request(gpu: str | None, sizes: tuple[str, ...], schedule_request: ScheduleRequest) -> GpuRequest:
    if schedule_request.strategy not in (AUTO, NONE):
        raise InputError("strategies have no mappings for a GPU: leave --strategy or --target out")
    return GpuRequest(
        gpu=(chosen := chosen_gpu(gpu)),
        sizes=parameter_sets(sizes, "--sizes")[-1],
        estimates=lambda verdict, values: estimated(verdict, values, chosen),
        proves=text_verdict,
        progress=progress,
    )


def _rank_request(
    target: str | None,
    ranks: int | None,
    sizes: tuple[str, ...],
    network: Network | None,
    schedule_request: ScheduleRequest,
) -> RankRequest | None:
    if target is None:
        if ranks is not None or sizes or network is not None:
            raise InputError("`--ranks`, `--sizes` and `--network` are for distributed mappings: give --target mpi")
        return None
    if schedule_request.strategy not in (AUTO, NONE):
        raise InputError("strategies have no distributed mappings: leave --strategy or --target out")
    chosen = target_of(target)

    def generate(design: Design, system: str) -> None:
        scheduled_c(certify(verify(design, [system])), system, target=chosen)

    return RankRequest(
        ranks=ranks or 16,
        network=network or schedule_request.machine.network,
        target=target,
        sizes=parameter_sets(sizes, "--sizes")[-1],
        generates=generate,
        progress=progress,
    )


def _schedule_request(
    goal: str, fuse: str, engine: str, strategy: str, cost: str | None, machine: str, constraints: str
) -> ScheduleRequest:
    if engine != ScheduleEngine.ILP and (cost is not None or constraints):
        raise InputError(f"a {'constraint' if cost is None else 'cost'} is for the engine ilp: give --engine ilp")
    chosen = None if cost is None else COSTS.get(cost) or _cost_file(cost)
    machine_ = USUAL if machine == MACHINES[0] else this_machine()
    schedule_request = ScheduleRequest(
        Goal(goal),
        Fuse(fuse),
        strategy,
        engine=ScheduleEngine(engine),
        cost=chosen,
        constraints=constraints,
        machine=machine_,
    )
    return replace(schedule_request, bounded=bounded)


def _cost_file(name: str) -> Cost:
    source = read_file(name, "the cost ", f"; those with a name are {listing(COSTS)}")
    return read_cost(Span(source, 0, len(source.text)), name)


def _made_by(program: str, system_name: Mapping[str, str | None], constraints: tuple[str, ...], reuse: bool) -> str:
    """Returns the command, without its output options."""
    options = [
        f"--{name} {value}" for name, value in system_name.items() if value is not None and _USUAL.get(name) != value
    ]
    options += [
        *(f'--constraint "{schedule_request}"' for schedule_request in constraints),
        *(["--reuse"] if reuse else []),
    ]
    return f"Found by `{' '.join(('alphaz schedule', Path(program).name, *options))}`, and proved."


_USUAL = {"goal": GOALS[0], "fuse": FUSES[1], "engine": ENGINES[0], "strategy": AUTO, "machine": MACHINES[0]}
