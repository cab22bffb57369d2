"""`alphaz prove`: a C function against a system of equations. Code that cannot be proved is executed: it is refuted
only if an execution goes wrong; otherwise the verdict is undecided, with the reason. Proved code is executed too,
for a few parameters: this tests the reader, on which the proof relies."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from alphaz.analysis.checks.checked import Checked
from alphaz.analysis.depth import deep
from alphaz.analysis.elaborate.programs import elaborate_domain
from alphaz.analysis.texts.show import domain_shown
from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.codegen.c.names import identifier
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.nearest import count_text, listing
from alphaz.diagnostics.rules import C_EQUATIONS, C_NOT_PROVED, C_SIGNATURE, INPUT_DATA
from alphaz.equivalence.argument_layout import NoShape, place_of
from alphaz.equivalence.claim_inference import PLAIN, Laws
from alphaz.equivalence.driver.argument_names import (
    held_in_place,
    macros_of,
    names_ignoring_case,
    parameters_of,
    returned_output,
)
from alphaz.equivalence.driver.findings import contradicted, open_ones, refuted
from alphaz.equivalence.driver.preprocessing import preprocessed, undefined_names, unread_headers
from alphaz.equivalence.driver.proof_strategies import few, proof_of, sizes
from alphaz.equivalence.driver.sanitized_run import (
    CArgument,
    Endless,
    NoC,
    NotExecuted,
    RunSummary,
    SanitizedRun,
    run_sanitized,
)
from alphaz.equivalence.input_copies import destroyed
from alphaz.equivalence.parallel_discharge import ParallelDischarge
from alphaz.equivalence.prove import WHOLE, Answer, Effort, Proof
from alphaz.equivalence.symbolic_run import Binding
from alphaz.equivalence.value_graph import LAWS, Unsupported
from alphaz.mapping.footprint import uncalled_systems
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, Domain, OutOfBudget, at_least, budget
from alphaz.processes.copies import can_fork
from alphaz.processes.pool import shared_out
from alphaz.run.storage_conversion import Layouts
from alphaz.scop import CKernel, parse, read_kernel, together
from alphaz.scop.kernel import RESULT, Annotation, OtherFile
from alphaz.scop.macros import sizes_in, with_sizes
from alphaz.scop.scalar_promotion import in_their_cells
from alphaz.scop.tree_queries import definitions, is_simple, scalar_type
from alphaz.scop.vector_calls import check_loose
from alphaz.scop.vector_ssa import without_idle_lanes
from alphaz.syntax.parser import parse_domain

_HEADER = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ProofTask:
    """The task: `function` and `system` if they are ambiguous, `names` from arguments of C to names of the program,
    `sizes` of tiles that are arguments of C, `assumed` parameters, laws of arithmetic, the effort, annotations of
    the lines of the C (advice, which is checked), the number of processes (without a limit on total time); `layouts`
    of the variables that are passed in a storage format; and `others`: C files that define called functions."""

    function: str | None = None
    system: str | None = None
    names: Mapping[str, str] | None = None
    sizes: Mapping[str, int] | None = None
    assumed: Domain | None = None
    laws: Laws = PLAIN
    effort: Effort = WHOLE
    executes: bool = True
    annotations: Mapping[int, Annotation] | None = None
    jobs: int = 1
    layouts: Layouts = field(default_factory=dict)
    others: tuple[OtherFile, ...] = ()

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


@dataclass(frozen=True, slots=True, eq=False)
class CVerdict:
    """`verdict` is "proved", "refuted" (by execution) or "undecided"; the findings say why it is not proved.

    `assumed` are the assumptions of the proof, in addition to the compiler and the arithmetic of floats: the parameters
    to which it is restricted, and the laws that it uses, included. `tried` is the result of executing it, if it was
    executed.
    """

    verdict: str
    system: str
    function: str
    source: Source
    findings: tuple[Diagnostic, ...]
    proof: Proof | None
    seconds: float
    tried: RunSummary | None = None

    @property
    def is_proved(self) -> bool:
        return self.verdict == "proved"

    @property
    def assumed(self) -> tuple[str, ...]:
        return self.proof.kernel.assumed if self.proof is not None else ()

    @property
    def obligations(self) -> tuple[Answer, ...]:
        return self.proof.answers if self.proof is not None else ()

    def __str__(self) -> str:
        count = len(self.obligations)
        obligations_text = f", {count_text(count, 'obligation')}" if self.is_proved else ""
        return f"{self.function} computes {self.system}: {self.verdict}{obligations_text}"


def prove_c(
    checked: Checked, source: Source, task: ProofTask = PLAINLY, on_progress: Callable[[str], None] = lambda _: None
) -> CVerdict:
    """Returns the verdict on a function of a C text. Raises Rejected for an invalid task (AZ403, AZ834)."""
    start = time.perf_counter()
    system = chosen_system(checked, task)
    name = task.function or identifier(system.name)

    def ended(verdict: str, findings: tuple[Diagnostic, ...], proof: Proof | None = None) -> CVerdict:
        return CVerdict(
            verdict=verdict,
            system=system.name,
            function=name,
            source=source,
            findings=findings,
            proof=proof,
            seconds=time.perf_counter() - start,
        )

    try:
        on_progress("reading the C")
        tree, declared = _file(source, source.text, checked)
        name = chosen_function(tree, source, system, task)
        system = _with_c_parameters(tree, system, name, task)
        macros = macros_of(tree, source, name, system, {**(task.names or {}), **dict.fromkeys(task.sizes or {}, "")})
        if macros:
            tree, declared = _file(source, with_sizes(source.text, {macro: macro for macro in macros}), checked)
        tree, besides = _with_others(tree, source, [other.source for other in task.others], checked)
        declared += besides
        kernel, arguments, binding = read_with_arguments(tree, source, system, name, task, macros)
        kernel = in_their_cells(without_idle_lanes(kernel))
        lost = destroyed(kernel, binding, system)
        kernel = replace(kernel, assumed=(*task.conditions, *kernel.assumed, *declared, *lost))
        on_progress("looking for what its statements compute")
        count = [0]

        def count_up(_: Answer) -> None:
            count[0] += 1
            on_progress(f"{count[0]} questions answered")

        with deep(), nullcontext() if task.effort.inference is None else budget(task.effort.inference):
            proof = proof_of(checked, system, kernel, binding, task.laws, task.effort, task.spread, count_up)
    except Rejected as rejected:
        return ended("undecided", rejected.diagnostics)
    except OutOfBudget as reason:
        remedy = "run `alphaz prove`, which has no time limit"
        message = f"cannot infer claims: {reason}"
        return ended("undecided", (Diagnostic(C_NOT_PROVED, message, Label(system.span), help=remedy),))
    except (Unsupported, NoShape) as reason:
        help_ = reason.remedy if isinstance(reason, NoShape) else None
        message = f"the equations cannot be compared with C: {reason}"
        return ended("undecided", (Diagnostic(C_EQUATIONS, message, Label(system.span), help=help_),))
    result = ended("proved" if proof.is_proved else "undecided", (), proof)
    if not task.executes:
        if proof.is_proved:
            return result
        return replace(result, findings=tuple(open_ones(proof, "no execution was tried", task.laws)))
    trial = SanitizedRun(
        source=source,
        function=name,
        arguments=arguments,
        checked=checked,
        system=system,
        layouts=task.layouts,
        macros=macros,
        others=[other.source for other in task.others],
    )
    if proof.is_proved:
        # The reported time is that of the proof.
        return _confirmed(result, proof, trial, on_progress)
    result = _tried_to_refute(result, proof, trial, task.laws, on_progress)
    return replace(result, seconds=time.perf_counter() - start)


# --- task -------------------------------------------------------------------------------------------------------------


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
    return _with_parameters(replace(system, context=system.context & task.assumed), system)


def _with_parameters(system: System, before: System) -> System:
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


def chosen_function(tree: c.File, source: Source, system: System, task: ProofTask) -> str:
    """Returns the requested function; else the one with the name of the system; else the only external one."""
    defined = [*definitions(tree)]
    if task.function is not None:
        if task.function not in defined:
            raise _refused_task(
                source, f"the file has no function `{task.function}`", f"there are {listing(defined) or 'none'}"
            )
        return task.function
    if identifier(system.name) in defined:
        return identifier(system.name)
    candidates = seen_functions(tree)
    if len(candidates) != 1:
        names = listing(defined) or "none"
        raise _refused_task(
            source, f"the file has no function `{identifier(system.name)}`", f"choose one with --function: {names}"
        )
    return candidates[0]


def seen_functions(tree: c.File) -> list[str]:
    """Returns the candidate functions of a file, except `main`: the external ones, or (if there are none) the only one
    with the prefix `kernel_`, as in PolyBench, or all."""
    defined = {name: definition for name, definition in definitions(tree).items() if name != "main"}
    names = [name for name, definition in defined.items() if "static" not in definition.storage.split()]
    kernels = [name for name in defined if name.startswith("kernel_")]
    return names or (kernels if len(kernels) == 1 else [*defined])


def _refused_task(source: Source, message: str, remedy: str) -> Rejected:
    return Rejected(Diagnostic(C_SIGNATURE, message, Label(Span(source, 0, 0)), help=remedy))


def read_with_arguments(
    tree: c.File,
    source: Source,
    system: System,
    function: str,
    task: ProofTask,
    macros: Mapping[str, str] = MappingProxyType({}),
) -> tuple[CKernel, list[CArgument], Binding]:
    """Returns the function as a model, its arguments in order, and which variables its arrays hold."""
    names, alike = task.names or {}, names_ignoring_case(parameters_of(tree, function), system, task.names or {})
    variables_by_name = {n: v for v in (*system.inputs, *system.outputs) for n in (v.name, identifier(v.name))}
    variables_by_name |= {n: variables_by_name[target] for n, target in alike.items() if target in variables_by_name}
    parameters = {n: p for p in system.parameters for n in (p, identifier(p))}
    parameters |= {n: target for n, target in alike.items() if target in parameters}
    bound: dict[str, tuple[Variable, ...]] = {name: (variable,) for name, variable in variables_by_name.items()}
    for name, target in names.items():
        if target in system.parameters:
            parameters[name] = target
            continue
        bound[name] = tuple(_variable(source, system, variable) for variable in target.split("+"))
    parameters |= macros
    passed = (*system.inputs, *system.outputs)
    places = {v.name: place_of(v, system, task.layouts.get(v.name)) for v in passed}
    both = held_in_place(tree, function, system, places, variables_by_name, names, alike)
    bound |= both
    bound |= returned_output(tree, function, system, places, bound)
    for name, variables in bound.items():
        if len({places[v.name] for v in variables}) > 1:
            raise _refused_task(
                source, f"`{name}` is mapped to variables of different shapes", "map it to variables of one shape"
            )
    shapes = {name: places[variables[0].name].shape for name, variables in bound.items()}
    sizes = task.sizes or {}
    kernel = read_kernel(
        source, tree, function, system.context, parameters, shapes, sizes, task.annotations, [*macros], task.others
    )
    check_loose(kernel, task.laws.is_exact)
    known_ = sizes_in(source.text)
    macro_notes = tuple(f"`{name}`, which is {known_[name]} in the text, may be any {p}" for name, p in macros.items())
    chosen = tuple(f"`{name}` is {value}" for name, value in sizes.items())
    headers = tuple(
        dict.fromkeys(note for file in (source, *(o.source for o in task.others)) for note in _left_out(file))
    )
    held_ = tuple(f"`{n}` holds {first.name} at first, and {last.name} at the end" for n, (first, last) in both.items())
    renamed = tuple(f"`{n}` stands for {target}" for n, target in alike.items() if n not in both)
    kernel = replace(kernel, assumed=(*kernel.assumed, *macro_notes, *chosen, *headers, *held_, *renamed))
    arguments = []
    for parameter in parameters_of(tree, function):
        if parameter.name in kernel.arguments:
            variables = bound[parameter.name]
            _check_types(kernel, parameter.name, variables)
            by_value = is_simple(parameter.type)
            if by_value and any(v in system.outputs for v in variables):
                message = f"`{parameter.name}` is passed by value, so it cannot return the output {variables[-1].name}"
                raise _refused_task(source, message, f"pass a pointer, `*{parameter.name}`")
            held_by = tuple(v.name for v in variables)
            in_rows = kernel.arrays[parameter.name].in_rows
            arguments.append(CArgument(parameter.name, held_by, by_value, in_rows=in_rows))
        elif parameter.name in sizes:
            arguments.append(CArgument(parameter.name, value=sizes[parameter.name]))
        else:
            arguments.append(CArgument(parameters[parameter.name]))
    for name in (argument for argument in kernel.arguments if argument not in {*(a.name for a in arguments), RESULT}):
        _check_types(kernel, name, bound[name])
        arguments.append(CArgument(name, tuple(v.name for v in bound[name]), in_file=True))
    if RESULT in bound:
        _check_types(kernel, RESULT, bound[RESULT])
        arguments.append(CArgument(RESULT, tuple(v.name for v in bound[RESULT]), is_result=True))
    held = {a.name: a.variables for a in arguments if a.variables}
    inputs = {v.name for v in system.inputs}
    binding = Binding(
        {name: v for name, variables in held.items() for v in variables if v in inputs},
        {name: v for name, variables in held.items() for v in variables if v not in inputs},
        places,
    )
    missing = {v.name for v in system.outputs} - set(binding.outputs.values())
    if missing:
        also = ", and it is not returned" if len(missing) == 1 else ""
        remedy = "add an argument of that name, or map one to it: --map C_NAME=NAME"
        raise Rejected(
            Diagnostic(
                C_SIGNATURE,
                f"no argument holds the output {listing(sorted(missing))}{also}",
                Label(kernel.span),
                help=remedy,
            )
        )
    return kernel, arguments, binding


def _left_out(source: Source) -> Iterator[str]:
    """Yields the assumptions on headers that are not read, and on names without a definition."""
    yield from (f"`{name}` defines no macro or function that this text uses" for name in unread_headers(source))
    yield from (f"`{name}` is not defined" for name in undefined_names(source))


def _file(source: Source, text: str, checked: Checked) -> tuple[c.File, tuple[str, ...]]:
    """Returns the tree of this text, and the assumptions on the headers that it includes."""
    return _with_externals(parse(source, preprocessed(Source(source.name, text))), source, checked)


def _with_others(
    tree: c.File, source: Source, others: Sequence[Source], checked: Checked
) -> tuple[c.File, tuple[str, ...]]:
    """Returns the file with the definitions of the others, and the assumptions on these."""
    files = [(other, *_file(other, other.text, checked)) for other in others]
    merged, notes = together((source, tree), [(file, file_tree) for file, file_tree, _ in files])
    return merged, (*notes, *(note for _, _, file_notes in files for note in file_notes))


def _with_externals(tree: c.File, source: Source, checked: Checked) -> tuple[c.File, tuple[str, ...]]:
    """Returns the file with prototypes of the functions that the program declares, and the file does not: it is
    assumed, and reported, that one of its headers declares them in the same way."""
    declared_names = {item.name for item in tree.items if isinstance(item, c.Function | c.Declare)}
    headers = _HEADER.findall(source.text)
    called = {node.function for node in nodes(tree, c.Call)}
    externals = [
        external for external in checked.program.externals
        if headers and external.name in called - declared_names and None not in external.arguments
    ]  # fmt: skip
    texts = (f"{e.type.c_name} {e.name}({', '.join(a.c_name for a in e.arguments if a) or 'void'});" for e in externals)
    prototypes = parse(Source("prototypes", ""), "\n".join(texts)).items[-len(externals) :] if externals else []
    headers_text = listing(headers)
    notes = tuple(f"{headers_text} declares `{external.name}` as the program does" for external in externals)
    return replace(tree, items=(*prototypes, *tree.items)), notes


def _with_c_parameters(tree: c.File, system: System, function: str, task: ProofTask) -> System:
    """Returns the system restricted to the parameters that C can pass: arguments of unsigned types are not negative."""
    stated_names = task.names or {}
    alike = names_ignoring_case(parameters_of(tree, function), system, stated_names)
    names = {**{n: p for p in system.parameters for n in (p, identifier(p))}, **alike, **stated_names}
    types = {parameter.name: scalar_type(parameter.type) for parameter in parameters_of(tree, function)}
    unsigned = [
        names[name] for name, type_ in types.items() if type_ is not None and not type_.signed and name in names
    ]
    limits = [at_least(Affine.name(parameter), 0) for parameter in unsigned if parameter in system.parameters]
    space = system.context.space
    limited = replace(system, context=system.context & Domain.where(space, limits)) if limits else system
    return _with_parameters(limited, system)


def _variable(source: Source, system: System, name: str) -> Variable:
    for variable in (*system.inputs, *system.outputs):
        if variable.name == name:
            return variable
    names = listing([v.name for v in (*system.inputs, *system.outputs)])
    raise _refused_task(source, f"`{system.name}` has no input or output `{name}`", f"it has {names}")


def _check_types(kernel: CKernel, name: str, variables: Sequence[Variable]) -> None:
    array = kernel.arrays[name]
    for variable in variables:
        if variable.type != array.type:
            subject = "the returned value is" if name == RESULT else f"`{name}` has elements"
            message = f"{subject} of type {array.type}, and `{variable.name}` is of type {variable.type}"
            raise Rejected(
                Diagnostic(C_SIGNATURE, message, Label(array.span), (Label(variable.span, "declared here"),))
            )


# --- execution --------------------------------------------------------------------------------------------------------


def _confirmed(verdict: CVerdict, proof: Proof, trial: SanitizedRun, on_progress: Callable[[str], None]) -> CVerdict:
    """Returns the verdict after executing proved code: if that goes wrong, nothing is proved."""

    def but(reason: str, came: RunSummary | None = None) -> CVerdict:
        finding = contradicted(proof, verdict.assumed, reason, came.wrong if came is not None else None)
        return replace(verdict, verdict="undecided", findings=(finding,), tried=came)

    try:
        came = run_sanitized(trial, few(trial), seeds=(1,), on_progress=on_progress)
    except NoC as reason:
        return but(f"the C compiler rejects the text: {reason}")
    except Endless as reason:
        return but(str(reason))
    except NotExecuted as reason:
        came = RunSummary(left=str(reason))
    except Rejected as rejected:
        came = RunSummary(left=rejected.diagnostics[0].message)
    return replace(verdict, tried=came) if came.wrong is None else but("an execution goes wrong", came)


def _tried_to_refute(
    verdict: CVerdict, proof: Proof, trial: SanitizedRun, laws: Laws, on_progress: Callable[[str], None]
) -> CVerdict:
    try:
        came = run_sanitized(trial, sizes(trial.system, proof), on_progress=on_progress)
    except NotExecuted as problem:
        came = RunSummary(left=str(problem))
    except Rejected as rejected:
        came = RunSummary(left=rejected.diagnostics[0].message)
    verdict = replace(verdict, tried=came)
    if came.wrong is not None:
        return replace(verdict, verdict="refuted", findings=(refuted(proof, came.wrong, trial.macros),))
    reason = f"it could not be executed: {came.left}"
    if came.ran:
        reason = f"executed for {came.where}, it computes what the equations say"
    return replace(verdict, findings=tuple(open_ones(proof, reason, laws, bool(came.ran))))
