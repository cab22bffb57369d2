/* System MM, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "MM.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void MM_loops(
    int64_t P, int64_t Q, int64_t R, const float *restrict A, const float *restrict B, float *restrict C)
{
    #pragma omp parallel for if((double)P * (double)Q * (double)R > 6666)
    for (int64_t i = 0; i < P; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < R; j++) {
            /* Acc_C[i,j,k] = 0 */
            C[i * R + j] = 0;
        }
        for (int64_t k = 1; k <= Q; k++) {
            #pragma omp simd
            for (int64_t j = 0; j < R; j++) {
                /* Acc_C[i,j,k] = Acc_C[i,j,k-1] + A[i,k-1] * B[k-1,j] */
                C[i * R + j] = C[i * R + j] + A[i * Q + k - 1] * B[(k - 1) * R + j];
            }
        }
    }
}

int MM_status(
    int64_t P, int64_t Q, int64_t R, const float *restrict A, const float *restrict B, float *restrict C)
{
    if (too_large(P) || too_large(Q) || too_large(R)) {
        return 2;
    }
    if (P < 1 || Q < 1 || R < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 2, (const int64_t[]){P, Q}) < 0
        || bytes_of(sizeof(*B), 2, (const int64_t[]){Q, R}) < 0
        || bytes_of(sizeof(*C), 2, (const int64_t[]){P, R}) < 0) {
        return 2;
    }
    MM_loops(P, Q, R, A, B, C);
    return 0;
}

void MM(int64_t P, int64_t Q, int64_t R, const float *restrict A, const float *restrict B, float *restrict C)
{
    report("MM", MM_status(P, Q, R, A, B, C));
}
