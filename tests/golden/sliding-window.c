/* System sliding_window, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   n__inity: int[1], holds _inity
 *   n__addy: int[N - M] from (1), holds _addy
 *   n__suby: int[N - M] from (1), holds _suby
 */

#include "sliding_window.h"

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

static void sliding_window_loops(
    int64_t N, int64_t M, const int *restrict x, int *restrict y, int *restrict n__inity,
    int *restrict n__addy, int *restrict n__suby)
{
    /* _inity[i] = the identity of + */
    n__inity[0] = 0;
    {
        /* _inity[i] += x[j] */
        int sum = n__inity[0];
        for (int64_t c1 = 1; c1 <= M; c1++) {
            const int64_t j = c1 - 1;
            sum = sum_int(sum, x[j]);
        }
        n__inity[0] = sum;
    }
    #pragma omp simd
    for (int64_t c1 = 1; c1 <= N - M; c1++) {
        /* _addy[i] = x[M+i-1] */
        n__addy[c1 - 1] = x[M + c1 - 1];
        /* _suby[i] = x[i-1] */
        n__suby[c1 - 1] = x[c1 - 1];
    }
    /* y[i] = _inity[i] */
    y[0] = n__inity[0];
    for (int64_t c1 = 1; c1 <= N - M; c1++) {
        /* y[i] = y[i-1] - _suby[i] + _addy[i] */
        y[c1] = sum_int(difference_int(y[c1 - 1], n__suby[c1 - 1]), n__addy[c1 - 1]);
    }
}

int sliding_window_status(int64_t N, int64_t M, const int *restrict x, int *restrict y)
{
    if (too_large(N) || too_large(M)) {
        return 2;
    }
    if (M < 1 || M > N) {
        return 1;
    }
    if (bytes_of(sizeof(*x), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*y), 1, (const int64_t[]){N - M + 1}) < 0) {
        return 2;
    }
    int status = 0;
    int *n__inity = allocate(&status, sizeof(*n__inity), 1, (const int64_t[]){1});
    int *n__addy = allocate(&status, sizeof(*n__addy), 1, (const int64_t[]){N - M});
    int *n__suby = allocate(&status, sizeof(*n__suby), 1, (const int64_t[]){N - M});
    if (status == 0) {
        sliding_window_loops(N, M, x, y, n__inity, n__addy, n__suby);
    }
    free(n__suby);
    free(n__addy);
    free(n__inity);
    return status;
}

void sliding_window(int64_t N, int64_t M, const int *restrict x, int *restrict y)
{
    report("sliding_window", sliding_window_status(N, M, x, y));
}
