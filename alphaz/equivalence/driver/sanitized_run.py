"""Execution of a C function under sanitizers, compared with the interpreter: tests whether an unproved obligation is a
real error."""

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.checks.obligation_finding import parameters_text
from alphaz.c.alphaz_header import INCLUSION, RUNTIME, runtime_text
from alphaz.c.tree import MemberOf
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.codegen.toolchain import C, Harness, Toolchain
from alphaz.diagnostics import Rejected, Source, Span
from alphaz.diagnostics.work_limits import working_at
from alphaz.equivalence.argument_layout import place_of
from alphaz.equivalence.driver.alphaz_header_check import is_assumed
from alphaz.equivalence.driver.passed_structures import passed_structures
from alphaz.model.interpreter import evaluate
from alphaz.model.program import System
from alphaz.poly import Affine
from alphaz.processes.external import run
from alphaz.run.call_program import (
    NO_EXCHANGE,
    HarnessArray,
    HarnessRun,
    PassedArray,
    can_repeat,
    harness,
    run_each,
    run_harness,
)
from alphaz.run.compare import Tolerance, compare, magnitude
from alphaz.run.compiler import Compiler, find_compiler, has_feature, is_telling, takes, units_of
from alphaz.run.cuda.execution import CompiledCall, CudaArgument, CudaCall, compile_call
from alphaz.run.cuda.findings import first_cause
from alphaz.run.cuda.rewriting import is_cuda_text
from alphaz.run.data import EXTREMES, coarse_inputs, extreme_inputs, nudged, random_inputs, tame_inputs
from alphaz.run.externals import external_functions
from alphaz.run.files import write_sources
from alphaz.run.library import NotCompiled
from alphaz.run.magnitudes import Magnitudes, NoBound, magnitudes
from alphaz.run.storage_conversion import Layouts, boxed, shape_of, to_storage
from alphaz.run.work_estimate import values_to_compute
from alphaz.scop.intrinsics import features
from alphaz.scop.macros import with_sizes

_FLAGS = ("-std=gnu11", "-fwrapv", "-ffp-contract=off", "-w")
# Local variables without a value begin with a number that no kernel expects.
_POISON = "-ftrivial-auto-var-init=pattern"
_SECONDS = 60
_RUN_SECONDS = 10  # for each thread: the interpreter computes the same in a second
# For CUDA: numbers of orders of threads, and seconds of processor time of an execution.
_ORDERS, _DEVICE_SECONDS = (1, 2, 3), 30
_WORD = re.compile(r"\b_mm\w+")
# Different in each run.
_ADDRESS = re.compile(r" 0x[0-9a-f]+")
# Alignment of arrays, in bytes: the usual one, and one that is sufficient for all vectors.
_ALIGNED, _VECTOR_ALIGNED = 16, 64
# The contents of each uninitialised byte.
_RUBBISH = 0x5A
# Number of values that the interpreter computes in about a second.
_MOST_VALUES = 2_000_000
# Errors are large: the tolerance is this number, this number of last bits, and this multiple of the effect of changes
# in the
# last bits of the inputs.
_ALLOWED, _ROUNDINGS = 1e-6, 1e3
# Maximum number of executions with extreme inputs, for each seed, if there are few values, some of them large.
_MOST_EXTREMES, _FEW_VALUES, _LARGE = 25, 2_000, 100
_MOST_LISTED, _EXPECTED = 12, "by the equations"
_SHAKEN, _SHAKEN_BY = 3, 1e3
# If the compiler output contains one of these, it has not seen the whole text.
_NOT_THE_TEXT = (
    "No such file or directory",
    "file not found",
    "No space left on device",
    "unrecognized",
    "unsupported",
)


@dataclass(frozen=True, slots=True)
class CArgument:
    """One argument: a parameter by its value, a `value` (in C), or the array of a variable (`by_value`: a scalar;
    `in_rows`: pointers to its rows; `is_result`: the returned value, which is stored there; `in_file`: a name of file
    scope, which is filled before the call; `member`: the member of a structure that is passed)."""

    name: str
    variables: tuple[str, ...] = ()
    by_value: bool = False
    value: int | str | None = None
    in_rows: bool = False
    is_result: bool = False
    in_file: bool = False
    member: MemberOf | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RunRequest:
    """The function to execute. `macros` of the text are parameters; `others` are files that define called functions.
    The `toolchain` compiles it, and the `harness` executes it. A text of CUDA is executed without a GPU; `launch` has
    grid and block of a kernel, as texts; the arguments `on_device` are in the memory of the GPU."""

    source: Source
    function: str
    arguments: Sequence[CArgument]
    checked: Checked
    system: System
    layouts: Layouts
    macros: Mapping[str, str]
    others: Sequence[Source] = ()
    toolchain: Toolchain = DEFAULT.toolchain
    harness: Harness = DEFAULT.harness
    launch: tuple[str, str] | None = None
    on_device: frozenset[str] = frozenset()

    @property
    def arrays(self) -> list[CArgument]:
        """Returns the arguments that are arrays."""
        return [argument for argument in self.arguments if argument.variables]

    def input_of(self, array: CArgument) -> str | None:
        """Returns the input whose values the array has before the call."""
        inputs = {variable.name for variable in self.system.inputs}
        return next((name for name in reversed(array.variables) if name in inputs), None)

    def outputs_of(self, array: CArgument) -> list[str]:
        """Returns the outputs whose values the array has after the call."""
        outputs = {variable.name for variable in self.system.outputs}
        return [name for name in array.variables if name in outputs]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A description of an error, with the parameters and inputs."""

    sentence: str
    parameters: Mapping[str, int]
    inputs: str

    @property
    def is_value(self) -> bool:
        """Returns True if a single thread has computed a wrong value."""
        return self.sentence.endswith(_EXPECTED)

    def __str__(self) -> str:
        when = parameters_text(self.parameters, tuple(self.parameters))
        return f"{when}{self.sentence} (executed; {self.inputs})"


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The outcome: `ran` are the parameters for which the function was executed, `left` says why it was not for
    others."""

    ran: tuple[Mapping[str, int], ...] = ()
    wrong: Mismatch | None = None
    left: str = ""

    @property
    def where(self) -> str:
        """Returns `N=1, 2, 5` for one parameter; else `N=1, M=1 to N=4, M=5 (3 sizes)`."""
        first, last = self.ran[0], self.ran[-1]
        if len(first) == 1:
            (name,) = first
            return f"{name}={', '.join(str(parameters[name]) for parameters in self.ran)}"
        if len(self.ran) == 1:
            return size_text(first) or "its only size"
        return f"{size_text(first)} to {size_text(last)} ({len(self.ran)} sizes)"

    def __str__(self) -> str:
        if not self.ran:
            return f"not executed: {self.left}"
        return f"executed for {self.where}: {'agrees' if self.wrong is None else self.wrong.sentence}"


class NotExecuted(Exception):
    """The function could not be executed, with the reason."""


class CompileError(NotExecuted):
    """The compiler rejects the text."""


class RunTimeout(NotExecuted):
    """The execution does not terminate within the limit."""


def size_text(parameters: Mapping[str, int]) -> str:
    """Returns `N=3, M=4`; without parameters, `this size`."""
    return parameters_text(parameters, tuple(parameters)).removesuffix(": ") or "this size"


def is_quick_to_interpret(trial: RunRequest, parameters: Mapping[str, int], most: int = _MOST_VALUES) -> bool:
    """Returns True if the interpreter computes the result quickly: at most so many values."""
    return values_to_compute(trial.checked.program, trial.checked.facts, trial.system, parameters) <= most


def run_sanitized(
    trial: RunRequest,
    sizes: Sequence[Mapping[str, int]],
    seeds: Sequence[int] = (1, 2),
    on_progress: Callable[[str], None] = lambda _: None,
) -> RunSummary:
    """Executes the function for these parameters with some random inputs, until it goes wrong: then for smaller
    parameters as long as it does. Raises NotExecuted, and Rejected if there is no compiler."""
    with tempfile.TemporaryDirectory(prefix="alphaz-trial-", ignore_cleanup_errors=True) as name:
        bench = _Bench(trial, Path(name), find_compiler(trial.toolchain), seeds)
        ran: list[Mapping[str, int]] = []
        reason_not_run = "" if sizes else "the context allows no small parameters"
        for parameters in sizes:
            on_progress(f"executing it for {size_text(parameters)}")
            with working_at(Span(trial.source, 0, 0), f"which values an execution for {size_text(parameters)} gives"):
                outcome = bench.outcome(parameters)
            if isinstance(outcome, str):
                reason_not_run = reason_not_run or outcome
                continue
            ran.append(parameters)
            if outcome is not None:
                return RunSummary(tuple(ran), bench.shrunk(outcome), reason_not_run)
        return RunSummary(tuple(ran), None, reason_not_run)


# Its number, the inputs, the values of the equations, and their bounds.
_Extreme = tuple[int, dict[str, np.ndarray], dict[str, np.ndarray], Mapping[str, np.ndarray]]


_KINDS_OF_INPUTS = (("random", random_inputs), ("tame random", tame_inputs))
# Only once, and only without divisions and functions: of NaN, C's minima and maxima are not those of the equations.
_WITH_ZEROS = (*_KINDS_OF_INPUTS, ("coarse random", coarse_inputs))


class _Bench:
    """The folder where a function is compiled once, and called."""

    def __init__(self, trial: RunRequest, folder: Path, compiler: Compiler, seeds: Sequence[int]) -> None:
        self.trial, self.folder, self.compiler, self.seeds = trial, folder, compiler, seeds
        self.built: Mapping[str, int] | None = None
        self.device: CompiledCall | None = None
        self.extremes_left = _MOST_EXTREMES * len(seeds)
        try:
            self.magnitudes: Magnitudes | None = magnitudes(trial.checked)
        except NoBound:
            self.magnitudes = None
        beside = Path(trial.checked.program.source.name).parent
        self.externals = external_functions(trial.checked.program, beside)

    def outcome(self, parameters: Mapping[str, int]) -> Mismatch | str | None:
        """Returns the error; None if there is none, or the reason if the function could not be executed."""
        system = self.trial.system
        if not is_quick_to_interpret(self.trial, parameters):
            return f"{size_text(parameters)} is too large for the interpreter"
        reasons, has_run = [], False
        for seed in self.seeds:
            has_zeros = seed == self.seeds[0] and self.magnitudes is not None
            for kind, make in _WITH_ZEROS if has_zeros else _KINDS_OF_INPUTS:
                inputs = make(system, parameters, seed)
                try:
                    expected = self._evaluated(parameters, inputs)
                except Rejected as rejected:
                    reasons.append(rejected.diagnostics[0].message)
                    continue
                if any(a.dtype.kind == "f" and not np.isfinite(a).all() for a in expected.values()):
                    reasons.append("for random inputs, the values of the equations are NaN")
                    continue
                has_run = True
                sentence = self._run(parameters, inputs, expected)
                if sentence is not None:
                    return Mismatch(sentence, parameters, f"{kind} inputs, seed {seed}")
        return self._at_extremes(parameters) if has_run else reasons[0]

    def _at_extremes(self, parameters: Mapping[str, int]) -> Mismatch | None:
        """Returns the error with extreme inputs, in values that do not depend on the order of computation."""
        planned = [*islice(self._extremes(parameters), self.extremes_left)]
        for (number, inputs, _, _), sentence in zip(planned, self._extreme_runs(parameters, planned), strict=False):
            self.extremes_left -= 1
            if sentence is not None:
                return Mismatch(
                    sentence, parameters, f"extreme inputs, {_input_text(inputs) or f'number {number + 1}'}"
                )
        return None

    def _extreme_runs(self, parameters: Mapping[str, int], planned: Sequence[_Extreme]) -> Iterator[str | None]:
        """Yields the error with each of these inputs, in words."""
        self._prepare(parameters)
        if self.device is not None:
            for _, inputs, expected, bounds in planned:
                arrays = self._arrays(parameters, inputs)
                yield self._run_on_device(self.device, arrays, parameters, inputs, expected, bounds)
            return
        calls = [self._arrays(parameters, inputs) for _, inputs, _, _ in planned]
        for (_, inputs, expected, bounds), done in zip(planned, self._runs(parameters, calls), strict=False):
            yield self._sentence(done, parameters, inputs, expected, 1, bounds)

    def _extremes(self, parameters: Mapping[str, int]) -> Iterator[_Extreme]:
        """Yields extreme inputs with the values of the equations and their bounds, if some of these are large."""
        trial = self.trial
        numbers = values_to_compute(trial.checked.program, trial.checked.facts, trial.system, parameters)
        for number in range(EXTREMES if numbers <= _FEW_VALUES and self.magnitudes else 0):
            inputs = extreme_inputs(trial.system, parameters, number)
            assert self.magnitudes is not None
            bounds = self.magnitudes.of(trial.system.name, parameters, inputs)
            finite_values = [array[np.isfinite(array)] for array in (bounds or {}).values()]
            if bounds is None or not any((values > _LARGE).any() for values in finite_values):
                continue
            with suppress(Rejected):
                yield number, inputs, self._evaluated(parameters, inputs), bounds

    def shrunk(self, wrong: Mismatch) -> Mismatch:
        """Returns the error for smaller parameters: reduced one at a time, in large steps first, as long as the error
        remains."""
        context = self.trial.system.context.pieces()
        for name, value in wrong.parameters.items():
            for less in (value >> by for by in range(1, value.bit_length() + 1)):
                other = {**wrong.parameters, name: value - max(less, 1)}
                outcome = self.outcome(other) if any(piece.holds(other) for piece in context) else None
                if isinstance(outcome, Mismatch):
                    return self.shrunk(outcome)
        return wrong

    def _evaluated(self, parameters: Mapping[str, int], inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        program, facts = self.trial.checked.program, self.trial.checked.facts
        with np.errstate(all="ignore"):
            return evaluate(program, facts, self.trial.system.name, parameters, inputs, self.externals)

    def _run(
        self, parameters: Mapping[str, int], inputs: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray]
    ) -> str | None:  # fmt: skip
        """Returns the error with these inputs, in words."""
        trial = self.trial
        arrays = self._arrays(parameters, inputs)
        self._prepare(parameters)
        if self.device is not None:
            return self._run_on_device(self.device, arrays, parameters, inputs, expected, None)
        parts = trial.harness
        is_parallel = any(parts.depends_on_members(source.text) for source in (trial.source, *trial.others))
        for threads in (1, 2, 4) if is_parallel else (1,):
            (done,) = self._runs(parameters, [arrays], threads)
            sentence = self._sentence(done, parameters, inputs, expected, threads)
            if sentence is not None:
                return f"{sentence} (with {threads} threads)" if threads > 1 and done.outcome.succeeded else sentence
        return None

    def _run_on_device(
        self, device: CompiledCall, arrays: Sequence[PassedArray], parameters: Mapping[str, int],
        inputs: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray], bounds: Mapping[str, np.ndarray] | None,
    ) -> str | None:  # fmt: skip
        """Returns the error of a text of CUDA: the order of its threads is drawn, and races are found in any order."""
        for order in _ORDERS if bounds is None else _ORDERS[:1]:
            ran = device.run_passed(list(parameters.values()), arrays, order, seconds=_DEVICE_SECONDS)
            if ran.findings:
                return str(first_cause(ran.findings))
            if ran.status is None:
                raise RunTimeout(f"for {size_text(parameters)} it does not end within {_DEVICE_SECONDS} seconds")
            if ran.failure:
                raise NotExecuted(ran.failure)
            sentence = self._compared(parameters, inputs, expected, bounds, list(ran.outputs.values()))
            if sentence is not None:
                return sentence
        return None

    def _prepare(self, parameters: Mapping[str, int]) -> None:
        """Compiles the function, if it is not compiled for these parameters."""
        if self.built is None or (self.trial.macros and self.built != parameters):
            self._build(parameters)

    def _runs(
        self, parameters: Mapping[str, int], calls: Sequence[Sequence[PassedArray]], threads: int = 1
    ) -> Iterator[HarnessRun]:
        """Yields the runs of the function with the arrays of each call."""
        parts, program, numbers = self.trial.harness, self.folder / "main", [*parameters.values()]
        seconds = threads * _RUN_SECONDS
        if can_repeat(parts):
            yield from run_each(parts, program, self.folder, numbers, calls, threads, seconds)
        else:
            for arrays in calls:
                yield run_harness(parts, program, self.folder, numbers, arrays, threads, seconds)

    def _sentence(
        self, done: HarnessRun, parameters: Mapping[str, int], inputs: Mapping[str, np.ndarray],
        expected: Mapping[str, np.ndarray], threads: int, bounds: Mapping[str, np.ndarray] | None = None,
    ) -> str | None:  # fmt: skip
        """Returns the error of a run, in words. If there are `bounds`, values without a bound may differ."""
        ended = done.outcome
        if ended.status is None:
            seconds = threads * _RUN_SECONDS
            raise RunTimeout(f"for {size_text(parameters)} it does not end within {seconds} seconds of processor time")
        if ended.status == NO_EXCHANGE:
            raise NotExecuted("its inputs and outputs could not be exchanged as files")
        if not ended.succeeded and bounds is not None and not all(np.isfinite(b).all() for b in bounds.values()):
            return None
        if not ended.succeeded:
            return _fault(ended.errors)
        if done.report is None:
            return "the function ends the program"
        return self._compared(parameters, inputs, expected, bounds, done.outputs)

    def _arrays(self, parameters: Mapping[str, int], inputs: Mapping[str, np.ndarray]) -> list[PassedArray]:
        return [self._passed(argument, parameters, inputs) for argument in self.trial.arrays]

    def _passed(
        self, argument: CArgument, parameters: Mapping[str, int], inputs: Mapping[str, np.ndarray]
    ) -> PassedArray:
        system, layouts = self.trial.system, self.trial.layouts
        variable, name = system.variable(argument.variables[0]), self.trial.input_of(argument)
        return PassedArray(
            shape=shape_of(variable, layouts, parameters),
            type=variable.type.numpy,
            content=None if name is None else self._content(name, parameters, inputs[name]),
            is_output=bool(self.trial.outputs_of(argument)),
            has_rows=argument.in_rows,
        )

    def _content(self, name: str, parameters: Mapping[str, int], values: np.ndarray) -> np.ndarray:
        """Returns the passed array; with a storage format, cells without a point hold arbitrary values."""
        variable, layouts = self.trial.system.variable(name), self.trial.layouts
        passed = to_storage(variable, layouts, parameters, values)
        if name not in layouts:
            return passed
        is_point = to_storage(variable, layouts, parameters, np.ones(values.shape, dtype=np.bool_))
        return np.where(is_point, passed, np.frombuffer(bytes([_RUBBISH]) * passed.itemsize, passed.dtype)[0])

    def _build(self, parameters: Mapping[str, int]) -> None:
        trial, folder = self.trial, self.folder
        values = {name: str(parameters[parameter]) for name, parameter in trial.macros.items()}
        text = with_sizes(trial.source.text, values) if values else trial.source.text
        if is_cuda_text(text):
            self.device, self.built = _compiled_for_device(trial, text), parameters
            return
        (folder / "kernel.c").write_text(text, encoding="utf-8")
        (folder / "call.c").write_text(_call_text(trial), encoding="utf-8")
        names = [f"other{number}" for number, _ in enumerate(trial.others)]
        for name, other in zip(names, trial.others, strict=True):
            (folder / f"{name}.c").write_text(other.text, encoding="utf-8")
        toolchain = trial.toolchain
        runtime = {RUNTIME: runtime_text()} if INCLUSION in text and is_assumed(trial.source) else {}
        written = write_sources(Sources({**dict(toolchain.files), **runtime}), folder)
        names += [unit.removesuffix(C.suffix) for unit in units_of(toolchain, written, folder)]
        beside = {str(Path(source.name).parent.resolve()): None for source in (trial.source, *trial.others)}
        include = tuple(part for directory in beside for part in ("-I", directory))
        target = _target(self.compiler, trial)
        poison = (_POISON,) if toolchain.language == C and takes(self.compiler, _POISON) else ()
        flags = (*_FLAGS, *target, *toolchain.sanitized, *poison, *self.compiler.thread_flags)
        command = (*self.compiler.command, *flags)
        texts = ("call.c", *(f"{stem}.c" for stem in names))
        built = run((*command, *include, "-c", *texts), folder, _SECONDS)
        if not built.succeeded:
            # A missing header is no error of the text.
            is_said = built.status is not None and not any(phrase in built.errors for phrase in _NOT_THE_TEXT)
            error = _first_error(built.errors).replace("kernel.c", Path(trial.source.name).name)
            raise (CompileError if is_said else NotExecuted)(error)
        path = os.environ.get("PATH", "")
        (folder / "main.o").write_bytes(_main_object(command, _main_text(trial), toolchain.files, path))
        objects = ("call.o", "main.o", *(f"{stem}.o" for stem in names))
        linked = run((*command, *objects, "-o", "main", *toolchain.libraries), folder, _SECONDS)
        if not linked.succeeded:
            raise NotExecuted(_first_error(linked.errors))
        # Without arguments it does nothing: if that fails, the sanitizers do not work here.
        idle = run((str(folder / "main"),), folder, _SECONDS)
        if not idle.succeeded:
            raise NotExecuted(f"programs under sanitizers do not run here: {_fault(idle.errors)}")
        self.built = parameters

    def _compared(
        self, parameters: Mapping[str, int], inputs: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray],
        bounds: Mapping[str, np.ndarray] | None, contents: Sequence[np.ndarray],
    ) -> str | None:  # fmt: skip
        """Returns the error in the contents of the arrays that have outputs, in words."""
        mismatches, trial = {}, self.trial
        names = filter(None, map(trial.outputs_of, trial.arrays))
        left_in = {name: array for those, array in zip(names, contents, strict=True) for name in those}
        for output in trial.system.outputs:
            left_cells = left_in[output.name]
            mismatches[output.name] = boxed(output, trial.layouts, parameters, left_cells)
            if self._content(output.name, parameters, mismatches[output.name]).tobytes() != left_cells.tobytes():
                return f"it writes elements of the array of {output.name} that hold no point of its domain"
        outputs, tolerance = trial.system.outputs, self.tolerance
        if bounds is not None:
            mismatches = {
                name: np.where(np.isfinite(bounds[name]), array, expected[name]) for name, array in mismatches.items()
            }
            largest = max(map(magnitude, bounds.values()), default=0.0)
            tolerance = replace(tolerance, absolute=tolerance.absolute * max(largest, 1.0), nan_equal=True)
        if not compare(outputs, parameters, expected, mismatches, tolerance):
            return None
        allowed = self._shaken(parameters, inputs, expected) if bounds is None else tolerance
        differences = compare(outputs, parameters, expected, mismatches, allowed)
        if not differences:
            return None
        first = differences[0]
        return f"{first.name} is {first.other}, and {first.reference} {_EXPECTED}"

    def _shaken(
        self, parameters: Mapping[str, int], inputs: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray]
    ) -> Tolerance:
        """Returns the tolerance from perturbing the last bits of the inputs, and from reordering sums, with a
        margin."""
        rng, moved = np.random.default_rng(1), 0.0
        for _ in range(_SHAKEN):
            other = self._evaluated(parameters, {name: nudged(array, rng) for name, array in inputs.items()})
            floats = (name for name, array in expected.items() if array.dtype.kind == "f")
            moved = max((moved, *(magnitude(other[name] - expected[name]) for name in floats)))
        return replace(self.tolerance, absolute=max(self.tolerance.absolute, _SHAKEN_BY * moved))

    @property
    def tolerance(self) -> Tolerance:
        """Returns the tolerance for the shortest floating-point type in use."""
        types = {v.type for v in self.trial.system.variables if v.type.is_float}
        share = max(_ALLOWED, *(_ROUNDINGS * float(np.finfo(type_.numpy).eps) for type_ in types), 0.0)
        return Tolerance(relative=share, absolute=share)


def _input_text(inputs: Mapping[str, np.ndarray]) -> str:
    """Returns the inputs in words, if they are few."""
    if sum(array.size for array in inputs.values()) > _MOST_LISTED:
        return ""
    return ", ".join(f"{name}={array.tolist()}" for name, array in inputs.items())


def _features(trial: RunRequest) -> tuple[str, ...]:
    """Returns the processor features that the vectors of the texts need."""
    texts = (trial.source.text, *(other.text for other in trial.others))
    return features(sorted({word for text in texts for word in _WORD.findall(text)}))


def _target(compiler: Compiler, trial: RunRequest) -> tuple[str, ...]:
    """Returns the compiler options for these features. Raises NotExecuted if the processor lacks them."""
    features_needed = _features(trial)
    missing = [feature for feature in features_needed if not has_feature(compiler, feature)]
    if missing:
        raise NotExecuted(f"the processor, or the compiler, does not support {missing[0]}")
    return tuple(f"-m{feature}" for feature in features_needed)


def _fault(errors: str) -> str:
    """Returns the first line in which a sanitizer reports an error."""
    for line in errors.splitlines():
        if "runtime error:" in line:
            return _ADDRESS.sub("", line.partition("runtime error:")[2].strip())
        if "ERROR: AddressSanitizer:" in line:
            return line.partition("AddressSanitizer:")[2].partition(" on ")[0].strip()
    return "it ended with an error"


def _compiled_for_device(trial: RunRequest, text: str) -> CompiledCall:
    """Raises NotExecuted for a text that has more than is executed without a GPU."""
    if trial.others or any(argument.in_rows or argument.in_file for argument in trial.arguments):
        raise NotExecuted("CUDA of several files, with pointers to rows or with arrays of file scope is not executed")
    if any(argument.member is not None for argument in trial.arguments):
        raise NotExecuted("CUDA with structures, or with sizes behind pointers, is not executed")
    arguments = [
        CudaArgument(
            name=argument.name,
            type=trial.system.variable(argument.variables[0]).type.numpy if argument.variables else "",
            is_input=bool(argument.variables) and trial.input_of(argument) is not None,
            is_output=bool(argument.variables and trial.outputs_of(argument)),
            by_value=argument.by_value,
            is_result=argument.is_result,
            value="" if argument.value is None else str(argument.value),
            on_device=argument.name in trial.on_device,
        )
        for argument in trial.arguments
    ]
    grid, block = trial.launch or ("", "")
    function = trial.function.partition("<<<")[0]
    call = CudaCall(
        source=Source(trial.source.name, text),
        function=function,
        arguments=arguments,
        parameters=trial.system.parameters,
        grid=grid,
        block=block,
    )
    try:
        return compile_call(call)
    except NotCompiled as refused:
        error = _error_of_text(str(refused), trial.source)
        if error:
            raise CompileError(error) from None
        raise NotExecuted(f"without a GPU: {_first_error(str(refused))}") from None


def _error_of_text(errors: str, source: Source) -> str:
    """Returns the first error of a compiler in a text of CUDA that is none of what only a GPU has; "" if there is
    none."""
    for line in errors.splitlines():
        found = _AT_LINE.match(line)
        if found is not None and found["file"] == source.name and not _ONLY_ON_GPU.search(found["what"]):
            return f"{Path(source.name).name}:{found['line']}: {found['what']}"
    return ""


def _first_error(errors: str) -> str:
    """Returns the line in which a compiler reports an error."""
    return next((line.strip() for line in errors.splitlines() if is_telling(line)), errors.strip() or "no compilation")


def _call_text(trial: RunRequest) -> str:
    """Returns the text followed by a function that calls the tested one. It includes nothing, and its names do not
    occur in the text, so compiler errors are errors of the text."""
    arrays = {argument: number for number, argument in enumerate(trial.arrays)}
    types = ((at, trial.system.variable(array.variables[0]).type) for array, at in arrays.items())
    in_file = [(array.name, at) for array, at in arrays.items() if array.in_file]
    results = (f"*(element{at}__ *)at__[{at}] = " for array, at in arrays.items() if array.is_result)
    passed = [argument for argument in trial.arguments if not argument.is_result and not argument.in_file]
    codes = [_argument_code(argument, arrays.get(argument, 0), trial) for argument in passed]
    counts = [_count_code(argument, trial) if argument.variables else "" for argument in passed]
    structures = passed_structures(passed, codes, counts)
    lines = [
        *(f"typedef {_PLAIN.get(type_.numpy, type_.c_name)} element{at}__;" for at, type_ in types),
        "#define main main__", '#include "kernel.c"', "#undef main",
        "int call__(const long long *given__, void **at__)",
        "{",
        *(f"    __builtin_memcpy((void *)&{name}, at__[{at}], sizeof({name}));" for name, at in in_file),
        *structures.before,
        f"    {''.join(results)}{trial.function}({', '.join(structures.values)});",
        *structures.after,
        *(f"    __builtin_memcpy(at__[{at}], (void *)&{name}, sizeof({name}));" for name, at in in_file),
        "    return 0;", "}", "",
    ]  # fmt: skip
    return "\n".join(lines)


def _argument_code(argument: CArgument, array: int, trial: RunRequest) -> str:
    """Returns the C expression of the argument."""
    if argument.value is not None:
        return f"{argument.value}"
    if not argument.variables:
        return f"given__[{trial.system.parameters.index(argument.name)}]"
    return f"*(element{array}__ *)at__[{array}]" if argument.by_value else f"at__[{array}]"


def _count_code(argument: CArgument, trial: RunRequest) -> str:
    """Returns the C expression of the number of elements of an array."""
    variable = trial.system.variable(argument.variables[0])
    extents = place_of(variable, trial.system, trial.layouts.get(variable.name)).extents
    return " * ".join(f"({_size_code(extent, trial.system.parameters)})" for extent in extents) or "1"


def _size_code(size: Affine, parameters: Sequence[str]) -> str:
    terms = (f"{size.coefficient(name)} * given__[{position}]" for position, name in enumerate(parameters))
    return " + ".join((*terms, str(size.constant)))


@lru_cache(maxsize=64)
def _main_object(command: tuple[str, ...], text: str, files: tuple[tuple[str, str], ...], path: str) -> bytes:
    """Returns the compiled main program, by this command in this PATH, with these files of the toolchain. It is the
    same for all functions with arrays of the same kinds. Raises NotExecuted.
    """
    with tempfile.TemporaryDirectory(prefix="alphaz-trial-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        write_sources(Sources({**dict(files), "main.c": text}), folder)
        built = run((*command, "-c", "main.c"), folder, _SECONDS)
        if not built.succeeded:
            raise NotExecuted(_first_error(built.errors))
        return (folder / "main.o").read_bytes()


def _main_text(trial: RunRequest) -> str:
    arrays = [
        HarnessArray(trial.input_of(argument) is not None, bool(trial.outputs_of(argument)))
        for argument in trial.arrays
    ]
    alignment = _VECTOR_ALIGNED if _features(trial) else _ALIGNED
    return harness(
        trial.harness,
        len(trial.system.parameters),
        arrays,
        unset=_RUBBISH,
        alignment=alignment,
        is_repeated=can_repeat(trial.harness),
    )


# Types of fixed width without a header.
_PLAIN = {f"{sign}int{bits}": f"__{sign}int{bits}_type__".upper() for sign in ("", "u") for bits in (8, 16, 32, 64)}
_PLAIN["bool"] = "_Bool"
_AT_LINE = re.compile(r"(?P<file>.+?):(?P<line>\d+):\d+: error: (?P<what>.*)")
# Names that headers of CUDA declare, and that of an execution without a GPU may lack.
_ONLY_ON_GPU = re.compile(
    r"No such file|\b(?:cuda|cu[A-Z]|__|atomic|cooperative_groups|cg\b|nv|cub\b|thrust|half|bfloat|make_|surf|tex)"
)
