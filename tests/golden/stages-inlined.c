/* System steepest, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   calm: int[2], holds calm
 *   rise: int, one value, holds rise
 */

#include "steepest.h"

#include <limits.h>
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

static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* a + b; wraps around. */
static inline int sum_int(int a, int b)
{
    return (int)((unsigned int)a + (unsigned int)b);
}

/* a - b; wraps around. */
static inline int difference_int(int a, int b)
{
    return (int)((unsigned int)a - (unsigned int)b);
}

/* a * b; wraps around. */
static inline int product_int(int a, int b)
{
    return (int)((unsigned int)a * (unsigned int)b);
}

static void steepest_loops(
    int64_t N, int64_t B, const int *restrict signal_, int *restrict most, int *restrict calm,
    int *restrict rise)
{
    for (int64_t b = 0; b < B; b++) {
        /* most[b] = the identity of max */
        most[b] = INT_MIN;
        /* calm[b,i] = 4 * signal[b,i] */
        calm[0] = product_int(4, signal_[b * N]);
        {
            /* most[b] max= rise[b,i] */
            int greatest = most[b];
            for (int64_t i = 1; i < N - 1; i++) {
                /* calm[b,i] = signal[b,i-1] + 2 * signal[b,i] + signal[b,i+1] */
                calm[i % 2]
                    = sum_int(sum_int(signal_[b * N + i - 1], product_int(2, signal_[b * N + i])),
                    signal_[b * N + i + 1]);
                /* rise[b,i] = calm[b,i] - calm[b,i-1] */
                *rise = difference_int(calm[i % 2], calm[(i - 1) % 2]);
                greatest = max_int(greatest, *rise);
            }
            most[b] = greatest;
        }
        const int64_t i = N - 1;
        /* calm[b,i] = 4 * signal[b,i] */
        calm[i % 2] = product_int(4, signal_[b * N + i]);
        /* rise[b,i] = calm[b,i] - calm[b,i-1] */
        *rise = difference_int(calm[i % 2], calm[(i - 1) % 2]);
        /* most[b] max= rise[b,i] */
        most[b] = max_int(most[b], *rise);
    }
}

int steepest_status(int64_t N, int64_t B, const int *restrict signal_, int *restrict most)
{
    if (too_large(N) || too_large(B)) {
        return 2;
    }
    if (N < 3 || B < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*signal_), 2, (const int64_t[]){B, N}) < 0
        || bytes_of(sizeof(*most), 1, (const int64_t[]){B}) < 0) {
        return 2;
    }
    int status = 0;
    int *calm = allocate(&status, sizeof(*calm), 1, (const int64_t[]){2});
    int *rise = allocate(&status, sizeof(*rise), 0, NULL);
    if (status == 0) {
        steepest_loops(N, B, signal_, most, calm, rise);
    }
    free(rise);
    free(calm);
    return status;
}

void steepest(int64_t N, int64_t B, const int *restrict signal_, int *restrict most)
{
    report("steepest", steepest_status(N, B, signal_, most));
}
