/* System total, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   Left: long[1] from (N / 2), holds Left
 *   Right: long[1] from (N / 2), holds Right
 */

#include "total.h"

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

/* Keeps what went wrong for the end of the run. */
static inline void set_status(int *status, int problem)
{
    (void)problem; /* some compilers do not see its use below */
#ifdef _OPENMP
    #pragma omp atomic write
#endif
    *status = problem;
}

/* a + b; wraps around. */
static inline long sum_long(long a, long b)
{
    return (long)((unsigned long)a + (unsigned long)b);
}

static void total_loops(
    int64_t N, const long *restrict X, long *restrict Sum, long *restrict Left, long *restrict Right,
    int *status)
{
    const int64_t Left_from0 = N / 2;
    const int64_t Right_from0 = N / 2;
    if (N >= 2) {
        const int64_t h = N / 2;
        /* Left = total[h](...) */
        {
            int failed = 0;
            long *const Sum_2 = allocate(&failed, sizeof(long), 0, NULL);
            if (failed == 0) {
                failed = total_status(h, &X[0], Sum_2);
                if (failed == 0) {
                    Left[h - Left_from0] = *Sum_2;
                }
            }
            free(Sum_2);
            if (failed != 0) {
                set_status(status, failed);
            }
        }
        /* Right = total[N-h](...) */
        {
            int failed = 0;
            long *const Sum_2 = allocate(&failed, sizeof(long), 0, NULL);
            if (failed == 0) {
                failed = total_status(N - h, &X[h], Sum_2);
                if (failed == 0) {
                    Right[h - Right_from0] = *Sum_2;
                }
            }
            free(Sum_2);
            if (failed != 0) {
                set_status(status, failed);
            }
        }
        const int64_t h_2 = N / 2;
        {
            /* Sum[] = reduce(+, [h], Left[h] + Right[h]) */
            long sum = 0L;
            sum = sum_long(sum, sum_long(Left[h_2 - Left_from0], Right[h_2 - Right_from0]));
            *Sum = sum;
        }
    } else {
        /* Sum[] = X[0] */
        *Sum = X[0];
    }
}

int total_status(int64_t N, const long *restrict X, long *restrict Sum)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*X), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    int status = 0;
    long *Left = allocate(&status, sizeof(*Left), 1, (const int64_t[]){1});
    long *Right = allocate(&status, sizeof(*Right), 1, (const int64_t[]){1});
    if (status == 0) {
        total_loops(N, X, Sum, Left, Right, &status);
    }
    free(Right);
    free(Left);
    return status;
}

void total(int64_t N, const long *restrict X, long *restrict Sum)
{
    report("total", total_status(N, X, Sum));
}
