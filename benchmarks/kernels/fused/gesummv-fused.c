/* Both sums of a row in one loop, rows shared by the threads. */
#include <stdint.h>

void gesummv(
    int64_t N, const double *restrict alpha, const double *restrict beta, const double A[restrict N][N],
    const double B[restrict N][N], const double x[restrict N], double y[restrict N])
{
#pragma omp parallel for
    for (int64_t i = 0; i < N; i++) {
        double a = 0.0, b = 0.0;
#pragma omp simd reduction(+ : a, b)
        for (int64_t j = 0; j < N; j++) {
            a += A[i][j] * x[j];
            b += B[i][j] * x[j];
        }
        y[i] = *alpha * a + *beta * b;
    }
}
