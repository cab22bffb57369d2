/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>

static void product(
    int64_t rows, int64_t inner, int64_t columns, const double X[restrict rows][inner],
    const double Y[restrict inner][columns], double Z[restrict rows][columns])
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            Z[i][j] = 0.0;
            for (int64_t k = 0; k < inner; k++)
                Z[i][j] += X[i][k] * Y[k][j];
        }
}

void n_3mm(
    int64_t NI, int64_t NJ, int64_t NK, int64_t NL, int64_t NM, const double A[restrict NI][NK],
    const double B[restrict NK][NJ], const double C[restrict NJ][NM], const double D[restrict NM][NL],
    double G[restrict NI][NL])
{
    double(*restrict E)[NJ] = malloc(sizeof(double[NI][NJ]));
    double(*restrict F)[NL] = malloc(sizeof(double[NJ][NL]));
    product(NI, NK, NJ, A, B, E);
    product(NJ, NM, NL, C, D, F);
    product(NI, NJ, NL, E, F, G);
    free(E);
    free(F);
}
