/* Each row is read once. */
void atax(int M, int N, const double A[M][N], const double *x, double *y)
{
    for (int j = 0; j < N; ++j)
        y[j] = 0;
    for (int i = 0; i < M; ++i) {
        const double *row = A[i];
        double dot = 0;
        for (int j = 0; j < N; ++j)
            dot += row[j] * x[j];
        for (int j = 0; j < N; ++j)
            y[j] += row[j] * dot;
    }
}
