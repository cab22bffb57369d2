"""Executes a kernel, or a function of the host part, of a CUDA text with given arrays."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import numpy as np

from alphaz.codegen.toolchain import Harness
from alphaz.diagnostics import Source
from alphaz.processes.external import ProcessOutcome, run
from alphaz.run.call_program import HarnessArray, PassedArray, harness, run_harness
from alphaz.run.cuda.cpu_program import CudaProgram, compile_cuda
from alphaz.run.cuda.findings import CudaFinding, findings_of, other_output
from alphaz.run.cuda.rewriting import NotCuda, kernel_parameters
from alphaz.run.library import NotCompiled

_SECONDS = 60.0
# The contents of each byte that an output has before the call.
_RUBBISH = 0x5A
_TYPES = {"f4": "float", "f8": "double", "b1": "bool"} | {f"{kind}{bytes_}": f"{'u' * (kind == 'u')}int{8 * bytes_}_t"
          for kind in "iu" for bytes_ in (1, 2, 4, 8)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CudaArgument:
    """An argument of the call: a parameter, by its name; or an array with this type of numpy (`<f4`), which is read or
    written (`by_value`: a number in an array without dimensions; `is_result`: the returned number); or a `value`, an
    expression of C. Arrays of a kernel, and those `on_device`, are passed in the memory of the GPU.
    """

    name: str
    type: str = ""
    is_input: bool = False
    is_output: bool = False
    by_value: bool = False
    is_result: bool = False
    value: str = ""
    on_device: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CudaCall:
    """A function of a text with its arguments, in order. `parameters` are the integers that a run gives. A kernel has a
    `grid` and a `block`: up to three expressions in parameters, arguments of the kernel and macros of the text; and the
    bytes of dynamic shared memory. A template is named with its arguments. Without a grid it is a function of the host
    part.
    """

    source: Source
    function: str
    arguments: Sequence[CudaArgument]
    parameters: Sequence[str]
    grid: str = ""
    block: str = ""
    shared: str = "0"

    @property
    def arrays(self) -> list[CudaArgument]:
        """Returns the arguments that are arrays."""
        return [argument for argument in self.arguments if argument.type]


@dataclass(frozen=True, slots=True, eq=False)
class CudaRunResult:
    """The end of an execution: its findings, the outputs by name (empty where the program died), the reason of an early
    end, the text that it printed, and its exit status: None if it did not end in time, `NO_EXCHANGE` if it has parts
    that are not executed without a GPU.
    """

    findings: tuple[CudaFinding, ...]
    outputs: Mapping[str, np.ndarray]
    failure: str = ""
    printed: str = ""
    status: int | None = 0


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCall:
    """A call that is compiled once, for all parameters and inputs."""

    call: CudaCall
    program: CudaProgram

    def run(
        self,
        parameters: Mapping[str, int],
        arrays: Mapping[str, np.ndarray],
        seed: int = 0,
        *,
        without: Sequence[int] = (),
        seconds: float = _SECONDS,
    ) -> CudaRunResult:
        """Executes the call; an array that is no input gives shape and type. `seed`: the order of threads and blocks.
        `without`: lines whose barriers and waits are left out. `seconds`: of processor time.
        """
        passed = []
        for argument in self.call.arrays:
            array = np.asarray(arrays[argument.name], argument.type)
            content = array if argument.is_input else None
            passed.append(PassedArray(array.shape, argument.type, content, argument.is_output))
        numbers = [parameters[name] for name in self.call.parameters]
        return self.run_passed(numbers, passed, seed, without=without, seconds=seconds)

    def run_passed(
        self,
        numbers: Sequence[int],
        passed: Sequence[PassedArray],
        seed: int = 0,
        *,
        without: Sequence[int] = (),
        seconds: float = _SECONDS,
    ) -> CudaRunResult:
        """Executes as `run`, with the parameters and the arrays in the order of the call."""
        numbers = [*numbers, *(array.size for array in passed)]
        with tempfile.TemporaryDirectory(prefix="alphaz-run-") as name:
            program = self.program.written(Path(name))
            done = run_harness(_harness(seed, without), program, program.parent, numbers, passed, 0, seconds)
            findings = findings_of(done.outcome.errors, program)
        names = [argument.name for argument in self.call.arrays if argument.is_output]
        outputs = dict(zip(names, done.outputs, strict=False))
        return _ended(done.outcome, findings, outputs, "" if done.report else "the function ends the program")


def compile_call(call: CudaCall, include: Sequence[Path] = ()) -> CompiledCall:
    """Compiles the text with a main program that makes the call. Raises Rejected(NO_COMPILER), NotCompiled."""
    numbers = len(call.parameters) + len(call.arrays)
    flags = [HarnessArray(array.is_input, array.is_output) for array in call.arrays]
    main = harness(Harness(), numbers, flags, unset=_RUBBISH, alignment=256)
    try:
        behind = call_text(call)
    except NotCuda as problem:
        raise NotCompiled(f"error: {problem}") from None
    return CompiledCall(call, compile_cuda(call.source, behind, main, include))


def execute_text(
    program: CudaProgram,
    seed: int = 0,
    *,
    without: Sequence[int] = (),
    arguments: Sequence[str] = (),
    seconds: float = _SECONDS,
) -> CudaRunResult:
    """Executes a text with a main function of its own."""
    with tempfile.TemporaryDirectory(prefix="alphaz-run-") as name:
        path = program.written(Path(name))
        outcome = run((*_harness(seed, without).command(0), str(path), *arguments), Path(name), seconds)
        findings = findings_of(outcome.errors, path)
    return _ended(outcome, findings, {}, "")


def _harness(seed: int, without: Sequence[int]) -> Harness:
    options = (f"ALPHAZ_CUDA_SEED={seed}", f"ALPHAZ_CUDA_WITHOUT={','.join(map(str, without))}")
    return Harness(command=lambda members: ("env", *options))


def _ended(
    outcome: ProcessOutcome, findings: tuple[CudaFinding, ...], outputs: Mapping[str, np.ndarray], otherwise: str
) -> CudaRunResult:
    failure = otherwise
    if not outcome.succeeded:
        failure = other_output(outcome.errors).strip() or f"the program ended with status {outcome.status}"
    return CudaRunResult(findings, outputs, failure=failure, printed=outcome.output, status=outcome.status)


def call_text(call: CudaCall, name: str = "call__") -> str:
    """Returns the function of the harness. Its numbers are the parameters, then the bytes of the arrays."""
    first = len(call.parameters)
    lines = [f'extern "C" int {name}(const long long *numbers__, void **arrays__)', "{"]
    for at, name in enumerate(call.parameters):
        lines += [f"#ifndef {name}", f"const long long {name} = numbers__[{at}]; (void){name};", "#endif"]
    passed, after, result = [], [], ""
    arrays = {array.name: position for position, array in enumerate(call.arrays)}
    names = kernel_parameters(call.source.text).get(call.function.partition("<")[0], ()) if call.grid else ()
    for argument, name in zip_longest(call.arguments, names):
        if argument is None:
            break
        if not argument.type:
            passed.append(argument.value or argument.name)
            lines += _named(name, passed[-1], call.parameters)
            continue
        at, type_ = arrays[argument.name], _TYPES.get(np.dtype(argument.type).str[1:])
        if type_ is None:
            raise NotCompiled(f"error: arrays of type {argument.type} are not executed")
        bytes_ = f"(size_t)numbers__[{first + at}]"
        if argument.is_result:
            result = f"*({type_} *)arrays__[{at}] = "
        elif argument.by_value:
            passed.append(f"*({type_} *)arrays__[{at}]")
        elif call.grid or argument.on_device:
            lines += _device_array(argument, at, bytes_)
            passed.append(f"::alphaz::Pointer{{device{at}__, sizeof({type_})}}")
            if argument.is_output:
                after.append(f"::cudaMemcpy(arrays__[{at}], device{at}__, {bytes_}, cudaMemcpyDeviceToHost);")
        else:
            passed.append(f"::alphaz::Pointer{{arrays__[{at}], sizeof({type_})}}")
            after.append(f"::alphaz::used_by_host(arrays__[{at}], {bytes_});" if argument.is_output else "")
    launch = f"<<<dim3({call.grid}), dim3({call.block}), {call.shared}>>>" if call.grid else ""
    lines += [f"{result}{call.function}{launch}({', '.join(passed)});", *filter(None, after), "return 0;", "}", ""]
    return "\n".join(lines)


def _named(name: str | None, value: str, parameters: Sequence[str]) -> list[str]:
    """Gives a value the name that the kernel has for it, for the sizes of grid and block."""
    if not name or name in parameters:
        return []
    return [f"#ifndef {name}", f"const long long {name} = {value}; (void){name};", "#endif"]


def _device_array(argument: CudaArgument, position: int, bytes_: str) -> list[str]:
    lines = [
        f'void *device{position}__ = nullptr; ::alphaz::allocated("{argument.name}", &device{position}__, {bytes_});'
    ]
    if argument.is_input:
        lines.append(f"::cudaMemcpy(device{position}__, arrays__[{position}], {bytes_}, cudaMemcpyHostToDevice);")
    return lines
