/* Each row is used for both products while it is in cache; rows shared by the threads. */
#include <stdint.h>

void atax(
    int64_t M, int64_t N, const double A[restrict M][N], const double x[restrict N], double y[restrict N])
{
    for (int64_t j = 0; j < N; j++)
        y[j] = 0.0;
#pragma omp parallel for reduction(+ : y[:N])
    for (int64_t i = 0; i < M; i++) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < N; j++)
            sum += A[i][j] * x[j];
#pragma omp simd
        for (int64_t j = 0; j < N; j++)
            y[j] += A[i][j] * sum;
    }
}
