/* In place on a copy, from the first row down. */
#include <stdint.h>
#include <string.h>
void trmm(int64_t M, int64_t N, const double *alpha, const double A[M - 1][M - 1], const double B0[M][N], double B[M][N])
{
    memcpy(B, B0, M * N * sizeof(double));
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < M; i++) {
            for (int64_t k = i + 1; k < M; k++)
                B[i][j] += A[k - 1][i] * B0[k][j];
            B[i][j] = *alpha * B[i][j];
        }
}
