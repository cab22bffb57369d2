/* The loops of the textbooks, with the signature of the generated function. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

void correlation(int64_t M, int64_t N, const double data[restrict N][M], double corr[restrict M][M])
{
    double(*restrict D)[M] = malloc(sizeof(double[N][M]));
    double *restrict mean = malloc(sizeof(double[M]));
    double *restrict stddev = malloc(sizeof(double[M]));
    const double n = (double)N;
    for (int64_t i = 0; i < M; i++) {
        mean[i] = 0.0;
        for (int64_t k = 0; k < N; k++)
            mean[i] += data[k][i];
        mean[i] /= n;
    }
    for (int64_t i = 0; i < M; i++) {
        stddev[i] = 0.0;
        for (int64_t k = 0; k < N; k++)
            stddev[i] += (data[k][i] - mean[i]) * (data[k][i] - mean[i]);
        stddev[i] = sqrt(stddev[i] / n);
        stddev[i] = stddev[i] <= 0.1 ? 1.0 : stddev[i];
    }
    for (int64_t k = 0; k < N; k++)
        for (int64_t i = 0; i < M; i++)
            D[k][i] = (data[k][i] - mean[i]) / (sqrt(n) * stddev[i]);
    for (int64_t i = 0; i < M; i++) {
        corr[i][i] = 1.0;
        for (int64_t j = i + 1; j < M; j++) {
            corr[i][j] = 0.0;
            for (int64_t k = 0; k < N; k++)
                corr[i][j] += D[k][i] * D[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    free(D);
    free(mean);
    free(stddev);
}
