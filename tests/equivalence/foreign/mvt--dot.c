/* Products of vectors are a function of their own. */
static double dot(long n, const double *p, const double *q)
{
    double s = 0.0;
    for (long k = 0; k < n; k++)
        s += p[k] * q[k];
    return s;
}

void mvt(long N, const double a[N], const double b[N], const double y1[N], const double y2[N], const double A[N][N],
         double x1[N], double x2[N])
{
#pragma omp parallel for
    for (long i = 0; i < N; i++)
        x1[i] = a[i] + dot(N, A[i], y1);
    for (long i = 0; i < N; i++)
        x2[i] = b[i];
    for (long j = 0; j < N; j++)
        for (long i = 0; i < N; i++)
            x2[i] += A[j][i] * y2[j];
}
