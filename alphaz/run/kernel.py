"""A compiled system as a Python function of NumPy arrays.

The C function takes the parameters as int64_t, then a pointer for each input and each output, flat and row-major over
the bounding box of the variable's domain; its `_status` twin returns 0, or one of the codes below. Parameters that are
not given follow from the shapes of arrays."""

import ctypes
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from inspect import Signature
from math import prod
from pathlib import Path

import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.message_words import listing
from alphaz.diagnostics.rules import COMPILATION, INPUT_DATA, NOT_YET, RUN_TIME
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.mapping.target_mapping import Tightness
from alphaz.model.input_values import checked_inputs, checked_parameters, codes_of_letters
from alphaz.model.program import System, Variable
from alphaz.poly.plain.integer_expression import Integer, as_affine
from alphaz.run.call_help import OfInstances, call_signature, call_text, passed_extents, shapes_text
from alphaz.run.compiler import Compiler, find_compiler, remedy_for, require_threads
from alphaz.run.library import NotCompiled, load, set_members
from alphaz.run.storage_conversion import Layouts, beginning, boxed, passed_box, shape_of, to_storage

# The codes that generated functions return, and what they mean (the generated header documents them too).
STATUS = {
    1: "the parameters are outside the context of the system",
    2: "an array is too large to be addressed",
    3: "there is not enough memory",
    4: "a value depends on itself",
    5: "division by zero",
    6: "a value does not fit into an integer type",
    7: "calls of systems nest too deeply",
    9: "MPI has failed",
}


@dataclass(frozen=True, slots=True, eq=False)
class KernelRun:
    """One execution: the outputs by name, and the time of the compiled function (wall clock, seconds)."""

    outputs: dict[str, np.ndarray]
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class Arguments:
    """The checked arguments of a generated function; the results are zeros. All arrays have the function's formats."""

    parameters: Mapping[str, int]
    sizes: tuple[int, ...]
    inputs: tuple[np.ndarray, ...]
    results: dict[str, np.ndarray]


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A kernel with its arguments in place: every call computes the outputs anew, into the same arrays. Each call
    gets a copy of inputs that the function overwrites.
    """

    kernel: "Kernel"
    parameters: Mapping[str, int]
    sizes: tuple[int, ...]
    inputs: tuple[np.ndarray, ...]
    results: dict[str, np.ndarray]

    @property
    def outputs(self) -> dict[str, np.ndarray]:
        """Returns the outputs over the boxes of their domains."""
        return over_boxes(self.kernel.system, self.kernel.layouts, self.parameters, self.results)

    def __call__(self, threads: int | None = None) -> float:
        """Returns seconds of wall clock. Raises Rejected(RUN_TIME) when the function reports a failure."""
        pairs = zip(self.kernel.system.inputs, self.inputs, strict=True)
        inputs = (array.copy() if v.name in self.kernel.overwritten else array for v, array in pairs)
        arrays = (*inputs, *self.results.values())
        function = self.kernel.function(len(arrays))
        self.kernel.set_threads(threads)
        # Of a function that takes microseconds, finding its arguments would be most.
        passed = (*self.parameters.values(), *self.sizes, *map(_address, arrays))
        before = time.perf_counter()
        status = function(*passed)
        seconds = time.perf_counter() - before
        if status:
            raise Rejected(failed(self.kernel.system, status, self.parameters))
        return seconds


def _signature(kernel: "Kernel") -> Signature:
    return call_signature(kernel.system, kernel.sizes)


def _documentation(kernel: "Kernel") -> str:
    return call_text(kernel.system, kernel.sizes, kernel.layouts)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Kernel:
    """Calls the function `symbol` of a shared library: `kernel(N=100, A=array)`.

    `compiler` made the library. The library stays loaded as long as the kernel lives. `sizes` are the tile sizes that
    are parameters of the function, with default values. `has_status`: the function returns a status, otherwise
    nothing. Inputs that are `overwritten` by the function stay unchanged: it gets copies. `setter`: the function that
    sets the number of threads, if the library has it.
    """

    __signature__ = OfInstances(_signature)

    system: System
    symbol: str
    compiler: Compiler
    library: ctypes.CDLL
    sizes: tuple[TileSize, ...] = ()
    has_status: bool = True
    layouts: Layouts = field(default_factory=dict)
    overwritten: frozenset[str] = frozenset()
    setter: str = DEFAULT.harness.setter

    def __repr__(self) -> str:
        """Returns `Kernel s(N, A) -> B, compiled by cc`."""
        outputs = ", ".join(v.name for v in self.system.outputs)
        call = f"{self.system.name}({', '.join(self._arguments())})"
        return f"Kernel {call} -> {outputs}, compiled by {' '.join(self.compiler.command)}"

    def _arguments(self) -> Iterator[str]:
        yield from self.system.parameters
        yield from (size.name for size in self.sizes)
        yield from (variable.name for variable in self.system.inputs)

    def __call__(
        self, *unnamed: object, threads: int | None = None, **values: object
    ) -> np.ndarray | dict[str, np.ndarray]:
        """Returns the output, or a dict of the outputs by name where there are several.

        Parameters and inputs are given by name (`run` takes names that are no Python identifiers). Parameters that are
        lengths of arrays may be left out, or None. Arrays with a storage format are given, and returned, in that
        format; a full one may have more rows than are read. Raises Rejected.
        """
        if unnamed:
            message = f"arguments of a kernel are given by name, found {len(unnamed)} without a name"
            remedy = f"name {listing(list(self._arguments()))}"
            raise Rejected(Diagnostic(INPUT_DATA, message, Label(self.system.span), help=remedy))
        numbers = (*self.system.parameters, *(size.name for size in self.sizes))
        parameter_values = {n: value for n in numbers if (value := values.pop(n, None)) is not None}
        inputs = {variable.name: variable for variable in self.system.inputs}
        values = {n: codes_of_letters(inputs[n], value) if n in inputs else value for n, value in values.items()}
        parameters = _inferred_parameters(self.system, self.layouts, parameter_values, values)  # type: ignore[arg-type] # prepare looks at them
        self._check_inferred(parameters)
        prepared = self.prepare(parameters, values, as_passed=True)
        prepared(threads)
        outputs = prepared.results
        return next(iter(outputs.values())) if len(outputs) == 1 else outputs

    def _check_inferred(self, parameters: Mapping[str, int]) -> None:
        """Raises Rejected(INPUT_DATA), with the shapes that are needed, for parameters that no array determines."""
        unknown = [name for name in self.system.parameters if name not in parameters]
        shapes = shapes_text(self.system, self.layouts)
        if unknown and shapes:
            message = f"parameter `{unknown[0]}` has no value, and no input has a shape that determines it"
            remedy = f"give {listing(unknown)} by name, or {shapes}"
            raise Rejected(Diagnostic(INPUT_DATA, message, Label(self.system.span), help=remedy))

    def run(self, parameters: Mapping[str, int], inputs: Mapping[str, object], threads: int | None = None) -> KernelRun:
        """Runs once with this many threads (None: the default of the target).

        `parameters` may have tile sizes, too. Inputs and outputs are arrays of their type over the box of their
        domain, for all storage formats. Raises Rejected(INPUT_DATA) for inputs that do not fit, Rejected(RUN_TIME)
        when the function reports a failure.
        """
        prepared = self.prepare(parameters, inputs)
        seconds = prepared(threads)
        return KernelRun(prepared.outputs, seconds)

    def prepare(
        self, parameters: Mapping[str, int], inputs: Mapping[str, object], *, as_passed: bool = False
    ) -> Prepared:
        """Checks the arguments and makes the outputs. Raises Rejected(INPUT_DATA) for inputs that do not fit.

        Inputs are over the boxes of their domains, or `as_passed`: in their storage formats.
        """
        passed = arguments(self.system, self.sizes, parameters, inputs, self.layouts, as_passed)
        return Prepared(
            kernel=self, parameters=passed.parameters, sizes=passed.sizes, inputs=passed.inputs, results=passed.results
        )

    def function(self, arrays: int) -> "ctypes._NamedFuncPointer":
        """Returns the C function, which takes the parameters and this many arrays."""
        function = self.library[self.symbol]
        function.restype = ctypes.c_int if self.has_status else None
        numbers = len(self.system.parameters) + len(self.sizes)
        function.argtypes = [ctypes.c_int64] * numbers + [ctypes.c_void_p] * arrays
        return function

    def set_threads(self, threads: int | None) -> None:
        """Sets the number of threads of later calls. Raises Rejected for an invalid number, or without threads."""
        if threads is None:
            return
        if threads < 1:
            raise Rejected(
                Diagnostic(INPUT_DATA, f"{threads} is no number of threads: at least one", Label(self.system.span))
            )
        if threads > 1:
            require_threads(self.compiler)
        set_members(self.library, self.setter, threads)


# The text of help of an instance lists its arguments; that of the class is as above.
Kernel.__doc__ = OfInstances(_documentation, Kernel.__doc__)  # type: ignore[assignment] # a descriptor for a string


def arguments(
    system: System,
    sizes: Sequence[TileSize],
    parameters: Mapping[str, int],
    inputs: Mapping[str, object],
    layouts: Layouts,
    as_passed: bool = False,
) -> Arguments:
    """Returns the arguments of a function of this system; `parameters` may have tile sizes. Raises
    Rejected(INPUT_DATA).
    """
    chosen = {size.name: parameters.get(size.name, size.default) for size in sizes}
    values = checked_parameters(system, {n: v for n, v in parameters.items() if n not in chosen})
    numbers = tuple(_checked_size(system, name, size) for name, size in chosen.items())
    if as_passed:
        beginnings = {name: beginning(layouts.get(name), values, array) for name, array in inputs.items()}
        passed = tuple(checked_inputs(system, values, beginnings, partial(passed_box, layouts)).values())
    else:
        checked = checked_inputs(system, values, inputs)
        passed = tuple(to_storage(v, layouts, values, checked[v.name]) for v in system.inputs)
    return Arguments(values, numbers, passed, {v.name: _zeros(v, values, layouts) for v in system.outputs})


def over_boxes(
    system: System, layouts: Layouts, parameters: Mapping[str, int], results: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Returns the outputs over the boxes of their domains, from the arrays of a function."""
    return {v.name: boxed(v, layouts, parameters, results[v.name]) for v in system.outputs}


def failed(system: System, status: int, parameters: Mapping[str, int]) -> Diagnostic:
    """Returns the diagnostic for a status other than 0."""
    sizes = ", ".join(f"{n} = {v}" for n, v in parameters.items())
    reason = STATUS.get(status, f"status {status}")
    where = f" for {sizes}" if sizes else ""
    return Diagnostic(RUN_TIME, f"`{system.name}` stopped{where}: {reason}", Label(system.span))


def _checked_size(system: System, name: str, value: object) -> int:
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and 1 <= value <= 1 << 40:
        return int(value)
    message = f"tile size `{name}` is {value!r}: it must be an integer from 1 to 2^40"
    raise Rejected(Diagnostic(INPUT_DATA, message, Label(system.span)))


def _zeros(variable: Variable, parameters: Mapping[str, int], layouts: Layouts) -> np.ndarray:
    shape = shape_of(variable, layouts, parameters)
    try:
        return np.zeros(shape, dtype=variable.type.numpy)
    except MemoryError:
        message = f"output `{variable.name}` does not fit into memory: {prod(shape)} values"
        raise Rejected(Diagnostic(RUN_TIME, message, Label(variable.span))) from None


def _address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _inferred_parameters(
    system: System, layouts: Layouts, parameters: Mapping[str, int], inputs: Mapping[str, object]
) -> dict[str, int]:
    """Returns the parameters, with those that are the only unknown in the extent of an input as passed; the others are
    left out. Where arrays contradict each other the first one counts, and later checks reject the others.
    """
    known = dict(parameters)
    # Most callers give all of them: then no box is computed.
    if all(name in known for name in system.parameters):
        return known
    extents = [extent for variable in system.inputs for extent in _extents(system, layouts, variable, inputs)]
    exact = [extent[:2] for extent in extents if extent[2]]
    for pairs in (exact, [*exact, *(extent[:2] for extent in extents if not extent[2])]):
        known = _with_solved(known, pairs)
    return known


def _with_solved(known: dict[str, int], extents: Sequence[tuple[Integer, int]]) -> dict[str, int]:
    """Solves extents until no further parameter is found."""
    solved = next((solution for solution in (_solved(*pair, known) for pair in extents) if solution is not None), None)
    return known if solved is None else _with_solved({**known, solved[0]: solved[1]}, extents)


def _extents(
    system: System, layouts: Layouts, variable: Variable, inputs: Mapping[str, object]
) -> Iterator[tuple[Integer, int, bool]]:
    """Yields each extent, the length of the array in that dimension, and whether the array may not be longer."""
    if variable.name not in inputs or not variable.domain.space.dimensions:
        return
    try:
        shape = np.asarray(inputs[variable.name]).shape
    except (ValueError, TypeError):
        return
    layout, extents = layouts.get(variable.name), passed_extents(system, layouts, variable)
    if extents is not None and len(shape) == len(extents):
        is_full = layout is not None and layout.format.tightness is Tightness.FULL
        yield from zip(extents, shape, (not is_full, *(True for _ in shape[1:])), strict=True)


def _solved(extent: Integer, length: int, known: Mapping[str, int]) -> tuple[str, int] | None:
    """Returns the one unknown parameter of an affine extent."""
    affine = as_affine(extent)
    unknown = [] if affine is None else [(name, factor) for name, factor in affine.terms if name not in known]
    if affine is None or len(unknown) != 1:
        return None
    ((name, factor),) = unknown
    rest = length - affine.constant - sum(f * known[n] for n, f in affine.terms if n != name)
    return (name, rest // factor) if rest % factor == 0 else None


def compiler_refusal(system: System, compiler: Compiler, problem: NotCompiled) -> Diagnostic:
    """Returns the finding for generated code that does not compile."""
    message = f"the {compiler.toolchain.language.name} compiler refused the code of `{system.name}`"
    usual = "external functions must be defined with exactly the declared types; otherwise please report this"
    remedy = remedy_for(str(problem), usual)
    return Diagnostic(COMPILATION, message, Label(system.span), notes=problem.first_lines(), help=remedy)


def compile_kernel(
    sources: Sources,
    checked: Checked,
    system: str,
    *,
    name: str | None = None,
    flags: Sequence[str] | None = None,
    include: Path | None = None,
    sizes: Sequence[TileSize] = (),
) -> Kernel:
    """Compiles generated sources by the toolchain of their target, by default with its exact flags, and loads them.

    `name` is the generated function where that is not the system's (`<system>_verify`). `include` is the folder of the
    user's `external_functions.h`, `sizes` are the tile sizes that are parameters of the function. Raises
    Rejected(NO_COMPILER or COMPILATION, or NOT_YET for code that is executed in processes of its own only).
    """
    target, harness = checked.program.system(system), sources.harness or DEFAULT.harness
    if not harness.is_loadable:
        message = f"the code of `{system}` is for a target that is executed in processes of its own"
        remedy = "use `alphaz test` or `alphaz bench`, or choose another target"
        if harness.member == "rank":
            remedy = "give a communicator, `comm=MPI.COMM_WORLD` of mpi4py, or use `alphaz test` or `alphaz bench`"
        raise Rejected(Diagnostic(NOT_YET, message, Label(target.span), help=remedy))
    compiler = find_compiler(sources.toolchain)
    chosen = compiler.toolchain.exact if flags is None else flags
    try:
        library = load(sources, compiler, chosen, include)
    except NotCompiled as problem:
        raise Rejected(compiler_refusal(target, compiler, problem)) from None
    return Kernel(
        system=target,
        symbol=f"{identifier(name or system)}_status",
        compiler=compiler,
        library=library,
        sizes=tuple(sizes),
        layouts=sources.layouts,
        overwritten=sources.overwritten,
        setter=harness.setter,
    )
