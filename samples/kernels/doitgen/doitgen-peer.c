/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>

void doitgen(
    int64_t R, int64_t Q, int64_t P, const double A[restrict R][Q][P], const double C4[restrict P][P],
    double B[restrict R][Q][P])
{
    for (int64_t r = 0; r < R; r++)
        for (int64_t q = 0; q < Q; q++)
            for (int64_t p = 0; p < P; p++) {
                B[r][q][p] = 0.0;
                for (int64_t s = 0; s < P; s++)
                    B[r][q][p] += A[r][q][s] * C4[s][p];
            }
}
