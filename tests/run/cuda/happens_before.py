"""Random tables of steps for `interpreter.cu`, and the data races of their executions by brute force.

The second definition of order: steps are nodes of a graph, and a path leads from one to another that is after it. There
are no clocks and no intervals. The atomic operations here order nothing.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from alphaz.diagnostics import Source
from alphaz.run.cuda.execution import CompiledCall, CudaArgument, CudaCall, compile_call

NOTHING, READ, WRITE, ADD, SHARED_READ, SHARED_WRITE, SHARED_ADD, BLOCK_BARRIER, WARP_BARRIER = range(9)
_KINDS = {READ: "read", WRITE: "write", ADD: "atomic", SHARED_READ: "read", SHARED_WRITE: "write", SHARED_ADD: "atomic"}
_CELLS = 2


@dataclass(frozen=True, slots=True)
class Step:
    """An access of a thread; `cell` has the block of shared memory, or -1."""

    step: int
    thread: int
    kind: str
    cell: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Steps of `blocks` of `size` threads: step and thread give a kind and an operand."""

    blocks: int
    size: int
    kinds: np.ndarray
    operands: np.ndarray

    @property
    def accesses(self) -> Iterator[Step]:
        for step, thread in np.argwhere(np.isin(self.kinds, tuple(_KINDS))).tolist():
            kind = int(self.kinds[step, thread])
            block = thread // self.size if kind >= SHARED_READ else -1
            yield Step(step, thread, _KINDS[kind], (block, int(self.operands[step, thread])))

    @property
    def order(self) -> np.ndarray:
        """Returns whether a path leads from one step of a thread to another, for all pairs."""
        steps, threads = self.kinds.shape
        reach = np.eye(steps * threads, dtype=bool).reshape(steps, threads, steps, threads)
        for step in reversed(range(steps - 1)):
            for thread in range(threads):
                for other in range(threads):
                    if thread == other or self._meet(step, thread, other):
                        reach[step, thread] |= reach[step + 1, other]
        return reach

    def _meet(self, step: int, thread: int, other: int) -> bool:
        kind = self.kinds[step, thread]
        if kind != self.kinds[step, other] or thread // self.size != other // self.size:
            return False
        is_same_warp = thread % self.size // 32 == other % self.size // 32
        is_same_mask = self.operands[step, thread] == self.operands[step, other]
        return bool(kind == BLOCK_BARRIER or (kind == WARP_BARRIER and is_same_warp and is_same_mask))


def table(seed: int) -> Table:
    """Returns a table whose barriers all threads of a block, or all lanes of a mask, reach."""
    draw = random.Random(seed)
    blocks, size, steps = draw.choice((1, 2, 3)), draw.choice((2, 4, 34)), draw.randint(2, 8)
    kinds = np.zeros((steps, blocks * size), dtype="i4")
    operands = np.zeros((steps, blocks * size), dtype="i4")
    # Few races in a table: each of them counts.
    busy, barriers = draw.choice((1, 2, 4)) / (blocks * size), draw.choice((0.1, 0.3))
    for step in range(steps):
        for block in range(blocks):
            here, how = slice(block * size, (block + 1) * size), draw.random()
            if how < barriers:
                kinds[step, here] = BLOCK_BARRIER
            elif how < 2 * barriers:
                _wait_in_warps(draw, kinds[step, here], operands[step, here])
            else:
                for thread in range(here.start, here.stop):
                    if draw.random() < busy:
                        kinds[step, thread], operands[step, thread] = draw.choice([*_KINDS]), draw.randrange(_CELLS)
    return Table(blocks, size, kinds, operands)


def _wait_in_warps(draw: random.Random, kinds: np.ndarray, operands: np.ndarray) -> None:
    for first in range(0, len(kinds), 32):
        lanes = [lane for lane in range(min(32, len(kinds) - first)) if draw.random() < 0.7]
        mask = np.array(sum(1 << lane for lane in lanes), dtype="u4").astype("i4")
        for lane in lanes:
            kinds[first + lane], operands[first + lane] = WARP_BARRIER, mask


def races(table: Table) -> set[str] | None:
    """Returns the kinds of races, of threads of a block or of blocks; None where they depend on the order of atomic
    operations: a thread knows those that were before its own.
    """
    order, accesses = table.order, list(table.accesses)

    def before(one: Step, other: Step) -> bool:
        return one.step < other.step and bool(order[one.step, one.thread, other.step, other.thread])

    def may_know(one: Step, other: Step) -> bool:
        own = (
            access
            for access in accesses
            if access.kind == "atomic" and access.cell == other.cell and before(access, other)
        )
        return one.kind == "atomic" and other.kind != "atomic" and any(own)

    certain, possible = set(), set()
    for one, other in combinations(accesses, 2):
        is_conflict = one.cell == other.cell and {one.kind, other.kind} not in ({"read"}, {"atomic"})
        if one.thread == other.thread or not is_conflict or before(one, other) or before(other, one):
            continue
        is_same = one.thread // table.size == other.thread // table.size
        result = "race in a block" if is_same else "race of blocks"
        possible.add(result)
        if not may_know(one, other) and not may_know(other, one):
            certain.add(result)
    return certain if certain == possible else None


@cache
def interpreter() -> CompiledCall:
    path = Path(__file__).with_name("interpreter.cu")
    names = ("steps", "threads", "kinds", "operands", "cells", "sink")
    arguments = [CudaArgument(name, "" if at < 2 else "<i4", is_input=2 <= at < 5) for at, name in enumerate(names)]
    parameters = ("steps", "threads", "blocks", "size")
    return compile_call(
        CudaCall(Source(str(path), path.read_text()), "interpret", arguments, parameters, "blocks", "size")
    )


def found_races(steps: Table, order: int) -> set[str]:
    """Returns the kinds of races that an execution finds in this order of threads."""
    parameters = {
        "steps": len(steps.kinds),
        "threads": steps.kinds.shape[1],
        "blocks": steps.blocks,
        "size": steps.size,
    }
    empty = {"cells": np.zeros(4, "i4"), "sink": np.zeros(steps.kinds.shape[1], "i4")}
    ran = interpreter().run(parameters, {"kinds": steps.kinds, "operands": steps.operands, **empty}, order)
    assert not ran.failure
    return {finding.fault.value for finding in ran.findings}
