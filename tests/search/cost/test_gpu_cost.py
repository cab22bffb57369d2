"""The cost of CUDA: segments and banks of known accesses, blocks, launches and bytes."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.c.tree import AddressSpace
from alphaz.codegen.targets.registry import DEFAULT
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.function_reading import c_function, file_tree
from alphaz.equivalence.driver.task import ProofTask, chosen_system
from alphaz.machine import GPUS
from alphaz.search.cost.gpu_cost import GpuCost, WarpAccess, gpu_cost

PROGRAM = """affine turn {N | N>=1} input float a {i,j | 0<=i<N && 0<=j<N};
output float b {i,j | 0<=i<N && 0<=j<N}; let b[i,j] = a[j,i]; .
"""
# A transposition by tiles of 32 x 32; the rows of the tile have WIDTH elements.
TEXT = """
__global__ void k(int N, const float *a, float *b)
{
    __shared__ float tile[32][WIDTH];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < N && y < N)
        tile[threadIdx.y][threadIdx.x] = a[y * N + x];
    __syncthreads();
    int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
    if (u < N && v < N)
        b[v * N + u] = tile[threadIdx.x][threadIdx.y];
}
extern "C" void turn(int N, const float *a, float *b)
{
    float *c, *d;
    cudaMalloc(&c, sizeof(float) * N * N);
    cudaMalloc(&d, sizeof(float) * N * N);
    cudaMemcpy(c, a, sizeof(float) * N * N, cudaMemcpyHostToDevice);
    k<<<dim3((N + 31) / 32, (N + 31) / 32), dim3(32, 32)>>>(N, c, d);
    cudaMemcpy(b, d, sizeof(float) * N * N, cudaMemcpyDeviceToHost);
    cudaFree(c);
    cudaFree(d);
}
"""
# Without the tile: threads along x go along the rows of one array, and along the columns of the other one.
PLAIN = TEXT.replace("tile[threadIdx.x][threadIdx.y]", "a[u * N + v]")


def _cost(text: str, size: int) -> GpuCost:
    checked = read_program(Source("turn.ab", PROGRAM))
    source = Source("turn.cu", text)
    task = ProofTask(system="turn", toolchain=DEFAULT.toolchain)
    system = chosen_system(checked, task)
    tree, declared = file_tree(source, text, checked, task, system)
    kernel = c_function(checked, source, task, system, tree, declared).kernel
    cost = gpu_cost(kernel, {"N": size}, GPUS["h100"])
    assert cost is not None
    return cost


def _accesses(cost: GpuCost, space: AddressSpace) -> list[WarpAccess]:
    (kernel,) = cost.kernels
    return [access for access in kernel.accesses if access.space is space]


@pytest.mark.parametrize(("width", "passes"), [(32, 32), (33, 1), (40, 8)])
def test_banks_of_a_tile(width: int, passes: int) -> None:
    """Lane t is in bank width * t modulo 32."""
    cost = _cost(TEXT.replace("WIDTH", str(width)), 320)
    text, read = _accesses(cost, AddressSpace.SHARED)
    assert (text.of_warp, text.ratio) == (1, 1)
    assert (read.of_warp, read.ratio) == (passes, passes)
    (kernel,) = cost.kernels
    assert (kernel.shared, kernel.blocks, kernel.block, kernel.launches) == (32 * width * 4, 100, (32, 32), 1)
    assert all(access.of_warp == 4 and access.ratio == 1 for access in _accesses(cost, AddressSpace.GLOBAL))


def test_segments_along_columns() -> None:
    """Each of 32 lanes reads another segment; the tile is filled as before."""
    cost = _cost(PLAIN.replace("WIDTH", "33"), 320)
    reads = sorted(access.of_warp for access in _accesses(cost, AddressSpace.GLOBAL) if not access.is_write)
    assert reads == [4, 32]
    assert cost.kernels[0].memory == 2 * 320 * 320 * 4


def test_more_blocks_take_longer() -> None:
    text = TEXT.replace("WIDTH", "33")
    times = [_cost(text, size).seconds for size in (320, 3200, 12800)]
    assert times == sorted(times)
    # Memory limits it.
    assert 2 * 12800**2 * 4 / 3.35e12 < times[-1] < 4 * 12800**2 * 4 / 3.35e12
