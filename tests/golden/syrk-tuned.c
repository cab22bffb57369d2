/* System syrk, scheduled.
 * The mapping is proved legal for all parameter values.
 * `0 + x` makes 0.0 of -0.0, as a sum does that begins with its identity.
 */

#include "syrk.h"

#include <stdio.h>
#include <stdlib.h>

/* 4 neighbouring values. */
typedef double double4 __attribute__((vector_size(32), aligned(sizeof(double)), may_alias));

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

/* Keeps what went wrong for the end of the run. */
static inline void set_status(int *status, int problem)
{
    (void)problem; /* some compilers do not see its use below */
#ifdef _OPENMP
    #pragma omp atomic write
#endif
    *status = problem;
}

static void syrk_loops(
    int64_t N, int64_t M, const double *restrict alpha, const double *restrict beta,
    const double *restrict C0, const double *restrict A, double *restrict C, int *status)
{
    /* What tiles read over and over is packed; these buffers are for all threads. */
    const int64_t packed_A_2_size0 = min64(2048, floor_div(N + 7, 8) * 8);
    int failed = 0;
    double *packed_A_2
        = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_A_2_size0, 256});
    if (failed == 0) {
        for (int64_t at_2 = 0; at_2 < packed_A_2_size0 * 256; at_2++) {
            packed_A_2[at_2] = 0;
        }
    }
    if (failed == 0) {
        for (int64_t tj = 0; tj < N; tj += 2048) {
            for (int64_t tk = 0; tk <= M; tk += 256) {
                /* packed_A_2 = A[j,k], as the tile reads it, 8 after 8 */
                if (tk < M) {
                    #pragma omp parallel for
                    for (int64_t rj = tj; rj <= min64(N - 1, tj + 2040); rj += 8) {
                        if (rj <= N - 8) {
                            for (int64_t k = tk; k <= min64(M - 1, tk + 255); k++) {
                                for (int64_t j = rj; j < rj + 8; j++) {
                                    packed_A_2[(rj - tj) * 256 + (k - tk) * 8 + j - rj] = A[j * M + k];
                                }
                            }
                        } else {
                            for (int64_t k = tk; k <= min64(M - 1, tk + 255); k++) {
                                for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                    packed_A_2[(rj - tj) * 256 + (k - tk) * 8 + j - rj] = A[j * M + k];
                                }
                            }
                        }
                    }
                }
                #pragma omp parallel
                {
                    /* Buffers of each thread. */
                    const int64_t packed_A_size0 = min64(72, floor_div(N + 5, 6) * 6);
                    int failed_2 = 0;
                    double *packed_A
                        = allocate(&failed_2, sizeof(double), 2, (const int64_t[]){packed_A_size0, 256});
                    if (failed_2 == 0) {
                        for (int64_t at_2 = 0; at_2 < packed_A_size0 * 256; at_2++) {
                            packed_A[at_2] = 0;
                        }
                    }
                    #pragma omp for schedule(dynamic)
                    for (int64_t ti = 72 * max64(0, floor_div(tj, 72)); ti < N; ti += 72) {
                        if (failed_2 == 0) {
                            /* packed_A = A[i,k], as the tile reads it, 6 after 6 */
                            if (tk < M) {
                                for (int64_t ri = 6 * floor_div(max64(tj, ti + 5), 6);
                                     ri <= min64(N - 1, ti + 66);
                                     ri += 6) {
                                    if (ri <= N - 6 && tj <= ri) {
                                        for (int64_t k = tk; k <= min64(M - 1, tk + 255); k++) {
                                            for (int64_t i = ri; i < ri + 6; i++) {
                                                packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                    = A[i * M + k];
                                            }
                                        }
                                    } else {
                                        for (int64_t k = tk; k <= min64(M - 1, tk + 255); k++) {
                                            for (int64_t i = max64(tj, ri); i < min64(N, ri + 6); i++) {
                                                packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                    = A[i * M + k];
                                            }
                                        }
                                    }
                                }
                            }
                            for (int64_t rj = tj; rj <= min64(min64(N - 1, tj + 2040), ti + 71); rj += 8) {
                                for (int64_t ri = 6 * floor_div(max64(ti + 5, rj), 6);
                                     ri <= min64(N - 1, ti + 66);
                                     ri += 6) {
                                    if (rj <= ri - 7 && ri <= N - 6) {
                                        if (tk == 0) {
                                            /* NR_C[i,j] = A[i,k] * A[j,k], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&C[(r + ri) * N + rj + 4 * s]
                                                        = 0 + packed_A[(ri - ti) * 256 - tk * 6 + r]
                                                        * *(const double4 *)&packed_A_2[(rj - tj) * 256
                                                        - tk * 8 + 4 * s];
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(M, tk + 256)) {
                                            /* NR_C[i,j] += A[i,k] * A[j,k], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&C[(r + ri) * N + rj + 4 * s], 1);
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(M, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_A[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_A_2[(rj - tj) * 256
                                                            + (k - tk) * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&C[(r + ri) * N + rj + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                        if (M <= tk + 255) {
                                            /* C[i,j] = beta * C0[i,j] + alpha * NR_C[i,j], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&C[(r + ri) * N + rj + 4 * s]
                                                        = *beta
                                                        * *(const double4 *)&C0[(r + ri) * N + rj + 4 * s]
                                                        + *alpha * *(double4 *)&C[(r + ri) * N + rj + 4 * s];
                                                }
                                            }
                                        }
                                    } else {
                                        if (tk == 0) {
                                            /* NR_C[i,j] = A[i,k] * A[j,k], some of 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (r + ri < N && rj + s <= r + ri) {
                                                        C[(r + ri) * N + rj + s]
                                                            = 0 + packed_A[(ri - ti) * 256 - tk * 6 + r]
                                                            * packed_A_2[(rj - tj) * 256 - tk * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(M, tk + 256)) {
                                            /* NR_C[i,j] += A[i,k] * A[j,k], some of 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(M, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_A[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_A_2[(rj - tj) * 256
                                                            + (k - tk) * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            double sums[6][8];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&sums[r][4 * s] = sum[r][s];
                                                }
                                            }
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (r + ri < N && rj + s <= r + ri) {
                                                        C[(r + ri) * N + rj + s] += sums[r][s];
                                                    }
                                                }
                                            }
                                        }
                                        if (M <= tk + 255) {
                                            for (int64_t j = rj; j < min64(min64(N, rj + 8), ri + 6); j++) {
                                                for (int64_t i = max64(ri, j); i < min64(N, ri + 6); i++) {
                                                    /* C[i,j] = beta * C0[i,j] + alpha * NR_C[i,j] */
                                                    C[i * N + j] = *beta * C0[i * N + j]
                                                        + *alpha * C[i * N + j];
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                    if (failed_2 != 0) {
                        set_status(status, failed_2);
                    }
                    free(packed_A);
                }
            }
        }
    } else {
        set_status(status, failed);
    }
    free(packed_A_2);
}

int syrk_status(
    int64_t N, int64_t M, const double *restrict alpha, const double *restrict beta,
    const double *restrict C0, const double *restrict A, double *restrict C)
{
    if (too_large(N) || too_large(M)) {
        return 2;
    }
    if (N < 1 || M < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*C0), 2, (const int64_t[]){N, N}) < 0
        || bytes_of(sizeof(*A), 2, (const int64_t[]){N, M}) < 0
        || bytes_of(sizeof(*C), 2, (const int64_t[]){N, N}) < 0) {
        return 2;
    }
    int status = 0;
    syrk_loops(N, M, alpha, beta, C0, A, C, &status);
    return status;
}

void syrk(
    int64_t N, int64_t M, const double *restrict alpha, const double *restrict beta,
    const double *restrict C0, const double *restrict A, double *restrict C)
{
    report("syrk", syrk_status(N, M, alpha, beta, C0, A, C));
}
