/* System product, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "product.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void product_loops(
    int64_t P, int64_t Q, int64_t R, const double *restrict A, const double *restrict B, double *restrict C)
{
    for (int64_t tk = 0; tk < Q; tk += 8) {
        for (int64_t ti = 0; ti < P; ti += 8) {
            for (int64_t tj = 0; tj < R; tj += 8) {
                if (tk <= Q - 8 && tk >= 1 && ti <= P - 8 && tj <= R - 8) {
                    for (int64_t k = tk; k < tk + 8; k++) {
                        for (int64_t i = ti; i < ti + 8; i++) {
                            #pragma omp simd
                            for (int64_t j = tj; j < tj + 8; j++) {
                                /* _serC[i,j,k] = _serC[i,j,k-1] + A[i,k] * B[k,j] */
                                C[i * R + j] = C[i * R + j] + A[i * Q + k] * B[k * R + j];
                            }
                        }
                    }
                } else {
                    if (tk == 0) {
                        for (int64_t i = ti; i < min64(P, ti + 8); i++) {
                            #pragma omp simd
                            for (int64_t j = tj; j < min64(R, tj + 8); j++) {
                                /* _serC[i,j,k] = A[i,k] * B[k,j] */
                                C[i * R + j] = A[i * Q] * B[j];
                            }
                        }
                    }
                    for (int64_t k = max64(1, tk); k < min64(Q, tk + 8); k++) {
                        for (int64_t i = ti; i < min64(P, ti + 8); i++) {
                            #pragma omp simd
                            for (int64_t j = tj; j < min64(R, tj + 8); j++) {
                                /* _serC[i,j,k] = _serC[i,j,k-1] + A[i,k] * B[k,j] */
                                C[i * R + j] = C[i * R + j] + A[i * Q + k] * B[k * R + j];
                            }
                        }
                    }
                }
            }
        }
    }
}

int product_status(
    int64_t P, int64_t Q, int64_t R, const double *restrict A, const double *restrict B, double *restrict C)
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
    product_loops(P, Q, R, A, B, C);
    return 0;
}

void product(
    int64_t P, int64_t Q, int64_t R, const double *restrict A, const double *restrict B, double *restrict C)
{
    report("product", product_status(P, Q, R, A, B, C));
}
