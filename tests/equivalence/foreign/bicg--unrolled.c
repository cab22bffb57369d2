/* Unrolled by 2 over rows, both vectors in one nest. */
void bicg(long M, long N, const double A[N][M], const double p[M], const double r[N], double s[M], double q[N])
{
    for (long j = 0; j < M; j++)
        s[j] = 0.0;
    for (long i = 0; i + 1 < N; i += 2) {
        double one = 0.0, two = 0.0;
        for (long j = 0; j < M; j++) {
            s[j] += r[i] * A[i][j] + r[i + 1] * A[i + 1][j];
            one += A[i][j] * p[j];
            two += A[i + 1][j] * p[j];
        }
        q[i] = one;
        q[i + 1] = two;
    }
    if (N % 2 == 1) {
        q[N - 1] = 0.0;
        for (long j = 0; j < M; j++) {
            s[j] += r[N - 1] * A[N - 1][j];
            q[N - 1] += A[N - 1][j] * p[j];
        }
    }
}
