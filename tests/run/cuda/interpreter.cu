// A kernel that executes a table of steps, a column a thread.
#include <cuda_runtime.h>

enum { NOTHING, READ, WRITE, ADD, SHARED_READ, SHARED_WRITE, SHARED_ADD, BLOCK_BARRIER, WARP_BARRIER };

__global__ void interpret(int steps, int threads, const int *kinds, const int *operands, int *cells, int *sink)
{
    __shared__ int shared[4];
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int cell = threadIdx.x; cell < 4; cell += blockDim.x) shared[cell] = 0;
    __syncthreads();
    int found = 0;
    for (int step = 0; step < steps; step++) {
        const int kind = kinds[step * threads + thread], operand = operands[step * threads + thread];
        if (kind == READ) found += cells[operand];
        if (kind == WRITE) cells[operand] = step;
        if (kind == ADD) atomicAdd(&cells[operand], 1);
        if (kind == SHARED_READ) found += shared[operand];
        if (kind == SHARED_WRITE) shared[operand] = step;
        if (kind == SHARED_ADD) atomicAdd(&shared[operand], 1);
        if (kind == BLOCK_BARRIER) __syncthreads();
        if (kind == WARP_BARRIER) __syncwarp((unsigned)operand);
    }
    sink[thread] = found;
}
