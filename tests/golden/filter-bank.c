/* System filter_bank, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "filter_bank.h"

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

static void filter_bank_loops(
    int64_t N, int64_t M, const double *restrict x, const double *restrict h, double *restrict y)
{
    #pragma omp parallel for if((double)(N - M + 1) * (double)(M - 1) > 6666)
    for (int64_t n = M - 1; n < N; n++) {
        const int64_t m_2 = -M + 1;
        /* partial[n,m] = h[-m] * x[m+n] */
        y[n - M + 1] = h[-m_2] * x[m_2 + n];
        for (int64_t m = -M + 2; m <= 0; m++) {
            /* partial[n,m] = partial[n,m-1] + h[-m] * x[m+n] */
            y[n - M + 1] = y[n - M + 1] + h[-m] * x[m + n];
        }
    }
}

int filter_bank_status(
    int64_t N, int64_t M, const double *restrict x, const double *restrict h, double *restrict y)
{
    if (too_large(N) || too_large(M)) {
        return 2;
    }
    if (M < 2 || M > N) {
        return 1;
    }
    if (bytes_of(sizeof(*x), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*h), 1, (const int64_t[]){M}) < 0
        || bytes_of(sizeof(*y), 1, (const int64_t[]){N - M + 1}) < 0) {
        return 2;
    }
    filter_bank_loops(N, M, x, h, y);
    return 0;
}

void filter_bank(int64_t N, int64_t M, const double *restrict x, const double *restrict h, double *restrict y)
{
    report("filter_bank", filter_bank_status(N, M, x, h, y));
}
