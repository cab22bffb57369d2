/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

void smith_waterman(int64_t M, int64_t N, const int a[restrict M], const int b[restrict N], int *restrict score)
{
    int(*restrict H)[N + 1] = malloc(sizeof(int[M + 1][N + 1]));
    for (int64_t i = 0; i <= M; i++)
        H[i][0] = 0;
    for (int64_t j = 0; j <= N; j++)
        H[0][j] = 0;
    int best = 0;
    for (int64_t i = 1; i <= M; i++)
        for (int64_t j = 1; j <= N; j++) {
            const int same = H[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
            H[i][j] = larger(larger(0, same), larger(H[i - 1][j] - 1, H[i][j - 1] - 1));
            best = larger(best, H[i][j]);
        }
    *score = best;
    free(H);
}
