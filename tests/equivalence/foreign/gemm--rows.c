/* Pointers to rows, the loop over k in the middle. */
void gemm(int NI, int NJ, int NK, const double *alpha, const double *beta, const double *C0, const double *A,
          const double *B, double *C)
{
    for (int i = 0; i < NI; i++) {
        double *row = C + i * NJ;
        const double *from = C0 + i * NJ;
        double sum[NJ];
        for (int j = 0; j < NJ; j++)
            sum[j] = 0.0;
        for (int k = 0; k < NK; k++) {
            const double *b = &B[k * NJ];
            for (int j = 0; j < NJ; j++)
                sum[j] += A[i * NK + k] * b[j];
        }
        for (int j = 0; j < NJ; j++)
            row[j] = *beta * from[j] + *alpha * sum[j];
    }
}
