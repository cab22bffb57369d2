/* System seidel-2d, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   X: double[T + 1][N][N], holds X
 */

#include "seidel-2d.h"

#include <stdio.h>
#include <stdlib.h>

/* Index arithmetic never overflows for parameters within +-2^40. */
static inline bool too_large(int64_t parameter)
{
    return parameter > INT64_C(1) << 40 || parameter < -(INT64_C(1) << 40);
}

/* The size of an array in bytes: 0 when it is empty, -1 when it is too large to be addressed. */
static inline int64_t bytes_of(size_t element, int rank, const int64_t *extents)
{
    int64_t bytes = (int64_t)element;
    for (int d = 0; d < rank; d++) {
        if (extents[d] <= 0) {
            return 0;
        }
    }
    for (int d = 0; d < rank; d++) {
        if (bytes > INT64_MAX / 4 / extents[d]) {
            return -1;
        }
        bytes *= extents[d];
    }
    return bytes;
}

#ifdef __linux__
int madvise(void *address, size_t length, int advice);
#endif

/* An array aligned to 64 bytes; a large one to pages of 2 MiB, for which Linux is asked: small ones are slow.
 * Does nothing once *status is not 0; sets it to 2 (too large) or 3 (out of memory). */
static void *allocate(int *status, size_t element, int rank, const int64_t *extents)
{
    if (*status != 0) {
        return NULL;
    }
    const int64_t bytes = bytes_of(element, rank, extents);
    if (bytes < 0) {
        *status = 2;
        return NULL;
    }
    const size_t page = bytes < INT64_C(4) << 20 ? 64 : (size_t)2 << 20;
    const size_t whole = ((size_t)bytes / page + 1) * page;
    void *array = aligned_alloc(page, whole);
    if (array == NULL) {
        *status = 3;
    }
#ifdef __linux__
    else if (page > 64) {
        madvise(array, whole, 14); /* MADV_HUGEPAGE */
    }
#endif
    return array;
}

/* Says on stderr why a system failed. */
static void report(const char *system, int status)
{
    static const char *const reasons[] = {
        "success", "the parameter values are not valid", "a size is too large", "out of memory",
        "a value depends on itself", "division by zero", "a value does not fit into an integer type",
        "calls of systems nest too deeply", "a tile size is not positive"
    };
    if (status != 0) {
        fprintf(stderr, "%s: %s\n", system, reasons[status]);
    }
}

static void seidel_x2d_2d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X)
{
    for (int64_t i = 0; i < N; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < N; j++) {
            /* X[t,i,j] = A[i,j] */
            X[i * N + j] = A[i * N + j];
        }
    }
    for (int64_t t = 1; t <= T; t++) {
        #pragma omp simd
        for (int64_t j = 0; j < N; j++) {
            /* X[t,i,j] = X[t-1,i,j] */
            X[t * N * N + j] = X[(t - 1) * N * N + j];
        }
        for (int64_t i = 1; i < N - 1; i++) {
            /* X[t,i,j] = X[t-1,i,j] */
            X[(t * N + i) * N] = X[((t - 1) * N + i) * N];
            for (int64_t j = 1; j < N - 1; j++) {
                /* X[t,i,j] = X[t,i,j-1] * (1.0 / 9.0) + (X[t,i-1,j-1] + X[t,i-1,j] + X[t,i-1,j+1] +
                 *     X[t-1,i,j] + X ...
                 */
                X[(t * N + i) * N + j] = X[(t * N + i) * N + j - 1] * (1.0 / 9.0)
                    + (X[(t * N + i - 1) * N + j - 1] + X[(t * N + i - 1) * N + j]
                    + X[(t * N + i - 1) * N + j + 1] + X[((t - 1) * N + i) * N + j]
                    + X[((t - 1) * N + i) * N + j + 1] + X[((t - 1) * N + i + 1) * N + j - 1]
                    + X[((t - 1) * N + i + 1) * N + j] + X[((t - 1) * N + i + 1) * N + j + 1]) * (1.0 / 9.0);
            }
            const int64_t j = N - 1;
            /* X[t,i,j] = X[t-1,i,j] */
            X[(t * N + i) * N + j] = X[((t - 1) * N + i) * N + j];
        }
        #pragma omp simd
        for (int64_t j = 0; j < N; j++) {
            /* X[t,i,j] = X[t-1,i,j] */
            const int64_t i = N - 1;
            X[(t * N + i) * N + j] = X[((t - 1) * N + i) * N + j];
        }
    }
    for (int64_t i = 0; i < N; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < N; j++) {
            /* B[i,j] = X[T,i,j] */
            B[i * N + j] = X[(T * N + i) * N + j];
        }
    }
}

int seidel_x2d_2d_status(int64_t N, int64_t T, const double *restrict A, double *restrict B)
{
    if (too_large(N) || too_large(T)) {
        return 2;
    }
    if (N < 3 || T < 0) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 2, (const int64_t[]){N, N}) < 0
        || bytes_of(sizeof(*B), 2, (const int64_t[]){N, N}) < 0) {
        return 2;
    }
    int status = 0;
    double *X = allocate(&status, sizeof(*X), 3, (const int64_t[]){T + 1, N, N});
    if (status == 0) {
        seidel_x2d_2d_loops(N, T, A, B, X);
    }
    free(X);
    return status;
}

void seidel_x2d_2d(int64_t N, int64_t T, const double *restrict A, double *restrict B)
{
    report("seidel_x2d_2d", seidel_x2d_2d_status(N, T, A, B));
}
