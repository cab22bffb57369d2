/* Modified Gram-Schmidt with the projections right after each column, in parallel. */
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
void gramschmidt(int64_t M, int64_t N, const double A[M][N], double R[N][N], double Q[M][N])
{
    double (*V)[N] = malloc(M * N * sizeof(double));
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = 0; j < N; j++)
            V[i][j] = A[i][j];
    for (int64_t k = 0; k < N; k++) {
        double square = 0.0;
        for (int64_t i = 0; i < M; i++)
            square += V[i][k] * V[i][k];
        const double norm = sqrt(square);
        R[k][k] = norm;
        for (int64_t i = 0; i < M; i++)
            Q[i][k] = V[i][k] / norm;
#pragma omp parallel for
        for (int64_t j = k + 1; j < N; j++) {
            double dot = 0.0;
            for (int64_t i = 0; i < M; i++)
                dot += Q[i][k] * V[i][j];
            R[k][j] = dot;
            for (int64_t i = 0; i < M; i++)
                V[i][j] = V[i][j] - Q[i][k] * dot;
        }
    }
    free(V);
}
