/* The loops of the textbooks, with the signature of the generated function. */
#include <math.h>
#include <stdint.h>

void cholesky(int64_t N, const double A[restrict N][N], double L[restrict N][N])
{
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j <= i; j++)
            L[i][j] = A[i][j];
        for (int64_t j = 0; j < i; j++) {
            for (int64_t k = 0; k < j; k++)
                L[i][j] -= L[i][k] * L[j][k];
            L[i][j] /= L[j][j];
        }
        for (int64_t k = 0; k < i; k++)
            L[i][i] -= L[i][k] * L[i][k];
        L[i][i] = sqrt(L[i][i]);
    }
}
