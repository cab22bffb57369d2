/* System FS_reduce, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "FS_reduce.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void FS_reduce_loops(int64_t N, const float *restrict L, const float *restrict b, float *restrict x)
{
    /* x[i] = b[i] */
    x[0] = b[0];
    for (int64_t i = 1; i < N; i++) {
        /* x[i] = b[i] - reduce(+, [k], L[i,k] * x[k]) */
        float sum = 0;
        for (int64_t k = 0; k < i; k++) {
            sum += L[(i - 1) * (N - 1) + k] * x[k];
        }
        x[i] = b[i] - sum;
    }
}

int FS_reduce_status(int64_t N, const float *restrict L, const float *restrict b, float *restrict x)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 2) {
        return 1;
    }
    if (bytes_of(sizeof(*L), 2, (const int64_t[]){N - 1, N - 1}) < 0
        || bytes_of(sizeof(*b), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*x), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    FS_reduce_loops(N, L, b, x);
    return 0;
}

void FS_reduce(int64_t N, const float *restrict L, const float *restrict b, float *restrict x)
{
    report("FS_reduce", FS_reduce_status(N, L, b, x));
}
