"""The process that runs generated code: batches on standard input, and for each its end on standard output.

A batch is executed in a copy of this process, which may die. It writes what is wrong, a line each:

    ["compile", "", what the compiler said]      nothing else follows
    ["begin", name, ""], then ["wrong", name, how]..., then ["end", name, ""]

Who has begun and not ended has died.
"""

import json
import os
import pickle
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Rejected, Source
from alphaz.mapping.loop_dimensions import TileSize
from alphaz.model.interpreter import evaluate
from alphaz.run.compiler import find_compiler
from alphaz.run.data import random_inputs
from alphaz.run.kernel import Kernel
from alphaz.run.library import NotCompiled, load
from alphaz.run.storage_conversion import Layouts
from tests.strategies.mapping_variants import EXTERNALS, HEADER

SIZES = (1, 2, 3, 6)
THREADS = (1, 2, 4)


@dataclass(frozen=True)
class Job:
    """A system of a program, the tile sizes that its function takes, and how arrays lie that are passed to it."""

    name: str
    program: str
    sizes: tuple[TileSize, ...]
    layouts: Layouts
    overwritten: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Batch:
    """Jobs whose code is compiled at once, the seed of their inputs, and how long each may take, in seconds. `values`
    are those of the first parameter, `threads` how many of them there are.
    """

    jobs: tuple[Job, ...]
    sources: Sources
    flags: tuple[str, ...]
    seed: int
    seconds: int
    values: tuple[int, ...] = SIZES
    threads: tuple[int, ...] = THREADS


def main() -> None:
    # For this process alone: the compiler is to run as it always does.
    os.environ.pop("LD_PRELOAD", None)
    # There are more threads than processors: who waits is not to use them up.
    os.environ["OMP_WAIT_POLICY"] = "passive"
    find_compiler()
    while True:
        try:
            batch: Batch = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(_ended(batch), sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _ended(batch: Batch) -> tuple[bytes, bytes, int]:
    """Returns the standard output, standard error and exit status of a copy that executes the batch."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            os._exit(_status(batch))
        _, status = os.waitpid(child, 0)
        output.seek(0)
        errors.seek(0)
        return output.read(), errors.read(), os.waitstatus_to_exitcode(status)


def _status(batch: Batch) -> int:
    try:
        _execute(batch)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _execute(batch: Batch) -> None:
    compiler = find_compiler()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "external_functions.h").write_text(HEADER, encoding="utf-8")
        try:
            library = load(batch.sources, compiler, batch.flags, Path(folder), remember=False)
        except NotCompiled as problem:
            _say("compile", "", "\n".join(problem.first_lines()))
            return
    for job in batch.jobs:
        _say("begin", job.name)
        # An alarm that nobody expects ends the process.
        signal.alarm(batch.seconds)
        checked = read_program(Source("program.ab", job.program))
        system = checked.program.system(job.name)
        kernel = Kernel(system, f"{job.name}_status", compiler, library, job.sizes, layouts=job.layouts)
        kernel = replace(kernel, overwritten=job.overwritten)
        for how in _differences(checked, kernel, batch):
            _say("wrong", job.name, how)
        signal.alarm(0)
        _say("end", job.name)


def _say(what: str, name: str, how: str = "") -> None:
    sys.stdout.write(f"{json.dumps([what, name, how])}\n")
    sys.stdout.flush()


def _differences(checked: Checked, kernel: Kernel, batch: Batch) -> Iterator[str]:
    """At every size with every number of threads: where the compiled code differs from the interpreter."""
    system = kernel.system
    for size in batch.values:
        parameters = dict(zip(system.parameters, (size, 1 + 2 * size % 5), strict=False))
        if not system.context.contains(parameters):
            continue
        inputs = random_inputs(system, parameters, batch.seed)
        wanted = evaluate(checked.program, checked.facts, system.name, parameters, inputs, EXTERNALS)
        for threads in batch.threads:
            arguments = {**parameters, **_tile_sizes(kernel, size + threads)}
            text = f"{','.join(f'{n}={v}' for n, v in arguments.items())} with {threads} threads"
            try:
                outputs = kernel.run(arguments, inputs, threads).outputs
            except Rejected as stopped:
                yield f"{text}: {stopped.diagnostics[0].message}"
                continue
            wrong = [name for name, values in wanted.items() if not agree(values, outputs[name])]
            if wrong:
                yield f"{text}: {', '.join(wrong)}"


def _tile_sizes(kernel: Kernel, start: int) -> dict[str, int]:
    """Odd ones, and larger than all there is."""
    sizes = (1, 2, 3, 5, 64)
    return {size.name: sizes[(start + at) % len(sizes)] for at, size in enumerate(kernel.sizes)}


def agree(wanted: np.ndarray, values: np.ndarray) -> bool:
    """Floats may be added up in another order."""
    if wanted.dtype.kind != "f":
        return np.array_equal(wanted, values)
    if not np.isfinite(wanted).all():
        return np.array_equal(np.isfinite(wanted), np.isfinite(values))
    allowed = (1e-4 if wanted.dtype == np.float32 else 1e-11) * max(1.0, float(np.abs(wanted).max(initial=0.0)))
    return np.allclose(wanted, values, rtol=0, atol=allowed)


if __name__ == "__main__":
    main()
