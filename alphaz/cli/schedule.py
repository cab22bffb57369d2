"""`alphaz schedule`: finds and proves a mapping, and writes it as a script."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import click

from alphaz.analysis.read import read_program
from alphaz.cli.baseline import check_script, write_file
from alphaz.cli.deadline import limited
from alphaz.cli.files import InputError, file_names, read_source
from alphaz.cli.output import progress
from alphaz.cli.show import named_system
from alphaz.diagnostics import Source, Span
from alphaz.diagnostics.nearest import listing
from alphaz.diagnostics.user_files import Unreadable, read_text
from alphaz.frontends.matrix.formulas import formats
from alphaz.frontends.matrix.kernel import MatrixKernel
from alphaz.machine import USUAL
from alphaz.mapping.design import Design
from alphaz.processes.copies import bounded
from alphaz.run.machine import machine as this_machine
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.scripting.commands.kinds.argument_values import literal
from alphaz.scripting.interpreter.run import run_script
from alphaz.search.schedule.explanation import script_of
from alphaz.search.schedule.ilp.cost import COSTS, Cost, read_cost
from alphaz.search.schedule.propose import Proposal, propose
from alphaz.search.schedule.request import AUTO, NONE, Fuse, Goal, ScheduleEngine, ScheduleRequest
from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.strategies.all import RECIPES

EPILOG = """\b
Examples:
  alphaz schedule gemm.ab
  alphaz schedule gemm.ab -o gemm.cs --explain
  alphaz schedule jacobi-2d.ab --goal parallel --fuse no

\b
The printed or written script is proved by `alphaz verify` itself; without a schedule
the exit code is 1, and nothing is written."""

NAMES = (AUTO, NONE, *(recipe.name for recipe in RECIPES))
MACHINES = ("usual", "here")
GOALS, FUSES, ENGINES = ([choice.value for choice in choices] for choices in (Goal, Fuse, ScheduleEngine))


@click.command("schedule", epilog=EPILOG)
@click.argument("program", metavar="FILE.ab", shell_complete=file_names)
@click.option("-o", "--output", metavar="FILE.cs", shell_complete=file_names, help="The output file.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
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
    "--wish",
    "wishes",
    multiple=True,
    metavar="WISH",
    help="With the engine ilp: `parallel X 1` (that row of X), `fuse X, Y 2` (so many loops), or `separate X, Z`.",
)
@click.option("--recipe", type=click.Choice(NAMES), default=NAMES[0], help="The optimisation strategy (auto).")
@click.option(
    "--machine",
    type=click.Choice(MACHINES),
    default=MACHINES[0],
    help="The target machine: its caches and vectors (usual).",
)
@click.option("--reuse", is_flag=True, help="Place reads of one element near each other.")
@click.option(
    "--explain", is_flag=True, help="Write the reasons as comments: dependences carried by each loop, cuts, attempts."
)
@limited
def command(
    program: str,
    output: str | None,
    force: bool,
    system: str | None,
    explain: bool,
    reuse: bool,
    wishes: tuple[str, ...],
    **wanted: str,
) -> None:
    """Find a mapping of a program, prove it, and write it as a script."""
    source = read_source(program, ".ab")
    wish = replace(_wish(**wanted, wishes="; ".join(wishes)), reuse=reuse)
    folder = Path() if output is None else check_script(output, force)
    design = Design(read_program(source))
    names = [s.name for s in design.program.systems] if system is None else [named_system(design.program, system)]
    written = Path(os.path.relpath(program, folder)).as_posix()
    made_by = _made_by(program, wanted, wishes, reuse)
    text = scheduled(design, names, wish, Heading(literal(written), made_by, explain, folder))
    if output is None:
        click.echo(text, nl=False)
    else:
        write_file(output, text)
        click.echo(f"wrote {output}")


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a script: the path of its program, in quotes; its author; whether it has reasons; its folder; the
    given parts of each system.
    """

    program: str
    made_by: str
    explained: bool
    folder: Path
    given: tuple[Line, ...] = ()


def scheduled(design: Design, names: Iterable[str], wish: ScheduleRequest, heading: Heading) -> str:
    """Returns the script of proposals for these systems, proved as it is read. Raises Rejected where there is none."""
    proposals: list[Proposal] = []
    for name in names:
        progress(f"scheduling {name}")
        for line in heading.given:
            design = carry_out(design, name, line)
        proposals.append(propose(design, name, wish, carry_out))
        design = proposals[-1].design
    progress("")
    text = script_of(heading.program, heading.made_by, proposals, heading.explained, heading.given)
    _check(text, heading.folder)
    return text


def script_of_kernel(kernel: MatrixKernel, equations: Source, name: str) -> str:
    """Returns the script of a kernel of formulas, next to its equations; `name` is its file."""
    path = Path(equations.name)
    given = tuple(Line("setStorageFormat", each) for each in formats(kernel))
    made_by = f"Found by `alphaz matrix build {Path(name).name}`, and proved."
    heading = Heading(literal(path.name), made_by, explained=False, folder=path.parent, given=given)
    return scheduled(Design(read_program(equations)), [kernel.name], ScheduleRequest(bounded=bounded), heading)


def _wish(
    goal: str, fuse: str, engine: str, recipe: str, cost: str | None, machine: str, wishes: str
) -> ScheduleRequest:
    if engine != ScheduleEngine.ILP and (cost is not None or wishes):
        raise InputError(f"a {'wish' if cost is None else 'cost'} is for the engine ilp: give --engine ilp")
    chosen = None if cost is None else COSTS.get(cost) or _cost_file(cost)
    known = USUAL if machine == MACHINES[0] else this_machine()
    wish = ScheduleRequest(
        Goal(goal), Fuse(fuse), recipe, engine=ScheduleEngine(engine), cost=chosen, wishes=wishes, machine=known
    )
    return replace(wish, bounded=bounded)


def _cost_file(name: str) -> Cost:
    try:
        source = Source(name, read_text(Path(name)))
        return read_cost(Span(source, 0, len(source.text)), name)
    except Unreadable as reason:
        raise InputError(f"the cost {name} {reason}; those with a name are {listing(COSTS)}") from None


def _made_by(program: str, wanted: Mapping[str, str | None], wishes: tuple[str, ...], reuse: bool) -> str:
    """Returns the command, without its output options."""
    options = [f"--{name} {value}" for name, value in wanted.items() if value is not None and _USUAL.get(name) != value]
    options += [*(f'--wish "{wish}"' for wish in wishes), *(["--reuse"] if reuse else [])]
    return f"Found by `{' '.join(('alphaz schedule', Path(program).name, *options))}`, and proved."


_USUAL = {"goal": GOALS[0], "fuse": FUSES[1], "engine": ENGINES[0], "recipe": NAMES[0], "machine": MACHINES[0]}


def _check(text: str, folder: Path) -> None:
    """Proves the script text as it will be read, which covers errors in writing it."""
    session = run_script(Source("<schedule>", text), folder)
    if not session.is_clean:
        raise AssertionError("the script of a proved mapping is not proved")
