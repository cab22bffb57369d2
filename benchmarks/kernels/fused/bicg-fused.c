/* Both products in one pass over the matrix, rows shared by the threads. */
#include <stdint.h>

void bicg(
    int64_t M, int64_t N, const double A[restrict N][M], const double p[restrict M], const double r[restrict N],
    double s[restrict M], double q[restrict N])
{
    for (int64_t j = 0; j < M; j++)
        s[j] = 0.0;
#pragma omp parallel for reduction(+ : s[:M])
    for (int64_t i = 0; i < N; i++) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < M; j++) {
            s[j] += r[i] * A[i][j];
            sum += A[i][j] * p[j];
        }
        q[i] = sum;
    }
}
