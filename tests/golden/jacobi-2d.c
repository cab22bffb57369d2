/* System jacobi-2d, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   X_kept: double[2][N][N], holds X_kept
 *   X: double[1][N][N] from (T, 0, 0), holds X
 *   X_tile: double[2][38][70] from (0, -3, -3) in each iteration, holds X_tile
 */

#include "jacobi-2d.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void jacobi_x2d_2d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X_kept,
    double *restrict X)
{
    for (int64_t g = 0; g <= floor_div(T - 1, 4); g++) {
        #pragma omp parallel for collapse(2)
        for (int64_t b0 = 0; b0 <= (N - 1) / 32; b0++) {
            for (int64_t b1 = 0; b1 <= (N - 1) / 64; b1++) {
                double X_tile[5320];
                if (g >= 1) {
                    for (int64_t i = max64(0, 32 * b0 - 3); i <= min64(N - 1, 32 * b0 + 34); i++) {
                        for (int64_t j = max64(0, 64 * b1 - 3); j <= min64(N - 1, 64 * b1 + 66); j++) {
                            if (i <= N - 2 && i >= 1 && j <= N - 2 && j >= 1) {
                                /* X_tile[g,b0,b1,t,i,j] = 0.2 * (X_kept[g-1,t-1,i,j] + X_kept[g-1,t-1,i,j-1]
                                 *     + X_kept[g-1,t-1,i,j+1] + X_kept[g-1,t-1,i+1,j] +
                                 *     X_kept[g-1,t-1,i-1,j])
                                 */
                                const int64_t t = 4 * g;
                                X_tile[(t % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3]
                                    = 0.2
                                    * (X_kept[((g - 1) % 2 * N + i) * N + j]
                                    + X_kept[((g - 1) % 2 * N + i) * N + j - 1]
                                    + X_kept[((g - 1) % 2 * N + i) * N + j + 1]
                                    + X_kept[((g - 1) % 2 * N + i + 1) * N + j]
                                    + X_kept[((g - 1) % 2 * N + i - 1) * N + j]);
                            } else {
                                /* X_tile[g,b0,b1,t,i,j] = X_kept[g-1,t-1,i,j] */
                                const int64_t t = 4 * g;
                                X_tile[(t % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3]
                                    = X_kept[((g - 1) % 2 * N + i) * N + j];
                            }
                        }
                    }
                } else {
                    for (int64_t i = max64(0, 32 * b0 - 3); i <= min64(N - 1, 32 * b0 + 34); i++) {
                        #pragma omp simd
                        for (int64_t j = max64(0, 64 * b1 - 3); j <= min64(N - 1, 64 * b1 + 66); j++) {
                            /* X_tile[g,b0,b1,t,i,j] = A[i,j] */
                            X_tile[(i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3] = A[i * N + j];
                        }
                    }
                }
                for (int64_t t = 4 * g + 1; t <= min64(T - 1, 4 * g + 2); t++) {
                    for (int64_t i = max64(0, 32 * b0 + t - 4 * g - 3);
                         i <= min64(N - 1, 32 * b0 + 4 * g - t + 34);
                         i++) {
                        for (int64_t j = max64(0, 64 * b1 + t - 4 * g - 3);
                             j <= min64(N - 1, 64 * b1 + 4 * g - t + 66);
                             j++) {
                            if (i <= N - 2 && i >= 1 && j <= N - 2 && j >= 1) {
                                /* X_tile[g,b0,b1,t,i,j] = 0.2 * (X_tile[g,b0,b1,t-1,i,j] +
                                 *     X_tile[g,b0,b1,t-1,i,j-1] + X_tile[g,b0,b1,t-1,i,j+1] +
                                 *     X_tile[g,b0,b1,t-1,i+1,j] + ...
                                 */
                                X_tile[(t % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3]
                                    = 0.2
                                    * (X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3]
                                    + X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 2]
                                    + X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 4]
                                    + X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 4) * 70 + j - 64 * b1 + 3]
                                    + X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 2) * 70 + j - 64 * b1 + 3]);
                            } else {
                                /* X_tile[g,b0,b1,t,i,j] = X_tile[g,b0,b1,t-1,i,j] */
                                X_tile[(t % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3]
                                    = X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3];
                            }
                        }
                    }
                }
                if (4 * g <= T - 4) {
                    for (int64_t i = 32 * b0; i <= min64(N - 1, 32 * b0 + 31); i++) {
                        for (int64_t j = 64 * b1; j <= min64(N - 1, 64 * b1 + 63); j++) {
                            if (i <= N - 2 && i >= 1 && j <= N - 2 && j >= 1) {
                                /* X_kept[g,t,i,j] = 0.2 * (X_tile[g,b0,b1,t-1,i,j] +
                                 *     X_tile[g,b0,b1,t-1,i,j-1] + X_tile[g,b0,b1,t-1,i,j+1] +
                                 *     X_tile[g,b0,b1,t-1,i+1,j] + ...
                                 */
                                const int64_t t = 4 * g + 3;
                                X_kept[(g % 2 * N + i) * N + j]
                                    = 0.2
                                    * (X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3]
                                    + X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 2]
                                    + X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 4]
                                    + X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 4) * 70 + j - 64 * b1 + 3]
                                    + X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 2) * 70 + j - 64 * b1 + 3]);
                            } else {
                                /* X_kept[g,t,i,j] = X_tile[g,b0,b1,t-1,i,j] */
                                const int64_t t = 4 * g + 3;
                                X_kept[(g % 2 * N + i) * N + j]
                                    = X_tile[((t - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3];
                            }
                        }
                    }
                } else {
                    for (int64_t i = 32 * b0; i <= min64(N - 1, 32 * b0 + 31); i++) {
                        for (int64_t j = 64 * b1; j <= min64(N - 1, 64 * b1 + 63); j++) {
                            if (i <= N - 2 && i >= 1 && j <= N - 2 && j >= 1) {
                                /* X[t,i,j] = 0.2 * (X_tile[g,b0,b1,t-1,i,j] + X_tile[g,b0,b1,t-1,i,j-1] +
                                 *     X_tile[g,b0,b1,t-1,i,j+1] + X_tile[g,b0,b1,t-1,i+1,j] +
                                 *     X_tile[g,b0,b1,t-1,i-1,j])
                                 */
                                X[i * N + j]
                                    = 0.2
                                    * (X_tile[((T - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3]
                                    + X_tile[((T - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 2]
                                    + X_tile[((T - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 4]
                                    + X_tile[((T - 1) % 2 * 38 + i - 32 * b0 + 4) * 70 + j - 64 * b1 + 3]
                                    + X_tile[((T - 1) % 2 * 38 + i - 32 * b0 + 2) * 70 + j - 64 * b1 + 3]);
                            } else {
                                /* X[t,i,j] = X_tile[g,b0,b1,t-1,i,j] */
                                X[i * N + j]
                                    = X_tile[((T - 1) % 2 * 38 + i - 32 * b0 + 3) * 70 + j - 64 * b1 + 3];
                            }
                        }
                    }
                }
            }
        }
    }
    if (T == 0) {
        #pragma omp parallel for collapse(2)
        for (int64_t b0 = 0; b0 <= (N - 1) / 32; b0++) {
            for (int64_t b1 = 0; b1 <= (N - 1) / 64; b1++) {
                for (int64_t i = 32 * b0; i <= min64(N - 1, 32 * b0 + 31); i++) {
                    #pragma omp simd
                    for (int64_t j = 64 * b1; j <= min64(N - 1, 64 * b1 + 63); j++) {
                        /* X[t,i,j] = A[i,j] */
                        X[i * N + j] = A[i * N + j];
                    }
                }
            }
        }
    } else if (T % 4 == 0) {
        #pragma omp parallel for collapse(2)
        for (int64_t b0 = 0; b0 <= (N - 1) / 32; b0++) {
            for (int64_t b1 = 0; b1 <= (N - 1) / 64; b1++) {
                for (int64_t i = 32 * b0; i <= min64(N - 1, 32 * b0 + 31); i++) {
                    for (int64_t j = 64 * b1; j <= min64(N - 1, 64 * b1 + 63); j++) {
                        if (i <= N - 2 && i >= 1 && j <= N - 2 && j >= 1) {
                            /* X[t,i,j] = 0.2 * (X_kept[g-1,t-1,i,j] + X_kept[g-1,t-1,i,j-1] +
                             *     X_kept[g-1,t-1,i,j+1] + X_kept[g-1,t-1,i+1,j] + X_kept[g-1,t-1,i-1,j])
                             */
                            const int64_t g = T / 4;
                            X[i * N + j]
                                = 0.2
                                * (X_kept[((g - 1) % 2 * N + i) * N + j]
                                + X_kept[((g - 1) % 2 * N + i) * N + j - 1]
                                + X_kept[((g - 1) % 2 * N + i) * N + j + 1]
                                + X_kept[((g - 1) % 2 * N + i + 1) * N + j]
                                + X_kept[((g - 1) % 2 * N + i - 1) * N + j]);
                        } else {
                            /* X[t,i,j] = X_kept[g-1,t-1,i,j] */
                            const int64_t g = T / 4;
                            X[i * N + j] = X_kept[((g - 1) % 2 * N + i) * N + j];
                        }
                    }
                }
            }
        }
    }
    for (int64_t i = 0; i < N; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < N; j++) {
            /* B[i,j] = X[T,i,j] */
            B[i * N + j] = X[i * N + j];
        }
    }
}

int jacobi_x2d_2d_status(int64_t N, int64_t T, const double *restrict A, double *restrict B)
{
    if (too_large(N) || too_large(T)) {
        return 2;
    }
    if (N < 3 || T < 0) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 2, (const int64_t[]){N, N}) < 0
        || bytes_of(sizeof(*B), 2, (const int64_t[]){N, N}) < 0) {
        return 2;
    }
    int status = 0;
    double *X_kept = allocate(&status, sizeof(*X_kept), 3, (const int64_t[]){2, N, N});
    double *X = allocate(&status, sizeof(*X), 3, (const int64_t[]){1, N, N});
    if (status == 0) {
        jacobi_x2d_2d_loops(N, T, A, B, X_kept, X);
    }
    free(X);
    free(X_kept);
    return status;
}

void jacobi_x2d_2d(int64_t N, int64_t T, const double *restrict A, double *restrict B)
{
    report("jacobi_x2d_2d", jacobi_x2d_2d_status(N, T, A, B));
}
