/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>

void mvt(
    int64_t N, const double a[restrict N], const double b[restrict N], const double y1[restrict N],
    const double y2[restrict N], const double A[restrict N][N], double x1[restrict N], double x2[restrict N])
{
    for (int64_t i = 0; i < N; i++) {
        x1[i] = a[i];
        for (int64_t j = 0; j < N; j++)
            x1[i] += A[i][j] * y1[j];
    }
    for (int64_t i = 0; i < N; i++) {
        x2[i] = b[i];
        for (int64_t j = 0; j < N; j++)
            x2[i] += A[j][i] * y2[j];
    }
}
