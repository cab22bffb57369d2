/* One parallel region around all steps; copying back instead of swapping. */
#include <stdint.h>
#include <stdlib.h>
void jacobi_x2d_2d(int64_t N, int64_t T, const double A[N][N], double B[N][N])
{
    double (*next)[N] = malloc(sizeof(double[N][N]));
#pragma omp parallel
    {
#pragma omp for
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++)
                B[i][j] = A[i][j];
        for (int64_t t = 0; t < T; t++) {
#pragma omp for
            for (int64_t i = 1; i < N - 1; i++)
                for (int64_t j = 1; j < N - 1; j++)
                    next[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
#pragma omp for
            for (int64_t i = 1; i < N - 1; i++)
                for (int64_t j = 1; j < N - 1; j++)
                    B[i][j] = next[i][j];
        }
    }
    free(next);
}
