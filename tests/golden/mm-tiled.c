/* System MM, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   Acc_C: float[P][R][Q + 1], holds Acc_C
 */

#include "MM.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void MM_loops(
    int64_t P, int64_t Q, int64_t R, const float *restrict A, const float *restrict B, float *restrict C,
    float *restrict Acc_C)
{
    for (int64_t tk = 0; tk <= Q + 1; tk += 30) {
        for (int64_t ti = 0; ti < P; ti += 30) {
            for (int64_t tj = 0; tj < R; tj += 30) {
                if (tk <= Q - 29 && tk >= 1 && ti <= P - 30 && tj <= R - 30) {
                    for (int64_t k = tk; k < tk + 30; k++) {
                        for (int64_t i = ti; i < ti + 30; i++) {
                            for (int64_t j = tj; j < tj + 30; j++) {
                                /* Acc_C[i,j,k] = Acc_C[i,j,k-1] + A[i,k-1] * B[k-1,j] */
                                Acc_C[(i * R + j) * (Q + 1) + k]
                                    = Acc_C[(i * R + j) * (Q + 1) + k - 1]
                                    + A[i * Q + k - 1] * B[(k - 1) * R + j];
                            }
                        }
                    }
                } else {
                    if (tk == 0) {
                        for (int64_t i = ti; i < min64(P, ti + 30); i++) {
                            for (int64_t j = tj; j < min64(R, tj + 30); j++) {
                                /* Acc_C[i,j,k] = 0 */
                                Acc_C[(i * R + j) * (Q + 1)] = 0;
                            }
                        }
                    }
                    for (int64_t k = max64(1, tk); k < min64(Q + 1, tk + 30); k++) {
                        for (int64_t i = ti; i < min64(P, ti + 30); i++) {
                            for (int64_t j = tj; j < min64(R, tj + 30); j++) {
                                /* Acc_C[i,j,k] = Acc_C[i,j,k-1] + A[i,k-1] * B[k-1,j] */
                                Acc_C[(i * R + j) * (Q + 1) + k]
                                    = Acc_C[(i * R + j) * (Q + 1) + k - 1]
                                    + A[i * Q + k - 1] * B[(k - 1) * R + j];
                            }
                        }
                    }
                    if (Q <= tk + 28) {
                        for (int64_t i = ti; i < min64(P, ti + 30); i++) {
                            for (int64_t j = tj; j < min64(R, tj + 30); j++) {
                                /* C[i,j] = Acc_C[i,j,Q] */
                                C[i * R + j] = Acc_C[(i * R + j) * (Q + 1) + Q];
                            }
                        }
                    }
                }
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
    int status = 0;
    float *Acc_C = allocate(&status, sizeof(*Acc_C), 3, (const int64_t[]){P, R, Q + 1});
    if (status == 0) {
        MM_loops(P, Q, R, A, B, C, Acc_C);
    }
    free(Acc_C);
    return status;
}

void MM(int64_t P, int64_t Q, int64_t R, const float *restrict A, const float *restrict B, float *restrict C)
{
    report("MM", MM_status(P, Q, R, A, B, C));
}
