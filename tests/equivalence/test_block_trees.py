"""Trees of the threads of a block as loops: these compute what the statements of the text compute, or nothing."""

from random import Random

import pytest

from alphaz.equivalence.block_trees import has_trees, with_trees_as_loops
from alphaz.equivalence.concrete_steps import in_order
from alphaz.scop import CKernel
from alphaz.scop.value_tree import LiteralValue, OperationValue, ReadValue, Tree
from tests.equivalence.test_small_blocks import kernel_of

SIZE = 16
LOAD = "const int t = threadIdx.x; s[t] = A[t]; __syncthreads();"
HALVES = "".join(f"if (t < {d}) s[t] += s[t + {d}]; __syncthreads();" for d in (8, 4, 2, 1))
PAIRS = "".join(f"if (t % {2 * d} == 0) s[t] += s[t + {d}]; __syncthreads();" for d in (1, 2, 4, 8))
_UNKNOWN = None


def left_in(kernel: CKernel) -> dict[tuple[int, ...], int | None]:
    """The numbers that a kernel leaves in the cells of its argument; `None` is unknown."""
    memory: dict[tuple[str, tuple[int, ...]], int | None] = {("A", (i,)): 3**i for i in range(SIZE)}
    for step, point in in_order(kernel, {"N": SIZE})[0]:
        reads = [_UNKNOWN if read.access.array.is_stale else memory[read.at(point)] for read in step.reads]
        memory[step.target.at(point)] = _value(step.statement.value, reads)
    return {cell: value for (array, cell), value in memory.items() if array == "A"}


def _value(tree: Tree, reads: list[int | None]) -> int | None:
    match tree:
        case ReadValue(number):
            return reads[number]
        case LiteralValue(value):
            return int(value)
        case OperationValue("+", (left, right)):
            one, other = _value(left, reads), _value(right, reads)
            return None if one is None or other is None else one + other
    raise AssertionError(tree)


@pytest.mark.parametrize("steps", [HALVES, PAIRS])
def test_a_tree_leaves_a_sum_and_unknown_cells(steps: str) -> None:
    kernel = kernel_of(f"{LOAD}{steps} A[t] = s[t];", SIZE)
    loops = with_trees_as_loops(kernel)
    assert loops is not None
    assert has_trees(loops)
    assert not has_trees(kernel)
    assert len(loops.statements) == 6
    found = left_in(loops)
    assert found[0,] == left_in(kernel)[0,] == sum(3**i for i in range(SIZE))
    assert {value for (i,), value in found.items() if i > 0} == {_UNKNOWN}


def test_cells_of_a_later_iteration_are_unknown_until_they_are_written() -> None:
    body = f"const int t = threadIdx.x; s[t] = A[t]; __syncthreads(); for (int r = 0; r < 2; r++) {{ {HALVES} }}"
    kernel = kernel_of(f"{body} if (t == 0) A[0] = s[0];", SIZE)
    loops = with_trees_as_loops(kernel)
    assert loops is not None
    assert left_in(kernel)[0,] != left_in(loops)[0,] == _UNKNOWN


def test_random_steps_leave_the_same_sums() -> None:
    random, known = Random(7), 0
    for _ in range(60):
        steps: list[str] = []
        while len(steps) < 4:
            distance, stride, most = random.randint(1, 8), random.choice((1, 1, 2, 3)), random.randint(1, 8)
            targets = {stride * t for t in range(most)}
            others = {target + distance for target in targets}
            if max(others) < SIZE and not targets & others:
                steps.append(f"if (t < {most}) s[{stride} * t] += s[{stride} * t + {distance}]; __syncthreads();")
        kernel = kernel_of(f"{LOAD}{''.join(steps)} A[t] = s[t];", SIZE)
        loops = with_trees_as_loops(kernel)
        if loops is not None:
            expected = left_in(kernel)
            own = {cell: value for cell, value in left_in(loops).items() if value is not None}
            assert own.items() <= expected.items()
            known += len(own)
    assert known >= 10


@pytest.mark.parametrize(
    "steps",
    [
        "A[t] = s[t] + s[(t + 1) % 16];",
        "if (t < 8) s[t] += s[t + 8]; __syncthreads();",
        "for (int r = 0; r < 16; r++) if (t == 0) s[0] += s[r];",
        "if (t < N) s[t] += s[N - 1 - t]; __syncthreads(); if (t < 4) s[t] += s[t + 4];",
    ],
)
def test_other_statements_are_no_tree(steps: str) -> None:
    assert with_trees_as_loops(kernel_of(f"{LOAD}{steps}", SIZE)) is None
