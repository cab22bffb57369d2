/* System running_sums, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "running_sums.h"

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

/* a + b; wraps around. */
static inline long sum_long(long a, long b)
{
    return (long)((unsigned long)a + (unsigned long)b);
}

static void running_sums_loops(int64_t N, const long *restrict x, long *restrict S)
{
    /* S[i] = x[0] */
    S[0] = x[0];
    for (int64_t i = 1; i < N; i++) {
        /* S[i] = S[i-1] + x[i] */
        S[i] = sum_long(S[i - 1], x[i]);
    }
}

int running_sums_status(int64_t N, const long *restrict x, long *restrict S)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*x), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*S), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    running_sums_loops(N, x, S);
    return 0;
}

void running_sums(int64_t N, const long *restrict x, long *restrict S)
{
    report("running_sums", running_sums_status(N, x, S));
}
