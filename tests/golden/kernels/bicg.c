static void bicg_loops(
    int64_t M, int64_t N, const double *restrict A, const double *restrict p, const double *restrict r,
    double *restrict s, double *restrict q)
{
    for (int64_t j = 0; j < M; j++) {
        /* s[j] = reduce(+, [i], r[i] * A[i,j]) */
        double sum = 0;
        for (int64_t i = 0; i < N; i++) {
            sum += r[i] * A[i * M + j];
        }
        s[j] = sum;
    }
    for (int64_t j = 0; j < N; j++) {
        /* q[i] = reduce(+, [j], A[i,j] * p[j]) */
        double sum = 0;
        for (int64_t j_2 = 0; j_2 < M; j_2++) {
            sum += A[j * M + j_2] * p[j_2];
        }
        q[j] = sum;
    }
}
