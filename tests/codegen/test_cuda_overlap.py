"""Overlapped tiles: private memory in C and in CUDA, executed and proved."""

from pathlib import Path

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics import Rejected
from alphaz.equivalence.differential_run import Where, agree, executables
from alphaz.equivalence.driver.generated_code import prove_generated
from tests.codegen.generated_kernels import proved, sample

HALVES = """affine halves {N | N>1} input double A {i | 0<=i<N}; output double B {i,j | 0<=(i,j)<N};
local double X {i,j | 0<=i<N && 0<=j<8};
let X[i,j] = A[i] * [j]; B[i,j] = case {| j<8}: X[i,j]; {| j>=8}: X[i,7]; esac; ."""
DATES = """setSpaceTimeMap(prog, "halves", "X", "(i,j -> i,0,j)");
setSpaceTimeMap(prog, "halves", "B", "(i,j -> i,1,j)");
setOrderingDimensions(prog, "halves", 1); setMemoryMap(prog, "halves", "X", "(i,j -> j)");
setPrivateMemory(prog, "halves", "X", 1);"""
BLOCKS = """setBlockDimensions(prog, "halves", "", 0, "x"); setThreadDimensions(prog, "halves", "", 2, "x=32");"""


def test_blocks_and_threads_have_private_memory(tmp_path: Path) -> None:
    of_threads = scheduled_c(proved(tmp_path, HALVES, DATES + 'setParallel(prog, "halves", "", 0);'), "halves")
    assert "for (int64_t i = 0; i < N; i++) {\n        double X[8];" in of_threads.files["halves.c"]
    of_blocks = scheduled_c(proved(tmp_path, HALVES, DATES + BLOCKS), "halves", target=CUDA_TARGET).files["halves.cu"]
    assert "__shared__ double X[8];" in of_blocks
    assert of_blocks.count("__syncthreads();") == 1
    alone = DATES + 'setParallel(prog, "halves", "", 0);'
    of_one = scheduled_c(proved(tmp_path, HALVES, alone), "halves", target=CUDA_TARGET).files["halves.cu"]
    assert "\n        double X[8];" in of_one
    assert "__shared__" not in of_one


SUMS = """affine halves {N | N>1} input double A {i | 0<=i<N};
output double B {i,j | 0<=(i,j)<N}; double C {i | 0<=i<N};
local double X {i,j | 0<=i<N && 0<=j<N}; double Y {i,j | 0<=i<N && 0<=j<8};
let X[i,j] = A[i] * [j]; B[i,j] = X[i,j] + A[j]; Y[i,j] = A[i] - [j]; C[i] = reduce(+, [j], Y[i,j]); ."""
IN_TURN = """setSpaceTimeMap(prog, "halves", "X", "(i,j -> 0,i,j,0)");
setSpaceTimeMap(prog, "halves", "B", "(i,j -> 0,i,j,1)");
setSpaceTimeMap(prog, "halves", "Y", "(i,j -> 1,i,j,0)"); setSpaceTimeMap(prog, "halves", "C", "(i,j -> 1,i,j,1)");
setOrderingDimensions(prog, "halves", "0,3"); setMemoryMap(prog, "halves", "X, Y", "(i,j -> 0)");
setPrivateMemory(prog, "halves", "X, Y", 3);"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "commands",
    [
        'setParallel(prog, "halves", "0", "0,1"); setParallel(prog, "halves", "1", "0");',
        'setVectorDimension(prog, "halves", "0", "1"); setReductionDimension(prog, "halves", "1", "1");',
    ],
)
def test_private_memory_inside_of_sums_and_vectors(tmp_path: Path, commands: str) -> None:
    """The loop over the sum is no innermost loop of instances: its result stays in memory."""
    these = executables(proved(tmp_path, SUMS, IN_TURN + commands), "halves", where=Where.APART)
    assert agree(these, {"N": 9}, (2,), 1).findings == ()


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        (DATES.replace("i,j -> j", "i,j -> i+j"), "no constant number of cells"),
        (DATES + 'setTiling(prog, "halves", 0, 4); setTiling(prog, "halves", 1, 4);', "cut the iterations"),
    ],
)
def test_private_memory_that_no_target_has_is_refused(tmp_path: Path, commands: str, message: str) -> None:
    with pytest.raises((Rejected, AssertionError), match=message):
        scheduled_c(proved(tmp_path, HALVES, commands), "halves")


LARGE = """affine large {N | N>1} input double A {i | 0<=i<N}; double D {j | 0<=j<4000};
output double B {i,j | 0<=i<N && 0<=j<4000};
local double X {i,j | 0<=i<N && 0<=j<%s}; let X[i,j] = A[i] * [j]; B[i,j] = X[i,0] + D[j]; ."""
PACKED = """setSpaceTimeMap(prog, "large", "X", "(i,j -> i,0,j)");
setSpaceTimeMap(prog, "large", "B", "(i,j -> i,1,j)"); setOrderingDimensions(prog, "large", 1);
setMemoryMap(prog, "large", "X", "(i,j -> j)");
setPrivateMemory(prog, "large", "X", 1); setBlockDimensions(prog, "large", "", 0, "x");
setThreadDimensions(prog, "large", "", 2, "x=32"); setTiling(prog, "large", 2, 4000);
setPacking(prog, "large", "B", "D");"""


def test_packed_and_private_values_share_the_memory_of_a_block(tmp_path: Path) -> None:
    fits = scheduled_c(proved(tmp_path, LARGE % 2144, PACKED), "large", target=CUDA_TARGET).files["large.cu"]
    assert "__shared__ double X[2144];" in fits
    assert "__shared__ double packed_D[4000];" in fits
    with pytest.raises(Rejected, match="take 49,160 bytes of shared memory, and there are 49,152") as caught:
        scheduled_c(proved(tmp_path, LARGE % 2145, PACKED), "large", target=CUDA_TARGET)
    (finding,) = caught.value.diagnostics
    assert finding.notes == ("in bytes: packed_D 32,000, X 17,160",)
    assert finding.primary.span.text.startswith("setPacking")
    assert finding.secondary[0].span.text == "(i,j -> j)"


LAST = """affine last {N | N>6} input int A {i | 0<=i<N}; output int B {i | 0<=i<N}; local int X {i | 0<=i<=5};
let X[i] = A[i] * 3; B[i] = case {| i==5}: X[5]; {| i!=5}: A[i]; esac; ."""
OF_LAST = """setSpaceTimeMap(prog, "last", "X", "(i -> i,0,0)"); setSpaceTimeMap(prog, "last", "B", "(i -> 5,i,1)");
setMemoryMap(prog, "last", "X", "(i -> 0)"); setPrivateMemory(prog, "last", "X", 1);"""


def test_an_iteration_whose_statements_have_separate_loops_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Rejected, match="read and written in separate loops"):
        scheduled_c(proved(tmp_path, LAST, OF_LAST), "last")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["gpu/jacobi/jacobi-1d.cs", pytest.param("gpu/jacobi/jacobi-2d.cs", marks=pytest.mark.long)]
)
def test_blocks_recompute_values_of_their_neighbours(name: str) -> None:
    verified, system = sample(name), Path(name).stem
    these = executables(verified, system, target=CUDA_TARGET, where=Where.APART)
    for sizes in ({"N": 3, "T": 0}, {"N": 40, "T": 19}):
        assert agree(these, sizes, (2,), 1).findings == ()


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["gpu/jacobi/jacobi-1d.cs", "overlapped-tiles/jacobi-1d.cs", "overlapped-tiles/jacobi-2d.cs"]
)
def test_the_texts_of_overlapped_tiles_are_proved(name: str) -> None:
    verified, system = sample(name), Path(name).stem
    assert prove_generated(scheduled_c(verified, system), verified.design.checked, system, jobs=1).verdict.is_proved


SWEEP = """affine sweep {N,T | N>=3 && T>=0} input int A {i,j | 0<=(i,j)<N}; output int B {i,j | 0<=(i,j)<N};
local int X {t,i,j | 0<=t<=T && 0<=(i,j)<N};
let X[t,i,j] = case {| t==0}: A[i,j]; {| t>0 && 0<i<N-1 && 0<j<N-1}: X[t-1,i,j+1] - X[t-1,i+1,j+1];
    {| t>0 && i==0} || {| t>0 && i==N-1} || {| t>0 && 0<i<N-1 && j==0} || {| t>0 && 0<i<N-1 && j==N-1}: X[t-1,i,j];
esac; B[i,j] = X[T,i,j]; ."""


@pytest.mark.slow
def test_a_barrier_in_a_branch_serves_what_follows(tmp_path: Path) -> None:
    """The last group stores X from values that a barrier before or inside of the branch of more steps orders."""
    commands = """setSpaceTimeMap(prog, "sweep", "X", "(t,i,j -> 0,t,0,i,j)");
setSpaceTimeMap(prog, "sweep", "B", "(i,j -> 1,0,0,i,j)"); setOrderingDimensions(prog, "sweep", "0");
setOverlap(prog, "sweep", "0", "X", 0, 3, "3,2");
setBlockDimensions(prog, "sweep", "0", "1,2", "y,x"); setThreadDimensions(prog, "sweep", "0", "5,6", "y=4,x=8");"""
    text = scheduled_c(proved(tmp_path, SWEEP, commands), "sweep", target=CUDA_TARGET).files["sweep.cu"]
    assert text.count("__syncthreads();") == 2
