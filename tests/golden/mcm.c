/* System MCM, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   M: unsigned int[N][N] from (1, 1), holds M, SR_M
 */

#include "MCM.h"

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

static inline unsigned int min_unsigned_int(unsigned int a, unsigned int b)
{
    return a < b ? a : b;
}

static void MCM_loops(
    int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost, unsigned int *restrict M)
{
    #pragma omp parallel for if(N > 20000)
    for (int64_t i = 1; i <= N; i++) {
        /* M[i,j] = 0 */
        M[(i - 1) * N + i - 1] = 0;
    }
    for (int64_t c0 = 1; c0 < N; c0++) {
        #pragma omp parallel for if((double)(N - c0) * (double)(c0 - 1) > 3333)
        for (int64_t i = 1; i <= N - c0; i++) {
            const int64_t j = c0 + i;
            /* SR_M[i,j,k] = M[i,k] + M[k+1,j] + A[i-1] * A[k] * A[j] */
            M[(i - 1) * N + j - 1] = M[(i - 1) * N + i - 1] + M[i * N + j - 1] + A[i - 1] * A[i] * A[j];
            for (int64_t k = i + 1; k < c0 + i; k++) {
                /* SR_M[i,j,k] = SR_M[i,j,k-1] min (M[i,k] + M[k+1,j] + A[i-1] * A[k] * A[j]) */
                M[(i - 1) * N + j - 1]
                    = min_unsigned_int(M[(i - 1) * N + j - 1],
                    M[(i - 1) * N + k - 1] + M[k * N + j - 1] + A[i - 1] * A[k] * A[j]);
            }
        }
    }
    /* min_cost[] = M[1,N] */
    *min_cost = M[N - 1];
}

int MCM_status(int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 2) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 1, (const int64_t[]){N + 1}) < 0) {
        return 2;
    }
    int status = 0;
    unsigned int *M = allocate(&status, sizeof(*M), 2, (const int64_t[]){N, N});
    if (status == 0) {
        MCM_loops(N, A, min_cost, M);
    }
    free(M);
    return status;
}

void MCM(int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost)
{
    report("MCM", MCM_status(N, A, min_cost));
}
