/* System MCM_reduce, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   pM: unsigned int[N][N] from (1, 1), holds pM
 */

#include "MCM_reduce.h"
#include "alphaz.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void MCM_reduce_loops(
    int64_t N, const unsigned int *restrict pA, unsigned int *restrict min_cost, unsigned int *restrict pM)
{
    #pragma omp parallel for if(N > 20000)
    for (int64_t i = 1; i <= N; i++) {
        /* pM[i,j] = 0 */
        pM[(i - 1) * N + i - 1] = 0;
    }
    for (int64_t c0 = 1; c0 < N; c0++) {
        #pragma omp parallel for
        for (int64_t i = 1; i <= N - c0; i++) {
            /* pM[i,j] = reduce(min, [k], {| i<=k<j && k>=1}: pM[i,k] + pM[k+1,j] + pA[i-1] * pA[k] * pA[j])
             */
            const int64_t j = c0 + i;
            unsigned int least = UINT_MAX;
            for (int64_t k = i; k < j; k++) {
                least
                    = min_unsigned_int(least, pM[(i - 1) * N + k - 1] + pM[k * N + j - 1]
                    + pA[i - 1] * pA[k] * pA[j]);
            }
            pM[(i - 1) * N + j - 1] = least;
        }
    }
    /* min_cost[] = pM[1,N] */
    *min_cost = pM[N - 1];
}

int MCM_reduce_status(int64_t N, const unsigned int *restrict pA, unsigned int *restrict min_cost)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 2) {
        return 1;
    }
    if (bytes_of(sizeof(*pA), 1, (const int64_t[]){N + 1}) < 0) {
        return 2;
    }
    int status = 0;
    unsigned int *pM = allocate(&status, sizeof(*pM), 2, (const int64_t[]){N, N});
    if (status == 0) {
        MCM_reduce_loops(N, pA, min_cost, pM);
    }
    free(pM);
    return status;
}

void MCM_reduce(int64_t N, const unsigned int *restrict pA, unsigned int *restrict min_cost)
{
    report("MCM_reduce", MCM_reduce_status(N, pA, min_cost));
}
