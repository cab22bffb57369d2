"""Executes generated code apart from this process: in processes of its target, or, for CUDA on a machine without a GPU,
on the processor.
"""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from alphaz.analysis.checks.checked_program import Checked
from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.codegen.toolchain import CUDA
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.rules import COMPILATION, DIED, NOT_YET
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.model.program import System
from alphaz.run.call_program import PassedArray
from alphaz.run.cuda.cpu_program import has_gpu
from alphaz.run.cuda.execution import CompiledCall, CudaArgument, CudaCall, compile_call
from alphaz.run.cuda.findings import first_cause
from alphaz.run.files import write_sources
from alphaz.run.guarded_call import Broke, Isolated, compile_isolated
from alphaz.run.kernel import KernelRun, arguments, failed, over_boxes
from alphaz.run.library import NotCompiled
from alphaz.run.storage_conversion import Layouts, without_unset

_SECONDS = 7 * 24 * 3600.0
_STATUS = "status "


@dataclass(frozen=True, slots=True, eq=False)
class WithoutGpu:
    """Generated CUDA that is executed on the processor. The number of members is that of the orders of threads and
    blocks that are executed, with outputs of the last one. `without`: lines whose barriers and waits are left out.
    """

    system: System
    call: CompiledCall
    sizes: tuple[TileSize, ...] = ()
    layouts: Layouts = field(default_factory=dict)
    without: tuple[int, ...] = ()

    def run(self, parameters: Mapping[str, int], inputs: Mapping[str, object], threads: int | None = None) -> KernelRun:
        """Runs as `Kernel.run`, with the same exceptions, and Broke (AZ814)."""
        passed = arguments(self.system, self.sizes, parameters, inputs, self.layouts)
        arrays = [PassedArray(array.shape, array.dtype.str, array) for array in passed.inputs]
        arrays += [PassedArray(array.shape, array.dtype.str, is_output=True) for array in passed.results.values()]
        arrays.append(PassedArray((1,), "<i4", is_output=True))
        numbers = (*passed.parameters.values(), *passed.sizes)
        for seed in range(1, (threads or 1) + 1):
            done = self.call.run_passed(numbers, arrays, seed, without=self.without, seconds=_SECONDS)
            if done.findings:
                raise Broke(first_cause(done.findings).diagnostic(self.call.call.source))
            if done.failure:
                message = f"the code of `{self.system.name}` died"
                raise Broke(Diagnostic(DIED, message, Label(self.system.span), notes=tuple(done.failure.splitlines())))
            *results, status = done.outputs.values()
            if status[0]:
                raise Rejected(failed(self.system, int(status[0]), passed.parameters))
        left = dict(zip(passed.results, results, strict=True))
        outputs = {v.name: without_unset(v, self.layouts, passed.parameters, left[v.name]) for v in self.system.outputs}
        return KernelRun(over_boxes(self.system, self.layouts, passed.parameters, outputs), 0.0)


def compile_in_process(
    sources: Sources,
    checked: Checked,
    system: str,
    *,
    include: Path | None,
    sizes: Sequence[TileSize] = (),
    sanitize: bool = False,
    flags: Sequence[str] | None = None,
) -> Isolated | WithoutGpu:
    """Compiles generated sources as `compile_isolated` does; CUDA, where there is no GPU, for the processor. Raises
    Rejected(NO_COMPILER or COMPILATION, or NOT_YET for the flags of a benchmark without a GPU).
    """
    if sources.toolchain is None or sources.toolchain.language != CUDA or has_gpu():
        return compile_isolated(sources, checked, system, include=include, sizes=sizes, sanitize=sanitize, flags=flags)
    target = checked.program.system(system)
    if flags is not None:
        message = f"the code of `{system}` is for a GPU, and there is none"
        remedy = "measure it where a GPU is; `alphaz explain-cost` estimates times, `alphaz test` compares values"
        raise Rejected(Diagnostic(NOT_YET, message, Label(target.span), help=remedy))
    with tempfile.TemporaryDirectory(prefix="alphaz-cuda-", ignore_cleanup_errors=True) as folder:
        write_sources(sources, Path(folder))
        call = generated_call(sources, target, sizes, Path(folder))
        try:
            compiled = compile_call(call, () if include is None else (include,))
        except NotCompiled as problem:
            message = f"the C++ compiler refused the CUDA code of `{system}`"
            notes = problem.first_lines()
            raise Rejected(Diagnostic(COMPILATION, message, Label(target.span), notes=notes)) from None
    return WithoutGpu(target, compiled, tuple(sizes), sources.layouts)


def generated_call(sources: Sources, system: System, sizes: Sequence[TileSize], folder: Path) -> CudaCall:
    """Returns the call of the host function of generated CUDA, whose files are in a folder."""
    name = next(name for name in sources.files if name.endswith(CUDA.suffix))
    source = Source(str(folder / name), sources.files[name])
    numbers = [*map(identifier, system.parameters), *(size.name for size in sizes)]
    passed = [CudaArgument(number) for number in numbers]
    passed += [CudaArgument(identifier(v.name), v.type.numpy, is_input=True) for v in system.inputs]
    passed += [CudaArgument(identifier(v.name), v.type.numpy, is_output=True) for v in system.outputs]
    result = CudaArgument(_STATUS, "<i4", is_output=True, is_result=True)
    return CudaCall(source, f"{identifier(system.name)}_status", [*passed, result], numbers)
