/* Unrolled by 4, with a rest. */
void mvt(long N, const double *a, const double *b, const double *y1, const double *y2, const double A[N][N],
         double *x1, double *x2)
{
    for (long i = 0; i < N; i++) {
        double sum = a[i];
        long j;
        for (j = 0; j < N - 3; j += 4)
            sum += A[i][j] * y1[j] + A[i][j + 1] * y1[j + 1] + A[i][j + 2] * y1[j + 2] + A[i][j + 3] * y1[j + 3];
        for (j = N / 4 * 4; j < N; j++)
            sum += A[i][j] * y1[j];
        x1[i] = sum;
    }
    for (long j = 0; j < N; j++)
        x2[j] = b[j];
    for (long i = 0; i < N; i++)
        for (long j = 0; j < N; j++)
            x2[j] += A[i][j] * y2[i];
}
