/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>

void atax(
    int64_t M, int64_t N, const double A[restrict M][N], const double x[restrict N], double y[restrict N])
{
    for (int64_t j = 0; j < N; j++)
        y[j] = 0.0;
    for (int64_t i = 0; i < M; i++) {
        double tmp = 0.0;
        for (int64_t j = 0; j < N; j++)
            tmp += A[i][j] * x[j];
        for (int64_t j = 0; j < N; j++)
            y[j] += A[i][j] * tmp;
    }
}
