/* Rows by pointers into flat arrays; the second product has j outside of l. */
#include <stdlib.h>
void n_2mm(long NI, long NJ, long NK, long NL, const double *alpha, const double *beta, const double *A, const double *B,
           const double *C, const double *D0, double *D)
{
    double *tmp = malloc(NI * NJ * sizeof(double));
    for (long i = 0; i < NI; i++) {
        const double *a = A + i * NK;
        double *row = tmp + i * NJ;
        for (long j = 0; j < NJ; j++) {
            double sum = 0.0;
            for (long k = 0; k < NK; k++)
                sum += a[k] * B[k * NJ + j];
            row[j] = *alpha * sum;
        }
        double *d = D + i * NL;
        for (long l = 0; l < NL; l++)
            d[l] = *beta * D0[i * NL + l];
        for (long j = 0; j < NJ; j++)
            for (long l = 0; l < NL; l++)
                d[l] += row[j] * C[j * NL + l];
    }
    free(tmp);
}
