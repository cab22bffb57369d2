/* Both products in one pass over the matrix, rows shared by the threads. */
#include <stdint.h>

void mvt(
    int64_t N, const double a[restrict N], const double b[restrict N], const double y1[restrict N],
    const double y2[restrict N], const double A[restrict N][N], double x1[restrict N], double x2[restrict N])
{
    for (int64_t j = 0; j < N; j++)
        x2[j] = b[j];
#pragma omp parallel for reduction(+ : x2[:N])
    for (int64_t i = 0; i < N; i++) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < N; j++) {
            sum += A[i][j] * y1[j];
            x2[j] += A[i][j] * y2[i];
        }
        x1[i] = a[i] + sum;
    }
}
