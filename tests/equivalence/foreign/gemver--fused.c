/* The update and the first product in one nest, in place in the sums; the second one by threads. */
#include <stdlib.h>
void gemver(long N, const double *alpha, const double *beta, const double A[N][N], const double u1[N], const double v1[N],
            const double u2[N], const double v2[N], const double y[N], const double z[N], double w[N], double x[N])
{
    double (*B)[N] = malloc(sizeof(double[N][N]));
    for (long i = 0; i < N; i++)
        x[i] = 0.0;
    for (long j = 0; j < N; j++)
        for (long i = 0; i < N; i++) {
            B[j][i] = A[j][i] + u1[j] * v1[i] + u2[j] * v2[i];
            x[i] += B[j][i] * y[j];
        }
    for (long i = 0; i < N; i++)
        x[i] = z[i] + *beta * x[i];
#pragma omp parallel for
    for (long i = 0; i < N; i++) {
        double sum = 0.0;
#pragma omp simd reduction(+ : sum)
        for (long j = 0; j < N; j++)
            sum += B[i][j] * x[j];
        w[i] = *alpha * sum;
    }
    free(B);
}
