/* System jacobi-1d, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   X_kept: double[2][N], holds X_kept
 *   X: double[1][N] from (T, 0), holds X
 *   X_tile: double[2][1054] from (0, -15) in each iteration, holds X_tile
 */

#include "jacobi-1d.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void jacobi_x2d_1d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X_kept,
    double *restrict X)
{
    for (int64_t g = 0; g <= floor_div(T - 1, 16); g++) {
        #pragma omp parallel for
        for (int64_t b0 = 0; b0 <= (N - 1) / 1024; b0++) {
            double X_tile[2108];
            if (g >= 1) {
                for (int64_t i = max64(0, 1024 * b0 - 15); i <= min64(N - 1, 1024 * b0 + 1038); i++) {
                    if (i <= N - 2 && i >= 1) {
                        /* X_tile[g,b0,t,i] = 0.33333 * (X_kept[g-1,t-1,i-1] + X_kept[g-1,t-1,i] +
                         *     X_kept[g-1,t-1,i+1])
                         */
                        const int64_t t = 16 * g;
                        X_tile[t % 2 * 1054 + i - 1024 * b0 + 15]
                            = 0.33333
                            * (X_kept[(g - 1) % 2 * N + i - 1] + X_kept[(g - 1) % 2 * N + i]
                            + X_kept[(g - 1) % 2 * N + i + 1]);
                    } else if (i + 1 == N) {
                        /* X_tile[g,b0,t,i] = X_kept[g-1,t-1,i] */
                        const int64_t t = 16 * g;
                        const int64_t i_2 = N - 1;
                        X_tile[t % 2 * 1054 + i_2 - 1024 * b0 + 15] = X_kept[(g - 1) % 2 * N + i_2];
                    } else {
                        /* X_tile[g,b0,t,i] = X_kept[g-1,t-1,i] */
                        const int64_t t = 16 * g;
                        X_tile[t % 2 * 1054 + 15] = X_kept[(g - 1) % 2 * N];
                    }
                }
            } else {
                #pragma omp simd
                for (int64_t i = max64(0, 1024 * b0 - 15); i <= min64(N - 1, 1024 * b0 + 1038); i++) {
                    /* X_tile[g,b0,t,i] = A[i] */
                    X_tile[i - 1024 * b0 + 15] = A[i];
                }
            }
            for (int64_t t = 16 * g + 1; t <= min64(T - 1, 16 * g + 14); t++) {
                for (int64_t i = max64(0, 1024 * b0 + t - 16 * g - 15);
                     i <= min64(N - 1, 1024 * b0 + 16 * g - t + 1038);
                     i++) {
                    if (i <= N - 2 && i >= 1) {
                        /* X_tile[g,b0,t,i] = 0.33333 * (X_tile[g,b0,t-1,i-1] + X_tile[g,b0,t-1,i] +
                         *     X_tile[g,b0,t-1,i+1])
                         */
                        X_tile[t % 2 * 1054 + i - 1024 * b0 + 15]
                            = 0.33333
                            * (X_tile[(t - 1) % 2 * 1054 + i - 1024 * b0 + 14]
                            + X_tile[(t - 1) % 2 * 1054 + i - 1024 * b0 + 15]
                            + X_tile[(t - 1) % 2 * 1054 + i - 1024 * b0 + 16]);
                    } else if (i + 1 == N) {
                        /* X_tile[g,b0,t,i] = X_tile[g,b0,t-1,i] */
                        const int64_t i_2 = N - 1;
                        X_tile[t % 2 * 1054 + i_2 - 1024 * b0 + 15]
                            = X_tile[(t - 1) % 2 * 1054 + i_2 - 1024 * b0 + 15];
                    } else {
                        /* X_tile[g,b0,t,i] = X_tile[g,b0,t-1,i] */
                        X_tile[t % 2 * 1054 + 15] = X_tile[(t - 1) % 2 * 1054 + 15];
                    }
                }
            }
            if (16 * g <= T - 16) {
                for (int64_t i = 1024 * b0; i <= min64(N - 1, 1024 * b0 + 1023); i++) {
                    if (i <= N - 2 && i >= 1) {
                        /* X_kept[g,t,i] = 0.33333 * (X_tile[g,b0,t-1,i-1] + X_tile[g,b0,t-1,i] +
                         *     X_tile[g,b0,t-1,i+1])
                         */
                        const int64_t t = 16 * g + 15;
                        X_kept[g % 2 * N + i] = 0.33333
                            * (X_tile[(t - 1) % 2 * 1054 + i - 1024 * b0 + 14]
                            + X_tile[(t - 1) % 2 * 1054 + i - 1024 * b0 + 15]
                            + X_tile[(t - 1) % 2 * 1054 + i - 1024 * b0 + 16]);
                    } else if (i + 1 == N) {
                        /* X_kept[g,t,i] = X_tile[g,b0,t-1,i] */
                        const int64_t t = 16 * g + 15;
                        const int64_t i_2 = N - 1;
                        X_kept[g % 2 * N + i_2] = X_tile[(t - 1) % 2 * 1054 + i_2 - 1024 * b0 + 15];
                    } else {
                        /* X_kept[g,t,i] = X_tile[g,b0,t-1,i] */
                        const int64_t t = 16 * g + 15;
                        X_kept[g % 2 * N] = X_tile[(t - 1) % 2 * 1054 + 15];
                    }
                }
            } else {
                for (int64_t i = 1024 * b0; i <= min64(N - 1, 1024 * b0 + 1023); i++) {
                    if (i <= N - 2 && i >= 1) {
                        /* X[t,i] = 0.33333 * (X_tile[g,b0,t-1,i-1] + X_tile[g,b0,t-1,i] +
                         *     X_tile[g,b0,t-1,i+1])
                         */
                        X[i]
                            = 0.33333
                            * (X_tile[(T - 1) % 2 * 1054 + i - 1024 * b0 + 14]
                            + X_tile[(T - 1) % 2 * 1054 + i - 1024 * b0 + 15]
                            + X_tile[(T - 1) % 2 * 1054 + i - 1024 * b0 + 16]);
                    } else if (i + 1 == N) {
                        /* X[t,i] = X_tile[g,b0,t-1,i] */
                        const int64_t i_2 = N - 1;
                        X[i_2] = X_tile[(T - 1) % 2 * 1054 + i_2 - 1024 * b0 + 15];
                    } else {
                        /* X[t,i] = X_tile[g,b0,t-1,i] */
                        X[0] = X_tile[(T - 1) % 2 * 1054 + 15];
                    }
                }
            }
        }
    }
    if (T == 0) {
        #pragma omp parallel for
        for (int64_t b0 = 0; b0 <= (N - 1) / 1024; b0++) {
            #pragma omp simd
            for (int64_t i = 1024 * b0; i <= min64(N - 1, 1024 * b0 + 1023); i++) {
                /* X[t,i] = A[i] */
                X[i] = A[i];
            }
        }
    } else if (T % 16 == 0) {
        #pragma omp parallel for
        for (int64_t b0 = 0; b0 <= (N - 1) / 1024; b0++) {
            for (int64_t i = 1024 * b0; i <= min64(N - 1, 1024 * b0 + 1023); i++) {
                if (i <= N - 2 && i >= 1) {
                    /* X[t,i] = 0.33333 * (X_kept[g-1,t-1,i-1] + X_kept[g-1,t-1,i] + X_kept[g-1,t-1,i+1]) */
                    const int64_t g = T / 16;
                    X[i]
                        = 0.33333
                        * (X_kept[(g - 1) % 2 * N + i - 1] + X_kept[(g - 1) % 2 * N + i]
                        + X_kept[(g - 1) % 2 * N + i + 1]);
                } else if (i + 1 == N) {
                    /* X[t,i] = X_kept[g-1,t-1,i] */
                    const int64_t i_2 = N - 1;
                    const int64_t g = T / 16;
                    X[i_2] = X_kept[(g - 1) % 2 * N + i_2];
                } else {
                    /* X[t,i] = X_kept[g-1,t-1,i] */
                    const int64_t g = T / 16;
                    X[0] = X_kept[(g - 1) % 2 * N];
                }
            }
        }
    }
    #pragma omp simd
    for (int64_t i = 0; i < N; i++) {
        /* B[i] = X[T,i] */
        B[i] = X[i];
    }
}

int jacobi_x2d_1d_status(int64_t N, int64_t T, const double *restrict A, double *restrict B)
{
    if (too_large(N) || too_large(T)) {
        return 2;
    }
    if (N < 3 || T < 0) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*B), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    int status = 0;
    double *X_kept = allocate(&status, sizeof(*X_kept), 2, (const int64_t[]){2, N});
    double *X = allocate(&status, sizeof(*X), 2, (const int64_t[]){1, N});
    if (status == 0) {
        jacobi_x2d_1d_loops(N, T, A, B, X_kept, X);
    }
    free(X);
    free(X_kept);
    return status;
}

void jacobi_x2d_1d(int64_t N, int64_t T, const double *restrict A, double *restrict B)
{
    report("jacobi_x2d_1d", jacobi_x2d_1d_status(N, T, A, B));
}
