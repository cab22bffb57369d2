static void n_2mm_loops(
    int64_t NI, int64_t NJ, int64_t NK, int64_t NL, const double *restrict alpha,
    const double *restrict beta, const double *restrict A, const double *restrict B,
    const double *restrict C, const double *restrict D0, double *restrict D, double *restrict tmp)
{
    for (int64_t i = 0; i < NI; i++) {
        for (int64_t l = 0; l < NJ; l++) {
            /* tmp[i,j] = alpha * reduce(+, [k], A[i,k] * B[k,j]) */
            double sum = 0;
            for (int64_t k = 0; k < NK; k++) {
                sum += A[i * NK + k] * B[k * NJ + l];
            }
            tmp[i * NJ + l] = *alpha * sum;
        }
    }
    for (int64_t i = 0; i < NI; i++) {
        for (int64_t l = 0; l < NL; l++) {
            /* D[i,l] = beta * D0[i,l] + reduce(+, [j], tmp[i,j] * C[j,l]) */
            double sum = 0;
            for (int64_t j = 0; j < NJ; j++) {
                sum += tmp[i * NJ + j] * C[j * NL + l];
            }
            D[i * NL + l] = *beta * D0[i * NL + l] + sum;
        }
    }
}
