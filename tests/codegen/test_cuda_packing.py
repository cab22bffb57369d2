"""The target `cuda`: packed values in the shared memory of blocks; proved, executed without a GPU, barriers removed."""

from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.pipeline import Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c, tree_text
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.differential_run import Where, agree, executables
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.legality.verdicts import Verified
from alphaz.run.cuda.execution import CompiledCall, CudaArgument, CudaCall, compile_call
from alphaz.run.cuda.findings import CudaFault
from alphaz.run.files import write_sources
from tests.codegen.generated_kernels import proved
from tools.fuzz_cuda import CudaCase
from tools.mutate_cuda import removed_barriers

PRODUCT = """affine mm {N,M,K | N>=1 && M>=1 && K>=1}
input double A {i,k | 0<=i<N && 0<=k<K}; double B {k,j | 0<=k<K && 0<=j<M};
output double C {i,j | 0<=i<N && 0<=j<M};
let C[i,j] = reduce(+, [k], {| 0<=k<K}: A[i,k] * B[k,j]); .
"""
DATES = """setSpaceTimeMap(prog, "mm", "C", "(i,j,k->i,j,k)", "(i,j->i,j,0)");
setBlockDimensions(prog, "mm", "", "0,1", "y,x"); setThreadDimensions(prog, "mm", "", "0,1", "y=4,x=4");
"""
TILES = """setTiling(prog, "mm", 0, 4); setTiling(prog, "mm", 1, 4); setTiling(prog, "mm", 2, 4);
"""
PACKED = f'{DATES}{TILES}setPacking(prog, "mm", "C", "A, B");'
BARRIER = "__syncthreads"


def _text(verified: Verified) -> str:
    return scheduled_c(verified, "mm", target=CUDA_TARGET).files["mm.cu"]


def _call(verified: Verified, folder: Path) -> CompiledCall:
    sources = scheduled_c(verified, "mm", target=CUDA_TARGET)
    write_sources(sources, folder)
    source = Source(str(folder / "mm.cu"), sources.files["mm.cu"])
    arguments = [*map(CudaArgument, "NMK"), CudaArgument("A", "<f8", True), CudaArgument("B", "<f8", True)]
    return compile_call(CudaCall(source, "mm_status", [*arguments, CudaArgument("C", "<f8", False, True)], "NMK"))


def test_threads_of_a_block_fill_buffers_together(tmp_path: Path) -> None:
    verified = proved(tmp_path, PRODUCT, PACKED)
    tree = tree_text(verified, "mm", Pipeline(), target=CUDA_TARGET)
    assert "scratch packed_A, packed_B for each block" in tree
    loop = tree[tree.index("for tk") :].splitlines()[1:4]
    assert [line.strip() for line in loop] == [
        "barrier of the block",
        "fill packed_A, packed_B by 4 x 4 threads",
        "barrier of the block",
    ]
    assert tree.count("barrier") == 2
    text = _text(verified)
    # Rows of the dimension along x are adjacent, and of an odd number of elements.
    assert "__shared__ double packed_B[20];" in text
    assert "packed_B[(k - tk) * 5 + j - tj] = B[k * M + j];" in text
    assert "packed_A[(i - ti) * 5 + k - tk] = A[i * K + k];" in text


@pytest.mark.slow
def test_values_are_those_of_the_interpreter(tmp_path: Path) -> None:
    these = executables(proved(tmp_path, PRODUCT, PACKED), "mm", target=CUDA_TARGET, where=Where.APART)
    for sizes in ({"N": 1, "M": 1, "K": 1}, {"N": 9, "M": 7, "K": 6}):
        assert agree(these, sizes, (2,), 1).findings == ()


@pytest.mark.slow
def test_each_barrier_is_needed(tmp_path: Path) -> None:
    """The text is proved; without a barrier it is refuted, and the execution finds a race."""
    verified = proved(tmp_path, PRODUCT, PACKED)
    sources = scheduled_c(verified, "mm", target=CUDA_TARGET)
    assert prove_generated(sources, verified.design.checked, "mm", jobs=1).verdict.is_proved
    call = _call(verified, tmp_path)
    arrays = {"A": np.ones((6, 9)), "B": np.ones((9, 6)), "C": np.zeros((6, 6))}
    sizes = {"N": 6, "M": 6, "K": 9}
    assert call.run(sizes, arrays, 1).findings == ()
    lines = call.call.source.text.splitlines(keepends=True)
    barriers = [at for at, line in enumerate(lines) if BARRIER in line]
    assert len(barriers) == 2
    for at in barriers:
        without = Source("mm.cu", "".join([*lines[:at], "\n", *lines[at + 1 :]]))
        verdict = prove_c(verified.design.checked, without, ProofTask(system="mm", function="mm_status", jobs=1))
        assert verdict.verdict == "refuted"
        assert "data race" in verdict.findings[0].message
        faults = {finding.fault for finding in call.run(sizes, arrays, 1, without=[at + 1]).findings}
        assert CudaFault.RACE_IN_BLOCK in faults


def test_one_thread_needs_no_barrier(tmp_path: Path) -> None:
    tree = tree_text(
        proved(tmp_path, PRODUCT, PACKED.replace("y=4,x=4", "y=1,x=1")), "mm", Pipeline(), target=CUDA_TARGET
    )
    assert "fill packed_A, packed_B\n" in tree
    assert "barrier" not in tree


OUTER = """affine outer {N,M | N>=1 && M>=1}
input double a {i | 0<=i<N}; double b {j | 0<=j<M};
output double C {i,j | 0<=i<N && 0<=j<M};
let C[i,j] = a[i] * b[j]; .
"""


def test_buffers_that_are_filled_once_have_one_barrier(tmp_path: Path) -> None:
    commands = """setSpaceTimeMap(prog, "outer", "C", "(i,j->i,j)"); setTiling(prog, "outer", 0, 8);
setBlockDimensions(prog, "outer", "", 0, "x"); setThreadDimensions(prog, "outer", "", 1, "x=4");
setPacking(prog, "outer", "C", "a");"""
    tree = tree_text(proved(tmp_path, OUTER, commands), "outer", Pipeline(), target=CUDA_TARGET)
    assert "fill packed_a by 4 threads" in tree
    assert tree.count("barrier") == 1


def test_buffers_that_a_thread_fills_for_itself_need_no_barrier(tmp_path: Path) -> None:
    commands = """setSpaceTimeMap(prog, "outer", "C", "(i,j->i,j)"); setTiling(prog, "outer", 0, 8);
setBlockDimensions(prog, "outer", "", 0, "x"); setThreadDimensions(prog, "outer", "", 0, "x=4");
setPacking(prog, "outer", "C", "a");"""
    verified = proved(tmp_path, OUTER, commands)
    tree = tree_text(verified, "outer", Pipeline(), target=CUDA_TARGET)
    assert "fill packed_a by 4 threads" in tree
    assert "barrier" not in tree
    these = executables(verified, "outer", target=CUDA_TARGET, where=Where.APART)
    assert agree(these, {"N": 13, "M": 3}, (2,), 1).findings == ()


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        (PACKED.replace('"0,1", "y,x"', '1, "x"').replace('"A, B"', '"A", 0'), "several blocks"),
        (DATES + TILES.replace('"mm", 2, 4', '"mm", 2, 4096') + 'setPacking(prog, "mm", "C", "A");', "bytes"),
        (DATES + TILES.replace('setTiling(prog, "mm", 2, 4);', "") + 'setPacking(prog, "mm", "C", "B", 1);', "number"),
    ],
)
def test_buffers_outside_of_the_memory_of_a_block_are_refused(tmp_path: Path, commands: str, message: str) -> None:
    with pytest.raises(Rejected, match=message) as caught:
        _text(proved(tmp_path, PRODUCT, commands))
    assert {finding.rule.code for finding in caught.value.diagnostics} == {"AZ407"}


NESTED_TILES = """affine S {N,K | N>=1 && K>=1}
input double A {p,q | 0<=p<=3N+2K+9 && 0<=q<=3N+2K+9}; double B {p,q | 0<=p<=3N+2K+9 && 0<=q<=3N+2K+9};
double a {i,j | 0<=i<N && 0<=j<=i}; output double C {i,j | 0<=i<N && 0<=j<=i};
local double S {i,j | 0<=i<N && 0<=j<=i};
let S[i,j] = reduce(+, [k], {| 0<=k<=i}: A[j+k,k] * B[i+1,i]); C[i,j] = a[i,j] - S[i,j]; .
"""
IN_NESTED_TILES = """setSpaceTimeMap(prog, "S", "S", "(i,j,k->i,j,k)", "(i,j->i,j,0)");
setSpaceTimeMap(prog, "S", "C", "(i,j->i,j,2K+2N)"); setMemoryMap(prog, "S", "S", "C", "(i,j->i,j)");
setBlockDimensions(prog, "S", "", "0,1", "y,x"); setThreadDimensions(prog, "S", "", "0,1", "y=2,x=2");
setTiling(prog, "S", 0, 6); setTiling(prog, "S", 1, 4); setTiling(prog, "S", 2, 2);
setPacking(prog, "S", "S", "A", 2); setPacking(prog, "S", "S", "B", 0);
"""
PARTS = """affine S {N,T | N>=3 && T>=0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N};
local int X {t,i | 0<=t<=T && 0<=i<N};
let X[t,i] = case {| t<1}: A[i] + [t]; {| t>=1 && 1<=i<N-1}: X[t-1,i+1];
  {| t>=1 && i<1} || {| t>=1 && i>=1 && i>=N-1}: X[t-1,i]; esac; B[i] = X[T,i]; .
"""
IN_PARTS = """setSpaceTimeMap(prog, "S", "X", "(t,i -> 0,t,0,i)"); setSpaceTimeMap(prog, "S", "B", "(i -> 1,0,0,i)");
setOrderingDimensions(prog, "S", "0"); setOverlap(prog, "S", "0", "X", 0, 1, "4");
setBlockDimensions(prog, "S", "0", "1", "x"); setThreadDimensions(prog, "S", "0", "4", "x=3");
"""
GREATEST = """affine S {N | N>=1} input int x {k | 0<=k<=101N}; output double t; local int s;
let s[] = reduce(max, [k], {| 0<=k<100N}: x[k]); t[] = s[]; .
"""
LAST_BLOCK = """setSpaceTimeMap(prog, "S", "s", "(k->0,k,0)"); setSpaceTimeMap(prog, "S", "t", "(->1,0,0)");
setOrderingDimensions(prog, "S", 0); setReductionOver(prog, "S", "0", 0, "last-block");
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "commands", "barriers"),
    [
        # That of the inner loop over tiles is enough.
        (NESTED_TILES, IN_NESTED_TILES, 2),
        # Two parts of a loop of one statement, whose instances access cells of their own.
        (PARTS, IN_PARTS, 0),
    ],
)
def test_no_barrier_is_left_that_is_not_needed(tmp_path: Path, program: str, commands: str, barriers: int) -> None:
    text = scheduled_c(proved(tmp_path, program, commands), "S", target=CUDA_TARGET).files["S.cu"]
    assert text.count(BARRIER) == barriers


@pytest.mark.slow
def test_a_missing_fence_of_a_last_block_is_found(tmp_path: Path) -> None:
    case = CudaCase("greatest", proved(tmp_path, GREATEST, LAST_BLOCK), "S", ({"N": 9}, {"N": 1}))
    results = list(removed_barriers(case, proves=False))
    assert len(results) == 6
    assert all(result.is_found for result in results)
