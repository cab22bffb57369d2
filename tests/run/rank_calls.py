"""A program for `mpiexec`: calls compiled distributed systems on its communicators, and compares with the interpreter.

It prints `right` on rank 0 if everything is. Arguments: scripts, each with sizes (`steps.cs:N=9,T=3`) or with a part of
the message that refuses it (`steps.cs!AZ804`).
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI

import alphaz
from alphaz.mapping.design import Design
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.run.data import random_inputs
from alphaz.run.rank_kernel import RankKernel


def call(kernel: RankKernel, design: Design, sizes: dict[str, int], root: int) -> None:
    """Scatters inputs, computes, gathers the outputs, and compares them on the root."""
    comm, system = kernel.comm, kernel.system
    is_root = comm.Get_rank() == root
    inputs = random_inputs(system, sizes, 1)
    blocks: dict[str, object] = {
        name: kernel.scatter(name, array if is_root else None, root=root, **sizes) for name, array in inputs.items()
    }
    result = kernel(**sizes, **blocks)
    outputs = result if isinstance(result, dict) else {system.outputs[0].name: result}
    wanted = evaluate(design.checked.program, design.checked.facts, system.name, sizes, inputs)
    for name, block in outputs.items():
        assert block.shape == kernel.block(name, **sizes).extent
        whole = kernel.gather(name, block, root=root, **sizes)
        assert (whole is not None) == is_root
        if whole is not None:
            np.testing.assert_array_equal(whole, wanted[name])


def refused(kernel: RankKernel, sizes: dict[str, int]) -> None:
    """Every rank raises, whichever rank has the mistake."""
    rank, size = kernel.comm.Get_rank(), kernel.comm.Get_size()
    name = kernel.system.inputs[0].name
    block = np.zeros(kernel.block(name, **sizes).extent, dtype=kernel.system.inputs[0].type.numpy)
    wrong = np.zeros((*block.shape, 3)) if rank == size - 1 else block
    calls: list[Callable[[], object]] = [
        lambda: kernel(**sizes, **{name: wrong}),
        lambda: kernel(**sizes),
        lambda: kernel(**sizes, **{name: block}, more=1),
        lambda: kernel(**dict.fromkeys(sizes, -1), **{name: block}),
        lambda: kernel.scatter("nothing", block, **sizes),
        lambda: kernel.scatter(name, block, root=size, **sizes),
        lambda: kernel.gather(name, block, **sizes),
    ]
    assert all(map(message, calls))


def message(attempt: Callable[[], object]) -> str:
    """Returns the message of a call that is refused."""
    try:
        attempt()
    except alphaz.Rejected as rejected:
        return str(rejected)
    raise AssertionError("the call is not refused")


def main() -> None:
    world = MPI.COMM_WORLD
    half = world.Split(world.Get_rank() % 2, world.Get_rank())
    for argument in sys.argv[1:]:
        script, _, expected = argument.partition("!")
        if expected:
            assert expected in message(partial(alphaz.compile, alphaz.run(Path(script)), comm=world))
            continue
        script, _, text = argument.partition(":")
        sizes = {name: int(value) for name, value in (part.split("=") for part in text.split(","))}
        design = alphaz.run(Path(script))
        kernel = alphaz.compile(design, comm=world)
        call(kernel, design, sizes, world.Get_size() - 1)
        for comm in (half, MPI.COMM_SELF):
            call(replace(kernel, comm=comm), design, sizes, 0)
        refused(kernel, sizes)
    mistakes: tuple[Any, ...] = (MPI.COMM_NULL, 3)
    for comm in mistakes:
        assert "expected a communicator of mpi4py" in message(partial(alphaz.compile, design, comm=comm))
    half.Free()
    if world.Get_rank() == 0:
        print("right")  # noqa: T201


if __name__ == "__main__":
    main()
