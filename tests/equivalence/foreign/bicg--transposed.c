/* Two nests, one of them down the columns; critical sections guard the shared sums. */
#include <stdint.h>
void bicg(int64_t M, int64_t N, const double A[N][M], const double *p, const double *r, double *s, double *q)
{
#pragma omp parallel for
    for (int64_t i = 0; i < N; i++) {
        q[i] = 0.0;
        for (int64_t j = M - 1; j >= 0; j--)
            q[i] += A[i][j] * p[j];
    }
    for (int64_t j = 0; j < M; j++)
        s[j] = 0.0;
#pragma omp parallel for
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < M; j++) {
#pragma omp atomic
            s[j] += r[i] * A[i][j];
        }
}
