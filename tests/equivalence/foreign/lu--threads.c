/* The same with threads, and a scalar for the factor. */
#include <stdint.h>
void lu(int64_t N, const double A[N][N], double LU[N][N])
{
#pragma omp parallel for
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++)
            LU[i][j] = A[i][j];
    for (int64_t k = 0; k < N - 1; k++) {
#pragma omp parallel for
        for (int64_t i = k + 1; i < N; i++) {
            const double factor = LU[i][k] / LU[k][k];
            LU[i][k] = factor;
#pragma omp simd
            for (int64_t j = k + 1; j < N; j++)
                LU[i][j] -= factor * LU[k][j];
        }
    }
}
