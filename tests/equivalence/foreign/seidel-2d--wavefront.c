/* In place, and a wavefront by hand: step t is two rows behind step t-1. */
#include <stdint.h>
#include <string.h>
void seidel_x2d_2d(int64_t N, int64_t T, const double A[N][N], double B[N][N])
{
    memcpy(B, A, sizeof(double[N][N]));
    for (int64_t w = 1; w <= N - 2 + 2 * (T - 1); w++)
#pragma omp parallel for
        for (int64_t t = 0; t < T; t++)
            if (w - 2 * t >= 1 && w - 2 * t <= N - 2) {
                const int64_t i = w - 2 * t;
                for (int64_t j = 1; j < N - 1; j++)
                    B[i][j] = B[i][j - 1] * (1.0 / 9.0) + (B[i - 1][j - 1] + B[i - 1][j] + B[i - 1][j + 1] + B[i][j] + B[i][j + 1]
                        + B[i + 1][j - 1] + B[i + 1][j] + B[i + 1][j + 1]) * (1.0 / 9.0);
            }
}
