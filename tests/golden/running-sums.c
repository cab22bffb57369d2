/* System running_sums, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "running_sums.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

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
