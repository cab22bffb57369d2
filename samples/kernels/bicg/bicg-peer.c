/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>

void bicg(
    int64_t M, int64_t N, const double A[restrict N][M], const double p[restrict M], const double r[restrict N],
    double s[restrict M], double q[restrict N])
{
    for (int64_t j = 0; j < M; j++)
        s[j] = 0.0;
    for (int64_t i = 0; i < N; i++) {
        q[i] = 0.0;
        for (int64_t j = 0; j < M; j++) {
            s[j] += r[i] * A[i][j];
            q[i] += A[i][j] * p[j];
        }
    }
}
