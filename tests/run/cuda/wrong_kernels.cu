// Wrong kernels. The program executes the one that is named. The line of a fault has the name and the kind.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <vector>

static const int n = 20;
static float *numbers(int size)
{
    std::vector<float> values(size);
    for (int i = 0; i < size; i++) values[i] = (float)(i % 7 - 3);
    float *array;
    cudaMalloc(&array, size * sizeof(float));
    cudaMemcpy(array, values.data(), size * sizeof(float), cudaMemcpyHostToDevice);
    return array;
}
static float *empty(int size)
{
    float *array;
    cudaMalloc(&array, size * sizeof(float));
    return array;
}

// --- the table of the documentation ----------------------------------------------------------------------------------

template <bool first, bool second> __global__ void product(int n, const float *A, const float *B, float *C)
{
    __shared__ float a[8][8], b[8][8];
    const int ty = threadIdx.y, tx = threadIdx.x, i = blockIdx.y * 8 + ty, j = blockIdx.x * 8 + tx;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += 8) {
        a[ty][tx] = i < n && k0 + tx < n ? A[i * n + k0 + tx] : 0;
        b[ty][tx] = k0 + ty < n && j < n ? B[(k0 + ty) * n + j] : 0;
        if (first) __syncthreads();
        for (int k = 0; k < 8; k++)
            s += a[ty][k] * b[k][tx]; // no_first_barrier: RACE_IN_BLOCK; no_second_barrier: RACE_IN_BLOCK
        if (second) __syncthreads();
    }
    if (i < n && j < n) C[i * n + j] = s;
}
__global__ void stale(int n, const float *A, const float *B, float *C)
{
    __shared__ float a[8][8], b[8][8];
    const int ty = threadIdx.y, tx = threadIdx.x, i = blockIdx.y * 8 + ty, j = blockIdx.x * 8 + tx;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += 8) {
        if (i < n && k0 + tx < n) a[ty][tx] = A[i * n + k0 + tx];
        if (k0 + ty < n && j < n) b[ty][tx] = B[(k0 + ty) * n + j];
        __syncthreads();
        for (int k = 0; k < 8; k++)
            s += a[ty][k] * b[k][tx]; // stale_edge: UNWRITTEN
        __syncthreads();
    }
    if (i < n && j < n) C[i * n + j] = s;
}
__global__ void early(int n, const float *A, float *B)
{
    __shared__ float a[8];
    const int i = blockIdx.x * 8 + threadIdx.x;
    if (i >= n) return;
    a[threadIdx.x] = A[i];
    __syncthreads(); // early_return: DIVERGENT_BARRIER
    B[i] = a[0];
}
__global__ void transpose(int n, const float *A, float *B)
{
    __shared__ float t[8][9];
    const int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 8 + threadIdx.x;
    if (i < n && j < n) t[threadIdx.y][threadIdx.x] = A[i * n + j];
    const int p = blockIdx.x * 8 + threadIdx.y, q = blockIdx.y * 8 + threadIdx.x;
    if (p < n && q < n)
        B[p * n + q] = t[threadIdx.x][threadIdx.y]; // no_barrier: RACE_IN_BLOCK
}
__global__ void tree(int n, const float *x, float *r)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = t < n ? x[t] : 0;
    __syncthreads();
    if (t < 32)
        for (int d = 32; d > 0; d /= 2)
            s[t] += s[t + d]; // no_syncwarp: RACE_IN_BLOCK
    if (t == 0) *r = s[0];
}
__global__ void shift(int n, const float *x, float *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n)
        y[i] = x[i] + x[i + 1]; // behind_the_end: OUTSIDE
}
__global__ void short_row(int n, const float *x, float *y)
{
    __shared__ float s[32];
    __shared__ float other[32];
    const int t = threadIdx.x, i = blockIdx.x * 32 + t;
    other[t] = 1;
    s[t] = i < n ? x[i] : 0;
    float *edge = s + 32;
    if (t == 0)
        *edge = i + 32 < n ? x[i + 32] : 0; // row_too_short: OUTSIDE
    __syncthreads();
    if (i < n) y[i] = s[t] + 0 * other[t];
}
__global__ void in_place(int n, float *A)
{
    const int i = blockIdx.x * 8 + threadIdx.x;
    if (i >= 1 && i < n - 1)
        A[i] = 0.5f * (A[i - 1] + A[i + 1]); // neighbours_in_place: RACE_OF_BLOCKS
}
__global__ void sum(int n, const float *x, float *r)
{
    const int i = blockIdx.x * 8 + threadIdx.x;
    if (i < n)
        *r += x[i]; // no_atomic: RACE_OF_BLOCKS
}
__global__ void shuffled(int n, const float *x, float *r)
{
    const int t = threadIdx.x;
    float v = t < n ? x[t] : 0;
    if (t < n)
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(0xffffffffu, v, d); // shuffle_under_condition: INACTIVE_LANE
    if (t == 0) *r = v;
}
__global__ void lost_tail(int n, const float *x, float *r)
{
    __shared__ float s[32];
    float v = 0;
    for (int i = threadIdx.x; i < n / 4; i += 32) v += x[4 * i] + x[4 * i + 1] + x[4 * i + 2] + x[4 * i + 3];
    s[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 1; t < 32; t++) v += s[t];
        *r = v;
    }
}

// --- barriers and warps ----------------------------------------------------------------------------------------------

__global__ void two_barriers(float *r)
{
    if (threadIdx.x < 16)
        __syncthreads(); // two_barriers: DIFFERENT_BARRIERS
    else
        __syncthreads();
    r[threadIdx.x] = 1;
}
__global__ void data_barrier(const float *x, float *r)
{
    if (x[threadIdx.x] > 0)
        __syncthreads(); // barrier_under_data: DIVERGENT_BARRIER
    r[threadIdx.x] = 1;
}
__global__ void half_mask(float *r)
{
    float v = threadIdx.x;
    if (threadIdx.x < 16)
        v += __shfl_xor_sync(0xffffffffu, v, 1); // missing_lanes: MISSING_LANES
    __syncthreads();
    r[threadIdx.x] = v;
}
__global__ void own_bit(float *r)
{
    r[threadIdx.x] = __ballot_sync(0xffffu, 1); // own_bit: MISSING_LANES
}
__global__ void two_shuffles(float *r)
{
    float v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_xor_sync(0xffffffffu, v, 1);
    else
        v = __shfl_xor_sync(0xffffffffu, v, 2); // two_shuffles: DIFFERENT_OPERATIONS
    r[threadIdx.x] = v;
}
__global__ void foreign_lane(float *r)
{
    float v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_sync(0x0000ffffu, v, 20); // foreign_lane: INACTIVE_LANE
    r[threadIdx.x] = v;
}
__global__ void by_shuffles(float *r)
{
    __shared__ float s[32];
    s[threadIdx.x] = threadIdx.x;
    __any_sync(0xffffffffu, 1);
    r[threadIdx.x] = s[31 - threadIdx.x]; // votes_are_no_barriers: RACE_IN_BLOCK
}

// --- memory ----------------------------------------------------------------------------------------------------------

__global__ void copy(int n, const float *x, float *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n)
        y[i] = x[i]; // unwritten_array: UNWRITTEN; host_pointer: HOST_POINTER; freed: FREED; order: RACE_OF_OPERATIONS
}
__global__ void wide(int n, const float *x, float *y)
{
    for (int row = 0; row < 4; row++)
        *reinterpret_cast<float4 *>(&y[row * n]) =
            *reinterpret_cast<const float4 *>(&x[row * n]); // misaligned_row: MISALIGNED
}
__global__ void registers(const float *x, float *y)
{
    float v[4];
    for (int i = 0; i < 4; i++) v[i] = x[i];
    int last = 4;
    y[0] = v[last]; // register_tile: INDEX
}
__global__ void staged(int n, const float *x, float *y)
{
    __shared__ float s[2][32];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], &x[t], 4);
    __pipeline_commit();
    for (int k = 0; k < n; k += 32) {
        const int at = k / 32 % 2;
        if (k + 32 < n) __pipeline_memcpy_async(&s[1 - at][t], &x[k + 32 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncthreads();
        y[k + t] = s[at][31 - t]; // stage_too_few: PENDING
        __syncthreads();
    }
}
__global__ void local(float *y)
{
    __shared__ float *where;
    float mine = threadIdx.x;
    if (threadIdx.x == 0) where = &mine;
    __syncthreads();
    y[threadIdx.x] = *where; // foreign_local: FOREIGN_LOCAL
    __syncthreads();
}
__global__ void wild(float **table, float *y)
{
    y[0] = *table[0]; // wild_pointer: HOST_POINTER
}
__device__ int ready = 0;
__device__ float handed;
__global__ void without_fence(float *y)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) handed = 3;
        if (atomicAdd(&ready, 1) == 1)
            y[0] = handed; // no_fence: RACE_OF_BLOCKS
    }
}
__global__ void after_fence(float *y)
{
    if (threadIdx.x == 0) {
        __threadfence();
        if (blockIdx.x == 0) handed = 3;
        if (atomicAdd(&ready, 1) == 1)
            y[0] = handed; // write_after_fence: RACE_OF_BLOCKS
    }
}
#ifndef __CUDACC_VER_MAJOR__
__global__ void too_much(float *y)
{
    __shared__ double s[7000]; // declared_shared_memory: SHARED_MEMORY
    s[threadIdx.x] = 1;
    y[threadIdx.x] = s[threadIdx.x];
}
#endif

int main(int argc, char **argv)
{
    auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
    float *x = numbers(n * n), *y = empty(n * n), *z = empty(n * n), *r = numbers(n);
    const dim3 tiles(3, 3), tile(8, 8);
    if (is("no_first_barrier")) product<false, true><<<tiles, tile>>>(n, x, x, y);
    if (is("no_second_barrier")) product<true, false><<<tiles, tile>>>(n, x, x, y);
    if (is("stale_edge")) stale<<<tiles, tile>>>(n, x, x, y);
    if (is("early_return")) early<<<3, 8>>>(n, x, y);
    if (is("no_barrier")) transpose<<<tiles, tile>>>(n, x, y);
    if (is("no_syncwarp")) tree<<<1, 64>>>(n, x, y);
    if (is("behind_the_end")) shift<<<13, 32>>>(n * n, x, y);
    if (is("row_too_short")) short_row<<<2, 32>>>(40, x, y);
    if (is("neighbours_in_place")) in_place<<<3, 8>>>(n, x);
    if (is("no_atomic")) sum<<<3, 8>>>(n, x, r);
    if (is("shuffle_under_condition")) shuffled<<<1, 32>>>(n, x, y);
    if (is("lost_tail")) {
        float found, expected = 0;
        lost_tail<<<1, 32>>>(18, x, y);
        cudaMemcpy(&found, y, sizeof found, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 18; i++) expected += (float)(i % 7 - 3);
        printf("%s\n", found == expected ? "right" : "wrong");
    }
    if (is("two_barriers")) two_barriers<<<1, 32>>>(y);
    if (is("barrier_under_data")) data_barrier<<<1, 32>>>(x, y);
    if (is("missing_lanes")) half_mask<<<1, 32>>>(y);
    if (is("own_bit")) own_bit<<<1, 32>>>(y);
    if (is("two_shuffles")) two_shuffles<<<1, 32>>>(y);
    if (is("foreign_lane")) foreign_lane<<<1, 32>>>(y);
    if (is("votes_are_no_barriers")) by_shuffles<<<1, 32>>>(y);
    if (is("unwritten_array")) copy<<<1, 32>>>(n, z, y);
    if (is("misaligned_row")) wide<<<1, 1>>>(7, x, y);
    if (is("register_tile")) registers<<<1, 1>>>(x, y);
    if (is("stage_too_few")) staged<<<1, 32>>>(96, x, y);
    if (is("foreign_local")) local<<<1, 2>>>(y);
    if (is("no_fence")) without_fence<<<2, 32>>>(y);
    if (is("write_after_fence")) after_fence<<<2, 32>>>(y);
    if (is("host_pointer")) {
        std::vector<float> values(n, 1.0f);
        copy<<<1, 32>>>(n, values.data(), y);
    }
    if (is("wild_pointer")) {
        float *nowhere = (float *)0x123456789000;
        float **table;
        cudaMalloc(&table, sizeof nowhere);
        cudaMemcpy(table, &nowhere, sizeof nowhere, cudaMemcpyHostToDevice);
        wild<<<1, 1>>>(table, y);
    }
    if (is("freed")) {
        cudaFree(x);
        copy<<<1, 32>>>(n, x, y);
    }
    if (is("too_many_threads"))
        copy<<<1, 2048>>>(n, x, y); // too_many_threads: LAUNCH
    if (is("no_blocks"))
        copy<<<n / 32, 32>>>(n, x, y); // no_blocks: LAUNCH
    if (is("much_shared_memory"))
        copy<<<1, 32, 60000>>>(n, x, y); // much_shared_memory: LAUNCH
#ifndef __CUDACC_VER_MAJOR__
    if (is("declared_shared_memory")) too_much<<<1, 32>>>(y);
#endif
    if (is("device_pointer"))
        printf("%g\n", x[3]); // device_pointer: DEVICE_POINTER
    if (is("direction"))
        cudaMemcpy(x, y, 4 * n, cudaMemcpyDeviceToHost); // direction: DIRECTION
    if (is("copy_too_long")) {
        std::vector<float> values(n * n + 1);
        cudaMemcpy(values.data(), x, (n * n + 1) * sizeof(float), cudaMemcpyDeviceToHost); // copy_too_long: OUTSIDE
    }
    if (is("order")) {
        cudaStream_t one, two;
        cudaStreamCreate(&one);
        cudaStreamCreate(&two);
        copy<<<1, 32, 0, one>>>(n, x, y);
        copy<<<1, 32, 0, two>>>(n, y, z);
    }
    if (is("no_wait_on_host")) {
        cudaStream_t one;
        float *values;
        cudaStreamCreate(&one);
        cudaMallocHost(&values, n * sizeof(float));
        cudaMemcpyAsync(values, x, n * sizeof(float), cudaMemcpyDeviceToHost, one);
        printf("%g\n", values[0]); // no_wait_on_host: RACE_OF_OPERATIONS
    }
    if (is("no_wait_for_copy")) {
        cudaStream_t one;
        std::vector<float> values(n);
        cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
        cudaMemcpyAsync(values.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost, one);
        float *first = values.data();
        printf("%g\n", first[0]); // no_wait_for_copy: RACE_WITH_HOST
    }
    cudaDeviceSynchronize();
    return 0;
}
