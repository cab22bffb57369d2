/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void ludcmp(int64_t N, const double A[restrict N][N], const double b[restrict N], double x[restrict N])
{
    double(*restrict LU)[N] = malloc(sizeof(double[N][N]));
    memcpy(LU, A, sizeof(double[N][N]));
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < i; j++) {
            double w = LU[i][j];
            for (int64_t k = 0; k < j; k++)
                w -= LU[i][k] * LU[k][j];
            LU[i][j] = w / LU[j][j];
        }
        for (int64_t j = i; j < N; j++) {
            double w = LU[i][j];
            for (int64_t k = 0; k < i; k++)
                w -= LU[i][k] * LU[k][j];
            LU[i][j] = w;
        }
    }
    double *restrict y = malloc(sizeof(double[N]));
    for (int64_t i = 0; i < N; i++) {
        double w = b[i];
        for (int64_t j = 0; j < i; j++)
            w -= LU[i][j] * y[j];
        y[i] = w;
    }
    for (int64_t i = N - 1; i >= 0; i--) {
        double w = y[i];
        for (int64_t j = i + 1; j < N; j++)
            w -= LU[i][j] * x[j];
        x[i] = w / LU[i][i];
    }
    free(LU);
    free(y);
}
