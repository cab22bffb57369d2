/* System MM, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   Acc_C: float[P][R][Q + 1], holds Acc_C
 */

#include "MM.h"

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

static void MM_loops(
    int64_t P, int64_t Q, int64_t R, const float *restrict A, const float *restrict B, float *restrict C,
    float *restrict Acc_C)
{
    for (int64_t tk = 0; tk <= Q + 1; tk += 30) {
        for (int64_t ti = 0; ti < P; ti += 30) {
            for (int64_t tj = 0; tj < R; tj += 30) {
                if (tk <= Q - 29 && tk >= 1 && ti <= P - 30 && tj <= R - 30) {
                    for (int64_t k = tk; k < tk + 30; k++) {
                        for (int64_t i = ti; i < ti + 30; i++) {
                            for (int64_t j = tj; j < tj + 30; j++) {
                                /* Acc_C[i,j,k] = Acc_C[i,j,k-1] + A[i,k-1] * B[k-1,j] */
                                Acc_C[(i * R + j) * (Q + 1) + k]
                                    = Acc_C[(i * R + j) * (Q + 1) + k - 1]
                                    + A[i * Q + k - 1] * B[(k - 1) * R + j];
                            }
                        }
                    }
                } else {
                    if (tk == 0) {
                        for (int64_t i = ti; i < min64(P, ti + 30); i++) {
                            for (int64_t j = tj; j < min64(R, tj + 30); j++) {
                                /* Acc_C[i,j,k] = 0 */
                                Acc_C[(i * R + j) * (Q + 1)] = 0;
                            }
                        }
                    }
                    for (int64_t k = max64(1, tk); k < min64(Q + 1, tk + 30); k++) {
                        for (int64_t i = ti; i < min64(P, ti + 30); i++) {
                            for (int64_t j = tj; j < min64(R, tj + 30); j++) {
                                /* Acc_C[i,j,k] = Acc_C[i,j,k-1] + A[i,k-1] * B[k-1,j] */
                                Acc_C[(i * R + j) * (Q + 1) + k]
                                    = Acc_C[(i * R + j) * (Q + 1) + k - 1]
                                    + A[i * Q + k - 1] * B[(k - 1) * R + j];
                            }
                        }
                    }
                    if (Q <= tk + 28) {
                        for (int64_t i = ti; i < min64(P, ti + 30); i++) {
                            for (int64_t j = tj; j < min64(R, tj + 30); j++) {
                                /* C[i,j] = Acc_C[i,j,Q] */
                                C[i * R + j] = Acc_C[(i * R + j) * (Q + 1) + Q];
                            }
                        }
                    }
                }
            }
        }
    }
}

int MM_status(
    int64_t P, int64_t Q, int64_t R, const float *restrict A, const float *restrict B, float *restrict C)
{
    if (too_large(P) || too_large(Q) || too_large(R)) {
        return 2;
    }
    if (P < 1 || Q < 1 || R < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 2, (const int64_t[]){P, Q}) < 0
        || bytes_of(sizeof(*B), 2, (const int64_t[]){Q, R}) < 0
        || bytes_of(sizeof(*C), 2, (const int64_t[]){P, R}) < 0) {
        return 2;
    }
    int status = 0;
    float *Acc_C = allocate(&status, sizeof(*Acc_C), 3, (const int64_t[]){P, R, Q + 1});
    if (status == 0) {
        MM_loops(P, Q, R, A, B, C, Acc_C);
    }
    free(Acc_C);
    return status;
}

void MM(int64_t P, int64_t Q, int64_t R, const float *restrict A, const float *restrict B, float *restrict C)
{
    report("MM", MM_status(P, Q, R, A, B, C));
}
