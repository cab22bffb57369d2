/* A region for each row, all of whose loops add to one number. */
void gesummv(
    long N, const double *alpha, const double *beta, const double A[N][N], const double B[N][N], const double x[N],
    double y[N])
{
    for (long i = 0; i < N; i++) {
        double ax = 0.0, bx = 0.0;
#pragma omp parallel reduction(+ : ax, bx)
        {
#pragma omp for nowait
            for (long j = 0; j < N; j++)
                ax += A[i][j] * x[j];
#pragma omp for simd
            for (long j = 0; j < N; j++)
                bx += B[i][j] * x[j];
        }
        y[i] = *alpha * ax + *beta * bx;
    }
}
