static void optimal_search_tree_loops(
    int64_t N, const long *restrict w, long *restrict cost, long *restrict W, long *restrict C)
{
    {
        /* C[i,j] = 0 */
        const int64_t i = N + 1;
        C[(i - 1) * (N + 1) + N] = 0;
    }
    for (int64_t c0 = -N; c0 < 0; c0++) {
        const int64_t i = -c0;
        {
            /* C[i,j] = 0 */
            const int64_t j = -c0 - 1;
            C[(i - 1) * (N + 1) + j] = 0;
        }
        {
            /* W[i,j] = w[j] */
            const int64_t j = -c0;
            W[(i - 1) * N + j - 1] = w[j - 1];
        }
        {
            /* C[i,j] = W[i,j] + reduce(min, [r], {| i<=r<=j}: C[i,r-1] + C[r+1,j]) */
            const int64_t j = -c0;
            long least = LONG_MAX;
            for (int64_t r = i; r <= j; r++) {
                least = min_long(least, sum_long(C[(i - 1) * (N + 1) + r - 1], C[r * (N + 1) + j]));
            }
            C[(i - 1) * (N + 1) + j] = sum_long(W[(i - 1) * N + j - 1], least);
        }
        for (int64_t j = -c0 + 1; j <= N; j++) {
            /* W[i,j] = W[i,j-1] + w[j] */
            W[(i - 1) * N + j - 1] = sum_long(W[(i - 1) * N + j - 2], w[j - 1]);
            {
                /* C[i,j] = W[i,j] + reduce(min, [r], {| i<=r<=j}: C[i,r-1] + C[r+1,j]) */
                long least = LONG_MAX;
                for (int64_t r = i; r <= j; r++) {
                    least = min_long(least, sum_long(C[(i - 1) * (N + 1) + r - 1], C[r * (N + 1) + j]));
                }
                C[(i - 1) * (N + 1) + j] = sum_long(W[(i - 1) * N + j - 1], least);
            }
        }
    }
    /* cost[] = C[1,N] */
    *cost = C[N];
}
