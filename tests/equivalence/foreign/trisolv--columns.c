/* Forward substitution by columns, in place. */
#include <stdint.h>
void trisolv(int64_t N, const double L[N][N], const double *b, double *x)
{
    for (int64_t i = 0; i < N; i++)
        x[i] = b[i];
    for (int64_t j = 0; j < N; j++) {
        x[j] = x[j] / L[j][j];
        for (int64_t i = j + 1; i < N; i++)
            x[i] -= L[i][j] * x[j];
    }
}
