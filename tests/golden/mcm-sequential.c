/* System MCM, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   M: unsigned int[N][N] from (1, 1), holds M
 *   SR_M: unsigned int[N - 1][N - 1][N - 1] from (1, 2, 1), holds SR_M
 */

#include "MCM.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void MCM_loops(
    int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost, unsigned int *restrict M,
    unsigned int *restrict SR_M)
{
    for (int64_t i = 1; i <= N; i++) {
        /* M[i,j] = 0 */
        M[(i - 1) * N + i - 1] = 0;
    }
    for (int64_t c0 = 1; c0 < N; c0++) {
        for (int64_t i = 1; i <= N - c0; i++) {
            const int64_t j = c0 + i;
            /* SR_M[i,j,k] = M[i,k] + M[k+1,j] + A[i-1] * A[k] * A[j] */
            SR_M[((i - 1) * (N - 1) + j - 2) * (N - 1) + i - 1]
                = M[(i - 1) * N + i - 1] + M[i * N + j - 1] + A[i - 1] * A[i] * A[j];
            for (int64_t k = i + 1; k < c0 + i; k++) {
                /* SR_M[i,j,k] = SR_M[i,j,k-1] min (M[i,k] + M[k+1,j] + A[i-1] * A[k] * A[j]) */
                SR_M[((i - 1) * (N - 1) + j - 2) * (N - 1) + k - 1]
                    = min_unsigned_int(SR_M[((i - 1) * (N - 1) + j - 2) * (N - 1) + k - 2],
                    M[(i - 1) * N + k - 1] + M[k * N + j - 1] + A[i - 1] * A[k] * A[j]);
            }
            /* M[i,j] = SR_M[i,j,j-1] */
            M[(i - 1) * N + j - 1] = SR_M[((i - 1) * (N - 1) + j - 2) * (N - 1) + j - 2];
        }
    }
    /* min_cost[] = M[1,N] */
    *min_cost = M[N - 1];
}

int MCM_status(int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 2) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 1, (const int64_t[]){N + 1}) < 0) {
        return 2;
    }
    int status = 0;
    unsigned int *M = allocate(&status, sizeof(*M), 2, (const int64_t[]){N, N});
    unsigned int *SR_M
        = allocate(&status, sizeof(*SR_M), 3, (const int64_t[]){N - 1, N - 1, N - 1});
    if (status == 0) {
        MCM_loops(N, A, min_cost, M, SR_M);
    }
    free(SR_M);
    free(M);
    return status;
}

void MCM(int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost)
{
    report("MCM", MCM_status(N, A, min_cost));
}
