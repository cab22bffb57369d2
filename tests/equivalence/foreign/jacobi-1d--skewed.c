/* A hand-made wavefront in a table of all steps. */
#include <stdint.h>
#include <stdlib.h>
void jacobi_x2d_1d(int64_t N, int64_t T, const double *A, double *B)
{
    double (*X)[N] = malloc((T + 1) * sizeof(double[N]));
    for (int64_t i = 0; i < N; i++)
        X[0][i] = A[i];
    for (int64_t t = 1; t <= T; t++) {
        X[t][0] = X[t - 1][0];
        X[t][N - 1] = X[t - 1][N - 1];
    }
    for (int64_t w = 3; w <= 2 * T + N - 2; w++)
#pragma omp parallel for
        for (int64_t t = 1; t <= T; t++)
            if (w - 2 * t >= 1 && w - 2 * t <= N - 2)
                X[t][w - 2 * t] = 0.33333 * (X[t - 1][w - 2 * t - 1] + X[t - 1][w - 2 * t] + X[t - 1][w - 2 * t + 1]);
    for (int64_t i = 0; i < N; i++)
        B[i] = X[T][i];
    free(X);
}
