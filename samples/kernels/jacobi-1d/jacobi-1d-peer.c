/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline void sweep(int64_t N, const double from[restrict N], double to[restrict N])
{
    for (int64_t i = 1; i < N - 1; i++)
        to[i] = 0.33333 * (from[i - 1] + from[i] + from[i + 1]);
}

void jacobi_x2d_1d(int64_t N, int64_t T, const double A[restrict N], double B[restrict N])
{
    double *restrict other = malloc(sizeof(double[N]));
    memcpy(B, A, sizeof(double[N]));
    memcpy(other, A, sizeof(double[N]));
    for (int64_t t = 0; t < T / 2; t++) {
        sweep(N, B, other);
        sweep(N, other, B);
    }
    if (T % 2 == 1) {
        sweep(N, B, other);
        memcpy(B, other, sizeof(double[N]));
    }
    free(other);
}
