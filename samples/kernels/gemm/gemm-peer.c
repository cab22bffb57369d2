/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>

void gemm(
    int64_t NI, int64_t NJ, int64_t NK, const double *restrict alpha, const double *restrict beta,
    const double C0[restrict NI][NJ], const double A[restrict NI][NK], const double B[restrict NK][NJ],
    double C[restrict NI][NJ])
{
    for (int64_t i = 0; i < NI; i++) {
        for (int64_t j = 0; j < NJ; j++)
            C[i][j] = *beta * C0[i][j];
        for (int64_t k = 0; k < NK; k++)
            for (int64_t j = 0; j < NJ; j++)
                C[i][j] += *alpha * A[i][k] * B[k][j];
    }
}
