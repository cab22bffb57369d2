/* System factorization, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "factorization.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void factorization_loops(int64_t N, const double *restrict A, double *restrict L, double *restrict U)
{
    #pragma omp parallel for if((double)N * (double)(N - 1) > 10000)
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < i; j++) {
            /* NR_L[i,j] = the identity of + */
            L[(i - 1) * (N - 1) + j] = 0;
        }
        for (int64_t j = i; j < N; j++) {
            /* NR_U[i,j] = the identity of + */
            U[i * N + j] = 0;
        }
    }
    for (int64_t k = 0; k < N; k++) {
        #pragma omp simd
        for (int64_t j = k; j < N; j++) {
            /* U[i,j] = A[i,j] - NR_U[i,j] */
            U[k * N + j] = A[k * N + j] - U[k * N + j];
        }
        #pragma omp parallel if((double)(N - k - 1) * (double)(N - k - 2) > 5000)
        {
            #pragma omp for
            for (int64_t i = k + 1; i < N; i++) {
                /* L[i,j] = (A[i,j] - NR_L[i,j]) / U[j,j] */
                L[(i - 1) * (N - 1) + k] = (A[i * N + k] - L[(i - 1) * (N - 1) + k]) / U[k * N + k];
            }
            #pragma omp for
            for (int64_t i = k + 1; i < N; i++) {
                #pragma omp simd
                for (int64_t j = k + 1; j < i; j++) {
                    /* NR_L[i,j] += L[i,k] * U[k,j] */
                    L[(i - 1) * (N - 1) + j] += L[(i - 1) * (N - 1) + k] * U[k * N + j];
                }
                #pragma omp simd
                for (int64_t j = i; j < N; j++) {
                    /* NR_U[i,j] += L[i,k] * U[k,j] */
                    U[i * N + j] += L[(i - 1) * (N - 1) + k] * U[k * N + j];
                }
            }
        }
    }
}

int factorization_status(int64_t N, const double *restrict A, double *restrict L, double *restrict U)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 2) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 2, (const int64_t[]){N, N}) < 0
        || bytes_of(sizeof(*L), 2, (const int64_t[]){N - 1, N - 1}) < 0
        || bytes_of(sizeof(*U), 2, (const int64_t[]){N, N}) < 0) {
        return 2;
    }
    factorization_loops(N, A, L, U);
    return 0;
}

void factorization(int64_t N, const double *restrict A, double *restrict L, double *restrict U)
{
    report("factorization", factorization_status(N, A, L, U));
}
