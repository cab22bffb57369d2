"""The task of a proof of C: which system, which function, under which assumptions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.elaborate.programs import elaborate_domain
from alphaz.analysis.texts.show import domain_shown
from alphaz.c import tree as c
from alphaz.c.cuda_preparation import is_device
from alphaz.c.parse import parse_expression
from alphaz.c.walk import at_place
from alphaz.codegen.c.names import identifier
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.codegen.toolchain import Harness, Toolchain
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.message_words import listing
from alphaz.diagnostics.rules import C_SIGNATURE, INPUT_DATA
from alphaz.equivalence.c_proof import WHOLE, Effort
from alphaz.equivalence.claim_inference import PLAIN, Laws
from alphaz.equivalence.parallel_discharge import ParallelDischarge
from alphaz.equivalence.value_graph import LAWS
from alphaz.mapping.input_footprint import uncalled_systems
from alphaz.model.program import System
from alphaz.poly import Domain
from alphaz.processes.copies import can_fork
from alphaz.processes.pool import shared_out
from alphaz.run.storage_conversion import Layouts
from alphaz.scop.block_counters import NotCounted
from alphaz.scop.c_model import Annotation, OtherFile
from alphaz.scop.last_blocks import launches
from alphaz.scop.tree_queries import definitions
from alphaz.scop.unsupported import outside, span_of
from alphaz.syntax.parser import parse_domain


@dataclass(frozen=True, slots=True)
class StatedLaunch:
    """A launch of a kernel without host code, as texts of C: the kernel (None: the only one), and sizes in x, y, z."""

    kernel: str | None
    grid: str
    block: str


@dataclass(frozen=True, slots=True)
class ProofTask:
    """The task: `function` and `system` if they are ambiguous, `names` from arguments of C to names of the program,
    `sizes` of tiles that are arguments of C, `assumed` parameters, laws of arithmetic, the effort, annotations of
    the lines of the C (advice, which is checked), the number of processes (without a limit on total time); `layouts`
    of the variables that are passed in a storage format; `others`: C files that define called functions; the `launch`
    of a kernel without host code; and the toolchain and the harness of executions, by default those of C.
    `inferred`: those of the `names` that the order of the arguments gives. `reads_masks`: `if (c) x += a;` is read as
    `x += c ? a : 0;`. `is_generated`: `alphaz.h` will be next to the files."""

    function: str | None = None
    system: str | None = None
    names: Mapping[str, str] | None = None
    inferred: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] | None = None
    assumed: Domain | None = None
    laws: Laws = PLAIN
    effort: Effort = WHOLE
    executes: bool = True
    reads_masks: bool = False
    annotations: Mapping[int, Annotation] | None = None
    jobs: int = 1
    layouts: Layouts = field(default_factory=dict)
    others: tuple[OtherFile, ...] = ()
    launch: StatedLaunch | None = None
    toolchain: Toolchain = DEFAULT.toolchain
    harness: Harness = DEFAULT.harness
    is_generated: bool = False

    def with_inferred(self, names: Mapping[str, str]) -> "ProofTask":
        """Returns the task with counterparts of arguments that nothing states."""
        return replace(self, names={**(self.names or {}), **names}, inferred=names)

    @property
    def conditions(self) -> tuple[str, ...]:
        """Returns the assumptions on parameters and arithmetic, in words."""
        limits = () if self.assumed is None else (f"the parameters are in {domain_shown(self.assumed)}",)
        used = [name for name in LAWS if name in self.laws.allowed]
        return (*limits, f"numbers obey {listing(used)}, as real numbers do") if used else limits

    @property
    def spread(self) -> ParallelDischarge | None:
        is_bounded = self.effort.inference is not None or self.effort.seconds is not None
        return None if self.jobs == 1 or is_bounded or not can_fork() else partial(shared_out, jobs=self.jobs)


PLAINLY = ProofTask()


def possible_systems(checked: Checked, name: str | None) -> list[System]:
    """Returns the systems of this name; without a name those that no others call."""
    every = tuple(system.name for system in checked.program.systems)
    chosen = uncalled_systems(checked.program, every) if name is None else (name,)
    return [system for system in checked.program.systems if system.name in chosen]


def chosen_system(checked: Checked, task: ProofTask) -> System:
    systems = possible_systems(checked, task.system)
    place = Label(Span(checked.program.source, 0, 0))
    if not systems:
        names = listing([system_.name for system_ in checked.program.systems])
        raise Rejected(Diagnostic(C_SIGNATURE, f"there is no system `{task.system}`", place, help=f"there are {names}"))
    if len(systems) > 1 and task.system is None:
        names = listing([system_.name for system_ in systems])
        raise Rejected(
            Diagnostic(C_SIGNATURE, "the program has several systems", place, help=f"choose one with --system: {names}")
        )
    system = systems[0]
    if task.assumed is None:
        return system
    return with_parameters(replace(system, context=system.context & task.assumed), system)


def with_parameters(system: System, before: System) -> System:
    """Returns the system. Raises Rejected if none of the parameters of the one before remain."""
    if system.context.is_empty() and not before.context.is_empty():
        message = f"the assumptions exclude all parameters of `{system.name}`: nothing would be proved"
        label = Label(system.span, f"it has {domain_shown(before.context)}")
        raise Rejected(Diagnostic(INPUT_DATA, message, label, help="assume less (--assume)"))
    return system


def assumed_parameters(texts: Iterable[str], parameters: Sequence[str]) -> Domain | None:
    """Returns the domain of conditions on parameters in the syntax of the language, `N>=3`. Raises Rejected."""
    text = " && ".join(texts)
    if not text:
        return None
    return elaborate_domain(parse_domain(Source("--assume", f"{{ | {text}}}")), tuple(parameters))


def with_launch(tree: c.File, source: Source, task: ProofTask) -> c.File:
    """Returns the tree with a function of the host that makes the launch of the task, if there is one; it has the
    arguments of the kernel."""
    if task.launch is None:
        return tree
    kernels = {name: function for name, function in definitions(tree).items() if is_kernel(function)}
    name = task.launch.kernel or (next(iter(kernels)) if len(kernels) == 1 else "")
    if name not in kernels:
        there = listing([*kernels]) or "none"
        title = f"no kernel `{name}`" if name else "not exactly one kernel"
        raise refused_task(source, f"the file has {title}", f"choose one with --kernel: there are {there}")
    kernel = kernels[name]
    grid, block = _extents(source, "--grid", task.launch.grid), _extents(source, "--block", task.launch.block)
    arguments = tuple(c.Name(parameter.name) for parameter in kernel.parameters)
    launch = at_place(c.Launch(name, grid, block, arguments), kernel.at)
    try:
        body = launches(tree, launch)
    except NotCounted as problem:
        raise refused_task(source, problem.message, problem.remedy or "") from None
    host = c.Function(c.VOID, launcher(name), kernel.parameters, body, at=kernel.at)
    return replace(tree, items=(*tree.items, host))


def launcher(kernel: str) -> str:
    """Returns the name of the function that launches a kernel, which is no identifier of C."""
    return f"{kernel}<<<>>>"


def is_kernel(function: c.Function) -> bool:
    return "__global__" in function.qualifiers


def _extents(source: Source, option: str, text: str) -> tuple[c.Expression, ...]:
    tree = parse_expression(text)
    extents = tree.values if isinstance(tree, c.Comma) else (tree,)
    if len(extents) > 3 or any(extent is None for extent in extents):
        raise refused_task(source, f"{option} {text} is no list of one to three sizes", f"write {option} '(N+255)/256'")
    return tuple(extent for extent in extents if extent is not None)


def chosen_function(tree: c.File, source: Source, system: System, task: ProofTask) -> str:
    """Returns the requested function; else the one with the name of the system; else the only external one."""
    if task.launch is not None:
        return next(name for name in reversed(definitions(tree)) if name.endswith(launcher("")))
    kernels = [name for name, function in definitions(tree).items() if is_kernel(function)]
    name = _hosted(tree, source, system, task)
    if name in kernels:
        help_ = "state its launch: --grid '(N+255)/256' --block 256, or choose a function that launches it"
        raise refused_task(source, f"`{name}` is a kernel of a GPU, without the sizes of its grid and block", help_)
    return name


def _hosted(tree: c.File, source: Source, system: System, task: ProofTask) -> str:
    defined, wanted = [*definitions(tree)], task.function or identifier(system.name)
    for item in tree.items if wanted not in defined else ():
        if isinstance(item, c.Unsupported) and wanted in item.names:
            raise outside(span_of(source, item), item.message, item.remedy)
    if task.function is not None:
        if task.function not in defined:
            raise refused_task(
                source, f"the file has no function `{task.function}`", f"there are {listing(defined) or 'none'}"
            )
        return task.function
    if identifier(system.name) in defined:
        return identifier(system.name)
    candidates = seen_functions(tree)
    if len(candidates) != 1:
        names = listing(defined) or "none"
        raise refused_task(
            source, f"the file has no function `{identifier(system.name)}`", f"choose one with --function: {names}"
        )
    return candidates[0]


def seen_functions(tree: c.File) -> list[str]:
    """Returns the candidate functions of a file, except `main`: the external ones, or (if there are none) the only one
    with the prefix `kernel_`, as in PolyBench, or all."""
    functions = {name: definition for name, definition in definitions(tree).items() if name != "main"}
    defined = {name: definition for name, definition in functions.items() if not is_device(definition.qualifiers)}
    defined = defined or functions
    names = [name for name, definition in defined.items() if "static" not in definition.storage.split()]
    kernels = [name for name in defined if name.startswith("kernel_")]
    return names or (kernels if len(kernels) == 1 else [*defined])


def refused_task(source: Source, message: str, remedy: str) -> Rejected:
    return Rejected(Diagnostic(C_SIGNATURE, message, Label(Span(source, 0, 0)), help=remedy))
