/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <string.h>

void seidel_x2d_2d(int64_t N, int64_t T, const double A[restrict N][N], double B[restrict N][N])
{
    memcpy(B, A, sizeof(double[N][N]));
    for (int64_t t = 0; t < T; t++)
        for (int64_t i = 1; i < N - 1; i++)
            for (int64_t j = 1; j < N - 1; j++)
                B[i][j] = (B[i - 1][j - 1] + B[i - 1][j] + B[i - 1][j + 1] + B[i][j - 1] + B[i][j] + B[i][j + 1]
                           + B[i + 1][j - 1] + B[i + 1][j] + B[i + 1][j + 1])
                    / 9.0;
}
