static void longest_common_subsequence_loops(
    int64_t M, int64_t N, const int *restrict a, const int *restrict b, int *restrict length, int *restrict L)
{
    #pragma omp simd
    for (int64_t j = 0; j <= N; j++) {
        /* L[i,j] = 0 */
        L[j] = 0;
    }
    for (int64_t i = 1; i <= M; i++) {
        /* L[i,j] = 0 */
        L[i * (N + 1)] = 0;
        for (int64_t j = 1; j <= N; j++) {
            /* L[i,j] = if a[i] == b[j] then L[i-1,j-1] + 1 else L[i-1,j] max L[i,j-1] */
            L[i * (N + 1) + j] = a[i - 1] == b[j - 1] ? sum_int(L[(i - 1) * (N + 1) + j - 1], 1)
                : max_int(L[(i - 1) * (N + 1) + j], L[i * (N + 1) + j - 1]);
        }
    }
    /* length[] = L[M,N] */
    *length = L[M * (N + 1) + N];
}
