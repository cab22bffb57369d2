/* From the bottom up instead of by lengths. */
#include <stdint.h>
#include <stdlib.h>
#include <limits.h>
void matrix_chain(int64_t N, const long *p, long *best)
{
    long *M = malloc((N + 1) * (N + 1) * sizeof(long));
    for (int64_t i = N; i >= 1; i--) {
        M[i * (N + 1) + i] = 0;
        for (int64_t j = i + 1; j <= N; j++) {
            long least = LONG_MAX;
            for (int64_t k = j - 1; k >= i; k--) {
                long cost = M[i * (N + 1) + k] + M[(k + 1) * (N + 1) + j] + p[i - 1] * p[k] * p[j];
                if (cost < least)
                    least = cost;
            }
            M[i * (N + 1) + j] = least;
        }
    }
    *best = M[(N + 1) + N];
    free(M);
}
