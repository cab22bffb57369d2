/* The loops of the textbooks, with the signature of the generated function. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

/* The weight of key i is w[i - 1]. */
void optimal_search_tree(int64_t N, const long w[restrict N], long *restrict cost)
{
    long(*restrict W)[N + 1] = malloc(sizeof(long[N + 2][N + 1]));
    long(*restrict C)[N + 1] = malloc(sizeof(long[N + 2][N + 1]));
    for (int64_t i = 1; i <= N + 1; i++)
        C[i][i - 1] = W[i][i - 1] = 0;
    for (int64_t length = 1; length <= N; length++)
        for (int64_t i = 1; i <= N - length + 1; i++) {
            const int64_t j = i + length - 1;
            W[i][j] = W[i][j - 1] + w[j - 1];
            C[i][j] = LONG_MAX;
            for (int64_t r = i; r <= j; r++) {
                const long here = C[i][r - 1] + C[r + 1][j] + W[i][j];
                if (here < C[i][j])
                    C[i][j] = here;
            }
        }
    *cost = C[1][N];
    free(W);
    free(C);
}
