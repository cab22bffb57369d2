static void smith_waterman_loops(
    int64_t M, int64_t N, const int *restrict a, const int *restrict b, int *restrict score, int *restrict H,
    int *restrict best)
{
    #pragma omp simd
    for (int64_t j = 0; j <= N; j++) {
        /* H[i,j] = 0 */
        H[j] = 0;
    }
    for (int64_t i = 1; i <= M; i++) {
        /* H[i,j] = 0 */
        H[i * (N + 1)] = 0;
        for (int64_t j = 1; j <= N; j++) {
            /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1, H[i,j-1] - 1) */
            H[i * (N + 1) + j]
                = max_int(max_int(max_int(0,
                sum_int(H[(i - 1) * (N + 1) + j - 1], a[i - 1] == b[j - 1] ? 2 : -1)),
                difference_int(H[(i - 1) * (N + 1) + j], 1)), difference_int(H[i * (N + 1) + j - 1], 1));
        }
    }
    for (int64_t i = 1; i <= M; i++) {
        /* best[i] = reduce(max, [j], {| 1<=j<=N}: H[i,j]) */
        int greatest = INT_MIN;
        for (int64_t j = 1; j <= N; j++) {
            greatest = max_int(greatest, H[i * (N + 1) + j]);
        }
        best[i - 1] = greatest;
    }
    {
        /* score[] = reduce(max, [i], best[i]) */
        int greatest = INT_MIN;
        for (int64_t i = 1; i <= M; i++) {
            greatest = max_int(greatest, best[i - 1]);
        }
        *score = greatest;
    }
}
