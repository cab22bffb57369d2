/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>

void symm(
    int64_t M, int64_t N, const double *restrict alpha, const double *restrict beta,
    const double C0[restrict M][N], const double A[restrict M][M], const double B[restrict M][N],
    double C[restrict M][N])
{
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = 0; j < N; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < i; k++) {
                C[k][j] += *alpha * B[i][j] * A[i][k];
                sum += B[k][j] * A[i][k];
            }
            C[i][j] = *beta * C0[i][j] + *alpha * B[i][j] * A[i][i] + *alpha * sum;
        }
}
