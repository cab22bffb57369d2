/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline void sweep(int64_t N, const double from[restrict N][N], double to[restrict N][N])
{
    for (int64_t i = 1; i < N - 1; i++)
        for (int64_t j = 1; j < N - 1; j++)
            to[i][j] = 0.2 * (from[i][j] + from[i][j - 1] + from[i][j + 1] + from[i + 1][j] + from[i - 1][j]);
}

void jacobi_x2d_2d(int64_t N, int64_t T, const double A[restrict N][N], double B[restrict N][N])
{
    double(*restrict other)[N] = malloc(sizeof(double[N][N]));
    memcpy(B, A, sizeof(double[N][N]));
    memcpy(other, A, sizeof(double[N][N]));
    for (int64_t t = 0; t < T / 2; t++) {
        sweep(N, B, other);
        sweep(N, other, B);
    }
    if (T % 2 == 1) {
        sweep(N, B, other);
        memcpy(B, other, sizeof(double[N][N]));
    }
    free(other);
}
