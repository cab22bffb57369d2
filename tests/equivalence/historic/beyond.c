/* System f, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>

#include <stdio.h>
#include <stdlib.h>

/* The greatest integer that is not above a / b, for b > 0. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

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

/* An array aligned to 64 bytes; a large one to pages of 2 MiB, which Linux is asked for: small ones are slow to enter.
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

/* Keeps what went wrong for the end of the run. */
static inline void set_status(int *status, int problem)
{
    (void)problem; /* some compilers do not see its use below */
#ifdef _OPENMP
    #pragma omp atomic write
#endif
    *status = problem;
}

static void f_loops(
    int64_t N, int64_t K, int64_t ts1_l1, int64_t ts2_l1, int64_t ts2_l2, const double *restrict A,
    const double *restrict w, double *restrict C, int *status)
{
    for (int64_t wi = 0; wi <= floor_div(N - 1, ts1_l1) + floor_div(K - 1, ts2_l1); wi++) {
#pragma omp parallel
        {
            /* Buffers of each thread. */
            int failed = 0;
            double *packed_A = allocate(&failed, sizeof(double), 2, (const int64_t[]){4, ts2_l1});
            double *packed_w = allocate(&failed, sizeof(double), 1, (const int64_t[]){ts2_l1});
#pragma omp for schedule(dynamic)
            for (int64_t nk = max64(0, wi - floor_div(N - 1, ts1_l1));
                 nk <= min64(floor_div(K - 1, ts2_l1), wi);
                 nk++) {
                if (failed == 0) {
                    const int64_t tk = ts2_l1 * nk;
                    const int64_t ti = ts1_l1 * (wi - nk);
                    if (0 <= ti && ti <= N - 1) {
                        for (int64_t ti_2 = 4 * max64(0, floor_div(ti, 4)); ti_2 < min64(N, ti + ts1_l1); ti_2 += 4) {
                            const int64_t i_first = max64(ti_2, ti);
                            const int64_t i_end = min64(ti_2 + 4, ti + ts1_l1);
                            /* packed_A = A[i+k], as the tile reads it */
                            for (int64_t i = max64(0, i_first); i < min64(N, i_end); i++) {
                                for (int64_t k = 0; k < K; k++) {
                                    packed_A[(i - ti_2) * ts2_l1 + k - tk] = A[i + k];
                                }
                            }
                            /* packed_w = w[k], as the tile reads it */
                            for (int64_t k = 0; k < K; k++) {
                                packed_w[k - tk] = w[k];
                            }
                            for (int64_t tk_2 = ts2_l2 * max64(0, floor_div(tk, ts2_l2));
                                 tk_2 < min64(K, tk + ts2_l1);
                                 tk_2 += ts2_l2) {
                                const int64_t k_first = max64(tk_2, tk);
                                const int64_t k_end = min64(tk_2 + ts2_l2, tk + ts2_l1);
                                if (k_first >= 1 && k_end <= K) {
                                    for (int64_t i = max64(0, i_first); i < min64(N, i_end); i++) {
                                        if (k_first < k_end) {
                                            /* C[i] += A[i+k] * w[k] */
                                            double sum = C[i];
                                            for (int64_t k = k_first; k < k_end; k++) {
                                                sum += packed_A[(i - ti_2) * ts2_l1 + k - tk] * packed_w[k - tk];
                                            }
                                            C[i] = sum;
                                        }
                                    }
                                } else if (k_first < K && k_end >= 1) {
                                    for (int64_t i = max64(0, i_first); i < min64(N, i_end); i++) {
                                        if (k_first <= 0) {
                                            /* C[i] = A[i+k] * w[k] */
                                            C[i] = 0 + packed_A[(i - ti_2) * ts2_l1 - tk] * packed_w[-tk];
                                        }
                                        if (max64(1, k_first) < min64(K, k_end)) {
                                            /* C[i] += A[i+k] * w[k] */
                                            double sum = C[i];
                                            for (int64_t k = max64(1, k_first); k < min64(K, k_end); k++) {
                                                sum += packed_A[(i - ti_2) * ts2_l1 + k - tk] * packed_w[k - tk];
                                            }
                                            C[i] = sum;
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            if (failed != 0) {
                set_status(status, failed);
            }
            free(packed_A);
            free(packed_w);
        }
    }
}

int f_status(
    int64_t N, int64_t K, int64_t ts1_l1, int64_t ts2_l1, int64_t ts2_l2, const double *restrict A,
    const double *restrict w, double *restrict C)
{
    if (too_large(N) || too_large(K) || too_large(ts1_l1) || too_large(ts2_l1)
        || too_large(ts2_l2)) {
        return 2;
    }
    if (N < 1 || K < 1) {
        return 1;
    }
    if (ts1_l1 < 1 || ts2_l1 < 1 || ts2_l2 < 1) {
        return 8;
    }
    if (bytes_of(sizeof(*A), 1, (const int64_t[]){K + N}) < 0
        || bytes_of(sizeof(*w), 1, (const int64_t[]){K}) < 0
        || bytes_of(sizeof(*C), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    int status = 0;
    f_loops(N, K, ts1_l1, ts2_l1, ts2_l2, A, w, C, &status);
    return status;
}

void f(
    int64_t N, int64_t K, int64_t ts1_l1, int64_t ts2_l1, int64_t ts2_l2, const double *restrict A,
    const double *restrict w, double *restrict C)
{
    report("f", f_status(N, K, ts1_l1, ts2_l1, ts2_l2, A, w, C));
}
