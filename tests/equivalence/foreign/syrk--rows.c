/* The lower triangle by rows, sums in a scalar. */
#include <stdint.h>
void syrk(int64_t N, int64_t M, const double *alpha, const double *beta, const double C0[N][N], const double A[N][M],
          double C[N][N])
{
#pragma omp parallel for schedule(dynamic)
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = i; j >= 0; j--) {
            double dot = 0;
            for (int64_t k = 0; k < M; k++)
                dot += A[j][k] * A[i][k];
            C[i][j] = C0[i][j] * beta[0] + alpha[0] * dot;
        }
}
