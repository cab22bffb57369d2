/* System FS_reduce, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   NR_x: float[N - 1] from (1), holds NR_x
 */

#include "FS_reduce.h"

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

static void FS_reduce_loops(
    int64_t N, const float *restrict L, const float *restrict b, float *restrict x, float *restrict NR_x)
{
    /* x[i] = b[i] */
    x[0] = b[0];
    for (int64_t i = 1; i < N; i++) {
        /* NR_x[i] = the identity of + */
        NR_x[i - 1] = 0;
        {
            /* NR_x[i] += L[i,k] * x[k] */
            float sum = NR_x[i - 1];
            for (int64_t k = 0; k < i; k++) {
                sum += L[(i - 1) * (N - 1) + k] * x[k];
            }
            NR_x[i - 1] = sum;
        }
        /* x[i] = b[i] - NR_x[i] */
        x[i] = b[i] - NR_x[i - 1];
    }
}

int FS_reduce_status(int64_t N, const float *restrict L, const float *restrict b, float *restrict x)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 2) {
        return 1;
    }
    if (bytes_of(sizeof(*L), 2, (const int64_t[]){N - 1, N - 1}) < 0
        || bytes_of(sizeof(*b), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*x), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    int status = 0;
    float *NR_x = allocate(&status, sizeof(*NR_x), 1, (const int64_t[]){N - 1});
    if (status == 0) {
        FS_reduce_loops(N, L, b, x, NR_x);
    }
    free(NR_x);
    return status;
}

void FS_reduce(int64_t N, const float *restrict L, const float *restrict b, float *restrict x)
{
    report("FS_reduce", FS_reduce_status(N, L, b, x));
}
