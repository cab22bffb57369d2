/* System MCM_normalized, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   M: unsigned int[N][N] from (1, 1), holds M
 *   NR_M: unsigned int[N - 1][N - 1] from (1, 2), holds NR_M
 */

#include "MCM_normalized.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void MCM_normalized_loops(
    int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost, unsigned int *restrict M,
    unsigned int *restrict NR_M)
{
    for (int64_t i = 1; i <= N; i++) {
        /* M[i,j] = 0 */
        M[(i - 1) * N + i - 1] = 0;
    }
    for (int64_t c0 = 1; c0 < N; c0++) {
        for (int64_t i = 1; i <= N - c0; i++) {
            {
                /* NR_M[i,j] = (M[i,k] + M[k+1,j]) + (A[i-1] * A[k]) * A[j] */
                const int64_t j = c0 + i;
                NR_M[(i - 1) * (N - 1) + j - 2]
                    = M[(i - 1) * N + i - 1] + M[i * N + j - 1] + A[i - 1] * A[i] * A[j];
            }
            if (i + 1 < c0 + i) {
                const int64_t j = c0 + i;
                /* NR_M[i,j] min= (M[i,k] + M[k+1,j]) + (A[i-1] * A[k]) * A[j] */
                unsigned int least = NR_M[(i - 1) * (N - 1) + j - 2];
                for (int64_t k = i + 1; k < c0 + i; k++) {
                    least
                        = min_unsigned_int(least, M[(i - 1) * N + k - 1] + M[k * N + j - 1]
                        + A[i - 1] * A[k] * A[j]);
                }
                NR_M[(i - 1) * (N - 1) + j - 2] = least;
            }
            {
                /* M[i,j] = NR_M[i,j] */
                const int64_t j = c0 + i;
                M[(i - 1) * N + j - 1] = NR_M[(i - 1) * (N - 1) + j - 2];
            }
        }
    }
    /* min_cost[] = M[1,N] */
    *min_cost = M[N - 1];
}

int MCM_normalized_status(int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost)
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
    unsigned int *NR_M = allocate(&status, sizeof(*NR_M), 2, (const int64_t[]){N - 1, N - 1});
    if (status == 0) {
        MCM_normalized_loops(N, A, min_cost, M, NR_M);
    }
    free(NR_M);
    free(M);
    return status;
}

void MCM_normalized(int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost)
{
    report("MCM_normalized", MCM_normalized_status(N, A, min_cost));
}
