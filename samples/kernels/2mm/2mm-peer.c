/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>

void n_2mm(
    int64_t NI, int64_t NJ, int64_t NK, int64_t NL, const double *restrict alpha, const double *restrict beta,
    const double A[restrict NI][NK], const double B[restrict NK][NJ], const double C[restrict NJ][NL],
    const double D0[restrict NI][NL], double D[restrict NI][NL])
{
    double(*restrict tmp)[NJ] = malloc(sizeof(double[NI][NJ]));
    for (int64_t i = 0; i < NI; i++)
        for (int64_t j = 0; j < NJ; j++) {
            tmp[i][j] = 0.0;
            for (int64_t k = 0; k < NK; k++)
                tmp[i][j] += *alpha * A[i][k] * B[k][j];
        }
    for (int64_t i = 0; i < NI; i++)
        for (int64_t l = 0; l < NL; l++) {
            D[i][l] = *beta * D0[i][l];
            for (int64_t j = 0; j < NJ; j++)
                D[i][l] += tmp[i][j] * C[j][l];
        }
    free(tmp);
}
