/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>

void trisolv(int64_t N, const double L[restrict N][N], const double b[restrict N], double x[restrict N])
{
    for (int64_t i = 0; i < N; i++) {
        x[i] = b[i];
        for (int64_t j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
}
