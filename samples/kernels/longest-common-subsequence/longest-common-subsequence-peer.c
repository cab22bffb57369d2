/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>

void longest_common_subsequence(
    int64_t M, int64_t N, const int a[restrict M], const int b[restrict N], int *restrict length)
{
    int(*restrict L)[N + 1] = malloc(sizeof(int[M + 1][N + 1]));
    for (int64_t i = 0; i <= M; i++)
        L[i][0] = 0;
    for (int64_t j = 0; j <= N; j++)
        L[0][j] = 0;
    for (int64_t i = 1; i <= M; i++)
        for (int64_t j = 1; j <= N; j++) {
            if (a[i - 1] == b[j - 1])
                L[i][j] = L[i - 1][j - 1] + 1;
            else if (L[i - 1][j] >= L[i][j - 1])
                L[i][j] = L[i - 1][j];
            else
                L[i][j] = L[i][j - 1];
        }
    *length = L[M][N];
    free(L);
}
