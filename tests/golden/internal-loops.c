/* System internal_loops, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   table: int[3][N - 3][N - 3] from (0, 0, 3), holds NR_Q, _initNR_Q, _addNR_Q
 */

#include "internal_loops.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static inline int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
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

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* a + b; wraps around. */
static inline int sum_int(int a, int b)
{
    return (int)((unsigned int)a + (unsigned int)b);
}

static void internal_loops_loops(
    int64_t N, const int *restrict V, const int *restrict W, int *restrict Q, int *restrict table)
{
    #pragma omp parallel for if((double)(N - 3) * (double)(N - 3) > 20000)
    for (int64_t i = 0; i < N - 3; i++) {
        for (int64_t j = i + 3; j < N; j++) {
            /* Q[i,j] = the identity of min */
            Q[i * (N - 3) + j - 3] = INT_MAX;
        }
    }
    for (int64_t s = 2; s <= min64(3, N - 2); s++) {
        #pragma omp parallel if((double)(N - s - 1) * (double)(N - s - 1) * (double)(s - 1) > 20000)
        {
            #pragma omp for
            for (int64_t i = 0; i < N - s - 1; i++) {
                for (int64_t j = i + s + 1; j < N; j++) {
                    /* _initNR_Q[i,j,s] = the identity of min */
                    table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3] = INT_MAX;
                    {
                        /* _initNR_Q[i,j,s] min= V[p,j+p-i-s] */
                        int least = table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3];
                        for (int64_t p = i + 1; p < i + s; p++) {
                            least = min_int(least, V[p * (N - 1) + j + p - i - s - 1]);
                        }
                        table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3] = least;
                    }
                }
            }
            #pragma omp for
            for (int64_t i = 0; i < N - s - 1; i++) {
                #pragma omp simd
                for (int64_t j = i + s + 1; j < N; j++) {
                    /* Q[i,j] min= NR_Q[i,j,s] + W[s] */
                    Q[i * (N - 3) + j - 3]
                        = min_int(Q[i * (N - 3) + j - 3],
                        sum_int(table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3], W[s - 2]));
                }
            }
        }
    }
    for (int64_t s = 4; s < N - 1; s++) {
        #pragma omp parallel if((double)(N - s - 1) * (double)(N - s - 1) > 2857)
        {
            #pragma omp for
            for (int64_t i = 0; i < N - s - 1; i++) {
                for (int64_t j = i + s + 1; j < N; j++) {
                    /* _addNR_Q[i,j,s] = the identity of min */
                    table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3] = INT_MAX;
                    {
                        /* _addNR_Q[i,j,s] min= V[p,j+p-i-s] */
                        const int64_t p = i + 1;
                        table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3]
                            = min_int(table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3],
                            V[p * (N - 1) + j + p - i - s - 1]);
                    }
                    {
                        /* _addNR_Q[i,j,s] min= V[p,j+p-i-s] */
                        const int64_t p = i + s - 1;
                        table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3]
                            = min_int(table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3],
                            V[p * (N - 1) + j + p - i - s - 1]);
                    }
                }
            }
            #pragma omp for
            for (int64_t i = 0; i < N - s - 1; i++) {
                #pragma omp simd
                for (int64_t j = i + s + 1; j < N; j++) {
                    /* NR_Q[i,j,s] = NR_Q[i+1,j-1,s-2] min _addNR_Q[i,j,s] */
                    table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3]
                        = min_int(table[((s - 2) % 3 * (N - 3) + i + 1) * (N - 3) + j - 4],
                        table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3]);
                }
            }
            #pragma omp for
            for (int64_t i = 0; i < N - s - 1; i++) {
                #pragma omp simd
                for (int64_t j = i + s + 1; j < N; j++) {
                    /* Q[i,j] min= NR_Q[i,j,s] + W[s] */
                    Q[i * (N - 3) + j - 3]
                        = min_int(Q[i * (N - 3) + j - 3],
                        sum_int(table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3], W[s - 2]));
                }
            }
        }
    }
}

int internal_loops_status(int64_t N, const int *restrict V, const int *restrict W, int *restrict Q)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 4) {
        return 1;
    }
    if (bytes_of(sizeof(*V), 2, (const int64_t[]){N - 1, N - 1}) < 0
        || bytes_of(sizeof(*W), 1, (const int64_t[]){N - 2}) < 0
        || bytes_of(sizeof(*Q), 2, (const int64_t[]){N - 3, N - 3}) < 0) {
        return 2;
    }
    int status = 0;
    int *table = allocate(&status, sizeof(*table), 3, (const int64_t[]){3, N - 3, N - 3});
    if (status == 0) {
        internal_loops_loops(N, V, W, Q, table);
    }
    free(table);
    return status;
}

void internal_loops(int64_t N, const int *restrict V, const int *restrict W, int *restrict Q)
{
    report("internal_loops", internal_loops_status(N, V, W, Q));
}
