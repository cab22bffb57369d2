static void knapsack_loops(
    int64_t N, int64_t W, const int *restrict weight, const int *restrict gain, int *restrict best,
    int *restrict K)
{
    #pragma omp simd
    for (int64_t c1 = -W; c1 <= 0; c1++) {
        /* K[i,w] = 0 */
        const int64_t w = -c1;
        K[w] = 0;
    }
    for (int64_t i = 1; i <= N; i++) {
        const int64_t wanted = weight[i - 1];
        if (wanted >= 0) {
            for (int64_t c1 = -W; c1 <= min64(-1, -wanted); c1++) {
                /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w}: if [w-u] == weight[i] then K[i-1,u] +
                 *     gain[i] else 0)
                 */
                const int64_t w = -c1;
                int greatest = 0;
                const int64_t u = w - wanted;
                greatest = max_int(greatest, sum_int(K[u], gain[i - 1]));
                K[w] = max_int(K[w], greatest);
            }
            if (wanted == 0) {
                const int64_t c1 = 0;
                /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w}: if [w-u] == weight[i] then K[i-1,u] +
                 *     gain[i] else 0)
                 */
                const int64_t w = -c1;
                int greatest = INT_MIN;
                const int64_t u = w - wanted;
                greatest = max_int(greatest, sum_int(K[u], gain[i - 1]));
                K[w] = max_int(K[w], greatest);
            }
        }
        for (int64_t c1 = max64(-W, -wanted + 1); c1 <= 0; c1++) {
            /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w}: if [w-u] == weight[i] then K[i-1,u] +
             *     gain[i] else 0)
             */
            const int64_t w = -c1;
            K[w] = max_int(K[w], 0);
        }
        if (wanted <= -1) {
            for (int64_t c1 = -W; c1 <= 0; c1++) {
                /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w}: if [w-u] == weight[i] then K[i-1,u] +
                 *     gain[i] else 0)
                 */
                const int64_t w = -c1;
                K[w] = max_int(K[w], 0);
            }
        }
    }
    /* best[] = K[N,W] */
    *best = K[W];
}
