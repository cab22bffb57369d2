/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <string.h>

/* A holds what lies strictly below the diagonal: the element of row k, column i is A[k - 1][i]. */
void trmm(
    int64_t M, int64_t N, const double *restrict alpha, const double A[restrict M - 1][M - 1],
    const double B0[restrict M][N], double B[restrict M][N])
{
    memcpy(B, B0, sizeof(double[M][N]));
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = 0; j < N; j++) {
            for (int64_t k = i + 1; k < M; k++)
                B[i][j] += A[k - 1][i] * B[k][j];
            B[i][j] = *alpha * B[i][j];
        }
}
