/* System prefix_sum, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "prefix_sum.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void prefix_sum_loops(int64_t N, const double *restrict x, double *restrict y)
{
    /* y[i] = x[i] */
    y[0] = x[0];
    for (int64_t i = 1; i < N; i++) {
        /* y[i] = y[i-1] + x[i] */
        y[i] = y[i - 1] + x[i];
    }
}

int prefix_sum_status(int64_t N, const double *restrict x, double *restrict y)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*x), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*y), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    prefix_sum_loops(N, x, y);
    return 0;
}

void prefix_sum(int64_t N, const double *restrict x, double *restrict y)
{
    report("prefix_sum", prefix_sum_status(N, x, y));
}
