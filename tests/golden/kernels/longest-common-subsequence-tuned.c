static void longest_common_subsequence_loops(
    int64_t M, int64_t N, const int *restrict a, const int *restrict b, int *restrict length, int *restrict L)
{
    /* L[i,j] = 0 */
    L[0] = 0;
    for (int64_t c0 = 1; c0 <= M; c0++) {
        if (c0 <= N) {
            /* L[i,j] = 0 */
            L[c0 % 3 * (M + 1)] = 0;
        }
        #pragma omp simd
        for (int64_t i = max64(1, c0 - N); i < c0; i++) {
            /* L[i,j] = if a[i] == b[j] then L[i-1,j-1] + 1 else L[i-1,j] max L[i,j-1] */
            const int64_t j = c0 - i;
            L[(i + j) % 3 * (M + 1) + i] = a[i - 1] == b[j - 1] ? L[(i + j - 2) % 3 * (M + 1) + i - 1] + 1
                : max_int(L[(i + j - 1) % 3 * (M + 1) + i - 1], L[(i + j - 1) % 3 * (M + 1) + i]);
        }
        /* L[i,j] = 0 */
        L[c0 % 3 * (M + 1) + c0] = 0;
    }
    for (int64_t c0 = M + 1; c0 <= N; c0++) {
        /* L[i,j] = 0 */
        L[c0 % 3 * (M + 1)] = 0;
        #pragma omp simd
        for (int64_t i = 1; i <= M; i++) {
            /* L[i,j] = if a[i] == b[j] then L[i-1,j-1] + 1 else L[i-1,j] max L[i,j-1] */
            const int64_t j = c0 - i;
            L[(i + j) % 3 * (M + 1) + i] = a[i - 1] == b[j - 1] ? L[(i + j - 2) % 3 * (M + 1) + i - 1] + 1
                : max_int(L[(i + j - 1) % 3 * (M + 1) + i - 1], L[(i + j - 1) % 3 * (M + 1) + i]);
        }
    }
    for (int64_t c0 = max64(M + 1, N + 1); c0 <= M + N; c0++) {
        #pragma omp simd
        for (int64_t i = c0 - N; i <= M; i++) {
            /* L[i,j] = if a[i] == b[j] then L[i-1,j-1] + 1 else L[i-1,j] max L[i,j-1] */
            const int64_t j = c0 - i;
            L[(i + j) % 3 * (M + 1) + i] = a[i - 1] == b[j - 1] ? L[(i + j - 2) % 3 * (M + 1) + i - 1] + 1
                : max_int(L[(i + j - 1) % 3 * (M + 1) + i - 1], L[(i + j - 1) % 3 * (M + 1) + i]);
        }
    }
    /* length[] = L[M,N] */
    *length = L[(M + N) % 3 * (M + 1) + M];
}
