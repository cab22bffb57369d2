"""`alphaz propose`: finds and proves parts of a mapping, and prints them as lines of a script."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from alphaz.cli.figure_files import picture_file, write_picture
from alphaz.cli.files import InputError, file_names, read_source
from alphaz.cli.inputs import parameter_sets
from alphaz.cli.measured_mappings import values_text
from alphaz.cli.output import FINDINGS, exit_code, progress, show_error_findings
from alphaz.cli.resource_limits import limited
from alphaz.cli.text_output import text_options, text_target
from alphaz.diagnostics import Diagnostic
from alphaz.diagnostics.message_words import count_text, did_you_mean, listing
from alphaz.diagnostics.render.json import to_json
from alphaz.diagnostics.rules import ACCUMULATION, CAUSALITY, NOT_INJECTIVE, TILING
from alphaz.figures.drawing.figures import figure
from alphaz.lazy import lazy_import
from alphaz.legality.verdicts import DesignVerdict, Options, Verified
from alphaz.legality.verify import certify
from alphaz.mapping.design import Design
from alphaz.mapping.factors import factors_text
from alphaz.model.program import Kind
from alphaz.run.bench.contest import Timing, alternately
from alphaz.run.bench.contestants import Files, enter
from alphaz.run.bench.fork_server import keep_memory
from alphaz.scripting.interpreter.run import run_script
from alphaz.scripting.interpreter.verification_cache import VerificationCache, unverified
from alphaz.search.memory.map_reports import ProposalReport
from alphaz.search.memory.proposal import MemoryProposal, Refusal, Request, propose
from alphaz.search.memory.sharing import Objective
from alphaz.search.memory.text import document, lines

# Violations that no memory map can correct.
_OF_ORDER = (NOT_INJECTIVE, CAUSALITY, ACCUMULATION, TILING)

EPILOG = """\b
Examples:
  alphaz propose memory jacobi-1d.cs
  alphaz propose memory jacobi-1d.cs --afresh --objective size --sizes N=2000,T=200
  alphaz propose memory lu.cs --only S --format json
  alphaz propose memory jacobi-1d.cs --afresh --draw cells.svg
  alphaz propose memory jacobi-1d.cs --afresh --measure -p N=100000,T=1000

\b
Maps that the script gives are kept, unless their variables are named by
--only, or all are set aside by --afresh. What is printed has been proved.
Exit code 1: the schedule is not legal, and the verifier says why."""


class ProposalParts(click.Group):
    """The parts that can be proposed."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and Path(args[0]).suffix == ".cs":
            ctx.fail(f"name the part to propose: alphaz propose memory {' '.join(args)}")
        return super().resolve_command(ctx, args)


@click.group("propose", cls=ProposalParts, epilog="\b\nExamples:\n  alphaz propose memory jacobi-1d.cs")
def command() -> None:
    """Find the missing parts of a script's mapping, prove them, and print them as commands."""


@command.command("memory", epilog=EPILOG, short_help="Find memory maps with as few cells as possible.")
@click.argument("script", metavar="SCRIPT.cs", shell_complete=file_names)
@click.option("--system", metavar="NAME", help="Only this system; without it, all that have a mapping.")
@click.option("--only", metavar="VARIABLE", multiple=True, help="Only maps for this variable (may be given again).")
@click.option("--afresh", is_flag=True, help="Ignore the memory maps of the script.")
@click.option(
    "--objective",
    type=click.Choice([objective_.value for objective_ in Objective]),
    default=Objective.SPEED.value,
    help="Preference before the number of cells of one degree: stride-one accesses (speed), or none (size).",
)
@click.option(
    "--sizes",
    metavar="N=2000,...",
    multiple=True,
    help="Parameter values for comparing numbers of cells (1000).",
)
@click.option("--alternatives", type=click.IntRange(0), default=3, help="How many others to show for each map (3).")
@click.option("--seconds", type=click.FloatRange(0), default=0.6, help="The time of each search (0.6).")
@click.option(
    "--exact-tiles", is_flag=True, help="Where tiling is not legal for all sizes, prove it for the given sizes."
)
@click.option("--measure", is_flag=True, help="Compile the alternatives, time them, and print the fastest first.")
@click.option(
    "-p", "--parameters", "assignments", metavar="N=1000", multiple=True, help="Parameter values for --measure."
)
@click.option("--threads", type=click.IntRange(1), default=2, help="The number of threads for --measure (2).")
@click.option(
    "--draw",
    "picture",
    metavar="FILE",
    shell_complete=file_names,
    help="Draw the lifetimes of values in cells (.svg, .png).",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="The output format.")
@text_options("FILE")
@limited
@click.pass_context
def memory(
    ctx: click.Context,
    script: str,
    system: str | None,
    only: tuple[str, ...],
    afresh: bool,
    objective: str,
    sizes: tuple[str, ...],
    alternatives: int,
    seconds: float,
    exact_tiles: bool,
    measure: bool,
    assignments: tuple[str, ...],
    threads: int,
    picture: str | None,
    form: str,
    output: str | None,
    prints: bool,
    force: bool,
) -> None:
    """Find memory maps that need as few cells as the order of operations allows."""
    figure_target = None if picture is None else picture_file(picture)
    target = text_target(output, prints, force)
    parameters = parameter_sets(assignments)[-1]
    sizes_ = {**parameters, **parameter_sets(sizes, "--sizes")[-1]}
    request = Request(
        objective=Objective(objective), sizes=sizes_, only=only, seconds=seconds, options=Options(exact_tiles)
    )
    accounts: list[tuple[ProposalReport, Design]] = []
    times: list[str] = []
    for design, name in _mapped_systems(ctx, script, system, form):
        _check(design, name, request)
        bare = design.with_mapping(name, replace(design.mapping(name), memory=()))
        progress(f"{script}: looking for memory maps of {name}")
        proposal = propose(bare if afresh else design, name, request)
        progress("")
        if isinstance(proposal, Refusal):
            errors = [finding for finding in proposal.report.findings if finding.is_error]
            if not any(error.rule in _OF_ORDER for error in errors):
                _check_tenants(design, name, only)
            _show(errors, form)
            ctx.exit(FINDINGS)
        account = ProposalReport.of(proposal, alternatives)
        if measure:
            try:
                best, remarks = fastest_variant(account, bare if afresh else design, request, parameters, threads)
            except KeyboardInterrupt:
                best, remarks = proposal, ["interrupted before all were measured"]
            progress("")
            account, times = ProposalReport.of(best, alternatives), [*times, *remarks]
        accounts.append((account, design))
    if figure_target is not None:
        _draw(figure_target, [account.proposal for account, _ in accounts])
    if form == "json":
        values = [document(account, design.mapping(account.proposal.system)) for account, design in accounts]
        target.write(json.dumps({"systems": values, "measured": times}, indent=2, ensure_ascii=False) + "\n")
        return
    comments = ["in place of all memory maps of the script"] * afresh + times
    commands = [
        line for account, design in accounts for line in lines(account, design.mapping(account.proposal.system))
    ]
    target.write("".join(f"{line}\n" for line in (*(f"# {comment}" for comment in comments), *commands)))


def _show(findings: Sequence[Diagnostic], form: str) -> None:
    """Prints errors on standard error, or as the requested document."""
    if form == "json":
        click.echo(to_json(findings), nl=False)
    else:
        show_error_findings(findings)


def _mapped_systems(ctx: click.Context, script: str, system: str | None, form: str) -> Iterator[tuple[Design, str]]:
    """Yields each system that has a mapping, as it stands at the end of the script."""
    source = read_source(script, ".cs")
    session = run_script(source, Path(script).parent, verifications=VerificationCache(verify=unverified))
    if session.has_errors:
        _show(session.findings, form)
        ctx.exit(exit_code(session.findings))
    every = [(design, name) for design in session.designs for name in design.mapped_systems]
    chosen = [(design, name) for design, name in every if system in (None, name)]
    if not chosen:
        near = did_you_mean(system, [name for _, name in every]) if system else None
        what = f"no mapping of a system `{system}`" if system else "no mapping"
        remedy = near or "memory maps need dates: add setSpaceTimeMap, or use `alphaz schedule PROGRAM.ab`"
        raise InputError(f"{script} has {what}: {remedy}")
    yield from chosen


def _draw(target: Path, proposals: Sequence[MemoryProposal]) -> None:
    """Draws the lifetimes of values in the proposed cells, at small parameters."""
    if len(proposals) != 1:
        raise InputError(f"a figure shows one system: --system chooses among {listing([p.system for p in proposals])}")
    (proposal,) = proposals
    shown = lazy_import("alphaz.figures.trace.tracing").trace(proposal.design, proposal.system, None)
    drawing = figure(shown, "lifetimes")
    write_picture(target, drawing)
    click.echo(f"wrote {target}: {drawing.title} ({shown.size})", err=True)


def _check_tenants(design: Design, name: str, only: Sequence[str]) -> None:
    """Checks the variables that stay in the space of a variable to be mapped: they may be the illegal part, not the
    schedule.
    """
    for space in only:
        variables = [e.variable for e in design.mapping(name).memory if e.space == space and e.variable not in only]
        if variables:
            why = f"the maps of the script keep {listing(variables)} in its space"
            raise InputError(f"{space} gets no map alone: {why}; --afresh sets all of them aside")


def _check(design: Design, name: str, request: Request) -> None:
    """Checks that names on the command line are those of the system."""
    system = design.system(name)
    for size in request.sizes:
        if size not in system.parameters:
            near = f"its parameters: {listing(system.parameters)}"
            raise InputError(f"{name} has no parameter {size}: {near}")
    locals_ = [variable.name for variable in system.variables if variable.kind is Kind.LOCAL]
    for local in request.only:
        if local not in locals_:
            near = did_you_mean(local, locals_) or f"its locals: {listing(locals_)}"
            raise InputError(f"{local} is no local of {name}: {near}")


_ROUNDS, _MOST_OTHERS = 5, 3
FIRST = "the first"


def fastest_variant(
    account: ProposalReport, design: Design, request: Request, parameters: Mapping[str, int], threads: int
) -> tuple[MemoryProposal, list[str]]:
    """Returns the fastest of the proposal, its alternatives, that for the other objective, and a few placements that
    share other cells, or none; and the times, in lines.

    All of them have been proved; `design` is the design that they were made for. Raises InputError where a parameter
    has no value.
    """
    system = design.system(account.proposal.system)
    missing = [name for name in system.parameters if name not in parameters]
    if missing:
        raise InputError(f"--measure needs values for all parameters: -p {missing[0]}=..")
    variants = dict(_variants(account, design, request))
    own = {name: parameters[name] for name in system.parameters}
    if len(variants) == 1:
        return account.proposal, ["there is nothing to choose from"]
    keep_memory()
    progress(f"{system.name}: compiling")
    mapped = {name: _licence(variant) for name, variant in variants.items()}
    beside = Files(Path(design.program.source.name).with_suffix(""), None, None)
    entry = enter(mapped, system.name, own, [threads], [], beside, seed=1)
    timings, _ = alternately(system, own, entry.contestants, _ROUNDS, progress, entry.layouts)
    at = f"{values_text(own)}, {count_text(threads, 'thread')}"
    text_lines = [f"measured at {at}:", *(f"  {_time(timing, timings[0])}" for timing in timings)]
    best = max(timings, key=lambda timing: timing.faster_than(timings[0]))
    return variants[best.contestant.name], text_lines


def _variants(account: ProposalReport, design: Design, request: Request) -> Iterator[tuple[str, MemoryProposal]]:
    first = account.proposal
    yield FIRST, first
    for kept_map in account.maps:
        for other in kept_map.alternatives:
            variant = first.with_map(other.entry)
            if variant is not None:
                factors = f" mod {factors_text(other.entry.moduli)}" if any(other.entry.moduli) else ""
                yield f"{other.entry.variable} {other.entry.function}{factors}", variant
    opposite = Objective.SIZE if request.objective is Objective.SPEED else Objective.SPEED
    proposal = propose(
        design,
        first.system,
        Request(
            objective=opposite, sizes=request.sizes, only=request.only, seconds=request.seconds, options=request.options
        ),
    )
    if not isinstance(proposal, Refusal) and set(proposal.entries) != set(first.entries):
        yield f"objective {opposite.value}", proposal
    for placement in first.others[:_MOST_OTHERS]:
        variant = first.with_placement(placement)
        if variant is not None:
            yield _differences(first, variant), variant


def _differences(first: MemoryProposal, other: MemoryProposal) -> str:
    """Returns the text of the differences in memory maps."""
    moved = (entry for entry in other.placement.entries if entry != first.placement.of(entry.variable))
    return "; ".join(
        f"{entry.variable} {entry.function}" + (f" in {entry.space}" if entry.space != entry.variable else "")
        for entry in moved
    )


def _licence(proposal: MemoryProposal) -> Verified:
    return certify(DesignVerdict(proposal.design, (proposal.report,)))


def _time(timing: Timing, first: Timing) -> str:
    ratio = "" if timing is first else f", {timing.faster_than(first):.2f} times as fast"
    return f"{timing.contestant.name}: least time {1000 * min(timing.seconds):.3g} ms{ratio}"
