/* System MCM, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   M: unsigned int[N][N] from (1, 1), holds M, SR_M
 */

#include "MCM.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void MCM_loops(
    int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost, unsigned int *restrict M)
{
    #pragma omp parallel for if(N > 20000)
    for (int64_t i = 1; i <= N; i++) {
        /* M[i,j] = 0 */
        M[(i - 1) * N + i - 1] = 0;
    }
    for (int64_t c0 = 1; c0 < N; c0++) {
        #pragma omp parallel for if((double)(N - c0) * (double)(c0 - 1) > 3333)
        for (int64_t i = 1; i <= N - c0; i++) {
            const int64_t j = c0 + i;
            /* SR_M[i,j,k] = M[i,k] + M[k+1,j] + A[i-1] * A[k] * A[j] */
            M[(i - 1) * N + j - 1] = M[(i - 1) * N + i - 1] + M[i * N + j - 1] + A[i - 1] * A[i] * A[j];
            for (int64_t k = i + 1; k < c0 + i; k++) {
                /* SR_M[i,j,k] = SR_M[i,j,k-1] min (M[i,k] + M[k+1,j] + A[i-1] * A[k] * A[j]) */
                M[(i - 1) * N + j - 1]
                    = min_unsigned_int(M[(i - 1) * N + j - 1],
                    M[(i - 1) * N + k - 1] + M[k * N + j - 1] + A[i - 1] * A[k] * A[j]);
            }
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
    if (status == 0) {
        MCM_loops(N, A, min_cost, M);
    }
    free(M);
    return status;
}

void MCM(int64_t N, const unsigned int *restrict A, unsigned int *restrict min_cost)
{
    report("MCM", MCM_status(N, A, min_cost));
}
