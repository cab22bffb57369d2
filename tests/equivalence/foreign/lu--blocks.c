/* Rows in blocks of 8, shared out. */
#define BS 8
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void lu(long N, const double A[N][N], double LU[N][N])
{
    for (long i = 0; i < N; i++)
        for (long j = 0; j < N; j++)
            LU[i][j] = A[i][j];
    for (long k = 0; k < N; k++) {
        double *piv = LU[k];
#pragma omp parallel for schedule(static)
        for (long ii = k + 1; ii < N; ii += BS) {
            for (long i = ii; i < MIN(ii + BS, N); i++) {
                double *row = LU[i];
                const double f = row[k] / piv[k];
                row[k] = f;
                for (long j = k + 1; j < N; j++)
                    row[j] -= f * piv[j];
            }
        }
    }
}
