// Right kernels in public styles, small. The program executes the one that is named, and prints whether its values are
// right.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <algorithm>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));                                           \
    } while (0)

template <class T> T *to_device(const std::vector<T> &values)
{
    T *array;
    CHECK(cudaMalloc(&array, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return array;
}
template <class T> std::vector<T> to_host(const T *array, size_t size)
{
    std::vector<T> values(size);
    CHECK(cudaMemcpy(values.data(), array, size * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}
template <class T> T *empty(size_t size)
{
    T *array;
    CHECK(cudaMalloc((void **)&array, size * sizeof(T)));
    return array;
}
// Small integers, so that sums are exact in any order.
template <class T> std::vector<T> numbers(size_t size, int seed)
{
    std::vector<T> values(size);
    unsigned state = seed * 2654435761u + 12345u;
    for (T &value : values) {
        state = state * 1664525u + 1013904223u;
        value = (T)((int)(state >> 24) % 9 - 4);
    }
    return values;
}
template <class T> bool same(const std::vector<T> &found, const std::vector<T> &expected)
{
    for (size_t at = 0; at < expected.size(); at++)
        if (!(fabs((double)(found[at] - expected[at])) <= 1e-9)) return false;
    return true;
}

// --- products --------------------------------------------------------------------------------------------------------

template <int TILE> __global__ void product_tiled(int n, const float *A, const float *B, float *C)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        As[threadIdx.y][threadIdx.x] = row < n && k0 + threadIdx.x < n ? A[row * n + k0 + threadIdx.x] : 0;
        Bs[threadIdx.y][threadIdx.x] = k0 + threadIdx.y < n && column < n ? B[(k0 + threadIdx.y) * n + column] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && column < n) C[row * n + column] = sum;
}

// Loads of 16 bytes, a register tile a thread, A transposed.
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    product_vectorised(int M, int N, int K, float *A, float *B, float *C)
{
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const int threadCol = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    const uint innerRowA = threadIdx.x / (BK / 4), innerColA = threadIdx.x % (BK / 4);
    const uint innerRowB = threadIdx.x / (BN / 4), innerColB = threadIdx.x % (BN / 4);
    float threadResults[TM * TN] = {0.0f};
    float regM[TM] = {0.0f}, regN[TN] = {0.0f};
    for (uint bkIdx = 0; bkIdx < K; bkIdx += BK) {
        float4 tmp = reinterpret_cast<float4 *>(&A[innerRowA * K + innerColA * 4])[0];
        As[(innerColA * 4 + 0) * BM + innerRowA] = tmp.x;
        As[(innerColA * 4 + 1) * BM + innerRowA] = tmp.y;
        As[(innerColA * 4 + 2) * BM + innerRowA] = tmp.z;
        As[(innerColA * 4 + 3) * BM + innerRowA] = tmp.w;
        reinterpret_cast<float4 *>(&Bs[innerRowB * BN + innerColB * 4])[0] =
            reinterpret_cast<float4 *>(&B[innerRowB * N + innerColB * 4])[0];
        __syncthreads();
        A += BK;
        B += BK * N;
#pragma unroll
        for (uint dotIdx = 0; dotIdx < BK; ++dotIdx) {
            for (uint i = 0; i < TM; ++i) regM[i] = As[dotIdx * BM + threadRow * TM + i];
            for (uint i = 0; i < TN; ++i) regN[i] = Bs[dotIdx * BN + threadCol * TN + i];
            for (uint m = 0; m < TM; ++m)
                for (uint n = 0; n < TN; ++n) threadResults[m * TN + n] += regM[m] * regN[n];
        }
        __syncthreads();
    }
    for (uint m = 0; m < TM; m++)
        for (uint n = 0; n < TN; n += 4) {
            float *out = &threadResults[m * TN + n];
            reinterpret_cast<float4 *>(&C[(threadRow * TM + m) * N + threadCol * TN + n])[0] =
                make_float4(out[0], out[1], out[2], out[3]);
        }
}

// Tiles of warps in the tile of a block.
namespace wt
{
template <int BM, int BN, int BK, int THREADS>
__device__ void load(int n, const float *A, const float *B, float *As, float *Bs)
{
    for (int at = threadIdx.x; at < BM * BK; at += THREADS) As[at % BK * BM + at / BK] = A[at / BK * n + at % BK];
    for (int at = threadIdx.x; at < BK * BN; at += THREADS) Bs[at] = B[at / BN * n + at % BN];
}
template <int BM, int BN, int BK, int WM, int WN>
__device__ void process(float (&sums)[WM / 4][WN / 8], const float *As, const float *Bs, int warpRow, int warpCol)
{
    const int lane = threadIdx.x % warpSize, laneRow = lane / 8, laneCol = lane % 8;
    for (int k = 0; k < BK; k++)
        for (int i = 0; i < WM / 4; i++)
            for (int j = 0; j < WN / 8; j++)
                sums[i][j] += As[k * BM + warpRow * WM + laneRow + 4 * i] * Bs[k * BN + warpCol * WN + laneCol + 8 * j];
}
} // namespace wt
template <int BM, int BN, int BK, int WM, int WN>
__global__ void product_of_warps(int n, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C)
{
    constexpr int THREADS = BM / WM * (BN / WN) * 32;
    __shared__ float As[BM * BK], Bs[BK * BN];
    const int warp = threadIdx.x / 32, warpRow = warp / (BN / WN), warpCol = warp % (BN / WN);
    float sums[WM / 4][WN / 8] = {};
    for (int k0 = 0; k0 < n; k0 += BK) {
        wt::load<BM, BN, BK, THREADS>(n, A + blockIdx.y * BM * n + k0, B + k0 * n + blockIdx.x * BN, As, Bs);
        __syncthreads();
        wt::process<BM, BN, BK, WM, WN>(sums, As, Bs, warpRow, warpCol);
        __syncthreads();
    }
    const int lane = threadIdx.x % 32;
    for (int i = 0; i < WM / 4; i++)
        for (int j = 0; j < WN / 8; j++)
            C[(blockIdx.y * BM + warpRow * WM + lane / 8 + 4 * i) * n + blockIdx.x * BN + warpCol * WN + lane % 8 +
              8 * j] = sums[i][j];
}

// Two buffers, filled by asynchronous copies; dynamic shared memory.
__global__ void product_staged(int n, const float *A, const float *B, float *C)
{
    extern __shared__ __align__(16) float buffers[];
    float (*As)[16][16] = (float (*)[16][16])buffers, (*Bs)[16][16] = As + 2;
    const int row = threadIdx.x / 4, column = threadIdx.x % 4 * 4, i = blockIdx.y * 16, j = blockIdx.x * 16;
    float sums[4] = {};
    auto stage = [&](int k0, int at) {
        __pipeline_memcpy_async(&As[at][row][column], &A[(i + row) * n + k0 + column], sizeof(float4));
        __pipeline_memcpy_async(&Bs[at][row][column], &B[(k0 + row) * n + j + column], sizeof(float4));
        __pipeline_commit();
    };
    stage(0, 0);
    for (int k0 = 0; k0 < n; k0 += 16) {
        const int at = k0 / 16 % 2;
        if (k0 + 16 < n)
            stage(k0 + 16, 1 - at);
        else
            __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < 16; k++)
            for (int c = 0; c < 4; c++) sums[c] += As[at][row][k] * Bs[at][k][column + c];
        __syncthreads();
    }
    for (int c = 0; c < 4; c++) C[(i + row) * n + j + column + c] = sums[c];
}

// One warp, one tile of 8 x 8, by the tensor cores.
__device__ __forceinline__ void mma(double (&c)[2], double a, double b)
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(a), "d"(b));
}
__global__ void product_of_tensor_cores(int n, const double *A, const double *B, double *C)
{
    const int group = threadIdx.x / 4, quad = threadIdx.x % 4;
    double c[2] = {0, 0};
    for (int k0 = 0; k0 < n; k0 += 4)
        mma(c, A[(blockIdx.y * 8 + group) * n + k0 + quad], B[(k0 + quad) * n + blockIdx.x * 8 + group]);
    for (int e = 0; e < 2; e++) C[(blockIdx.y * 8 + group) * n + blockIdx.x * 8 + 2 * quad + e] = c[e];
}

template <class T> static bool is_product(int n, const std::vector<T> &A, const std::vector<T> &B, const T *c)
{
    std::vector<T> expected(n * n, 0);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) expected[i * n + j] += A[i * n + k] * B[k * n + j];
    return same(to_host(c, n * n), expected);
}
static bool test_product(const char *name)
{
    const int n = !strcmp(name, "product_tiled") ? 19 : !strcmp(name, "product_staged") ? 48 : 32;
    auto A = numbers<float>(n * n, 1), B = numbers<float>(n * n, 2);
    float *a = to_device(A), *b = to_device(B), *c = empty<float>(n * n);
    if (!strcmp(name, "product_tiled")) product_tiled<8><<<dim3((n + 7) / 8, (n + 7) / 8), dim3(8, 8)>>>(n, a, b, c);
    if (!strcmp(name, "product_vectorised")) product_vectorised<32, 32, 8, 4, 4><<<dim3(1, 1), 64>>>(n, n, n, a, b, c);
    if (!strcmp(name, "product_of_warps")) {
        dim3 grid(2, 1);
        product_of_warps<32, 16, 16, 16, 16><<<grid, 64>>>(n, a, b, c);
    }
    if (!strcmp(name, "product_staged")) {
        const int bytes = 4 * 16 * 16 * sizeof(float);
        CHECK(cudaFuncSetAttribute(product_staged, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
        product_staged<<<dim3(3, 3), 64, bytes>>>(n, a, b, c);
    }
    CHECK(cudaGetLastError());
    return is_product(n, A, B, c);
}
static bool test_tensor_cores()
{
    const int n = 16;
    auto A = numbers<double>(n * n, 1), B = numbers<double>(n * n, 2);
    double *a = to_device(A), *b = to_device(B), *c = empty<double>(n * n);
    product_of_tensor_cores<<<dim3(2, 2), 32>>>(n, a, b, c);
    return is_product(n, A, B, c);
}

// --- a decomposition in three kernels --------------------------------------------------------------------------------

#define LU 8
__global__ void lu_diagonal(double *m, int n, int offset)
{
    __shared__ double shadow[LU][LU];
    for (int i = 0; i < LU; i++) shadow[i][threadIdx.x] = m[(offset + i) * n + offset + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < LU - 1; i++) {
        if (threadIdx.x > i) {
            for (int j = 0; j < i; j++) shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
            shadow[threadIdx.x][i] /= shadow[i][i];
        }
        __syncthreads();
        if (threadIdx.x > i)
            for (int j = 0; j < i + 1; j++) shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
        __syncthreads();
    }
    for (int i = 1; i < LU; i++) m[(offset + i) * n + offset + threadIdx.x] = shadow[i][threadIdx.x];
}
__global__ void lu_perimeter(double *m, int n, int offset)
{
    __shared__ double diagonal[LU][LU], row[LU][LU], column[LU][LU];
    const int t = threadIdx.x % LU, begin = offset + (blockIdx.x + 1) * LU;
    if (threadIdx.x < LU)
        for (int i = 0; i < LU; i++) {
            diagonal[i][t] = m[(offset + i) * n + offset + t];
            row[i][t] = m[(offset + i) * n + begin + t];
        }
    else
        for (int i = 0; i < LU; i++) column[i][t] = m[(begin + i) * n + offset + t];
    __syncthreads();
    if (threadIdx.x < LU) {
        for (int i = 1; i < LU; i++)
            for (int j = 0; j < i; j++) row[i][t] -= diagonal[i][j] * row[j][t];
    } else {
        for (int i = 0; i < LU; i++) {
            for (int j = 0; j < i; j++) column[t][i] -= column[t][j] * diagonal[j][i];
            column[t][i] /= diagonal[i][i];
        }
    }
    __syncthreads();
    for (int i = 0; i < LU; i++)
        if (threadIdx.x < LU)
            m[(offset + i) * n + begin + t] = row[i][t];
        else
            m[(begin + i) * n + offset + t] = column[i][t];
}
__global__ void lu_internal(double *m, int n, int offset)
{
    __shared__ double row[LU][LU], column[LU][LU];
    const int i = offset + (blockIdx.y + 1) * LU, j = offset + (blockIdx.x + 1) * LU;
    row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * n + j + threadIdx.x];
    column[threadIdx.y][threadIdx.x] = m[(i + threadIdx.y) * n + offset + threadIdx.x];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < LU; k++) sum += column[threadIdx.y][k] * row[k][threadIdx.x];
    m[(i + threadIdx.y) * n + j + threadIdx.x] -= sum;
}
static bool test_lu()
{
    const int n = 3 * LU;
    auto A = numbers<double>(n * n, 3);
    for (int i = 0; i < n; i++) A[i * n + i] += 40;
    double *a = to_device(A);
    int offset = 0;
    for (; offset < n - LU; offset += LU) {
        const int blocks = (n - offset) / LU - 1;
        lu_diagonal<<<1, LU>>>(a, n, offset);
        lu_perimeter<<<blocks, 2 * LU>>>(a, n, offset);
        lu_internal<<<dim3(blocks, blocks), dim3(LU, LU)>>>(a, n, offset);
    }
    lu_diagonal<<<1, LU>>>(a, n, offset);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n; j++) A[i * n + j] -= A[i * n + k] * A[k * n + j];
        }
    return same(to_host(a, n * n), A);
}

// --- alignment of sequences: tiles along diagonals, cells along diagonals --------------------------------------------

#define NW 8
__device__ __host__ int maximum(int a, int b, int c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); }
__global__ void align(const int *reference, int *items, int cols, int penalty, int i, int first)
{
    const int bx = first + blockIdx.x, by = i - bx, tx = threadIdx.x;
    const int index = cols * NW * by + NW * bx + tx + cols + 1, index_n = index - cols,
              index_w = cols * NW * by + NW * bx + cols;
    __shared__ int temp[NW + 1][NW + 1];
    __shared__ int ref[NW][NW];
    if (tx == 0) temp[tx][0] = items[cols * NW * by + NW * bx];
    for (int ty = 0; ty < NW; ty++) ref[ty][tx] = reference[index + cols * ty];
    temp[tx + 1][0] = items[index_w + cols * tx];
    temp[0][tx + 1] = items[index_n];
    __syncthreads();
    for (int m = 0; m < NW; m++) {
        if (tx <= m) {
            const int x = tx + 1, y = m - tx + 1;
            temp[y][x] =
                maximum(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty, temp[y - 1][x] - penalty);
        }
        __syncthreads();
    }
    for (int m = NW - 2; m >= 0; m--) {
        if (tx <= m) {
            const int x = tx + NW - m, y = NW - tx;
            temp[y][x] =
                maximum(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty, temp[y - 1][x] - penalty);
        }
        __syncthreads();
    }
    for (int ty = 0; ty < NW; ty++) items[index + ty * cols] = temp[ty + 1][tx + 1];
}
static bool test_alignment()
{
    const int tiles = 3, cols = tiles * NW + 1, penalty = 2;
    auto reference = numbers<int>(cols * cols, 4);
    std::vector<int> items(cols * cols, 0);
    for (int i = 1; i < cols; i++) items[i * cols] = items[i] = -i * penalty;
    int *r = to_device(reference), *d = to_device(items);
    for (int diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
        const int first = std::max(0, diagonal - tiles + 1), last = std::min(diagonal, tiles - 1);
        align<<<last - first + 1, NW>>>(r, d, cols, penalty, diagonal, first);
    }
    for (int i = 1; i < cols; i++)
        for (int j = 1; j < cols; j++)
            items[i * cols + j] = maximum(items[(i - 1) * cols + j - 1] + reference[i * cols + j],
                                          items[i * cols + j - 1] - penalty, items[(i - 1) * cols + j] - penalty);
    return same(to_host(d, cols * cols), items);
}

// --- path and heat: several steps a launch, with halos that shrink ---------------------------------------------------

#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define PATH 16
__global__ void path(int iteration, const int *wall, const int *source, int *results, int cols, int start, int border)
{
    __shared__ int prev[PATH];
    __shared__ int result[PATH];
    const int tx = threadIdx.x, small = PATH - iteration * 2;
    const int x_begin = small * blockIdx.x - border, x_end = x_begin + PATH - 1, x = x_begin + tx;
    const int valid_min = x_begin < 0 ? -x_begin : 0,
              valid_max = x_end > cols - 1 ? PATH - 1 - (x_end - cols + 1) : PATH - 1;
    const int west = tx - 1 < valid_min ? valid_min : tx - 1, east = tx + 1 > valid_max ? valid_max : tx + 1;
    const bool is_valid = IN_RANGE(tx, valid_min, valid_max);
    if (IN_RANGE(x, 0, cols - 1)) prev[tx] = source[x];
    __syncthreads();
    bool computed = false;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, PATH - i - 2) && is_valid) {
            computed = true;
            const int left = prev[west], up = prev[tx], right = prev[east];
            int shortest = left < up ? left : up;
            shortest = shortest < right ? shortest : right;
            result[tx] = shortest + wall[cols * (start + i) + x];
        }
        __syncthreads();
        if (i == iteration - 1) break;
        if (computed) prev[tx] = result[tx];
        __syncthreads();
    }
    if (computed) results[x] = result[tx];
}
static bool test_path()
{
    const int cols = 37, rows = 7, height = 3;
    auto wall = numbers<int>(cols * rows, 5);
    auto expected = std::vector<int>(wall.begin(), wall.begin() + cols);
    int *w = to_device(wall), *from = to_device(expected), *to = empty<int>(cols);
    const int small = PATH - height * 2, blocks = (cols + small - 1) / small;
    for (int t = 1; t < rows; t += height) {
        path<<<blocks, PATH>>>(std::min(height, rows - t), w, from, to, cols, t, height);
        std::swap(from, to);
    }
    for (int t = 1; t < rows; t++) {
        auto before = expected;
        for (int x = 0; x < cols; x++)
            expected[x] = wall[t * cols + x] +
                          std::min(before[x], std::min(before[std::max(x - 1, 0)], before[std::min(x + 1, cols - 1)]));
    }
    return same(to_host(from, cols), expected);
}

#define HEAT 10
__global__ void heat(int steps, const double *power, const double *from, double *to, int n)
{
    __shared__ double now[HEAT][HEAT], next[HEAT][HEAT];
    const int tx = threadIdx.x, ty = threadIdx.y, small = HEAT - 2 * steps;
    const int x = blockIdx.x * small - steps + tx, y = blockIdx.y * small - steps + ty;
    const bool is_inside = x >= 0 && x < n && y >= 0 && y < n;
    if (is_inside) now[ty][tx] = from[y * n + x];
    __syncthreads();
    for (int step = 0; step < steps; step++) {
        const bool is_computed =
            is_inside && IN_RANGE(tx, step + 1, HEAT - 2 - step) && IN_RANGE(ty, step + 1, HEAT - 2 - step);
        if (is_computed) {
            const int W = x == 0 ? tx : tx - 1, E = x == n - 1 ? tx : tx + 1, N = y == 0 ? ty : ty - 1,
                      S = y == n - 1 ? ty : ty + 1;
            next[ty][tx] = power[y * n + x] + (now[ty][W] + now[ty][E] + now[N][tx] + now[S][tx]) / 4;
        }
        __syncthreads();
        if (is_computed) now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (is_inside && IN_RANGE(tx, steps, HEAT - 1 - steps) && IN_RANGE(ty, steps, HEAT - 1 - steps))
        to[y * n + x] = now[ty][tx];
}
static bool test_heat()
{
    const int n = 17, steps = 2, small = HEAT - 2 * steps;
    auto power = numbers<double>(n * n, 6), expected = numbers<double>(n * n, 7);
    double *p = to_device(power), *from = to_device(expected), *to = empty<double>(n * n);
    dim3 grid((n + small - 1) / small, (n + small - 1) / small);
    for (int t = 0; t < 2; t++) {
        heat<<<grid, dim3(HEAT, HEAT)>>>(steps, p, from, to, n);
        std::swap(from, to);
    }
    for (int t = 0; t < 2 * steps; t++) {
        auto before = expected;
        auto at = [&](int y, int x) {
            return before[std::min(std::max(y, 0), n - 1) * n + std::min(std::max(x, 0), n - 1)];
        };
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                expected[y * n + x] =
                    power[y * n + x] + (at(y, x - 1) + at(y, x + 1) + at(y - 1, x) + at(y + 1, x)) / 4;
    }
    return same(to_host(from, n * n), expected);
}

// --- reductions ------------------------------------------------------------------------------------------------------

template <class T, unsigned int blockSize> __global__ void sum_of_tree(const T *g_idata, T *g_odata, unsigned int n)
{
    __shared__ T sdata[blockSize];
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + threadIdx.x;
    T mySum = i < n ? g_idata[i] : 0;
    if (i + blockSize < n) mySum += g_idata[i + blockSize];
    sdata[tid] = mySum;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) sdata[tid] = mySum = mySum + sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        if (blockSize >= 64) mySum += sdata[tid + 32];
        for (int offset = 16; offset > 0; offset /= 2) mySum += __shfl_down_sync(0xffffffff, mySum, offset);
    }
    if (tid == 0) g_odata[blockIdx.x] = mySum;
}
__global__ void sum_of_lanes(const float *x, float *sums, int n)
{
    __shared__ float w[64];
    const int t = threadIdx.x;
    w[t] = t < n ? x[t] : 0;
    __syncthreads();
    if (t < 32) {
        for (int d = 32; d > 0; d /= 2) {
            float v = w[t + d];
            __syncwarp();
            w[t] += v;
            __syncwarp();
        }
    }
    if (t == 0) sums[0] = w[0];
}
__inline__ __device__ int warp_sum(int value)
{
#pragma unroll
    for (int mask = warpSize / 2; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
    return value;
}
__global__ void sum_of_shuffles(const int *x, int *total, int n)
{
    static __shared__ int shared[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    int value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) value += x[i];
    value = warp_sum(value);
    if (lane == 0) shared[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
    if (warp == 0) value = warp_sum(value);
    if (threadIdx.x == 0) atomicAdd(total, value);
}
__global__ void sum_of_groups(const int *x, int *sums, int n)
{
    cg::thread_block block = cg::this_thread_block();
    extern __shared__ int sdata[];
    sdata[block.thread_rank()] = block.thread_rank() < n ? x[block.thread_rank()] : 0;
    cg::sync(block);
    auto tile = cg::tiled_partition<16>(block);
    int value = sdata[block.size() - 1 - block.thread_rank()];
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
    if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = value;
}
// Prefix sums of a warp, and the votes of its lanes.
__global__ void scan_of_warp(const int *x, int *prefix, unsigned *votes, int n)
{
    int value = threadIdx.x < n ? x[threadIdx.x] : 0;
    const unsigned positive = __ballot_sync(0xffffffffu, value > 0);
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffffu, value, d);
        if (threadIdx.x >= d) value += other;
    }
    if (threadIdx.x < n) prefix[threadIdx.x] = value;
    if (threadIdx.x == 0) {
        votes[0] = __popc(positive);
    }
    const int any = __any_sync(0xffffffffu, value > 1000), all = __all_sync(0xffffffffu, value < 1000);
    const int last = __shfl_sync(0xffffffffu, value, n - 1);
    if (threadIdx.x == 1) votes[1] = 2 * any + all, prefix[n] = last;
}
__device__ unsigned int retired = 0;
__global__ void sum_by_last_block(const float *x, volatile float *partial, float *total, int n)
{
    __shared__ bool isLast;
    __shared__ float s[32];
    s[threadIdx.x] = 0;
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) s[threadIdx.x] += x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int t = 0; t < 32; t++) sum += s[t];
        partial[blockIdx.x] = sum;
        __threadfence();
        isLast = atomicInc(&retired, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (isLast && threadIdx.x == 0) {
        float sum = 0;
        for (int b = 0; b < gridDim.x; b++) sum += partial[b];
        *total = sum;
        retired = 0;
    }
}
static bool test_sums(const char *name)
{
    const int n = 517;
    auto X = numbers<int>(n, 8);
    std::vector<float> F(X.begin(), X.end());
    int *x = to_device(X), *r = empty<int>(64), sum = 0;
    float *f = to_device(F), *p = empty<float>(64), *q = empty<float>(1), fold = 0;
    for (int v : X) sum += v;
    if (!strcmp(name, "sum_of_tree")) {
        sum_of_tree<float, 128><<<3, 128>>>(f, p, n);
        for (float v : to_host(p, 3)) fold += v;
        return fold == sum;
    }
    if (!strcmp(name, "sum_of_lanes")) {
        sum_of_lanes<<<1, 64>>>(f, p, 50);
        for (int i = 0; i < 50; i++) fold += F[i];
        return to_host(p, 1)[0] == fold;
    }
    if (!strcmp(name, "sum_of_shuffles")) {
        CHECK(cudaMemset(r, 0, sizeof(int)));
        sum_of_shuffles<<<3, 96>>>(x, r, n);
        return to_host(r, 1)[0] == sum;
    }
    if (!strcmp(name, "sum_of_groups")) {
        sum_of_groups<<<1, 64, 64 * sizeof(int)>>>(x, r, 60);
        for (int v : to_host(r, 4)) fold += v;
        for (int i = 0; i < 60; i++) fold -= X[i];
        return fold == 0;
    }
    if (!strcmp(name, "scan_of_warp")) {
        scan_of_warp<<<1, 32>>>(x, r, (unsigned *)p, 20);
        auto found = to_host(r, 21), votes = to_host((int *)p, 2);
        int s = 0, positive = 0;
        for (int i = 0; i < 20; i++) {
            positive += X[i] > 0;
            if (found[i] != (s += X[i])) return false;
        }
        return found[20] == s && votes[0] == positive && votes[1] == 1;
    }
    for (int again = 0; again < 2; again++) {
        sum_by_last_block<<<5, 32>>>(f, p, q, n);
        if (to_host(q, 1)[0] != sum) return false;
    }
    return true;
}

// --- transposition and streams ---------------------------------------------------------------------------------------

__global__ void transpose(int rows, int columns, const double *A, double *B)
{
    __shared__ double tile[8][8 + 1];
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    for (int r = 0; r < 8; r += 2)
        if (y + r < rows && x < columns) tile[threadIdx.y + r][threadIdx.x] = A[(y + r) * columns + x];
    __syncthreads();
    x = blockIdx.y * 8 + threadIdx.x;
    y = blockIdx.x * 8 + threadIdx.y;
    for (int r = 0; r < 8; r += 2)
        if (y + r < columns && x < rows) B[(y + r) * rows + x] = tile[threadIdx.x][threadIdx.y + r];
}
static bool test_transposition()
{
    const int rows = 13, columns = 21;
    auto A = numbers<double>(rows * columns, 9), expected = A;
    double *a = to_device(A), *b = empty<double>(rows * columns);
    transpose<<<dim3((columns + 7) / 8, (rows + 7) / 8), dim3(8, 2)>>>(rows, columns, a, b);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) expected[j * rows + i] = A[i * columns + j];
    return same(to_host(b, rows * columns), expected);
}

__constant__ float weights[3];
__global__ void weigh(int n, const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = weights[0] * (i > 0 ? x[i - 1] : 0) + weights[1] * x[i] + weights[2] * (i + 1 < n ? x[i + 1] : 0);
}
static bool test_streams()
{
    const int n = 70;
    auto X = numbers<float>(n, 10), expected = X;
    const float w[3] = {1, 2, 3};
    std::vector<float> found(n);
    float *x, *y, *z;
    cudaStream_t one, two;
    cudaEvent_t ready;
    CHECK(cudaStreamCreate(&one));
    CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&ready));
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&y, n * sizeof(float)));
    CHECK(cudaMalloc(&z, n * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
    CHECK(cudaMemcpyAsync(x, X.data(), n * sizeof(float), cudaMemcpyHostToDevice, one));
    weigh<<<3, 32, 0, one>>>(n, x, y);
    CHECK(cudaEventRecord(ready, one));
    CHECK(cudaStreamWaitEvent(two, ready, 0));
    weigh<<<3, 32, 0, two>>>(n, y, z);
    CHECK(cudaMemcpyAsync(found.data(), z, n * sizeof(float), cudaMemcpyDeviceToHost, two));
    CHECK(cudaStreamSynchronize(two));
    for (int again = 0; again < 2; again++) {
        auto before = expected;
        for (int i = 0; i < n; i++)
            expected[i] = (i ? before[i - 1] : 0) + 2 * before[i] + 3 * (i + 1 < n ? before[i + 1] : 0);
    }
    CHECK(cudaFree(x));
    return same(found, expected);
}

// Every thread releases its own value; the first one of the block counts behind a barrier.
template <bool warp> __global__ void gather(int *values, int *count, int *total)
{
    __shared__ bool isLast;
    const int at = blockIdx.x * 32 + threadIdx.x;
    values[at] = at;
    __threadfence();
    if (warp)
        __syncwarp();
    else
        __syncthreads();
    if (threadIdx.x == 0) isLast = atomicAdd(count, 1) == gridDim.x - 1;
    __syncthreads();
    if (isLast)
        for (int block = 0; block < gridDim.x; block++) atomicAdd(total, values[block * 32 + 31 - threadIdx.x]);
}
// Lanes that have ended take no part.
__global__ void ended(unsigned *votes)
{
    if (threadIdx.x >= 20) return;
    const unsigned all = __ballot_sync(0xffffffffu, threadIdx.x < 30);
    if (threadIdx.x == 19) *votes = all;
}
__global__ void increment(int n, const int *x, int *y)
{
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    if (lane < n) y[lane] = x[threadIdx.x] + 1;
    asm volatile("bar.sync 0;");
}
// The default stream and a blocking one, copies that the host waits for, and waits of the host order the launches.
static bool test_orders()
{
    const int n = 32, zero[n] = {};
    int *values = empty<int>(3 * n), *counts = empty<int>(2), *x = empty<int>(n), *y = empty<int>(n), found[n];
    cudaStream_t blocking, one, two;
    CHECK(cudaStreamCreate(&blocking));
    CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    for (int again = 0; again < 2; again++) {
        CHECK(cudaMemset(counts, 0, 2 * sizeof(int)));
        if (again)
            gather<true><<<3, 32, 0, blocking>>>(values, counts, counts + 1);
        else
            gather<false><<<3, 32, 0, blocking>>>(values, counts, counts + 1);
        CHECK(cudaMemcpy(found, counts, 2 * sizeof(int), cudaMemcpyDeviceToHost));
        if (found[0] != 3 || found[1] != 95 * 48) return false;
    }
    CHECK(cudaMemcpy(x, zero, n * sizeof(int), cudaMemcpyHostToDevice));
    increment<<<1, 32, 0, one>>>(n, x, y);
    CHECK(cudaStreamSynchronize(one));
    increment<<<1, 32, 0, two>>>(n, y, x);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(found, x, n * sizeof(int), cudaMemcpyDeviceToHost));
    ended<<<1, 32>>>((unsigned *)counts);
    return found[31] == 2 && to_host(counts, 1)[0] == 0xfffff;
}

// Neighbouring threads have neighbouring bytes.
__global__ void flags(int n, const char *x, bool *is_positive)
{
    __shared__ char s[32];
    const int i = blockIdx.x * 32 + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0;
    if (i < n) is_positive[i] = s[threadIdx.x] > 0;
}
static bool test_bytes()
{
    const int n = 45;
    auto X = numbers<char>(n, 11);
    char *x = to_device(X);
    bool *found;
    CHECK(cudaMallocManaged(&found, n));
    flags<<<2, 32>>>(n, x, found);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        if (found[i] != (X[i] > 0)) return false;
    return true;
}

// --- forms of declarations and launches -------------------------------------------------------------------------------

#define LAUNCH(kernel, grid, block, ...) kernel<<<(grid), (block)>>>(__VA_ARGS__)
#define SHARED(type, name, size) __shared__ type name[size]
namespace forms
{
template <typename T> struct Pair {
    T value;
    int index; // four bytes without a value follow
};
struct Add {
    static __device__ int apply(int a, int b) { return a + b; }
};
struct Arguments {
    const float *in;
    float *out;
    int n;
    float more[16];
};
extern __shared__ unsigned char at_file_scope[];
__shared__ int static_at_file_scope[4];
static __device__ int counters[2], other = 5;
__device__ int braces{7};
__managed__ int on_both = 0;
__constant__ struct {
    int a;
    float b;
} config;

// Each instance has an array of its own.
template <class T> __device__ T block_sum(T value)
{
    __shared__ T partial[32];
    if (threadIdx.x < 32) partial[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&partial[threadIdx.x % 32], value);
    __syncthreads();
    T sum = 0;
    for (int i = 0; i < 32; i++) sum += partial[i];
    return sum;
}
__global__ void instances(float *r)
{
    const float a = block_sum<float>(1.5f);
    const int b = block_sum<int>(2);
    if (threadIdx.x == 0) r[0] = a, r[1] = b;
}
__global__ void declared(const float *x, float *best)
{
    __shared__ Pair<double> p[64];
    __shared__ int n, m[2][3], *pointer;
    volatile __shared__ float v[64];
    __shared__ __align__(32) float4 wide[8];
    __shared__ alignas(16) unsigned long long big[2];
    SHARED(int, s, 64);
    const int t = threadIdx.x;
    p[t].value = x[t];
    p[t].index = t;
    s[t] = Add::apply(t, 1);
    v[t] = 0;
    if (t < 4) static_at_file_scope[t] = t;
    if (t == 0) n = 3, m[1][2] = 4, pointer = &n, big[1] = 1, wide[0] = make_float4(1, 2, 3, 4);
    reinterpret_cast<int *>(at_file_scope)[t] = t;
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d) {
            Pair<double> far = p[t + d];
            if (far.value > p[t].value) p[t] = far;
        }
        __syncthreads();
    }
    if (t == 0) {
        best[0] = p[0].value + *pointer + m[1][2] + wide[0].w + v[63] + s[63] + big[1] + static_at_file_scope[3];
        best[1] = p[0].index + reinterpret_cast<int *>(at_file_scope)[63];
    }
}
__global__ void variables(float *r)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) r[0] = config.b + other + braces, on_both = 9;
    atomicAdd(&counters[1], 1);
}
template <typename F> __global__ void each(F f, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}
struct Scaled {
    const float *x;
    float *y;
    __device__ void operator()(int i) const { y[i] = 2 * x[i]; }
};
__global__ void by_structure(Arguments a)
{
    if (threadIdx.x < a.n) a.out[threadIdx.x] = a.in[threadIdx.x] + a.more[2];
}
__global__ void locked(int *lock, volatile int *value)
{
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            *value = *value + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}
__global__ void of_batches(const float *x, float *y)
{
    __shared__ float s[2][32];
    auto pipe = cuda::make_pipeline();
    for (int k = 0; k < 2; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[k][threadIdx.x], &x[k * 32 + threadIdx.x], sizeof(float), pipe);
        pipe.producer_commit();
    }
    for (int k = 0; k < 2; k++) {
        pipe.consumer_wait();
        __syncthreads();
        y[k * 32 + threadIdx.x] = s[k][31 - threadIdx.x];
        pipe.consumer_release();
    }
}
__global__ void maybe(float *p, const float *q, int n)
{
    if (q == nullptr) p[0] = n;
}
} // namespace forms
static bool test_forms()
{
    using namespace forms;
    auto F = numbers<float>(64, 12);
    F[19] = 50;
    float *x = to_device(F), *y = empty<float>(64), *r = empty<float>(8);
    instances<<<1, 64>>>(r);
    auto R = to_host(r, 2);
    if (R[0] != 96 || R[1] != 128) return false;
    declared<<<dim3{1, 1, 1}, 64, 64 * sizeof(int)>>>(x, r);
    R = to_host(r, 2);
    if (R[0] != 50 + 3 + 4 + 4 + 0 + 64 + 1 + 3 || R[1] != 19 + 63) return false;
    struct {
        int a;
        float b;
    } c = {1, 2.5f};
    CHECK(cudaMemcpyToSymbol(config, &c, sizeof c));
    variables<<<2, 32>>>(r);
    CHECK(cudaDeviceSynchronize());
    int counted[2];
    CHECK(cudaMemcpyFromSymbol(counted, counters, sizeof counted));
    if (on_both != 9 || counted[1] != 64 || to_host(r, 1)[0] != 14.5f) return false;
    LAUNCH(each, dim3(2), 32, Scaled{x, y}, 64);
    Arguments a{x, r, 8, {1, 2, 3}};
    by_structure<<<1, 32, 0, 0>>>(a);
    if (to_host(y, 64)[19] != 100 || to_host(r, 8)[7] != F[7] + 3) return false;
    of_batches<<<1, 32>>>(x, y);
    if (to_host(y, 64)[12] != 50) return false;
    int *locks = empty<int>(2);
    CHECK(cudaMemset(locks, 0, 2 * sizeof(int)));
    locked<<<2, 40>>>(locks, locks + 1);
    auto kernel = maybe;
    (kernel)<<<1, 1>>>(y, NULL, 3);
    return to_host(locks, 2)[1] == 80 && to_host(y, 1)[0] == 3;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    bool is_right = !strcmp(name, "product_of_tensor_cores") ? test_tensor_cores()
                    : !strncmp(name, "product", 7)           ? test_product(name)
                    : !strcmp(name, "lu")                    ? test_lu()
                    : !strcmp(name, "alignment")             ? test_alignment()
                    : !strcmp(name, "path")                  ? test_path()
                    : !strcmp(name, "heat")                  ? test_heat()
                    : !strcmp(name, "transposition")         ? test_transposition()
                    : !strcmp(name, "orders")                ? test_orders()
                    : !strcmp(name, "forms")                 ? test_forms()
                    : !strcmp(name, "bytes")                 ? test_bytes()
                    : !strcmp(name, "streams")               ? test_streams()
                                                             : test_sums(name);
    CHECK(cudaDeviceSynchronize());
    printf("%s\n", is_right ? "right" : "wrong");
    return 0;
}
