static void n_3mm_loops(
    int64_t NI, int64_t NJ, int64_t NK, int64_t NL, int64_t NM, const double *restrict A,
    const double *restrict B, const double *restrict C, const double *restrict D, double *restrict G,
    double *restrict E, double *restrict F)
{
    for (int64_t i = 0; i < NI; i++) {
        for (int64_t l = 0; l < NJ; l++) {
            /* E[i,j] = reduce(+, [k], A[i,k] * B[k,j]) */
            double sum = 0;
            for (int64_t k = 0; k < NK; k++) {
                sum += A[i * NK + k] * B[k * NJ + l];
            }
            E[i * NJ + l] = sum;
        }
    }
    for (int64_t i = 0; i < NJ; i++) {
        for (int64_t l = 0; l < NL; l++) {
            /* F[j,l] = reduce(+, [m], C[j,m] * D[m,l]) */
            double sum = 0;
            for (int64_t m = 0; m < NM; m++) {
                sum += C[i * NM + m] * D[m * NL + l];
            }
            F[i * NL + l] = sum;
        }
    }
    for (int64_t i = 0; i < NI; i++) {
        for (int64_t l = 0; l < NL; l++) {
            /* G[i,l] = reduce(+, [j], E[i,j] * F[j,l]) */
            double sum = 0;
            for (int64_t j = 0; j < NJ; j++) {
                sum += E[i * NJ + j] * F[j * NL + l];
            }
            G[i * NL + l] = sum;
        }
    }
}
