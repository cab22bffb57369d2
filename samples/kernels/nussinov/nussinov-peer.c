/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

void nussinov(int64_t N, const int seq[restrict N], int *restrict pairs)
{
    int(*restrict S)[N] = calloc(1, sizeof(int[N][N]));
    for (int64_t i = N - 1; i >= 0; i--)
        for (int64_t j = i + 1; j < N; j++) {
            const int joined = seq[i] + seq[j] == 3 ? 1 : 0;
            S[i][j] = larger(S[i][j - 1], S[i + 1][j]);
            if (i < j - 1)
                S[i][j] = larger(S[i][j], S[i + 1][j - 1] + joined);
            else
                S[i][j] = larger(S[i][j], joined);
            for (int64_t k = i + 1; k < j; k++)
                S[i][j] = larger(S[i][j], S[i][k] + S[k + 1][j]);
        }
    *pairs = S[0][N - 1];
    free(S);
}
