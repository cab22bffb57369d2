static void atax_loops(
    int64_t M, int64_t N, const double *restrict A, const double *restrict x, double *restrict y,
    double *restrict tmp)
{
    for (int64_t j = 0; j < M; j++) {
        /* tmp[i] = reduce(+, [j], A[i,j] * x[j]) */
        double sum = 0;
        for (int64_t j_2 = 0; j_2 < N; j_2++) {
            sum += A[j * N + j_2] * x[j_2];
        }
        tmp[j] = sum;
    }
    for (int64_t j = 0; j < N; j++) {
        /* y[j] = reduce(+, [i], A[i,j] * tmp[i]) */
        double sum = 0;
        for (int64_t i = 0; i < M; i++) {
            sum += A[i * N + j] * tmp[i];
        }
        y[j] = sum;
    }
}
