/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <stdlib.h>

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

void needleman_wunsch(
    int64_t M, int64_t N, const int *restrict open, const int *restrict extend, const int a[restrict M],
    const int b[restrict N], int *restrict score)
{
    int(*restrict D)[N + 1] = malloc(sizeof(int[M + 1][N + 1]));
    int(*restrict P)[N + 1] = malloc(sizeof(int[M + 1][N + 1]));
    int(*restrict Q)[N + 1] = malloc(sizeof(int[M + 1][N + 1]));
    const int impossible = -1000000;
    D[0][0] = 0;
    P[0][0] = Q[0][0] = impossible;
    for (int64_t j = 1; j <= N; j++) {
        P[0][j] = impossible;
        D[0][j] = Q[0][j] = larger(D[0][j - 1] - *open, Q[0][j - 1] - *extend);
    }
    for (int64_t i = 1; i <= M; i++) {
        Q[i][0] = impossible;
        D[i][0] = P[i][0] = larger(D[i - 1][0] - *open, P[i - 1][0] - *extend);
        for (int64_t j = 1; j <= N; j++) {
            P[i][j] = larger(D[i - 1][j] - *open, P[i - 1][j] - *extend);
            Q[i][j] = larger(D[i][j - 1] - *open, Q[i][j - 1] - *extend);
            const int same = D[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
            D[i][j] = larger(same, larger(P[i][j], Q[i][j]));
        }
    }
    *score = D[M][N];
    free(D);
    free(P);
    free(Q);
}
