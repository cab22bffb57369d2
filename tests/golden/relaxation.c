/* System relaxation, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   X: double[N + 2 * T][T + 1], holds X
 */

#include "relaxation.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void relaxation_loops(
    int64_t T, int64_t N, const double *restrict A, double *restrict R, double *restrict X)
{
    for (int64_t t = 0; t <= 1; t++) {
        /* X[t,i] = A[t-2i] */
        X[t * (T + 1)] = A[t];
    }
    for (int64_t t = 2; t <= min64(2 * T, N - 1); t++) {
        /* X[t,i] = A[t-2i] */
        X[t * (T + 1)] = A[t];
        #pragma omp parallel for simd
        for (int64_t c1 = 1; c1 < (t + 1) / 2; c1++) {
            /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
            X[t * (T + 1) + c1]
                = (X[(t - 1) * (T + 1) + c1] + X[(t - 2) * (T + 1) + c1 - 1]
                + X[(t - 1) * (T + 1) + c1 - 1]) / 3.0;
        }
        if (t % 2 == 0) {
            /* X[t,i] = X[t-2,i-1] */
            const int64_t i = t / 2;
            X[t * (T + 1) + i] = X[(t - 2) * (T + 1) + i - 1];
        }
    }
    for (int64_t t = 2 * T + 1; t < N; t++) {
        /* X[t,i] = A[t-2i] */
        X[t * (T + 1)] = A[t];
        #pragma omp parallel for simd if(T - 1 > 5000)
        for (int64_t c1 = 1; c1 < T; c1++) {
            /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
            X[t * (T + 1) + c1]
                = (X[(t - 1) * (T + 1) + c1] + X[(t - 2) * (T + 1) + c1 - 1]
                + X[(t - 1) * (T + 1) + c1 - 1]) / 3.0;
        }
        const int64_t i = t - 2 * T - 1;
        /* R[i] = X[2T+i,T] */
        R[i] = X[(2 * T + i) * (T + 1) + T];
        /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
        X[t * (T + 1) + T]
            = (X[(t - 1) * (T + 1) + T] + X[(t - 2) * (T + 1) + T - 1]
            + X[(t - 1) * (T + 1) + T - 1]) / 3.0;
    }
    if (2 * T < N) {
        #pragma omp parallel for simd if(T - 1 > 5000)
        for (int64_t c1 = 1; c1 < T; c1++) {
            /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
            X[N * (T + 1) + c1]
                = (X[(N - 1) * (T + 1) + c1] + X[(N - 2) * (T + 1) + c1 - 1]
                + X[(N - 1) * (T + 1) + c1 - 1]) / 3.0;
        }
        const int64_t i = N - 2 * T - 1;
        /* R[i] = X[2T+i,T] */
        R[i] = X[(2 * T + i) * (T + 1) + T];
        /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
        X[N * (T + 1) + T]
            = (X[(N - 1) * (T + 1) + T] + X[(N - 2) * (T + 1) + T - 1]
            + X[(N - 1) * (T + 1) + T - 1]) / 3.0;
    }
    for (int64_t t = N; t <= 2 * T; t++) {
        if ((N + t + 1) % 2 == 0) {
            /* X[t,i] = X[t-2,i-1] */
            const int64_t i = (t - N + 1) / 2;
            X[t * (T + 1) + i] = X[(t - 2) * (T + 1) + i - 1];
        }
        #pragma omp parallel for simd
        for (int64_t c1 = -N + (N + t + 1) / 2 + 1; c1 < (t + 1) / 2; c1++) {
            /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
            X[t * (T + 1) + c1]
                = (X[(t - 1) * (T + 1) + c1] + X[(t - 2) * (T + 1) + c1 - 1]
                + X[(t - 1) * (T + 1) + c1 - 1]) / 3.0;
        }
        if (t % 2 == 0) {
            /* X[t,i] = X[t-2,i-1] */
            const int64_t i = t / 2;
            X[t * (T + 1) + i] = X[(t - 2) * (T + 1) + i - 1];
        }
    }
    for (int64_t t = max64(2 * T + 1, N + 1); t < N + 2 * T; t++) {
        if (t <= N + 2 * T - 2) {
            if ((N + t + 1) % 2 == 0) {
                /* X[t,i] = X[t-2,i-1] */
                const int64_t i = (t - N + 1) / 2;
                X[t * (T + 1) + i] = X[(t - 2) * (T + 1) + i - 1];
            }
            #pragma omp parallel for simd
            for (int64_t c1 = -N + (N + t + 1) / 2 + 1; c1 < T; c1++) {
                /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
                X[t * (T + 1) + c1]
                    = (X[(t - 1) * (T + 1) + c1] + X[(t - 2) * (T + 1) + c1 - 1]
                    + X[(t - 1) * (T + 1) + c1 - 1]) / 3.0;
            }
            {
                /* R[i] = X[2T+i,T] */
                const int64_t i = t - 2 * T - 1;
                R[i] = X[(2 * T + i) * (T + 1) + T];
            }
            /* X[t,i] = (X[t-1,i] + X[t-2,i-1] + X[t-1,i-1]) / 3.0 */
            X[t * (T + 1) + T]
                = (X[(t - 1) * (T + 1) + T] + X[(t - 2) * (T + 1) + T - 1]
                + X[(t - 1) * (T + 1) + T - 1]) / 3.0;
        } else {
            const int64_t i = N - 2;
            /* R[i] = X[2T+i,T] */
            R[i] = X[(2 * T + i) * (T + 1) + T];
            const int64_t t_2 = N + 2 * T - 1;
            /* X[t,i] = X[t-2,i-1] */
            X[t_2 * (T + 1) + T] = X[(t_2 - 2) * (T + 1) + T - 1];
        }
    }
    {
        /* R[i] = X[2T+i,T] */
        const int64_t i = N - 1;
        R[i] = X[(2 * T + i) * (T + 1) + T];
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
    double *X = allocate(&status, sizeof(*X), 2, (const int64_t[]){N + 2 * T, T + 1});
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
