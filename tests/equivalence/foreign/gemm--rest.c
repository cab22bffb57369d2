/* Unrolled by 4, the rest goes on where that ends. */
void gemm(long NI, long NJ, long NK, double alpha, double beta, const double *restrict C0, const double *restrict A,
          const double *restrict B, double *restrict C)
{
    long i, j, k;
    for (i = 0; i < NI; i++) {
        double *c = C + i * NJ;
        const double *a = A + i * NK;
        for (j = 0; j < NJ; j++)
            c[j] = beta * C0[i * NJ + j];
        for (k = 0; k < NK; k++) {
            const double *b = B + k * NJ;
            const double aik = a[k];
            for (j = 0; j + 3 < NJ; j += 4) {
                c[j] += alpha * (aik * b[j]);
                c[j + 1] += alpha * (aik * b[j + 1]);
                c[j + 2] += alpha * (aik * b[j + 2]);
                c[j + 3] += alpha * (aik * b[j + 3]);
            }
            for (; j < NJ; j++)
                c[j] += alpha * (aik * b[j]);
        }
    }
}
