/* Tiles of 4 by 4 of the lower triangle, by threads; both products in one sum. */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void syr2k(long N, long M, const double *alpha, const double *beta, const double C0[N][N], const double A[N][M],
           const double B[N][M], double C[N][N])
{
#pragma omp parallel for
    for (long it = 0; it < N; it += 4)
        for (long jt = 0; jt <= it; jt += 4)
            for (long i = it; i < MIN(it + 4, N); i++)
                for (long j = jt; j < MIN(jt + 4, i + 1); j++) {
                    double sum = 0.0;
                    for (long k = 0; k < M; k++)
                        sum += A[j][k] * B[i][k] + B[j][k] * A[i][k];
                    C[i][j] = *beta * C0[i][j] + *alpha * sum;
                }
}
