/* Two passes over the rows, sums in arrays. */
#include <stdint.h>
void gesummv(int64_t N, const double *alpha, const double *beta, const double *A, const double *B, const double *x,
             double *y)
{
    double tmp[N];
    for (int64_t i = 0; i < N; i++) {
        tmp[i] = 0;
        y[i] = 0;
    }
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++)
            tmp[i] += A[N * i + j] * x[j];
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++)
            y[i] += B[N * i + j] * x[j];
    for (int64_t i = 0; i < N; i++)
        y[i] = *alpha * tmp[i] + *beta * y[i];
}
