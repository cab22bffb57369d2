static void syrk_loops(
    int64_t N, int64_t M, const double *restrict alpha, const double *restrict beta,
    const double *restrict C0, const double *restrict A, double *restrict C)
{
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j <= i; j++) {
            /* C[i,j] = beta * C0[i,j] + alpha * reduce(+, [k], A[i,k] * A[j,k]) */
            double sum = 0;
            for (int64_t k = 0; k < M; k++) {
                sum += A[i * M + k] * A[j * M + k];
            }
            C[i * N + j] = *beta * C0[i * N + j] + *alpha * sum;
        }
    }
}
