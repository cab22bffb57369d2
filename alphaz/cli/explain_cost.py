"""`alphaz explain-cost`: data movement and operations of a mapping, and the least possible time."""

import json
import re
from collections.abc import Iterator, Mapping

import click

from alphaz.cli.chosen_gpu import chosen_gpu
from alphaz.cli.files import InputError, file_names, read_source
from alphaz.cli.gpu_cost_text import gpu_document, gpu_lines, large
from alphaz.cli.inputs import HELP, Parameters, parameter_sets
from alphaz.cli.measured_mappings import Subject, check_parameters, interpret, mapped_subjects, own_values, values_text
from alphaz.cli.output import exit_code, show_error_findings
from alphaz.cli.resource_limits import limited
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics.message_words import count_text, listing
from alphaz.equivalence.driver.generated_cuda import estimated
from alphaz.legality.verify import verify
from alphaz.machine import GPUS, USUAL, Gpu
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.run.machine import machine
from alphaz.scripting.interpreter.run import Session
from alphaz.search.cost.estimate import CacheLevel, Estimate, estimate
from alphaz.search.cost.gpu_cost import GpuCost
from alphaz.search.cost.memory_traffic import LINE, Moved
from alphaz.search.cost.messages import RankCost, rank_cost

EPILOG = """\b
Examples:
  alphaz explain-cost gemm-tuned.cs -p NI=1000,NJ=1000,NK=1000
  alphaz explain-cost gemver.cs -p m=4000,n=4000 --threads 2
  alphaz explain-cost gemver.cs -p m=4000,n=4000 --machine usual --format json
  alphaz explain-cost jacobi.cs -p N=1000,T=100 --ranks 4
  alphaz explain-cost gemm-cuda.cs -p NI=4096,NJ=4096,NK=4096 --gpu h100

\b
Nothing is compiled, and nothing has to be proved. Bytes are lines of memory that
come out of a cache or out of memory, and go back; the bound is the larger of
what memory and what arithmetic take (`alphaz machine --measure` asks for rates).
Of a distributed mapping, these are those of all ranks together.

\b
Of a mapping for a GPU, the CUDA text is generated and read: segments of 32 bytes
that a warp accesses at once, passes of the banks of shared memory, blocks that a
processor has at a time, bytes, and the time by a model of the GPU."""

UNKNOWN = "no polynomial"
MACHINES = ("this", "usual")
# The columns with shares.
_UNEVEN = 1.05
_MOST_ARRAYS = 6
_NAME = re.compile(r"[A-Za-z_]\w*")
_COEFFICIENT = re.compile(r"\b(\d+)([A-Za-z_])")


@click.command("explain-cost", epilog=EPILOG)
@click.argument("script", metavar="SCRIPT.cs", shell_complete=file_names)
@click.option("-p", "--parameters", "assignments", metavar="N=1000[,M=3]", multiple=True, help=HELP)
@click.option("--threads", type=click.IntRange(1, 1024), default=1, show_default=True, help="The number of threads.")
@click.option("--ranks", type=click.IntRange(1, 4096), help="The number of ranks, for the messages between them.")
@click.option("--system", metavar="NAME", help="Only this system.")
@click.option(
    "--machine", "which", type=click.Choice(MACHINES), default="this", help="The machine: its caches and rates (this)."
)
@click.option(
    "--gpu",
    metavar="NAME|FILE",
    shell_complete=file_names,
    help=f"For CUDA, the GPU: {', '.join(GPUS)}, or a file of JSON (the one of this machine, or h100).",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="The output format (text).")
@limited
@click.pass_context
def command(
    ctx: click.Context,
    script: str,
    assignments: tuple[str, ...],
    threads: int,
    ranks: int | None,
    system: str | None,
    which: str,
    gpu: str | None,
    form: str,
) -> None:
    """Print data movement, operations and least possible time of the mappings of a script."""
    session = interpret(read_source(script, ".cs"))
    show_error_findings([finding for finding in session.findings if finding.is_error])
    if session.has_errors:
        ctx.exit(exit_code(session.findings))
    sets = parameter_sets(assignments)
    subjects = list(mapped_subjects(session, system))
    check_parameters(subjects, sets)
    if ranks is not None and all(_mapping(session, subject).distribution is None for subject in subjects):
        raise InputError(
            "`--ranks` counts messages, and no mapping is distributed: write setDistributed, or leave it out"
        )
    of_gpu = [subject for subject in subjects if _is_for_gpu(_mapping(session, subject))]
    if gpu is not None and not of_gpu:
        raise InputError("`--gpu` is for CUDA, and no mapping has its target: write setTarget, or leave it out")
    machine_ = USUAL if which == "usual" else machine()
    accounts, kernels = [], list[tuple[str, Mapping[str, int], GpuCost]]()
    for subject in subjects:
        mapping = _mapping(session, subject)
        if subject in of_gpu:
            kernels += _of_kernels(session, subject, sets, chosen_gpu(gpu))
            continue
        for values in own_values((subject,), sets):
            between = None if mapping.distribution is None else rank_cost(mapping)
            accounts.append((mapping, values, estimate(mapping, values, machine_, threads), between))
    if form == "json":
        documents = [
            _document(mapping, values, cost) | ({} if between is None else _messages(between, values, ranks))
            for mapping, values, cost, between in accounts
        ]
        documents += [gpu_document(*kernel) for kernel in kernels]
        click.echo(json.dumps({"costs": documents}, indent=2))
        return
    for mapping, values, cost, between in accounts:
        lines = [*_lines(mapping, values, cost), *(_message_lines(between, values, ranks) if between else ())]
        click.echo("\n".join(lines))
    for kernel in kernels:
        click.echo("\n".join(gpu_lines(*kernel)))


def _is_for_gpu(mapping: ResolvedMapping) -> bool:
    """Returns True for a mapping whose code is CUDA."""
    return mapping.target == CUDA_TARGET.name


def _of_kernels(
    session: Session, subject: Subject, sets: list[Parameters], gpu: Gpu
) -> Iterator[tuple[str, Mapping[str, int], GpuCost]]:
    """Yields the cost of the kernels of a mapping for each of the parameter sets. Raises Rejected without a proof, and
    without code; InputError where the text has no model."""
    name, checked, _ = subject
    design = next(design for design in session.designs if design.checked is checked)
    verdict = verify(design, [name])
    for values in own_values((subject,), sets):
        cost = estimated(verdict, values, gpu)
        if cost is None:
            raise InputError(f"the CUDA text of {name} has accesses that are not affine: its cost is not known")
        yield name, values, cost


def _mapping(session: Session, subject: Subject) -> ResolvedMapping:
    name, checked, _ = subject
    return resolve(next(design for design in session.designs if design.checked is checked), name)


def _lines(mapping: ResolvedMapping, values: Mapping[str, int], cost: Estimate) -> Iterator[str]:
    threads = count_text(cost.threads, "thread")
    yield ", ".join(filter(None, (f"{mapping.system.name}: {values_text(values)}", threads)))
    if cost.operations is not None:
        one_by_one = f", those of {listing(cost.scalar)} not in vectors" if cost.scalar else ""
        yield f"  operations    {large(cost.operations)}{one_by_one}"
    for level in cost.levels:
        yield f"  from {level.source:<8} {large(level.bytes)}B, {_level_text(level)}"
        for moved in sorted(level.traffic, key=lambda array: -array.bytes)[:_MOST_ARRAYS]:
            if moved.bytes >= level.bytes / 1000:
                yield f"    {moved.array:<10}  {large(moved.bytes)}B{_element_count(moved, values)}"
    if mapping.uses:
        yield f"  not counted   the operations of the called system {listing(use.callee.name for use in mapping.uses)}"
    if cost.uneven > _UNEVEN:
        yield f"  not shared    evenly: the busiest thread has {cost.uneven:.2f} times an equal share (setChunks)"
    which = "memory" if cost.levels[-1].seconds >= cost.computing else "arithmetic"
    guessed = "" if cost.is_measured else ", with guessed rates (alphaz machine --measure)"
    yield f"  at best       {cost.seconds:.3g} s, by {which}{guessed}"


def _message_lines(between: RankCost, values: Mapping[str, int], ranks: int | None) -> Iterator[str]:
    """Yields the lines on messages between ranks."""
    numbers = None if ranks is None else between.numbers(values, ranks)
    messages = bytes_ = ""
    if ranks is not None:
        of_ranks = f"of {count_text(ranks, 'rank')}"
        messages = f"; not counted {of_ranks}" if numbers is None else f"; {numbers.messages} {of_ranks}"
        bytes_ = "" if numbers is None else f"; {numbers.bytes}"
    yield f"  between ranks, whose number is {' times '.join(between.names)}"
    yield f"    messages    {between.messages or UNKNOWN}{messages}"
    yield f"    bytes       {between.bytes or UNKNOWN}{bytes_}"
    for variable, formula in between.values.items():
        yield f"    values of {variable:<2} {formula or UNKNOWN}"
    for variable, (number, steps) in between.combined.items():
        where = "of the ranks before each" if variable in between.scanned else "on the ranks that read them"
        yield f"    combined    {number} values of {variable}, in {steps} steps, {where}"


def _messages(between: RankCost, values: Mapping[str, int], ranks: int | None) -> dict[str, object]:
    numbers = None if ranks is None else between.numbers(values, ranks)
    formulas = {"messages": between.messages, "bytes": between.bytes}
    return {
        "ranks": ranks,
        "sent": None if numbers is None else {"messages": numbers.messages, "bytes": numbers.bytes},
        **{f"{name} formula": None if formula is None else str(formula) for name, formula in formulas.items()},
        "values": {name: None if formula is None else str(formula) for name, formula in between.values.items()},
        "combined": {name: {"values": number, "steps": steps} for name, (number, steps) in between.combined.items()},
    }


def _level_text(level: CacheLevel) -> str:
    inside = f"the iterations of loop {level.depth + 1}" if level.depth else "the whole"
    return f"{inside}: {large(level.footprint)}B"


def _element_count(moved: Moved, values: Mapping[str, int]) -> str:
    """Returns the number of transferred elements as a polynomial, which is valid near these parameters."""
    if moved.elements is None:
        return ", estimated"
    here = next((value for where, value in moved.elements.parts if where.contains(values)), None)
    direction = ", and back" if moved.written else ""
    return "" if here is None else f", {_factored_text(str(here))} elements{direction}"


def _factored_text(polynomial: str) -> str:
    """Returns `n*(n+1)/2`."""
    if not any(sign in polynomial for sign in "+-"):
        return polynomial
    import sympy  # noqa: PLC0415 - loaded where it is used

    names = {name: sympy.Symbol(name) for name in _NAME.findall(polynomial)}
    text = _COEFFICIENT.sub(r"\1*\2", polynomial).replace("^", "**")
    return str(sympy.factor(sympy.sympify(text, locals=names))).replace("**", "^").replace(" ", "")


def _document(mapping: ResolvedMapping, values: Mapping[str, int], cost: Estimate) -> dict[str, object]:
    return {
        "system": mapping.system.name,
        "parameters": dict(values),
        "threads": cost.threads,
        "operations": cost.operations,
        "scalar": list(cost.scalar),
        "levels": [_level(level) for level in cost.levels],
        "uneven": cost.uneven,
        "seconds": cost.seconds,
        "measured": cost.is_measured,
    }


def _level(level: CacheLevel) -> dict[str, object]:
    arrays = {
        moved.array: {
            "read": round(moved.lines * LINE),
            "written": round(moved.written * LINE),
            "elements": None if moved.elements is None else str(moved.elements),
        }
        for moved in level.traffic
    }
    return {"from": level.source, "bytes": round(level.bytes), "loops": level.depth, "arrays": arrays}
