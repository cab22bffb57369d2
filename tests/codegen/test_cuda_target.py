"""The target `cuda`: kernels, roles of loops, barriers, host functions; proved, and executed without a GPU."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.pipeline import ALL, PLAIN, Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c, tree_text
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.differential_run import Where, agree, executables
from alphaz.equivalence.driver.generated_code import prove_generated, prove_stage_a
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.legality.verdicts import Verified
from alphaz.run.cuda.execution import CudaArgument, CudaCall, compile_call
from alphaz.run.cuda.findings import CudaFault
from alphaz.run.files import write_sources
from alphaz.scripting.interpreter.run import run_script
from tests.cli.command_line import ask
from tests.codegen.generated_kernels import proved
from tests.thinning import thinned
from tools.fuzz_cuda import CudaCase, batch_outcomes, compiled_by_nvcc, outcome_of, prepare, random_cases

PRODUCT = """affine mm {N,M,K | N>=1 && M>=1 && K>=1}
input double A {i,k | 0<=i<N && 0<=k<K}; double B {k,j | 0<=k<K && 0<=j<M}; double alpha;
output double C {i,j | 0<=i<N && 0<=j<M};
local double S {i,j | 0<=i<N && 0<=j<M};
let S[i,j] = reduce(+, [k], {| 0<=k<K}: A[i,k] * B[k,j]); C[i,j] = alpha * S[i,j]; .
"""
DATES = """setSpaceTimeMap(prog, "mm", "S", "(i,j,k->i,j,k)", "(i,j->i,j,-1)");
setSpaceTimeMap(prog, "mm", "C", "(i,j->i,j,K)"); setMemoryMap(prog, "mm", "S", "C", "(i,j->i,j)");
"""
SHARED = """setBlockDimensions(prog, "mm", "", "0,1", "y,x"); setThreadDimensions(prog, "mm", "", "0,1", "y=4,x=8");
"""
TILES = 'setTiling(prog, "mm", 0, 8); setTiling(prog, "mm", 1, 8); setTiling(prog, "mm", 2, 4);'

# A row for each block, whose threads exchange values in each step.
ROWS = """affine rows {R,T,N | R>=1 && T>=1 && N>=3}
input double a {r,i | 0<=r<R && 0<=i<N}; output double b {r,i | 0<=r<R && 0<=i<N};
local double x {r,t,i | 0<=r<R && 0<=t<=T && 0<=i<N};
let x[r,t,i] = case {| t==0}: a[r,i]; {| t>0 && 0<i<N-1}: x[r,t-1,i-1] + x[r,t-1,i+1];
  {| t>0 && i==0}: x[r,t-1,i]; {| t>0 && i==N-1}: x[r,t-1,i]; esac;
b[r,i] = x[r,T,i]; .
"""
STEPS = """setSpaceTimeMap(prog, "rows", "x", "(r,t,i->r,t,i)"); setSpaceTimeMap(prog, "rows", "b", "(r,i->r,T+1,i)");
"""
BARRIERS = 'setBlockDimensions(prog, "rows", "", 0, "x"); setThreadDimensions(prog, "rows", "", 2, "x=4");'

MIRROR = """affine mirror {N | N>=1} input double L {i,j | 0<=j<=i<N}; output double b {i,j | 0<=i<N && 0<=j<N};
let b[i,j] = case {| j<=i}: L[i,j]; {| j>i}: L[j,i]; esac; .
"""


def _sources(verified: Verified, pipeline: Pipeline = ALL) -> Sources:
    (system,) = verified.mappings
    return scheduled_c(verified, system, target=CUDA_TARGET, pipeline=pipeline)


def _text(sources: Sources) -> str:
    return next(text for name, text in sources.files.items() if name.endswith(".cu"))


def _agree(verified: Verified, **parameters: int) -> None:
    (system,) = verified.mappings
    these = executables(verified, system, target=CUDA_TARGET, where=Where.APART)
    found = agree(these, parameters, (2,), 1)
    assert found.findings == ()
    assert found.executions[-1].title == "CUDA without a GPU with 2 orders"
    assert found.executions[-1].outputs is not None


def test_parallel_dimensions_are_a_kernel(tmp_path: Path) -> None:
    verified = proved(tmp_path, PRODUCT, DATES + 'setParallel(prog, "mm", "", "0,1");')
    text = _text(_sources(verified))
    assert text.count("__global__") == 1
    assert "const int64_t j = (int64_t)blockIdx.x * 32 + threadIdx.x;" in text
    launch = "mm_kernel<<<dim3((M + 31) / 32, min64((N + 7) / 8, 65535)), dim3(32, 8), 0, stream>>>("
    assert launch in " ".join(text.split())
    assert "double alpha" in text
    assert "i += (int64_t)gridDim.y * 8" in text
    assert "> 65535" not in text
    assert "__syncthreads" not in text


def test_the_text_is_proved_before_it_is_written(tmp_path: Path) -> None:
    verified = proved(tmp_path, PRODUCT, DATES + SHARED)
    found = prove_generated(_sources(verified), verified.design.checked, "mm", jobs=1)
    assert found.verdict.is_proved, found.verdict.findings
    assert "This text is proved to compute the equations" in _text(found.sources)


@pytest.mark.slow
@pytest.mark.parametrize("commands", [SHARED + TILES, ""])
def test_values_are_those_of_the_interpreter(tmp_path: Path, commands: str) -> None:
    verified = proved(tmp_path, PRODUCT, DATES + commands)
    _agree(verified, N=9, M=33, K=4)


def test_threads_share_the_points_of_tiles(tmp_path: Path) -> None:
    verified = proved(tmp_path, PRODUCT, DATES + SHARED + TILES)
    tree = tree_text(verified, "mm", Pipeline(), target=CUDA_TARGET)
    assert "launch of ((M + 7) / 8) x ((N + 7) / 8) blocks of 8 x 4 threads:" in tree
    assert "for i = ti; i < min(N, ti + 8)  [4 threads along y]:" in tree
    assert "barrier" not in tree
    assert "for (int64_t i = ti + (int64_t)threadIdx.y; i < min64(N, ti + 8); i += 4) {" in _text(_sources(verified))


@pytest.mark.slow
def test_blocks_share_one_loop_of_statements_in_parts_of_rows(tmp_path: Path) -> None:
    commands = """setSpaceTimeMap(prog, "mirror", "b", "(i,j->i,j)");
    setBlockDimensions(prog, "mirror", "", "0,1", "y,x"); setThreadDimensions(prog, "mirror", "", "0,1", "y=2,x=4");"""
    verified = proved(tmp_path, MIRROR, commands)
    tree = tree_text(verified, "mirror", Pipeline(), target=CUDA_TARGET)
    assert "launch of ((N + 3) / 4) x ((N + 1) / 2) blocks of 4 x 2 threads:" in tree
    assert tree.count("for ") == 2
    found = prove_generated(_sources(verified), verified.design.checked, "mirror", jobs=1)
    assert found.verdict.is_proved, found.verdict.findings
    _agree(verified, N=7)


# --- barriers ---------------------------------------------------------------------------------------------------------


def test_barriers_are_where_threads_meet(tmp_path: Path) -> None:
    """Steps follow each other; the parts of a step are apart."""
    verified = proved(tmp_path, ROWS, STEPS + BARRIERS)
    tree = tree_text(verified, "rows", Pipeline(), target=CUDA_TARGET)
    assert tree.count("barrier of the block") == 2
    assert tree.splitlines()[5].strip() == "barrier of the block"
    _agree(verified, R=2, T=3, N=7)


@pytest.mark.slow
def test_each_barrier_is_needed(tmp_path: Path) -> None:
    verified = proved(tmp_path, ROWS, STEPS + BARRIERS)
    sources = _sources(verified)
    assert prove_generated(sources, verified.design.checked, "rows", jobs=1).verdict.is_proved
    write_sources(sources, tmp_path)
    source = Source(str(tmp_path / "rows.cu"), _text(sources))
    arguments = [*map(CudaArgument, "RTN"), CudaArgument("a", "<f8", True), CudaArgument("b", "<f8", False, True)]
    call = compile_call(CudaCall(source, "rows_status", arguments, "RTN"))
    arrays = {"a": np.ones((2, 9)), "b": np.zeros((2, 9))}
    sizes = {"R": 2, "T": 3, "N": 9}
    assert call.run(sizes, arrays, 1).findings == ()
    lines = [at for at, line in enumerate(source.text.splitlines(), 1) if "__syncthreads" in line]
    assert len(lines) == 2
    for line in lines:
        faults = {finding.fault for finding in call.run(sizes, arrays, 1, without=[line]).findings}
        assert CudaFault.RACE_IN_BLOCK in faults


def test_barriers_in_shared_loops_are_refused(tmp_path: Path) -> None:
    """The iterations of a block along x are shared by threads, some of which have none."""
    commands = 'setBlockDimensions(prog, "rows", "", 0, "x"); setThreadDimensions(prog, "rows", "", "0,2", "x=4,y=4");'
    verified = proved(tmp_path, ROWS, STEPS + commands)
    with pytest.raises(Rejected, match="wait for each other") as caught:
        _sources(verified)
    (finding,) = caught.value.diagnostics
    assert finding.rule.code == "AZ407"
    assert "setBlockDimensions" in finding.primary.span.text


# --- limits of grids --------------------------------------------------------------------------------------------------

CUBE = """affine cube {N,M,K | N>=1 && M>=1 && K>=1} input double A {i,j,k | 0<=i<N && 0<=j<M && 0<=k<K};
output double B {i,j,k | 0<=i<N && 0<=j<M && 1<=k<=K}; let B[i,j,k] = 2.0 * A[i,j,k-1]; .
"""
PARALLEL = 'setSpaceTimeMap(prog, "cube", "B", "(i,j,k->i,j,k)"); setParallel(prog, "cube", "", "0,1,2");'


@pytest.mark.slow
def test_blocks_go_on_where_a_grid_is_too_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alphaz.codegen.targets.cuda._MOST_BLOCKS", (2**32 - 1, 2, 2))
    verified = proved(tmp_path, CUBE, PARALLEL)
    assert "min64((M + 7) / 8, 2), min64(N, 2)" in _text(_sources(verified))
    _agree(verified, N=5, M=33, K=2)


def test_grids_of_any_size_are_proved(tmp_path: Path) -> None:
    verified = proved(tmp_path, CUBE, PARALLEL)
    verdict = prove_generated(_sources(verified), verified.design.checked, "cube", jobs=1).verdict
    assert verdict.is_proved
    assert not any("65,535" in one for one in verdict.assumed)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("gridDim.z", "gridDim.y"),
        ("gridDim.y * 8", "gridDim.y * 9"),
        ("j < M; j += (int64_t)gridDim.y * 8", "j < M; j += M"),
        ("j < M; j +=", "j < M - 1; j +="),
    ],
)
def test_wrong_strides_are_not_proved(tmp_path: Path, right: str, wrong: str) -> None:
    verified = proved(tmp_path, CUBE, PARALLEL)
    text = _text(_sources(verified))
    assert right in text
    task = ProofTask(system="cube", function="cube_status", executes=False, jobs=1)
    assert not prove_c(verified.design.checked, Source("cube.cu", text.replace(right, wrong)), task).is_proved


def test_shared_memory_keeps_the_limit_of_a_grid(tmp_path: Path) -> None:
    packed = DATES + SHARED + TILES + 'setPacking(prog, "mm", "S", "A, B");'
    assert "if ((N + 7) / 8 > 65535) {" in _text(_sources(proved(tmp_path, PRODUCT, packed)))


# --- roles ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ('setBlockDimensions(prog, "mm", "", "0,1", "x");', "2 dimensions, and 1 axes"),
        ('setBlockDimensions(prog, "mm", "", "0,1", "x,x");', "two dimensions are shared by blocks along x"),
        ('setBlockDimensions(prog, "mm", "", 0, "x=4");', "a number of threads for blocks along x"),
        ('setThreadDimensions(prog, "mm", "", "0,1", "y=64,x=32");', "a block of 2,048 threads"),
        ('setThreadDimensions(prog, "mm", "", 0, "z=65");', "65 threads along z: 1 to 64 are allowed"),
        ('setThreadDimensions(prog, "mm", "", 0, "x=0x1");', "axes"),
        ('setTarget(prog, "mm", "cuda", "sm90");', "an architecture"),
        ('setTarget(prog, "mm", "openmp", "sm_90");', "has no architectures"),
    ],
)
def test_wrong_roles_are_findings(tmp_path: Path, commands: str, message: str) -> None:
    (tmp_path / "program.ab").write_text(PRODUCT)
    text = f'prog = ReadAlphabets("program.ab");\n{DATES}{commands}\nVerifyTargetMapping(prog, "mm", "MIN");\n'
    session = run_script(Source("script.cs", text), tmp_path)
    found = [*session.findings, *(f for verdict in session.design_verdicts for f in verdict.first.findings)]
    assert any(message in finding.message for finding in found), [finding.message for finding in found]


def test_threads_that_depend_on_each_other_are_refuted_with_a_witness(tmp_path: Path) -> None:
    (tmp_path / "program.ab").write_text(ROWS)
    commands = 'setBlockDimensions(prog, "rows", "", "0,1", "y,x");'
    text = f'prog = ReadAlphabets("program.ab");\n{STEPS}{commands}\nVerifyTargetMapping(prog, "rows", "MIN");\n'
    session = run_script(Source("script.cs", text), tmp_path)
    findings = session.design_verdicts[0].first.findings
    assert {finding.rule.code for finding in findings} >= {"AZ502"}
    assert all(finding.witness is not None for finding in findings)


def test_other_targets_take_roles_as_parallel_dimensions(tmp_path: Path) -> None:
    verified = proved(tmp_path, PRODUCT, DATES + SHARED)
    assert "#pragma omp parallel for" in scheduled_c(verified, "mm").files["mm.c"]


# --- kernels of one thread, launches in loops, failures ---------------------------------------------------------------

SUMS = """affine sums {N | N>=0}
input int a, d {i | 0<=i<=N}; output int b {i,j | 0<=j<=i<=N}; int last;
let b[i,j] = case {| j==0}: a[i] / d[i]; {| j>0}: b[i,j-1] + 1; esac; last[] = b[N,N]; .
"""
COLUMNS = """setSpaceTimeMap(prog, "sums", "b", "(i,j->j,i)"); setSpaceTimeMap(prog, "sums", "last", "(->N+1,0)");
setParallel(prog, "sums", "", 1);
"""


_OWN_STREAM = """#include <cuda_runtime.h>
static cudaStream_t own() { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); return s; }
"""


@pytest.mark.slow
def test_launches_in_a_loop_keep_what_is_not_written(tmp_path: Path) -> None:
    """Elements of the caller's triangle that have no value stay; a failed division is reported. The stream does not
    wait for the default one."""
    verified = proved(tmp_path, SUMS, COLUMNS)
    sources = _sources(verified)
    write_sources(sources, tmp_path)
    before, _, behind = _text(sources).rpartition(", 0);")
    assert "sums_device_status" in before[-200:]
    source = Source(str(tmp_path / "sums.cu"), f"{_OWN_STREAM}{before}, own());{behind}")
    arguments = [CudaArgument("N"), CudaArgument("a", "<i4", True), CudaArgument("d", "<i4", True)]
    arguments += [CudaArgument("b", "<i4", True, True), CudaArgument("last", "<i4", False, True)]
    arguments.append(CudaArgument("status ", "<i4", is_output=True, is_result=True))
    call = compile_call(CudaCall(source, "sums_status", arguments, ["N"]))
    arrays = {
        "a": np.arange(4) * 7,
        "d": np.full(4, 2),
        "b": np.full((4, 4), 99),
        "last": np.zeros(()),
        "status ": np.zeros(1),
    }
    done = call.run({"N": 3}, arrays, 1)
    assert (done.findings, done.outputs["status "].tolist()) == ((), [0])
    whole = np.arange(4)[:, None] * 7 // 2 + np.arange(4)
    np.testing.assert_array_equal(done.outputs["b"], np.where(np.tri(4, dtype=bool), whole, 99))
    assert done.outputs["last"] == whole[3, 3]
    failed = call.run({"N": 3}, {**arrays, "d": np.array([1, 0, 1, 0])}, 1)
    assert (failed.findings, failed.outputs["status "].tolist()) == ((), [5])


def test_calls_and_functions_of_users_are_refused(tmp_path: Path) -> None:
    program = "double f(double);\n" + PRODUCT.replace("alpha * S", "f(alpha) * S")
    verified = proved(tmp_path, program, DATES)
    with pytest.raises(Rejected, match="the external function `f`"):
        _sources(verified)
    known = proved(tmp_path, program.replace("f(", "sqrt("), DATES)
    assert "sqrt(alpha)" in _text(_sources(known))


def test_partial_results_in_arrays_are_refused(tmp_path: Path) -> None:
    """Threads do not share loops in which contributions are collected."""
    program = """affine f {N,K,M | N>=1 && K>=1 && M>=1} input double A {b,k,i | 0<=b<N && 0<=k<K && 0<=i<M};
output double s {b,i | 0<=b<N && 0<=i<M}; let s[b,i] = reduce(+, [k], {| 0<=k<K}: A[b,k,i]); ."""
    commands = """setSpaceTimeMap(prog, "f", "s", "(b,i,k->b,k,i)", "(b,i->b,-1,i)");
setReductionDimension(prog, "f", "", 1); setBlockDimensions(prog, "f", "", 0, "x");
setThreadDimensions(prog, "f", "", 2, "x=4");"""
    with pytest.raises(Rejected, match="partial results in arrays"):
        _sources(proved(tmp_path, program, commands))


@pytest.mark.parametrize("name", thinned(["threadIdx", "stream", "result", "new", "cudaMalloc"], 3))
def test_names_of_the_program_do_not_meet_those_of_cuda(tmp_path: Path, name: str) -> None:
    verified = proved(tmp_path, PRODUCT.replace("alpha", name), DATES + SHARED)
    sources = _sources(verified)
    assert prove_stage_a(sources, verified.design.checked, "mm").verdict.is_proved


def test_plain_code_has_kernels(tmp_path: Path) -> None:
    verified = proved(tmp_path, PRODUCT, DATES + SHARED)
    assert "<<<" in _text(_sources(verified, PLAIN))


# --- commands, compilers ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "program.ab").write_text(ROWS)
    script = tmp_path / "script.cs"
    text = f"""prog = ReadAlphabets("program.ab");
{STEPS}{BARRIERS}
setTarget(prog, "rows", "cuda", "sm_90"); generateScheduledCode(prog, "rows"); generateWrapper(prog, "rows");
generateMakefile(prog, "rows");
"""
    script.write_text(text)
    done = ask("run", script, "-o", tmp_path / "out", "--no-prove")
    assert done.code == 0, done.out
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "rows.cu", "rows.h", "rows-wrapper.c", "alphaz.h", "Makefile",
    }  # fmt: skip
    make = (tmp_path / "out/Makefile").read_text()
    assert "NVCC ?= nvcc" in make
    assert "-arch=sm_90" in make
    tested = ask("test", script, "-p", "R=2,T=2,N=5", "--threads", "1,2")
    assert tested.code == 0, tested.out
    assert "CUDA without a GPU with 2 orders" in tested.out
    same = ask("test", script, "-p", "R=2,T=2,N=5", "--threads", "1", "--target", "sequential")
    assert same.code == 0, same.out
    measured = ask("bench", script, "-p", "R=2,T=2,N=5")
    assert (measured.code, "AZ407" in measured.out + measured.err) == (1, True)


@pytest.mark.slow
def test_nvcc_compiles_it_for_two_architectures(tmp_path: Path) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    verified = proved(tmp_path, SUMS, COLUMNS)
    assert compiled_by_nvcc(_sources(verified)) == ""


@pytest.mark.slow
@pytest.mark.long
def test_random_mappings() -> None:
    prepared = [prepare(case, seconds=None, compiles=False) for case in random_cases(1, 0, 7) if case is not None]
    together = dict(batch_outcomes(prepared))
    assert {one.word for one in together.values()} <= {"executed", "refused"}, together.values()
    executed = [case for case, outcome in together.items() if outcome.word == "executed"]
    assert executed
    assert outcome_of(executed[0]).word == "executed"


@pytest.mark.slow
def test_a_fault_is_found_among_texts_that_are_compiled_together(tmp_path: Path) -> None:
    sizes = {"N": 9, "M": 3, "K": 4}
    case = CudaCase("product", proved(tmp_path, PRODUCT, DATES + SHARED), "mm", (sizes,))
    right = prepare(case, seconds=None, compiles=False)
    assert right.text is not None
    sources = right.text.sources
    text = sources.files["mm.cu"].replace("alpha *", "2.0 * alpha *")
    assert text != sources.files["mm.cu"]
    changed = replace(right.text, sources=replace(sources, files={**sources.files, "mm.cu": text}))
    outcomes = [outcome for _, outcome in batch_outcomes([right, replace(right, text=changed)])]
    assert [outcome.word for outcome in outcomes] == ["executed", "wrong"]
    assert "alone: executed" in outcomes[1].details
