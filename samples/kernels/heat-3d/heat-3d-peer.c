/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline void sweep(int64_t N, const double from[restrict N][N][N], double to[restrict N][N][N])
{
    for (int64_t i = 1; i < N - 1; i++)
        for (int64_t j = 1; j < N - 1; j++)
            for (int64_t k = 1; k < N - 1; k++)
                to[i][j][k] = from[i][j][k]
                    + 0.125 * (from[i + 1][j][k] - 2.0 * from[i][j][k] + from[i - 1][j][k])
                    + 0.125 * (from[i][j + 1][k] - 2.0 * from[i][j][k] + from[i][j - 1][k])
                    + 0.125 * (from[i][j][k + 1] - 2.0 * from[i][j][k] + from[i][j][k - 1]);
}

void heat_x2d_3d(int64_t N, int64_t T, const double A[restrict N][N][N], double B[restrict N][N][N])
{
    double(*restrict other)[N][N] = malloc(sizeof(double[N][N][N]));
    memcpy(B, A, sizeof(double[N][N][N]));
    memcpy(other, A, sizeof(double[N][N][N]));
    for (int64_t t = 0; t < T / 2; t++) {
        sweep(N, B, other);
        sweep(N, other, B);
    }
    if (T % 2 == 1) {
        sweep(N, B, other);
        memcpy(B, other, sizeof(double[N][N][N]));
    }
    free(other);
}
