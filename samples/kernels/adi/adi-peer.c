/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void adi(
    int64_t N, int64_t T, const double *restrict a, const double *restrict d, const double u0[restrict N][N],
    double u[restrict N][N])
{
    double(*restrict v)[N] = malloc(sizeof(double[N][N]));
    double(*restrict p)[N] = malloc(sizeof(double[N][N]));
    double(*restrict q)[N] = malloc(sizeof(double[N][N]));
    const double A = *a, D = *d;
    memcpy(u, u0, sizeof(double[N][N]));
    for (int64_t t = 1; t <= T; t++) {
        for (int64_t j = 1; j < N - 1; j++) {
            v[0][j] = 1.0;
            p[j][0] = 0.0;
            q[j][0] = v[0][j];
            for (int64_t i = 1; i < N - 1; i++) {
                p[j][i] = A / (1.0 + 2.0 * A - A * p[j][i - 1]);
                q[j][i] = (D * u[i][j - 1] + (1.0 - 2.0 * D) * u[i][j] + D * u[i][j + 1] + A * q[j][i - 1])
                    / (1.0 + 2.0 * A - A * p[j][i - 1]);
            }
            v[N - 1][j] = 1.0;
            for (int64_t i = N - 2; i >= 1; i--)
                v[i][j] = p[j][i] * v[i + 1][j] + q[j][i];
        }
        for (int64_t i = 1; i < N - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (int64_t j = 1; j < N - 1; j++) {
                p[i][j] = D / (1.0 + 2.0 * D - D * p[i][j - 1]);
                q[i][j] = (A * v[i - 1][j] + (1.0 - 2.0 * A) * v[i][j] + A * v[i + 1][j] + D * q[i][j - 1])
                    / (1.0 + 2.0 * D - D * p[i][j - 1]);
            }
            u[i][N - 1] = 1.0;
            for (int64_t j = N - 2; j >= 1; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
    free(v);
    free(p);
    free(q);
}
