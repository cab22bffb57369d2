static void gesummv_loops(
    int64_t N, const double *restrict alpha, const double *restrict beta, const double *restrict A,
    const double *restrict B, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < N; i++) {
        /* y[i] = alpha * reduce(+, [j], A[i,j] * x[j]) + beta * reduce(+, [j], B[i,j] * x[j]) */
        double sum = 0;
        for (int64_t j = 0; j < N; j++) {
            sum += A[i * N + j] * x[j];
        }
        double sum_2 = 0;
        for (int64_t j = 0; j < N; j++) {
            sum_2 += B[i * N + j] * x[j];
        }
        y[i] = *alpha * sum + *beta * sum_2;
    }
}
