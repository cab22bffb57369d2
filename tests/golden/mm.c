/* System MM, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "MM.h"

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
    int64_t P, int64_t Q, int64_t R, const float *restrict A, const float *restrict B, float *restrict C)
{
    #pragma omp parallel for if((double)P * (double)Q * (double)R > 6666)
    for (int64_t i = 0; i < P; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < R; j++) {
            /* Acc_C[i,j,k] = 0 */
            C[i * R + j] = 0;
        }
        for (int64_t k = 1; k <= Q; k++) {
            #pragma omp simd
            for (int64_t j = 0; j < R; j++) {
                /* Acc_C[i,j,k] = Acc_C[i,j,k-1] + A[i,k-1] * B[k-1,j] */
                C[i * R + j] = C[i * R + j] + A[i * Q + k - 1] * B[(k - 1) * R + j];
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
    MM_loops(P, Q, R, A, B, C);
    return 0;
}

void MM(int64_t P, int64_t Q, int64_t R, const float *restrict A, const float *restrict B, float *restrict C)
{
    report("MM", MM_status(P, Q, R, A, B, C));
}
