/* The loops of the textbooks, with the signature of the generated function. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

void matrix_chain(int64_t N, const long p[restrict N + 1], long *restrict best)
{
    long(*restrict M)[N + 1] = malloc(sizeof(long[N + 1][N + 1]));
    for (int64_t i = 1; i <= N; i++)
        M[i][i] = 0;
    for (int64_t length = 2; length <= N; length++)
        for (int64_t i = 1; i <= N - length + 1; i++) {
            const int64_t j = i + length - 1;
            M[i][j] = LONG_MAX;
            for (int64_t k = i; k < j; k++) {
                const long cost = M[i][k] + M[k + 1][j] + p[i - 1] * p[k] * p[j];
                if (cost < M[i][j])
                    M[i][j] = cost;
            }
        }
    *best = M[1][N];
    free(M);
}
