/* The update and the transposed product in one pass over the matrix, then the other product; rows shared by the threads.
 * The updated matrix is not stored: computing it again costs less than writing it. */
#include <stdint.h>

void gemver(
    int64_t N, const double *restrict alpha, const double *restrict beta, const double A[restrict N][N],
    const double u1[restrict N], const double v1[restrict N], const double u2[restrict N],
    const double v2[restrict N], const double y[restrict N], const double z[restrict N], double w[restrict N],
    double x[restrict N])
{
    for (int64_t j = 0; j < N; j++)
        x[j] = 0.0;
#pragma omp parallel for reduction(+ : x[:N])
    for (int64_t i = 0; i < N; i++) {
#pragma omp simd
        for (int64_t j = 0; j < N; j++)
            x[j] += (A[i][j] + u1[i] * v1[j] + u2[i] * v2[j]) * y[i];
    }
    for (int64_t j = 0; j < N; j++)
        x[j] = z[j] + *beta * x[j];
#pragma omp parallel for
    for (int64_t i = 0; i < N; i++) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < N; j++)
            sum += (A[i][j] + u1[i] * v1[j] + u2[i] * v2[j]) * x[j];
        w[i] = *alpha * sum;
    }
}
