/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>

void covariance(int64_t M, int64_t N, const double data[restrict N][M], double cov[restrict M][M])
{
    double(*restrict D)[M] = malloc(sizeof(double[N][M]));
    double *restrict mean = malloc(sizeof(double[M]));
    const double n = (double)N;
    for (int64_t i = 0; i < M; i++) {
        mean[i] = 0.0;
        for (int64_t k = 0; k < N; k++)
            mean[i] += data[k][i];
        mean[i] /= n;
    }
    for (int64_t k = 0; k < N; k++)
        for (int64_t i = 0; i < M; i++)
            D[k][i] = data[k][i] - mean[i];
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = i; j < M; j++) {
            cov[i][j] = 0.0;
            for (int64_t k = 0; k < N; k++)
                cov[i][j] += D[k][i] * D[k][j];
            cov[i][j] /= n - 1.0;
            cov[j][i] = cov[i][j];
        }
    free(D);
    free(mean);
}
