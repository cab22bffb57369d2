/* Each thread collects a vector of its own. */
void bicg(long N, long M, const double A[N][M], const double p[M], const double r[N], double s[M], double q[N])
{
    memset(s, 0, M * sizeof(double));
#pragma omp parallel
    {
        double *mine = calloc(M, sizeof(double));
#pragma omp for schedule(dynamic, 4) nowait
        for (long i = 0; i < N; i++) {
            double sum = 0;
            const double *row = A[i];
            for (long j = 0; j < M; j++) {
                mine[j] += r[i] * row[j];
                sum += row[j] * p[j];
            }
            q[i] = sum;
        }
        for (long j = 0; j < M; j++) {
#pragma omp atomic
            s[j] += mine[j];
        }
        free(mine);
    }
}
