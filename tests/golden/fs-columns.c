/* System FS, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "FS.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void FS_loops(int64_t N, const float *restrict L, const float *restrict b, float *restrict x)
{
    /* x[i] = b[i] */
    x[0] = b[0];
    #pragma omp parallel for if(N - 1 > 10000)
    for (int64_t i = 1; i < N; i++) {
        /* SR_x[i,k] = L[i,k] * x[k] */
        x[i] = L[(i - 1) * (N - 1)] * x[0];
    }
    for (int64_t k = 1; k < N; k++) {
        /* x[i] = b[i] - SR_x[i,i-1] */
        x[k] = b[k] - x[k];
        #pragma omp parallel for if(N - k - 1 > 6666)
        for (int64_t i = k + 1; i < N; i++) {
            /* SR_x[i,k] = SR_x[i,k-1] + L[i,k] * x[k] */
            x[i] = x[i] + L[(i - 1) * (N - 1) + k] * x[k];
        }
    }
}

int FS_status(int64_t N, const float *restrict L, const float *restrict b, float *restrict x)
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
    FS_loops(N, L, b, x);
    return 0;
}

void FS(int64_t N, const float *restrict L, const float *restrict b, float *restrict x)
{
    report("FS", FS_status(N, L, b, x));
}
