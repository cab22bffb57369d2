static void knapsack_loops(
    int64_t N, int64_t W, const int *restrict weight, const int *restrict gain, int *restrict best,
    int *restrict K)
{
    #pragma omp simd
    for (int64_t w = 0; w <= W; w++) {
        /* K[i,w] = 0 */
        K[w] = 0;
    }
    for (int64_t i = 1; i <= N; i++) {
        const int64_t wanted = weight[i - 1];
        if (wanted == 0) {
            const int64_t w = 0;
            /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w}: if [w-u] == weight[i] then K[i-1,u] +
             *     gain[i] else 0)
             */
            int greatest = INT_MIN;
            const int64_t u = w - wanted;
            greatest = max_int(greatest, sum_int(K[(i - 1) * (W + 1) + u], gain[i - 1]));
            K[i * (W + 1) + w] = max_int(K[(i - 1) * (W + 1) + w], greatest);
        }
        for (int64_t w = 0; w <= min64(W, wanted - 1); w++) {
            /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w}: if [w-u] == weight[i] then K[i-1,u] +
             *     gain[i] else 0)
             */
            K[i * (W + 1) + w] = max_int(K[(i - 1) * (W + 1) + w], 0);
        }
        if (wanted <= -1) {
            for (int64_t w = 0; w <= W; w++) {
                /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w}: if [w-u] == weight[i] then K[i-1,u] +
                 *     gain[i] else 0)
                 */
                K[i * (W + 1) + w] = max_int(K[(i - 1) * (W + 1) + w], 0);
            }
        } else {
            for (int64_t w = max64(1, wanted); w <= W; w++) {
                /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w}: if [w-u] == weight[i] then K[i-1,u] +
                 *     gain[i] else 0)
                 */
                int greatest = 0;
                const int64_t u = w - wanted;
                greatest = max_int(greatest, sum_int(K[(i - 1) * (W + 1) + u], gain[i - 1]));
                K[i * (W + 1) + w] = max_int(K[(i - 1) * (W + 1) + w], greatest);
            }
        }
    }
    /* best[] = K[N,W] */
    *best = K[N * (W + 1) + W];
}
