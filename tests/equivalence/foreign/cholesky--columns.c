/* Column by column. */
#include <stdint.h>
#include <math.h>
void cholesky(int64_t N, const double A[N][N], double L[N][N])
{
    for (int64_t j = 0; j < N; j++) {
        double sum = 0.0;
        for (int64_t k = 0; k < j; k++)
            sum += L[j][k] * L[j][k];
        L[j][j] = sqrt(A[j][j] - sum);
#pragma omp parallel for
        for (int64_t i = j + 1; i < N; i++) {
            double inner = 0.0;
            for (int64_t k = 0; k < j; k++)
                inner += L[i][k] * L[j][k];
            L[i][j] = (A[i][j] - inner) / L[j][j];
        }
    }
}
