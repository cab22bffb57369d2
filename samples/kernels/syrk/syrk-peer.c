/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>

void syrk(
    int64_t N, int64_t M, const double *restrict alpha, const double *restrict beta,
    const double C0[restrict N][N], const double A[restrict N][M], double C[restrict N][N])
{
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j <= i; j++)
            C[i][j] = *beta * C0[i][j];
        for (int64_t k = 0; k < M; k++)
            for (int64_t j = 0; j <= i; j++)
                C[i][j] += *alpha * A[i][k] * A[j][k];
    }
}
