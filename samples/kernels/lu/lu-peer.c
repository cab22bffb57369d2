/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <string.h>

void lu(int64_t N, const double A[restrict N][N], double LU[restrict N][N])
{
    memcpy(LU, A, sizeof(double[N][N]));
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < i; j++) {
            for (int64_t k = 0; k < j; k++)
                LU[i][j] -= LU[i][k] * LU[k][j];
            LU[i][j] /= LU[j][j];
        }
        for (int64_t j = i; j < N; j++)
            for (int64_t k = 0; k < i; k++)
                LU[i][j] -= LU[i][k] * LU[k][j];
    }
}
