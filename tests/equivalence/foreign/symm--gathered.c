/* Each entry gathers both halves of the symmetric matrix; the loops around are exchanged. */
void symm(long M, long N, const double *alpha, const double *beta, const double C0[M][N], const double A[M][M],
          const double B[M][N], double C[M][N])
{
#pragma omp parallel for collapse(2)
    for (long j = 0; j < N; j++)
        for (long i = 0; i < M; i++) {
            double left = 0.0;
            for (long k = 0; k <= i; k++)
                left += A[i][k] * B[k][j];
            for (long k = M - 1; k > i; k--)
                left += A[k][i] * B[k][j];
            C[i][j] = *beta * C0[i][j] + *alpha * left;
        }
}
