/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>

void gemver(
    int64_t N, const double *restrict alpha, const double *restrict beta, const double A[restrict N][N],
    const double u1[restrict N], const double v1[restrict N], const double u2[restrict N],
    const double v2[restrict N], const double y[restrict N], const double z[restrict N], double w[restrict N],
    double x[restrict N])
{
    double(*restrict B)[N] = malloc(sizeof(double[N][N]));
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++)
            B[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (int64_t i = 0; i < N; i++) {
        x[i] = 0.0;
        for (int64_t j = 0; j < N; j++)
            x[i] += *beta * B[j][i] * y[j];
    }
    for (int64_t i = 0; i < N; i++)
        x[i] += z[i];
    for (int64_t i = 0; i < N; i++) {
        w[i] = 0.0;
        for (int64_t j = 0; j < N; j++)
            w[i] += *alpha * B[i][j] * x[j];
    }
    free(B);
}
