/* The loops of the textbooks, with the signature of the generated function. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void gramschmidt(
    int64_t M, int64_t N, const double A[restrict M][N], double R[restrict N][N], double Q[restrict M][N])
{
    double(*restrict V)[N] = malloc(sizeof(double[M][N]));
    memcpy(V, A, sizeof(double[M][N]));
    for (int64_t k = 0; k < N; k++) {
        double norm = 0.0;
        for (int64_t i = 0; i < M; i++)
            norm += V[i][k] * V[i][k];
        R[k][k] = sqrt(norm);
        for (int64_t i = 0; i < M; i++)
            Q[i][k] = V[i][k] / R[k][k];
        for (int64_t j = k + 1; j < N; j++) {
            R[k][j] = 0.0;
            for (int64_t i = 0; i < M; i++)
                R[k][j] += Q[i][k] * V[i][j];
            for (int64_t i = 0; i < M; i++)
                V[i][j] -= Q[i][k] * R[k][j];
        }
    }
    free(V);
}
