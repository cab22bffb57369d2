/* System r, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>

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

static void r_loops(int64_t N, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < N; i++) {
        /* y[i] = the identity of + */
        y[i] = 0;
        if (0 < N - 1) {
            /* y[i] += a[i,j] * x[j] */
            double sum = y[i];
            for (int64_t j = 0; j < N - 1; j++) {
                sum += a[i * N + j] * x[j];
            }
            y[i] = sum;
        }
    }
}

int r_status(int64_t N, const double *restrict a, const double *restrict x, double *restrict y)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*a), 2, (const int64_t[]){N, N}) < 0
        || bytes_of(sizeof(*x), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*y), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    r_loops(N, a, x, y);
    return 0;
}

void r(int64_t N, const double *restrict a, const double *restrict x, double *restrict y)
{
    report("r", r_status(N, a, x, y));
}
