/* System relaxation, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   X: double[N + 2 * T][T + 1], holds X
 */

#include "relaxation.h"

#include <stdio.h>
#include <stdlib.h>

static inline int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

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

static void relaxation_loops(
    int64_t T, int64_t N, const double *restrict A, double *restrict R, double *restrict X)
{
    for (int64_t t = 0; t <= 1; t++) {
        /* X[t,i] = A[t-2i] */
        X[t * (T + 1)] = A[t];
    }
    for (int64_t t = 2; t <= min64(2 * T, N - 1); t++) {
        /* X[t,i] = A[t-2i] */
        X[t * (T + 1)] = A[t];
        #pragma omp parallel for simd
        for (int64_t c1 = 1; c1 < (t + 1) / 2; c1++) {
            /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
            X[t * (T + 1) + c1]
                = (X[(t - 1) * (T + 1) + c1] + X[(t - 2) * (T + 1) + c1 - 1]
                + X[(t - 1) * (T + 1) + c1 - 1]) / 3.0;
        }
        if (t % 2 == 0) {
            /* X[t,i] = X[t-2,i-1] */
            const int64_t i = t / 2;
            X[t * (T + 1) + i] = X[(t - 2) * (T + 1) + i - 1];
        }
    }
    for (int64_t t = 2 * T + 1; t < N; t++) {
        /* X[t,i] = A[t-2i] */
        X[t * (T + 1)] = A[t];
        #pragma omp parallel for simd if(T - 1 > 5000)
        for (int64_t c1 = 1; c1 < T; c1++) {
            /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
            X[t * (T + 1) + c1]
                = (X[(t - 1) * (T + 1) + c1] + X[(t - 2) * (T + 1) + c1 - 1]
                + X[(t - 1) * (T + 1) + c1 - 1]) / 3.0;
        }
        const int64_t i = t - 2 * T - 1;
        /* R[i] = X[2T+i,T] */
        R[i] = X[(2 * T + i) * (T + 1) + T];
        /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
        X[t * (T + 1) + T]
            = (X[(t - 1) * (T + 1) + T] + X[(t - 2) * (T + 1) + T - 1]
            + X[(t - 1) * (T + 1) + T - 1]) / 3.0;
    }
    if (2 * T < N) {
        #pragma omp parallel for simd if(T - 1 > 5000)
        for (int64_t c1 = 1; c1 < T; c1++) {
            /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
            X[N * (T + 1) + c1]
                = (X[(N - 1) * (T + 1) + c1] + X[(N - 2) * (T + 1) + c1 - 1]
                + X[(N - 1) * (T + 1) + c1 - 1]) / 3.0;
        }
        const int64_t i = N - 2 * T - 1;
        /* R[i] = X[2T+i,T] */
        R[i] = X[(2 * T + i) * (T + 1) + T];
        /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
        X[N * (T + 1) + T]
            = (X[(N - 1) * (T + 1) + T] + X[(N - 2) * (T + 1) + T - 1]
            + X[(N - 1) * (T + 1) + T - 1]) / 3.0;
    }
    for (int64_t t = N; t <= 2 * T; t++) {
        if ((N + t + 1) % 2 == 0) {
            /* X[t,i] = X[t-2,i-1] */
            const int64_t i = (t - N + 1) / 2;
            X[t * (T + 1) + i] = X[(t - 2) * (T + 1) + i - 1];
        }
        #pragma omp parallel for simd
        for (int64_t c1 = -N + (N + t + 1) / 2 + 1; c1 < (t + 1) / 2; c1++) {
            /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
            X[t * (T + 1) + c1]
                = (X[(t - 1) * (T + 1) + c1] + X[(t - 2) * (T + 1) + c1 - 1]
                + X[(t - 1) * (T + 1) + c1 - 1]) / 3.0;
        }
        if (t % 2 == 0) {
            /* X[t,i] = X[t-2,i-1] */
            const int64_t i = t / 2;
            X[t * (T + 1) + i] = X[(t - 2) * (T + 1) + i - 1];
        }
    }
    for (int64_t t = max64(2 * T + 1, N + 1); t < N + 2 * T; t++) {
        if (t <= N + 2 * T - 2) {
            if ((N + t + 1) % 2 == 0) {
                /* X[t,i] = X[t-2,i-1] */
                const int64_t i = (t - N + 1) / 2;
                X[t * (T + 1) + i] = X[(t - 2) * (T + 1) + i - 1];
            }
            #pragma omp parallel for simd
            for (int64_t c1 = -N + (N + t + 1) / 2 + 1; c1 < T; c1++) {
                /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
                X[t * (T + 1) + c1]
                    = (X[(t - 1) * (T + 1) + c1] + X[(t - 2) * (T + 1) + c1 - 1]
                    + X[(t - 1) * (T + 1) + c1 - 1]) / 3.0;
            }
            {
                /* R[i] = X[2T+i,T] */
                const int64_t i = t - 2 * T - 1;
                R[i] = X[(2 * T + i) * (T + 1) + T];
            }
            /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
            X[t * (T + 1) + T]
                = (X[(t - 1) * (T + 1) + T] + X[(t - 2) * (T + 1) + T - 1]
                + X[(t - 1) * (T + 1) + T - 1]) / 3.0;
        } else {
            const int64_t i = N - 2;
            /* R[i] = X[2T+i,T] */
            R[i] = X[(2 * T + i) * (T + 1) + T];
            const int64_t t_2 = N + 2 * T - 1;
            /* X[t,i] = X[t-2,i-1] */
            X[t_2 * (T + 1) + T] = X[(t_2 - 2) * (T + 1) + T - 1];
        }
    }
    {
        /* R[i] = X[2T+i,T] */
        const int64_t i = N - 1;
        R[i] = X[(2 * T + i) * (T + 1) + T];
    }
}

int relaxation_status(int64_t T, int64_t N, const double *restrict A, double *restrict R)
{
    if (too_large(T) || too_large(N)) {
        return 2;
    }
    if (T < 1 || N < 3) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*R), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    int status = 0;
    double *X = allocate(&status, sizeof(*X), 2, (const int64_t[]){N + 2 * T, T + 1});
    if (status == 0) {
        relaxation_loops(T, N, A, R, X);
    }
    free(X);
    return status;
}

void relaxation(int64_t T, int64_t N, const double *restrict A, double *restrict R)
{
    report("relaxation", relaxation_status(T, N, A, R));
}
