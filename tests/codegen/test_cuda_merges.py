"""Reductions over the blocks of a GPU: partial results, and a second kernel that merges them."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.pipeline import Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c, tree_text
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.differential_run import Where, agree, executables
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.legality.verdicts import Verified
from alphaz.run.cuda.execution import CompiledCall, CudaArgument, CudaCall, compile_call
from alphaz.run.cuda.findings import CudaFault
from alphaz.run.files import write_sources
from tests.codegen.generated_kernels import ROOT, proved
from tools.fuzz_cuda import compiled_by_nvcc

SUMS = """affine f {N | N>=0} input double x {i | 0<=i<N}; output double s, q;
let s[] = reduce(+, [i], {| 0<=i<N}: x[i]); q[] = reduce(+, [i], {| 0<=i<N}: x[i] * x[i]); .
"""
OVER = 'setReductionOver(prog, "f", "", 0, "partials");'
DATES = 'setSpaceTimeMap(prog, "f", "s", "(i->i)"); setSpaceTimeMap(prog, "f", "q", "(i->i)");' + OVER

ATOMIC = DATES.replace("partials", "atomic")
SHUFFLES = DATES.replace("partials", "shuffles")
LAST = DATES.replace("partials", "last-block").replace('setSpaceTimeMap(prog, "f", "q", "(i->i)");', "")
SUM = "affine f {N | N>=0} input double x {i | 0<=i<N}; output double s; let s[] = reduce(+, [i], {| 0<=i<N}: x[i]); ."

# Each operator in its own type: reductions of different types in one pass.
OPERATORS = """//@ identity fmin = INFINITY
double fmin(double, double);
affine f {N | N>=0} input float x {i | 0<=i<N}; int m {i | 0<=i<N}; double z {i | 0<=i<N};
output float s; int g, p; double h;
let s[] = reduce(+, [i], {| 0<=i<N}: x[i]); g[] = reduce(max, [i], {| 0<=i<N}: m[i]);
p[] = reduce(*, [i], {| 0<=i<N}: m[i]); h[] = reduce(fmin, [i], {| 0<=i<N}: z[i]); .
"""
ALL = "".join(f'setSpaceTimeMap(prog, "f", "{name}", "(i->i)");' for name in "sgph") + OVER


def _sources(verified: Verified) -> Sources:
    (system,) = verified.mappings
    return scheduled_c(verified, system, target=CUDA_TARGET)


def _text(sources: Sources) -> str:
    return next(text for name, text in sources.files.items() if name.endswith(".cu"))


def _call(source: Source) -> tuple[CompiledCall, dict[str, np.ndarray]]:
    """A text of `SUMS` that is compiled, and its arrays."""
    arguments = [CudaArgument("N"), CudaArgument("x", "<f8", True)]
    arguments += [CudaArgument(name, "<f8", False, True) for name in "sq"]
    call = compile_call(CudaCall(source, "f_status", arguments, "N"))
    return call, {"x": np.arange(300.0), "s": np.zeros(()), "q": np.zeros(())}


def _agree(verified: Verified, **parameters: int) -> None:
    (system,) = verified.mappings
    these = executables(verified, system, target=CUDA_TARGET, where=Where.APART)
    found = agree(these, parameters, (2,), 1)
    assert found.findings == ()
    assert found.executions[-1].outputs is not None


@pytest.mark.long
def test_several_reductions_are_one_pass_and_proved(tmp_path: Path) -> None:
    verified = proved(tmp_path, SUMS, DATES)
    tree = tree_text(verified, "f", Pipeline(), target=CUDA_TARGET)
    assert "by ((N + 255) / 256) blocks of 256 threads:" in tree
    sources = _sources(verified)
    assert _text(sources).count("<<<1, 256, 0, stream>>>") == 1
    found = prove_generated(sources, verified.design.checked, "f", jobs=1)
    assert found.verdict.is_proved, found.verdict.findings


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 600])
def test_blocks_add_atomically(tmp_path: Path, size: int) -> None:
    _agree(proved(tmp_path, SUMS, ATOMIC), N=size)


@pytest.mark.slow
def test_atomic_sums_are_proved(tmp_path: Path) -> None:
    verified = proved(tmp_path, SUMS, ATOMIC)
    sources = _sources(verified)
    assert "atomicAdd(sum_q_of_blocks, sum_q_of_threads[0]);" in _text(sources)
    assert prove_generated(sources, verified.design.checked, "f", jobs=1).verdict.is_proved


@pytest.mark.long
def test_lanes_exchange_the_ends_of_trees(tmp_path: Path) -> None:
    _agree(proved(tmp_path, SUMS, SHUFFLES), N=600)


@pytest.mark.long
def test_sums_by_shuffles_are_proved(tmp_path: Path) -> None:
    verified = proved(tmp_path, SUM, SHUFFLES.replace('setSpaceTimeMap(prog, "f", "q", "(i->i)");', ""))
    assert prove_generated(_sources(verified), verified.design.checked, "f", jobs=1).verdict.is_proved


@pytest.mark.long
def test_the_last_block_merges(tmp_path: Path) -> None:
    verified = proved(tmp_path, SUM, LAST)
    sources = _sources(verified)
    assert _text(sources).count("__global__") == 3
    assert prove_generated(sources, verified.design.checked, "f", jobs=1).verdict.is_proved


@pytest.mark.long
@pytest.mark.parametrize("size", [0, 1, 600])
def test_sums_of_the_last_block_agree(tmp_path: Path, size: int) -> None:
    _agree(proved(tmp_path, SUM, LAST), N=size)


@pytest.mark.long
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("        __threadfence();\n", ""),
        ("gridDim.x - 1", "gridDim.x"),
        ("    __syncthreads();\n    if (is_last)", "    if (is_last)"),
        ("__shared__ int is_last", "int is_last"),
    ],
)
def test_wrong_last_blocks_are_found(tmp_path: Path, right: str, wrong: str) -> None:
    verified = proved(tmp_path, SUM, LAST)
    sources = _sources(verified)
    assert right in _text(sources)
    files = {name: text.replace(right, wrong) for name, text in sources.files.items()}
    try:
        found = prove_generated(replace(sources, files=files), verified.design.checked, "f", jobs=1)
    except Rejected:
        return  # refuted, by an execution
    assert not found.verdict.is_proved


def test_types_without_shuffles_are_merged_in_shared_memory(tmp_path: Path) -> None:
    program = SUMS.replace("double", "short")
    assert "__shfl" not in _text(_sources(proved(tmp_path, program, SHUFFLES)))


@pytest.mark.slow
def test_wrong_shuffles_are_found(tmp_path: Path) -> None:
    sources = _sources(proved(tmp_path, SUMS, SHUFFLES))
    write_sources(sources, tmp_path)
    right = _text(sources)
    assert right.count("(0xffffffff, ") == 4
    source = Source(str(tmp_path / "f.cu"), right.replace("(0xffffffff, sum_q", "(0xffff, sum_q"))
    call, arrays = _call(source)
    faults = {finding.fault for finding in call.run({"N": 300}, arrays, 1).findings}
    assert CudaFault.MISSING_LANES in faults or CudaFault.INACTIVE_LANE in faults
    lines = [at for at, line in enumerate(right.splitlines(), 1) if "__syncthreads" in line]
    for line in lines:
        faults = {finding.fault for finding in call.run({"N": 300}, arrays, 1, without=[line]).findings}
        assert CudaFault.RACE_IN_BLOCK in faults


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("*sum_q_of_blocks = sum_q;", "", CudaFault.UNWRITTEN),
        ("atomicAdd(sum_q_of_blocks, sum_q_of_threads[0]);", "*sum_q_of_blocks += sum_q_of_threads[0];",
         CudaFault.RACE_OF_BLOCKS),
    ],
)  # fmt: skip
def test_wrong_atomic_sums_are_found(tmp_path: Path, right: str, wrong: str, fault: CudaFault) -> None:
    sources = _sources(proved(tmp_path, SUMS, ATOMIC))
    write_sources(sources, tmp_path)
    assert right in _text(sources)
    call, arrays = _call(Source(str(tmp_path / "f.cu"), _text(sources).replace(right, wrong)))
    assert fault in {finding.fault for finding in call.run({"N": 300}, arrays, 1).findings}


@pytest.mark.parametrize("program", [OPERATORS, SUMS.replace("double", "long")])
def test_blocks_add_only_sums_of_some_types_atomically(tmp_path: Path, program: str) -> None:
    dates = ALL if program == OPERATORS else DATES
    with pytest.raises(Rejected, match="only sums of floats"):
        _sources(proved(tmp_path, program, dates.replace("partials", "atomic")))


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 257])
def test_operators_and_types(tmp_path: Path, size: int) -> None:
    _agree(proved(tmp_path, OPERATORS, ALL), N=size)


PRODUCTS = """affine f {N | N>=1} input double x {i,j | 0<=i<N && 0<=j<N}; output double s; local double y {i | 0<=i<N};
let y[i] = reduce(*, [j], {| 0<=j<N}: x[i,j]); s[] = reduce(*, [i], {| 0<=i<N}: y[i]); .
"""
OF_PRODUCTS = """setSpaceTimeMap(prog, "f", "y", "(i,j->0,i,j)"); setSpaceTimeMap(prog, "f", "s", "(i->1,i,0)");
setOrderingDimensions(prog, "f", "0"); setReductionOver(prog, "f", "1", 0, "partials");
setBlockDimensions(prog, "f", "0", "0", "x"); setThreadDimensions(prog, "f", "0", "0", "x=64");
"""


@pytest.mark.slow
@pytest.mark.long
def test_merged_products_of_products_are_proved(tmp_path: Path) -> None:
    """The accumulator of a thread is a product with one factor, which is a product itself."""
    verified = proved(tmp_path, PRODUCTS, OF_PRODUCTS)
    assert prove_generated(_sources(verified), verified.design.checked, "f", jobs=1).verdict.is_proved


ALIGNMENT = """setSpaceTimeMap(prog, "smith_waterman", "H", "(i,j->0,i,j)");
setSpaceTimeMap(prog, "smith_waterman", "best", "(i,j->1,i,j)");
setSpaceTimeMap(prog, "smith_waterman", "score", "(i->2,i,0)");
setOrderingDimensions(prog, "smith_waterman", "0"); setDimensionType(prog, "smith_waterman", "best", 1, "P");
setBlockDimensions(prog, "smith_waterman", "1", "0", "x");
setThreadDimensions(prog, "smith_waterman", "1", "0", "x=64");
setBandForTiling(prog, "smith_waterman", "tiles", 1, "1", 0, 1, "64,32");
setPacking(prog, "smith_waterman", "best", "H"); setReductionOver(prog, "smith_waterman", "2", 0, "partials");
"""


@pytest.mark.long
def test_a_merged_reduction_of_reductions_in_packed_tiles_is_proved(tmp_path: Path) -> None:
    """For N = 1 the first term is the whole reduction: claims are of all sizes of the runs."""
    program = (ROOT / "samples/kernels/smith-waterman/smith-waterman.ab").read_text()
    verified = proved(tmp_path, program, ALIGNMENT)
    assert prove_generated(_sources(verified), verified.design.checked, "smith_waterman", jobs=1).verdict.is_proved


@pytest.mark.slow
def test_blocks_share_tiles(tmp_path: Path) -> None:
    verified = proved(tmp_path, SUMS, DATES + 'setTiling(prog, "f", 0, 600);')
    tree = tree_text(verified, "f", Pipeline(), target=CUDA_TARGET)
    assert "by ((N + 599) / 600) blocks of 256 threads:" in tree
    assert "256 threads along x" in tree
    _agree(verified, N=1300)


@pytest.mark.slow
def test_each_barrier_is_needed(tmp_path: Path) -> None:
    sources = _sources(proved(tmp_path, SUMS, DATES))
    write_sources(sources, tmp_path)
    source = Source(str(tmp_path / "f.cu"), _text(sources))
    call, arrays = _call(source)
    done = call.run({"N": 300}, arrays, 1)
    assert done.findings == ()
    assert [done.outputs[name].item() for name in "sq"] == [44850, 8955050]
    lines = [at for at, line in enumerate(source.text.splitlines(), 1) if "__syncthreads" in line]
    assert len(lines) == 4
    for line in lines:
        faults = {finding.fault for finding in call.run({"N": 300}, arrays, 1, without=[line]).findings}
        assert CudaFault.RACE_IN_BLOCK in faults


ROWS = """affine f {M,N | M>=1 && N>=1} input double A {i,k | 0<=i<M && 0<=k<N}; output double s {i | 0<=i<M};
let s[i] = reduce(+, [k], {| 0<=k<N}: A[i,k]); .
"""


@pytest.mark.slow
def test_results_one_after_the_other_are_launches(tmp_path: Path) -> None:
    rows = 'setSpaceTimeMap(prog, "f", "s", "(i,k->i,k)"); setReductionOver(prog, "f", "", 1);'
    _agree(proved(tmp_path, ROWS, rows), M=3, N=300)


def test_several_results_in_one_loop_are_refused(tmp_path: Path) -> None:
    columns = 'setSpaceTimeMap(prog, "f", "s", "(i,k->k,i)");' + OVER
    with pytest.raises(Rejected, match="several results"):
        _sources(proved(tmp_path, ROWS, columns))


def test_other_targets_have_reduction_dimensions(tmp_path: Path) -> None:
    assert "reduction(+:" in scheduled_c(proved(tmp_path, SUMS, DATES), "f").files["f.c"]


@pytest.mark.slow
def test_nvcc_compiles_it_for_two_architectures(tmp_path: Path) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    assert compiled_by_nvcc(_sources(proved(tmp_path, OPERATORS, ALL))) == ""
