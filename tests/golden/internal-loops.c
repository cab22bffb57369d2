/* System internal_loops, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   table: int[3][N - 3][N - 3] from (0, 0, 3), holds NR_Q, _initNR_Q, _addNR_Q
 */

#include "internal_loops.h"
#include "alphaz.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void internal_loops_loops(
    int64_t N, const int *restrict V, const int *restrict W, int *restrict Q, int *restrict table)
{
    #pragma omp parallel for if((double)(N - 3) * (double)(N - 3) > 20000)
    for (int64_t i = 0; i < N - 3; i++) {
        for (int64_t j = i + 3; j < N; j++) {
            /* Q[i,j] = the identity of min */
            Q[i * (N - 3) + j - 3] = INT_MAX;
        }
    }
    for (int64_t s = 2; s <= min64(3, N - 2); s++) {
        #pragma omp parallel if((double)(N - s - 1) * (double)(N - s - 1) * (double)(s - 1) > 20000)
        {
            #pragma omp for
            for (int64_t i = 0; i < N - s - 1; i++) {
                for (int64_t j = i + s + 1; j < N; j++) {
                    /* _initNR_Q[i,j,s] = the identity of min */
                    table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3] = INT_MAX;
                    {
                        /* _initNR_Q[i,j,s] min= V[p,j+p-i-s] */
                        int least = table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3];
                        for (int64_t p = i + 1; p < i + s; p++) {
                            least = min_int(least, V[p * (N - 1) + j + p - i - s - 1]);
                        }
                        table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3] = least;
                    }
                }
            }
            #pragma omp for
            for (int64_t i = 0; i < N - s - 1; i++) {
                #pragma omp simd
                for (int64_t j = i + s + 1; j < N; j++) {
                    /* Q[i,j] min= NR_Q[i,j,s] + W[s] */
                    Q[i * (N - 3) + j - 3]
                        = min_int(Q[i * (N - 3) + j - 3],
                        sum_int(table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3], W[s - 2]));
                }
            }
        }
    }
    for (int64_t s = 4; s < N - 1; s++) {
        #pragma omp parallel if((double)(N - s - 1) * (double)(N - s - 1) > 2857)
        {
            #pragma omp for
            for (int64_t i = 0; i < N - s - 1; i++) {
                for (int64_t j = i + s + 1; j < N; j++) {
                    /* _addNR_Q[i,j,s] = the identity of min */
                    table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3] = INT_MAX;
                    {
                        /* _addNR_Q[i,j,s] min= V[p,j+p-i-s] */
                        const int64_t p = i + 1;
                        table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3]
                            = min_int(table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3],
                            V[p * (N - 1) + j + p - i - s - 1]);
                    }
                    {
                        /* _addNR_Q[i,j,s] min= V[p,j+p-i-s] */
                        const int64_t p = i + s - 1;
                        table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3]
                            = min_int(table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3],
                            V[p * (N - 1) + j + p - i - s - 1]);
                    }
                }
            }
            #pragma omp for
            for (int64_t i = 0; i < N - s - 1; i++) {
                #pragma omp simd
                for (int64_t j = i + s + 1; j < N; j++) {
                    /* NR_Q[i,j,s] = NR_Q[i+1,j-1,s-2] min _addNR_Q[i,j,s] */
                    table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3]
                        = min_int(table[((s - 2) % 3 * (N - 3) + i + 1) * (N - 3) + j - 4],
                        table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3]);
                }
            }
            #pragma omp for
            for (int64_t i = 0; i < N - s - 1; i++) {
                #pragma omp simd
                for (int64_t j = i + s + 1; j < N; j++) {
                    /* Q[i,j] min= NR_Q[i,j,s] + W[s] */
                    Q[i * (N - 3) + j - 3]
                        = min_int(Q[i * (N - 3) + j - 3],
                        sum_int(table[(s % 3 * (N - 3) + i) * (N - 3) + j - 3], W[s - 2]));
                }
            }
        }
    }
}

int internal_loops_status(int64_t N, const int *restrict V, const int *restrict W, int *restrict Q)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 4) {
        return 1;
    }
    if (bytes_of(sizeof(*V), 2, (const int64_t[]){N - 1, N - 1}) < 0
        || bytes_of(sizeof(*W), 1, (const int64_t[]){N - 2}) < 0
        || bytes_of(sizeof(*Q), 2, (const int64_t[]){N - 3, N - 3}) < 0) {
        return 2;
    }
    int status = 0;
    int *table = allocate(&status, sizeof(*table), 3, (const int64_t[]){3, N - 3, N - 3});
    if (status == 0) {
        internal_loops_loops(N, V, W, Q, table);
    }
    free(table);
    return status;
}

void internal_loops(int64_t N, const int *restrict V, const int *restrict W, int *restrict Q)
{
    report("internal_loops", internal_loops_status(N, V, W, Q));
}
