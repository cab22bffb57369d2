"""Right kernels in public styles give right values without findings; wrong ones, and right ones without a barrier, are
found at their line.
"""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.driver.sanitized_run import CArgument, RunRequest, run_sanitized
from alphaz.run.compiler import find_compiler
from alphaz.run.cuda.cpu_program import TOOLCHAIN, CudaProgram, compile_cuda
from alphaz.run.cuda.execution import (
    CudaArgument,
    CudaCall,
    CudaRunResult,
    compile_call,
    execute_text,
)  # fmt: skip
from alphaz.run.cuda.findings import CudaFault
from alphaz.run.cuda.ptx_instructions import ptx_call
from alphaz.run.library import NotCompiled
from tests.run.cuda.happens_before import READ, WARP_BARRIER, WRITE, Table, found_races, races, table
from tests.thinning import thinned

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
BARRIER = re.compile(r"\b(?:__syncthreads\w*|__syncwarp|__pipeline_wait_prior|sync|consumer_wait)\s*\(")
RIGHT = HERE / "right_kernels.cu"
WRONG = HERE / "wrong_kernels.cu"
# Kernels by the function of the text that has their barriers.
STYLES = (
    "product_tiled", "product_vectorised", "product_of_warps", "product_staged", "product_of_tensor_cores", "lu",
    "alignment", "path", "heat", "sum_of_tree", "sum_of_lanes", "sum_of_shuffles", "sum_of_groups", "scan_of_warp",
    "sum_by_last_block", "transposition", "streams", "bytes",
    "forms", "orders",
)  # fmt: skip
FAULTS = re.findall(r"([a-z_]+): ([A-Z_]+)\b", WRONG.read_text())
SEEDS = (0, 1, 2, 3, 4)


@pytest.fixture(autouse=True, scope="module")
def compiler() -> None:
    try:
        find_compiler(TOOLCHAIN)
    except Rejected:
        pytest.skip("no C++ compiler")


@cache
def program(path: Path) -> CudaProgram:
    return compile_cuda(Source(str(path), path.read_text()))


def line_of(mark: str, path: Path = WRONG) -> int:
    (number,) = (at for at, line in enumerate(path.read_text().splitlines(), 1) if mark in line)
    return number


@pytest.mark.parametrize("name", thinned(STYLES, 4))
def test_right_kernels_have_no_finding_in_any_order(name: str) -> None:
    for seed in SEEDS:
        ran = execute_text(program(RIGHT), seed, arguments=[name])
        assert (ran.printed, ran.findings, ran.failure) == ("right\n", (), "")


def owner(line: int) -> str:
    """The name under which the kernel around a line is executed."""
    before = "\n".join(RIGHT.read_text().splitlines()[:line])
    kernel = re.findall(r"__global__ void\s+(?:__launch_bounds__\(.*\)\s+)?(\w+)\(", before)[-1]
    if "namespace forms" in before:
        return "forms"
    if kernel == "gather":
        return "orders"
    names = {"align": "alignment", "transpose": "transposition"}
    return "lu" if kernel.startswith("lu_") else names.get(kernel, kernel)


def test_each_barrier_and_wait_of_right_kernels_is_needed() -> None:
    """One at a time is left out. The first barrier of the alignment orders nothing: in its first step only thread 0
    computes, from cells that it wrote itself.
    """
    texts = enumerate(program(RIGHT).source.text.splitlines(), 1)
    lines = [number for number, text in texts if BARRIER.search(text.partition("//")[0])]
    results = {line: execute_text(program(RIGHT), 1, without=[line], arguments=[owner(line)]) for line in lines}
    unneeded = [line for line, ran in results.items() if not ran.findings]
    assert len(lines) == 43
    assert unneeded == [line_of("temp[0][tx + 1] = items[index_n];", RIGHT) + 1]
    allowed = {CudaFault.RACE_IN_BLOCK, CudaFault.RACE_OF_BLOCKS, CudaFault.UNWRITTEN, CudaFault.PENDING}
    assert {finding.fault for ran in results.values() for finding in ran.findings} == allowed
    assert all(ran.printed == "right\n" for line, ran in results.items() if line in unneeded)


@pytest.mark.parametrize(("name", "fault"), thinned(FAULTS, 3))
def test_wrong_kernels_are_found_at_their_line(name: str, fault: str) -> None:
    ran = execute_text(program(WRONG), 2, arguments=[name])
    results = [finding for finding in ran.findings if finding.fault is CudaFault[fault]]
    line = line_of(f"{name}: {fault}")
    assert results, [str(finding) for finding in ran.findings]
    assert any(place.line == line for finding in results for place in finding.places), [str(f) for f in results]
    diagnostic = results[0].diagnostic(program(WRONG).source)
    assert diagnostic.rule.code == "AZ814"
    assert diagnostic.help


def test_a_finding_names_threads_cell_and_accesses() -> None:
    (finding, *_) = execute_text(program(WRONG), arguments=["behind_the_end"]).findings
    assert str(finding) == (
        "read of `x[400]` outside of global array `x`, which has 400 elements in kernel `shift`: "
        f"read by thread (15,0,0) of block (12,0,0), line {line_of('behind_the_end:')}"
    )
    races = execute_text(program(WRONG), arguments=["no_barrier"]).findings
    race = next(finding for finding in races if finding.fault is CudaFault.RACE_IN_BLOCK)
    assert re.fullmatch(r"t\[\d\]\[\d\]", race.cell)
    assert {place.what for place in race.places} == {"read", "write"}
    assert all(place.block is not None and place.thread is not None for place in race.places)


def test_a_program_that_dies_says_where() -> None:
    ran = execute_text(program(WRONG), arguments=["wild_pointer"])
    assert [finding.fault for finding in ran.findings] == [CudaFault.HOST_POINTER, CudaFault.DIED]
    assert ran.failure


def test_wrong_values_without_a_fault_are_no_finding() -> None:
    ran = execute_text(program(WRONG), arguments=["lost_tail"])
    assert (ran.printed, ran.findings) == ("wrong\n", ())


def test_the_same_seed_gives_the_same_execution() -> None:
    one, two, other = (execute_text(program(WRONG), seed, arguments=["no_barrier"]).findings for seed in (1, 1, 2))
    assert one == two
    assert one != other


SCALE = """#define TILE 8
template <typename T> __global__ void scale(int n, T factor, const T *x, T *y)
{
    int i = blockIdx.x * TILE + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
}
void doubled(long n, const double *x, double *y)
{
    double *d, *e;
    cudaMalloc(&d, n * sizeof(double));
    cudaMalloc(&e, n * sizeof(double));
    cudaMemcpy(d, x, n * sizeof(double), cudaMemcpyHostToDevice);
    scale<<<BLOCKS, TILE>>>(n, 2.0, d, e);
    cudaMemcpy(y, e, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d);
    cudaFree(e);
}
int main() { return 1; }
"""
X, Y = CudaArgument("x", "<f8", is_input=True), CudaArgument("y", "<f8", is_output=True)


def outcome(ran: CudaRunResult) -> tuple[list[CudaFault], list[float]]:
    return [finding.fault for finding in ran.findings], ran.outputs["y"].tolist()


def test_a_kernel_is_called_with_arrays() -> None:
    """The sizes of the grid may have names of the kernel, and macros."""
    arguments = (CudaArgument("N"), CudaArgument("a", "<f8", is_input=True, by_value=True), X, Y)
    source = Source("scale.cu", SCALE.replace("BLOCKS", "1"))
    compiled = compile_call(CudaCall(source, "scale<double>", arguments, ("N",), "(n + TILE - 1) / TILE", "TILE"))
    for size, values in ((1, 1), (8, 8), (9, 9), (9, 8)):
        arrays = {"x": np.arange(values, dtype="f8"), "y": np.zeros(values), "a": np.array(3.0)}
        # Of nine elements the array has eight: a read and a write are outside.
        faults = [CudaFault.OUTSIDE] * 2 if values < size else []
        assert outcome(compiled.run({"N": size}, arrays, 1)) == (faults, [3.0 * i for i in range(values)])


@pytest.mark.parametrize(
    ("statement", "call"),
    [
        (
            '"cp.async.ca.shared::cta.global.L2::128B [%0], [%1], %2;\\n" :: "r"(s), "l"(p + 1), "n"(8)',
            "__pipeline_memcpy_async((void *)(size_t)(s), (const void *)(size_t)(p + 1), (8), 0)",
        ),
        (
            '"cp.async.cg.shared.global " "[%0], [%1], 16, %2;" :: "r"(s), "l"(p), "r"(n)',
            "__pipeline_memcpy_async((void *)(size_t)(s), (const void *)(size_t)(p), 16, (16) - (size_t)(n))",
        ),
        ('"cp.async.wait_group %0;" :: "n"(N - 2)', "__pipeline_wait_prior((N - 2))"),
        ('"" ::: "memory"', None),
    ],
)
def test_instructions_of_ptx_are_calls(statement: str, call: str | None) -> None:
    assert ptx_call(statement) == call


DOUBLED = """affine doubled {N | N>=1}
input double x {i | 0<=i<N};
output double y {i | 0<=i<N};
let y[i] = 2.0 * x[i]; .
"""


@pytest.mark.parametrize(
    ("blocks", "said"),
    [("(n + TILE - 1) / TILE", "agrees"), ("n / TILE + (n < TILE)", "y[8] is nan, and 9.2 by the equations")],
)
def test_a_host_function_is_compared_with_equations(blocks: str, said: str) -> None:
    """The grid of the second one is a block short where the size is no multiple of the tile."""
    checked = read_program(Source("doubled.ab", DOUBLED))
    arguments = [CArgument("N"), CArgument("x", ("x",)), CArgument("y", ("y",))]
    source, system = Source("scale.cu", SCALE.replace("BLOCKS", blocks)), checked.program.system("doubled")
    summary = run_sanitized(RunRequest(source, "doubled", arguments, checked, system, {}, {}), [{"N": 3}, {"N": 9}])
    assert re.sub(r"and \S+", "and 9.2", str(summary)).endswith(said)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("__global__ void k(int *p) { undeclared(p); }\n", "undeclared"),
        ("__global__ void k() {}\nint main() { k<<<1, 1; }\n", "never closed"),
        ("__global__ void k() {}\nint main() { k<<<1, 1>>>; }\n", "no arguments"),
        ("int main() { return 0; }\n__device__ int counter", "without an end"),
        ("__global__ void k(int n", "never closed"),
    ],
)
def test_a_text_that_is_no_cuda_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotCompiled, match=reason):
        compile_cuda(Source("k.cu", text))


@pytest.mark.parametrize("seed", range(25))
def test_races_are_those_of_brute_force_in_any_order(seed: int) -> None:
    expected = races(table(seed))
    if expected is not None:
        assert found_races(table(seed), seed) == expected


@pytest.mark.parametrize("order", range(12))
def test_one_of_several_readers_writes(order: int) -> None:
    """It waits for no other in between, so that other threads can read before it writes."""
    kinds, operands = np.zeros((3, 2), "i4"), np.zeros((3, 2), "i4")
    kinds[0], kinds[1:, 0], operands[1, 0] = READ, [WARP_BARRIER, WRITE], 1
    steps = Table(1, 2, kinds, operands)
    assert found_races(steps, order) == races(steps) == {"race in a block"}
