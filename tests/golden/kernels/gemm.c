static void gemm_loops(
    int64_t NI, int64_t NJ, int64_t NK, const double *restrict alpha, const double *restrict beta,
    const double *restrict C0, const double *restrict A, const double *restrict B, double *restrict C)
{
    for (int64_t i = 0; i < NI; i++) {
        for (int64_t j = 0; j < NJ; j++) {
            /* C[i,j] = beta * C0[i,j] + alpha * reduce(+, [k], A[i,k] * B[k,j]) */
            double sum = 0;
            for (int64_t k = 0; k < NK; k++) {
                sum += A[i * NK + k] * B[k * NJ + j];
            }
            C[i * NJ + j] = *beta * C0[i * NJ + j] + *alpha * sum;
        }
    }
}
