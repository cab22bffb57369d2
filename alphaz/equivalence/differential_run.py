"""Differential execution of one system on one set of inputs: interpreter, demand-driven C, and scheduled C with each
number of threads. All must agree: integers and floats exactly, except where the scheduled code may add or multiply
floats of a reduction in another order; then within a bound on reassociation.

The bound: sums of n floats in two orders differ by at most about 2 n eps times the sum of their magnitudes (Higham,
Accuracy and Stability of Numerical Algorithms, 4.2). That sum, including the effect of later equations, is assumed to
be at most 16 times the greatest output: a rule of thumb, which `tolerance` replaces. Larger differences are compared
with the sensitivity: the inputs are perturbed in their last bits, and another order may change outputs by n times the
effect of that.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from pathlib import Path

import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.scheduled.pipeline import ALL, Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.target import Target
from alphaz.codegen.toolchain import CUDA, C
from alphaz.diagnostics import Diagnostic, Label, Rejected, Witness, WitnessPoint
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import DIED, DISAGREE, NOT_A_NUMBER, NOT_YET
from alphaz.equivalence.driver.generated_code import prove_stage_a
from alphaz.equivalence.driver.prove_c import CVerdict
from alphaz.legality.verdicts import Verified
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.model.expression import Facts, Reduce
from alphaz.model.input_values import checked_parameters
from alphaz.model.interpreter import evaluate
from alphaz.model.interpreter.externals import require_functions
from alphaz.model.program import Equation, Program, System, Variable
from alphaz.model.walk import walk
from alphaz.processes.copies import bounded
from alphaz.run.compare import Difference, Tolerance, compare, counted_nans, magnitude
from alphaz.run.data import nudged, random_inputs, tame_inputs
from alphaz.run.externals import external_functions
from alphaz.run.guarded_call import Broke, Isolated
from alphaz.run.kernel import Kernel, KernelRun, compile_kernel
from alphaz.run.machine import machine
from alphaz.run.target_processes import WithoutGpu, compile_in_process
from alphaz.run.work_estimate import longest_reduction, memory_bytes, stored_values, values_to_compute

INTERPRETER = "interpreter"
DEMAND_DRIVEN = "demand-driven C"
SCHEDULED = "scheduled C"
ON_PROCESSOR = "CUDA without a GPU"

# The number of perturbations of the inputs, and the allowed fraction of the greatest output, such that wrong values
# still differ by more.
_SHAKEN = 3
_MOST_ALLOWED = 1e-4


@dataclass(frozen=True, slots=True)
class ExecutionLimits:
    """Limits of an execution: values for the interpreter, values and bytes for the demand-driven C (which stores
    all)."""

    interpreted: int = 5_000_000
    demanded: int = 400_000_000
    bytes: int = field(default_factory=lambda: memory_bytes() // 2)


class Where(Enum):
    """The place where generated code runs: in this process; in a separate one, with guard zones around arrays, or under
    sanitizers."""

    HERE = "here"
    APART = "apart"
    SANITIZED = "sanitized"


@dataclass(frozen=True, slots=True, eq=False)
class Executables:
    """All executable forms of a system, compiled once.

    `scheduled` is None for a program without a mapping, `demand_driven` for systems that its generator does not
    support. `proof` is the proof of the text of the scheduled code, if requested. `where` applies to generated code; if
    that runs in a separate process, calls of the interpreter to C do too.
    """

    checked: Checked
    system: System
    demand_driven: Kernel | Isolated | WithoutGpu | None
    scheduled: Kernel | Isolated | WithoutGpu | None
    externals: Mapping[str, Callable[..., object]]
    proof: CVerdict | None = None
    where: Where = Where.HERE

    @property
    def sizes(self) -> tuple[TileSize, ...]:
        """Returns the tile sizes that are parameters of the scheduled code."""
        return self.scheduled.sizes if self.scheduled else ()


@dataclass(frozen=True, slots=True, eq=False)
class Execution:
    """The result of one execution. `outputs` is None if it was beyond the limits, and `skipped` then has the reason, or
    if the code crashed or wrote outside arrays, with the reason in `failure`.

    `seconds` is wall-clock time of the execution alone. `threads` is None if there is no choice.
    """

    name: str
    threads: int | None
    seconds: float
    outputs: dict[str, np.ndarray] | None
    skipped: str = ""
    failure: Diagnostic | None = None
    member: str = "thread"

    @property
    def title(self) -> str:
        return self.name if self.threads is None else f"{self.name} with {count_text(self.threads, self.member)}"


@dataclass(frozen=True, slots=True, eq=False)
class DifferentialRun:
    """The executions at these parameters, in order, and the differences from the first one that ran.

    `inputs` describes the inputs in words. `warnings` name outputs that contain NaN; `is_void` if no output contains
    numbers.
    """

    system: str
    parameters: Mapping[str, int]
    inputs: str
    executions: tuple[Execution, ...]
    findings: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...] = ()
    is_void: bool = False

    @property
    def reference(self) -> Execution:
        """Returns the first execution that finished; there is one if values differ."""
        return next(e for e in self.executions if e.outputs is not None)

    @property
    def compared(self) -> int:
        """Returns the number of executions compared with the reference."""
        return sum(e.outputs is not None for e in self.executions) - 1

    @property
    def agrees(self) -> bool:
        """Returns True if at least one execution was compared, and nothing differs."""
        return self.compared > 0 and not self.findings and not self.is_void


def executables(
    subject: Checked | Verified,
    system: str,
    *,
    include: Path | None = None,
    pipeline: Pipeline = ALL,
    where: Where = Where.HERE,
    proves: bool = False,
    target: Target | None = None,
    on_demand: bool = True,
) -> Executables:
    """Generates and compiles the code of a system: demand-driven, and scheduled, by the passes of `pipeline`, if
    `subject` has a mapping for it.

    `include` is the folder of the user's `external_functions.h`. `on_demand`: with the demand-driven form. `proves`:
    proves within a small budget that scheduled code accesses only existing data. Without a `target`, it is that of the
    mapping. Raises Rejected.
    """
    checked = subject.design.checked if isinstance(subject, Verified) else subject
    externals = external_functions(checked.program, include)
    require_functions(checked.program, checked.program.system(system), externals)
    demand_driven = None
    demand_driven_sources = _demand_driven_sources(checked, system) if on_demand else None
    compile_ = partial(_compile, checked=checked, system=system, include=include, where=where)
    if demand_driven_sources is not None:
        demand_driven = compile_(demand_driven_sources)
    scheduled = proof = None
    if isinstance(subject, Verified) and system in subject.mappings:
        sources = scheduled_c(subject, system, pipeline=pipeline, target=target, machine=machine())
        sizes = subject.mappings[system].tile_sizes
        proof = prove_stage_a(sources, checked, system).verdict if proves and _is_c(sources) else None
        scheduled = compile_(sources, sizes=sizes)
    return Executables(
        checked=checked,
        system=checked.program.system(system),
        demand_driven=demand_driven,
        scheduled=scheduled,
        externals=externals,
        proof=proof,
        where=where,
    )


def _is_c(sources: Sources) -> bool:
    return sources.toolchain is None or sources.toolchain.language in (C, CUDA)


def _compile(
    sources: Sources,
    *,
    checked: Checked,
    system: str,
    include: Path | None,
    where: Where,
    sizes: Sequence[TileSize] = (),
) -> Kernel | Isolated | WithoutGpu:
    if where is Where.HERE and (sources.harness is None or sources.harness.is_loadable):
        return compile_kernel(sources, checked, system, include=include, sizes=sizes)
    sanitize = where is Where.SANITIZED
    return compile_in_process(sources, checked, system, include=include, sizes=sizes, sanitize=sanitize)


def _demand_driven_sources(checked: Checked, system: str) -> Sources | None:
    try:
        return write_c(checked, system)
    except Rejected as problem:
        if all(finding.rule == NOT_YET for finding in problem.diagnostics):
            return None
        raise


def agree(
    these: Executables,
    parameters: Mapping[str, int],
    threads: Sequence[int] = (1,),
    seed: int = 0,
    *,
    inputs: Mapping[str, np.ndarray] | None = None,
    tolerance: Tolerance | None = None,
    limits: ExecutionLimits | None = None,
) -> DifferentialRun:
    """Runs all executables on the same inputs and compares. `tolerance` replaces the bound on reassociation.

    Inputs that are not given are random; if these produce NaN, inputs of smaller magnitude are tried. `parameters` may
    have tile sizes of the scheduled code. An execution beyond the limits is skipped, with the reason. Raises Rejected
    when one stops with an error.
    """
    sizes = {size.name for size in these.sizes}
    values = checked_parameters(these.system, {n: v for n, v in parameters.items() if n not in sizes})
    reach = limits or ExecutionLimits()
    runs: list[DifferentialRun] = []
    for making, words in ((random_inputs, ""), (tame_inputs, ", tame inputs")):
        arrays = {**making(these.system, values, seed), **(inputs or {})}
        executions = _executions(these, values, parameters, arrays, threads, reach)
        inputs_text = f"seed {seed}{words}" if len(inputs or {}) < len(these.system.inputs) else "given inputs"
        agreement = _agreement(these, values, inputs_text, executions, tolerance)
        if agreement.findings and tolerance is None:
            agreement = _with_sensitivity(these, values, arrays, agreement, reach)
        runs.append(replace(agreement, parameters=dict(parameters)))
        if not runs[-1].warnings or inputs_text == "given inputs":
            break
    return next((run for run in runs if run.findings or not run.warnings), runs[0])


def _with_sensitivity(
    these: Executables,
    parameters: dict[str, int],
    inputs: Mapping[str, np.ndarray],
    agreement: DifferentialRun,
    limits: ExecutionLimits,
) -> DifferentialRun:
    """Returns the comparison repeated with a bound from the sensitivity of the outputs to the last bits of the inputs;
    the same agreement if that is zero, or so large that it would hide errors."""
    if any(execution.failure for execution in agreement.executions):
        return agreement
    reference = agreement.reference.outputs
    assert reference is not None
    bound = _reassociation(these, parameters, reference)
    rng, moved = np.random.default_rng(1), 0.0
    for _ in range(_SHAKEN if bound.relative else 0):
        shaken = _demanded(these, parameters, {name: nudged(array, rng) for name, array in inputs.items()}, limits)
        if shaken.outputs is None:
            return agreement
        moved = max(moved, *(magnitude(shaken.outputs[name] - array) for name, array in reference.items()))
    greatest = max(map(magnitude, reference.values()), default=0.0)
    shift = moved * bound.relative / _epsilon(these)
    if not 0.0 < shift <= _MOST_ALLOWED * greatest:
        return agreement
    allowed = replace(bound, absolute=max(bound.absolute, shift))
    inputs_text = f"{agreement.inputs}, ill-conditioned: their last bits change values by {moved:.1g}"
    again = _agreement(these, parameters, inputs_text, agreement.executions, allowed)
    return agreement if again.findings else again


def _executions(
    these: Executables,
    parameters: dict[str, int],
    with_sizes: Mapping[str, int],
    inputs: Mapping[str, np.ndarray],
    threads: Sequence[int],
    limits: ExecutionLimits,
) -> list[Execution]:
    executions = [_interpreted(these, parameters, inputs, limits), _demanded(these, parameters, inputs, limits)]
    if these.scheduled is not None:
        name, member = _words(these.scheduled)
        for count in threads:
            done = _executed(name, count, partial(these.scheduled.run, with_sizes, inputs, count))
            executions.append(replace(done, member=member))
    return executions


def _words(scheduled: Kernel | Isolated | WithoutGpu) -> tuple[str, str]:
    """Returns the name of an executable in reports, and the word for one of its members."""
    if isinstance(scheduled, WithoutGpu):
        return ON_PROCESSOR, "order"
    return SCHEDULED, scheduled.harness.member if isinstance(scheduled, Isolated) else "thread"


def _executed(name: str, threads: int | None, run: Callable[[], KernelRun]) -> Execution:
    try:
        done = run()
    except Broke as broke:
        return Execution(name, threads, 0.0, None, failure=broke.finding)
    return Execution(name, threads, done.seconds, done.outputs)


def _agreement(
    these: Executables,
    parameters: dict[str, int],
    inputs: str,
    executions: Sequence[Execution],
    tolerance: Tolerance | None,
) -> DifferentialRun:
    failures = tuple(_failed(e, e.failure, inputs) for e in executions if e.failure)
    findings = (*failures, *_differences(these, parameters, executions, tolerance))
    outputs = next((e.outputs for e in executions if e.outputs is not None), {})
    counts = {v: counted_nans(v, parameters, outputs[v.name]) for v in these.system.outputs if v.name in outputs}
    warnings = tuple(_no_numbers(v, parameters, *count) for v, count in counts.items() if count[0])
    numbers = sum(total - nans for nans, total in counts.values())
    name = these.system.name
    return DifferentialRun(
        system=name,
        parameters=parameters,
        inputs=inputs,
        executions=tuple(executions),
        findings=findings,
        warnings=warnings,
        is_void=bool(warnings) and not numbers,
    )


def _failed(execution: Execution, failure: Diagnostic, inputs: str) -> Diagnostic:
    """Returns the finding, with the executable, the parameters, and the inputs."""
    parameters = failure.witness.parameters if failure.witness else ()
    sample = ", ".join([*(f"{name}={value}" for name, value in parameters), inputs])
    return replace(failure, message=f"the {execution.title}: {failure.message}", notes=(sample, *failure.notes))


def _no_numbers(variable: Variable, parameters: Mapping[str, int], nans: int, total: int) -> Diagnostic:
    return Diagnostic(
        NOT_A_NUMBER,
        f"{nans} of {total} values of `{variable.name}` are NaN",
        Label(variable.span, "declared here"),
        (),
        Witness(tuple(parameters.items()), (), "NaN equals NaN in this comparison, so it is inconclusive"),
        help="give inputs with defined results: `--in A=FILE`",
    )


def _interpreted(
    these: Executables, parameters: dict[str, int], inputs: Mapping[str, np.ndarray], limits: ExecutionLimits
) -> Execution:
    program, facts = these.checked.program, these.checked.facts
    work = values_to_compute(program, facts, these.system, parameters)
    if work > limits.interpreted:
        return Execution(
            name=INTERPRETER,
            threads=None,
            seconds=0.0,
            outputs=None,
            skipped=f"about {work:.2g} values exceed the limit",
        )
    evaluated = partial(evaluate, program, facts, these.system.name, parameters, inputs, these.externals)
    is_apart = these.externals and these.where is not Where.HERE
    before = time.perf_counter()
    try:
        outputs = bounded(evaluated) if is_apart else evaluated()
    except ChildProcessError as died:
        return Execution(INTERPRETER, None, 0.0, None, failure=_external_died(these, parameters, str(died)))
    return Execution(INTERPRETER, None, time.perf_counter() - before, outputs)


def _external_died(these: Executables, parameters: Mapping[str, int], how: str) -> Diagnostic:
    return Diagnostic(
        DIED,
        f"an external function of `{these.system.name}` crashed",
        Label(these.checked.program.externals[0].span, "declared here"),
        (),
        Witness(tuple(parameters.items()), (), how),
        help="check its arguments: the interpreter calls it as the equations do",
    )


def _demanded(
    these: Executables, parameters: dict[str, int], inputs: Mapping[str, np.ndarray], limits: ExecutionLimits
) -> Execution:
    if these.demand_driven is None:
        return Execution(
            name=DEMAND_DRIVEN,
            threads=None,
            seconds=0.0,
            outputs=None,
            skipped="its generator does not support this program",
        )
    work = values_to_compute(these.checked.program, these.checked.facts, these.system, parameters)
    if work > limits.demanded:
        return Execution(
            name=DEMAND_DRIVEN,
            threads=None,
            seconds=0.0,
            outputs=None,
            skipped=f"about {work:.2g} values exceed the limit",
        )
    size = max((np.dtype(v.type.numpy).itemsize for v in these.system.variables), default=1) + 1
    needed = stored_values(these.system, parameters) * size
    if needed > limits.bytes:
        return Execution(
            name=DEMAND_DRIVEN,
            threads=None,
            seconds=0.0,
            outputs=None,
            skipped=f"it would store about {needed / 1e9:.1f} GB",
        )
    return _executed(DEMAND_DRIVEN, None, partial(these.demand_driven.run, parameters, inputs))


def _differences(
    these: Executables, parameters: dict[str, int], executions: Sequence[Execution], tolerance: Tolerance | None
) -> tuple[Diagnostic, ...]:
    ran = [(e, e.outputs) for e in executions if e.outputs is not None]
    if not ran:
        return ()
    (first, reference), *others = ran
    exact = Tolerance(nan_equal=True)
    bound = tolerance or _reassociation(these, parameters, reference)
    diagnostics: list[Diagnostic] = []
    for execution, outputs in others:
        allowed = bound if execution.name in (SCHEDULED, ON_PROCESSOR) else exact
        for difference in compare(these.system.outputs, parameters, reference, outputs, allowed):
            diagnostics.append(_finding(these.system, parameters, first, execution, difference))
    return tuple(diagnostics)


def _reassociation(these: Executables, parameters: dict[str, int], reference: Mapping[str, np.ndarray]) -> Tolerance:
    """Returns the tolerance: exact if no sum or product of floats can be reordered."""
    reordered = [node for node in _reductions(these.checked.program) if _rounds(node, these.checked.facts)]
    if not reordered:
        return Tolerance(nan_equal=True)
    relative = 2.0 * _epsilon(these) * longest_reduction(these.checked.facts, reordered, parameters)
    greatest = max((magnitude(array) for array in reference.values()), default=0.0)
    return Tolerance(relative, 16.0 * relative * greatest, nan_equal=True)


def _epsilon(these: Executables) -> float:
    """Returns the machine epsilon of the shortest floating-point type in use."""
    single = any(v.type.bits == 32 for s in these.checked.program.systems for v in s.variables if v.type.is_float)
    return float(np.finfo(np.float32 if single else np.float64).eps)


def _reductions(program: Program) -> Iterator[Reduce]:
    for equation in (e for s in program.systems for e in s.equations):
        expressions = (equation.expression,) if isinstance(equation, Equation) else equation.inputs
        yield from (node for e in expressions for node in walk(e) if isinstance(node, Reduce))


def _rounds(node: Reduce, facts: Facts) -> bool:
    """Returns True if a value depends on the order: it adds or multiplies floats, or uses an external function."""
    return facts.types[node].is_float and node.operator not in ("min", "max", "and", "or", "xor")


def _finding(
    system: System, parameters: Mapping[str, int], first: Execution, other: Execution, difference: Difference
) -> Diagnostic:
    sentence = (
        f"{difference.name}: the {first.title} computes {difference.reference}, the {other.title} {difference.other}"
    )
    place = WitnessPoint("point", difference.variable, difference.point)
    witness = Witness(tuple(parameters.items()), (place,), sentence)
    message = f"`{difference.variable}` differs between the {first.title} and the {other.title}"
    notes = (f"{difference.count} of {difference.total} points differ; this is the first",)
    return Diagnostic(DISAGREE, message, Label(system.variable(difference.variable).span), (), witness, notes)


__all__ = ["DifferentialRun", "Executables", "Execution", "ExecutionLimits", "agree", "executables"]
