/* System relaxation, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   X: double[T + 1][N + T], holds X
 */

#include "relaxation.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void relaxation_loops(
    int64_t T, int64_t N, const double *restrict A, double *restrict R, double *restrict X)
{
    for (int64_t wt = 0; wt <= (N + 3 * T - 1) / 8; wt++) {
        #pragma omp parallel for
        for (int64_t nc1 = max64(wt - T / 4, (wt + 1) / 3);
             nc1 <= min64(min64(wt, (N + T - 1) / 8), (N + 4 * wt + 2) / 12);
             nc1++) {
            const int64_t tt = 4 * wt - 4 * nc1;
            const int64_t tc1 = 8 * nc1;
            if (tt <= T - 4 && tt >= 1 && tc1 <= N + tt - 9 && tt <= tc1 - 4) {
                for (int64_t t = tt; t < tt + 4; t++) {
                    for (int64_t c1 = tc1; c1 < tc1 + 8; c1++) {
                        /* X[t,i] = (X[t,i-1] + X[t-1,i-1] + X[t-1,i]) / 3.0 */
                        X[t * (N + T) + c1]
                            = (X[t * (N + T) + c1 - 1] + X[(t - 1) * (N + T) + c1 - 1]
                            + X[(t - 1) * (N + T) + c1]) / 3.0;
                    }
                }
            } else {
                if (tt == 0) {
                    #pragma omp simd
                    for (int64_t c1 = tc1; c1 < min64(N, tc1 + 8); c1++) {
                        /* X[t,i] = A[i-t] */
                        X[c1] = A[c1];
                    }
                }
                for (int64_t t = max64(max64(1, tt), tc1 - N + 1);
                     t < min64(min64(T + 1, tt + 4), tc1 + 8);
                     t++) {
                    if (t < T) {
                        if (tc1 <= t) {
                            /* X[t,i] = X[t-1,i-1] */
                            X[t * (N + T) + t] = X[(t - 1) * (N + T) + t - 1];
                        }
                        for (int64_t c1 = max64(tc1, t + 1); c1 < min64(tc1 + 8, N + t - 1); c1++) {
                            /* X[t,i] = (X[t,i-1] + X[t-1,i-1] + X[t-1,i]) / 3.0 */
                            X[t * (N + T) + c1]
                                = (X[t * (N + T) + c1 - 1] + X[(t - 1) * (N + T) + c1 - 1]
                                + X[(t - 1) * (N + T) + c1]) / 3.0;
                        }
                        if (N + t <= tc1 + 8) {
                            /* X[t,i] = X[t-1,i-1] */
                            const int64_t i = N + t - 1;
                            X[t * (N + T) + i] = X[(t - 1) * (N + T) + i - 1];
                        }
                    } else {
                        if (tc1 <= T) {
                            /* X[t,i] = X[t-1,i-1] */
                            X[T * (N + T) + T] = X[(T - 1) * (N + T) + T - 1];
                            /* R[i] = X[T,T+i] */
                            R[0] = X[T * (N + T) + T];
                        }
                        for (int64_t c1 = max64(T + 1, tc1); c1 < min64(N + T - 1, tc1 + 8); c1++) {
                            /* X[t,i] = (X[t,i-1] + X[t-1,i-1] + X[t-1,i]) / 3.0 */
                            X[T * (N + T) + c1]
                                = (X[T * (N + T) + c1 - 1] + X[(T - 1) * (N + T) + c1 - 1]
                                + X[(T - 1) * (N + T) + c1]) / 3.0;
                            const int64_t i = c1 - T;
                            /* R[i] = X[T,T+i] */
                            R[i] = X[T * (N + T) + T + i];
                        }
                        if (N + T <= tc1 + 8) {
                            {
                                /* X[t,i] = X[t-1,i-1] */
                                const int64_t i = N + T - 1;
                                X[T * (N + T) + i] = X[(T - 1) * (N + T) + i - 1];
                            }
                            {
                                /* R[i] = X[T,T+i] */
                                const int64_t i = N - 1;
                                R[i] = X[T * (N + T) + T + i];
                            }
                        }
                    }
                }
            }
        }
    }
}

int relaxation_status(int64_t T, int64_t N, const double *restrict A, double *restrict R)
{
    if (too_large(T) || too_large(N)) {
        return 2;
    }
    if (T < 1 || N < 3) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*R), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    int status = 0;
    double *X = allocate(&status, sizeof(*X), 2, (const int64_t[]){T + 1, N + T});
    if (status == 0) {
        relaxation_loops(T, N, A, R, X);
    }
    free(X);
    return status;
}

void relaxation(int64_t T, int64_t N, const double *restrict A, double *restrict R)
{
    report("relaxation", relaxation_status(T, N, A, R));
}
