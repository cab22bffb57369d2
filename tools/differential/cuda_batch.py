"""Several generated CUDA texts, compiled into one program that executes without a GPU: most of the time of a program
with one text goes to headers and to the linker. Each text is in a namespace, and its kernels have names of their own.
"""

import re
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import rmtree

import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.c.alphaz_header import RUNTIME, runtime_text
from alphaz.codegen.c.names import identifier
from alphaz.codegen.sources import Sources
from alphaz.codegen.toolchain import Harness
from alphaz.diagnostics import Source
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.run.call_program import HarnessArray, PassedArray, harness
from alphaz.run.cuda.cpu_program import CudaProgram, compile_cuda
from alphaz.run.cuda.execution import CompiledCall, CudaArgument, CudaCall, CudaRunResult, call_text
from alphaz.run.target_processes import WithoutGpu, generated_call

_INCLUDE = re.compile(r'(?m)^#include [<"](.*)[>"]$')
_HEADERS = ("limits.h", "math.h", "stdbool.h", "stdint.h", "stdio.h", "stdlib.h", RUNTIME)
# The content of each byte of an output before the call.
_RUBBISH = 0x5A
_SECONDS = 60.0


@dataclass(frozen=True, eq=False)
class GeneratedCuda:
    """The generated files of a system, with the tile sizes that are parameters of them."""

    sources: Sources
    checked: Checked
    system: str
    sizes: Sequence[TileSize]


class NotInBatch(Exception):
    """A text needs a program of its own: it includes a header that is not generated."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class _KeptProgram(CudaProgram):
    """A program that lies in a folder as long as this object lives."""

    folder: Path = field(default_factory=Path)

    def written(self, folder: Path) -> Path:
        """Returns the path of the program."""
        return self.folder / "program"


@dataclass(frozen=True, slots=True, eq=False)
class _CallOfBatch(CompiledCall):
    """A call of a program with several. All have the same arrays, `padded`, and `leading` numbers before their own."""

    leading: Sequence[int] = ()
    padded: CompiledCall | None = None

    def run_passed(
        self,
        numbers: Sequence[int],
        passed: Sequence[PassedArray],
        seed: int = 0,
        *,
        without: Sequence[int] = (),
        seconds: float = _SECONDS,
    ) -> CudaRunResult:
        """Executes as a single call does; each array goes in, and comes back."""
        assert self.padded is not None
        nothing = PassedArray((0,), "|i1", np.zeros(0, np.int8), is_output=True)
        arrays = [_in_and_out(array) for array in passed]
        arrays += [nothing] * (len(self.padded.call.arrays) - len(arrays))
        done = self.padded.run_passed([*self.leading, *numbers], arrays, seed, without=without, seconds=seconds)
        names = {argument.name for argument in self.call.arrays if argument.is_output}
        return replace(done, outputs={name: array for name, array in done.outputs.items() if name in names})


def _in_and_out(array: PassedArray) -> PassedArray:
    content = array.content
    if content is None:
        content = np.full(array.size, _RUBBISH, np.uint8).view(array.type).reshape(array.shape)
    return replace(array, content=content, is_output=True)


def compile_batch(texts: Sequence[GeneratedCuda]) -> list[WithoutGpu]:
    """Returns the executable forms of the texts, from one compilation. Raises NotInBatch, NotCompiled, and
    Rejected(NO_COMPILER).
    """
    folder = Path(tempfile.mkdtemp(prefix="alphaz-cuda-batch-"))
    systems = [text.checked.program.system(text.system) for text in texts]
    (folder / RUNTIME).write_text(runtime_text())
    calls = [
        generated_call(text.sources, system, text.sizes, folder) for text, system in zip(texts, systems, strict=True)
    ]
    arrays = max(len(call.arrays) for call in calls)
    parameters = max(len(call.parameters) for call in calls)
    unit = "".join(f"#include <{header}>\n" for header in _HEADERS)
    unit += "".join(
        _in_namespace(number, text, call) for number, (text, call) in enumerate(zip(texts, calls, strict=True))
    )
    cases = "".join(
        f"case {number}: return call_{number}__(numbers + {1 + parameters - len(call.parameters)}, arrays);\n"
        for number, call in enumerate(calls)
    )
    choice = f"switch (numbers[0]) {{\n{cases}default: return -1;\n}}"
    behind = f'extern "C" int call__(const long long *numbers, void **arrays)\n{{\n{choice}\n}}\n'
    main = harness(
        Harness(), 1 + parameters + arrays, [HarnessArray(True, True)] * arrays, unset=_RUBBISH, alignment=256
    )
    try:
        program = compile_cuda(Source(str(folder / "batch.cu"), unit), behind, main)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    kept = _KeptProgram(program.source, program.content, folder)
    program.written(folder)
    weakref.finalize(kept, rmtree, folder, ignore_errors=True)
    made = []
    for number, (text, system, call) in enumerate(zip(texts, systems, calls, strict=True)):
        leading = (number, *[0] * (parameters - len(call.parameters)))
        padded = CompiledCall(replace(call, arguments=_padded(call, arrays)), kept)
        made.append(
            WithoutGpu(system, _CallOfBatch(call, kept, leading, padded), tuple(text.sizes), text.sources.layouts)
        )
    return made


def _padded(call: CudaCall, arrays: int) -> list[CudaArgument]:
    own = [replace(argument, is_output=True) for argument in call.arrays]
    return [*own, *(CudaArgument(f"none {at}", "|i1", is_output=True) for at in range(len(own), arrays))]


def _in_namespace(number: int, text: GeneratedCuda, call: CudaCall) -> str:
    stem = identifier(text.system)
    included = set(_INCLUDE.findall(call.source.text)) - {f"{stem}.h", *_HEADERS}
    if included:
        raise NotInBatch(f"it includes {', '.join(sorted(included))}")
    body = _INCLUDE.sub("", call.source.text).replace(f"{stem}_kernel", f"{stem}{number}_kernel")
    lines = [f"namespace text_{number}", "{", f'#line 1 "text_{number}.cu"', body, call_text(call, f"call_{number}__")]
    return "\n".join([*lines, "}", f"using text_{number}::call_{number}__;", ""])
