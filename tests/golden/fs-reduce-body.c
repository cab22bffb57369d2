/* System FS_reduce, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   NR_x: float[N - 1] from (1), holds NR_x
 */

#include "FS_reduce.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void FS_reduce_loops(
    int64_t N, const float *restrict L, const float *restrict b, float *restrict x, float *restrict NR_x)
{
    /* x[i] = b[i] */
    x[0] = b[0];
    for (int64_t i = 1; i < N; i++) {
        /* NR_x[i] = the identity of + */
        NR_x[i - 1] = 0;
        {
            /* NR_x[i] += L[i,k] * x[k] */
            float sum = NR_x[i - 1];
            for (int64_t k = 0; k < i; k++) {
                sum += L[(i - 1) * (N - 1) + k] * x[k];
            }
            NR_x[i - 1] = sum;
        }
        /* x[i] = b[i] - NR_x[i] */
        x[i] = b[i] - NR_x[i - 1];
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
    int status = 0;
    float *NR_x = allocate(&status, sizeof(*NR_x), 1, (const int64_t[]){N - 1});
    if (status == 0) {
        FS_reduce_loops(N, L, b, x, NR_x);
    }
    free(NR_x);
    return status;
}

void FS_reduce(int64_t N, const float *restrict L, const float *restrict b, float *restrict x)
{
    report("FS_reduce", FS_reduce_status(N, L, b, x));
}
