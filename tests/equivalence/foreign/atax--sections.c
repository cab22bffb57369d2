/* A reduction clause of a whole array. */
void atax(int M, int N, const double A[M][N], const double x[N], double y[N])
{
    for (int j = 0; j < N; j++)
        y[j] = 0.0;
#pragma omp parallel for reduction(+ : y[:N])
    for (int i = 0; i < M; i++) {
        double t = 0.0;
        for (int j = 0; j < N; j++)
            t += A[i][j] * x[j];
        for (int j = 0; j < N; j++)
            y[j] += A[i][j] * t;
    }
}
