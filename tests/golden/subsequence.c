/* System subsequence, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   F: int[3][N + 1], holds F
 */

#include "subsequence.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void subsequence_loops(
    int64_t N, int64_t M, const int *restrict X, const int *restrict Y, int *restrict length, int *restrict F)
{
    /* F[i,j] = 0 */
    F[0] = 0;
    for (int64_t i = 1; i <= N; i++) {
        if (i <= M) {
            /* F[i,j] = 0 */
            F[i % 3 * (N + 1)] = 0;
        }
        #pragma omp parallel for simd if(i - 1 > 4000)
        for (int64_t j = max64(1, i - M); j < i; j++) {
            /* F[i,j] = if X[j] == Y[i-j] then F[i-2,j-1] + 1 else max(F[i-1,j-1], F[i-1,j]) */
            F[i % 3 * (N + 1) + j] = X[j - 1] == Y[i - j - 1]
                ? sum_int(F[(i - 2) % 3 * (N + 1) + j - 1], 1)
                : max_int(F[(i - 1) % 3 * (N + 1) + j - 1], F[(i - 1) % 3 * (N + 1) + j]);
        }
        /* F[i,j] = 0 */
        F[i % 3 * (N + 1) + i] = 0;
    }
    for (int64_t i = N + 1; i <= M; i++) {
        /* F[i,j] = 0 */
        F[i % 3 * (N + 1)] = 0;
        #pragma omp parallel for simd if(N > 4000)
        for (int64_t j = 1; j <= N; j++) {
            /* F[i,j] = if X[j] == Y[i-j] then F[i-2,j-1] + 1 else max(F[i-1,j-1], F[i-1,j]) */
            F[i % 3 * (N + 1) + j] = X[j - 1] == Y[i - j - 1]
                ? sum_int(F[(i - 2) % 3 * (N + 1) + j - 1], 1)
                : max_int(F[(i - 1) % 3 * (N + 1) + j - 1], F[(i - 1) % 3 * (N + 1) + j]);
        }
    }
    for (int64_t i = max64(N + 1, M + 1); i <= M + N; i++) {
        #pragma omp parallel for simd if(M + N - i + 1 > 4000)
        for (int64_t j = i - M; j <= N; j++) {
            /* F[i,j] = if X[j] == Y[i-j] then F[i-2,j-1] + 1 else max(F[i-1,j-1], F[i-1,j]) */
            F[i % 3 * (N + 1) + j] = X[j - 1] == Y[i - j - 1]
                ? sum_int(F[(i - 2) % 3 * (N + 1) + j - 1], 1)
                : max_int(F[(i - 1) % 3 * (N + 1) + j - 1], F[(i - 1) % 3 * (N + 1) + j]);
        }
    }
    /* length[] = F[M+N,N] */
    *length = F[(M + N) % 3 * (N + 1) + N];
}

int subsequence_status(
    int64_t N, int64_t M, const int *restrict X, const int *restrict Y, int *restrict length)
{
    if (too_large(N) || too_large(M)) {
        return 2;
    }
    if (N < 1 || M < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*X), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*Y), 1, (const int64_t[]){M}) < 0) {
        return 2;
    }
    int status = 0;
    int *F = allocate(&status, sizeof(*F), 2, (const int64_t[]){3, N + 1});
    if (status == 0) {
        subsequence_loops(N, M, X, Y, length, F);
    }
    free(F);
    return status;
}

void subsequence(int64_t N, int64_t M, const int *restrict X, const int *restrict Y, int *restrict length)
{
    report("subsequence", subsequence_status(N, M, X, Y, length));
}
