/* Right-looking: the step k updates what is right of and below it. */
#include <stdint.h>
void lu(int64_t N, const double A[N][N], double LU[N][N])
{
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++)
            LU[i][j] = A[i][j];
    for (int64_t k = 0; k < N; k++) {
        for (int64_t i = k + 1; i < N; i++)
            LU[i][k] /= LU[k][k];
        for (int64_t i = k + 1; i < N; i++)
            for (int64_t j = k + 1; j < N; j++)
                LU[i][j] -= LU[i][k] * LU[k][j];
    }
}
