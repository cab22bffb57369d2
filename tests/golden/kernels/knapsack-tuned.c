static void knapsack_loops(
    int64_t N, int64_t W, const int *restrict weight, const int *restrict gain, int *restrict best,
    int *restrict K)
{
    for (int64_t i = 0; i <= N; i++) {
        #pragma omp parallel for
        for (int64_t tw = 0; tw <= W; tw += 8192) {
            if (i == 0 && tw <= W - 8191) {
                #pragma omp simd
                for (int64_t w = tw; w < tw + 8192; w++) {
                    /* K[i,w] = 0 */
                    K[w] = 0;
                }
            } else if (i >= 1) {
                const int64_t wanted = weight[i - 1];
                const int64_t limit = min64(W + 1, tw + 8192);
                if (wanted <= -1) {
                    for (int64_t w = max64(tw, wanted + 1); w < limit; w++) {
                        /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w} : if [w-u] == weight[i] then
                         *     K[i-1,u] + gain[ ...
                         */
                        K[i % 2 * (W + 1) + w] = max_int(K[(i - 1) % 2 * (W + 1) + w], 0);
                    }
                } else {
                    if (wanted >= 1) {
                        for (int64_t w = tw; w < min64(limit, wanted); w++) {
                            /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w} : if [w-u] == weight[i] then
                             *     K[i-1,u] + gain[ ...
                             */
                            K[i % 2 * (W + 1) + w] = max_int(K[(i - 1) % 2 * (W + 1) + w], 0);
                        }
                    } else if (tw <= 0) {
                        const int64_t w = 0;
                        /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w} : if [w-u] == weight[i] then
                         *     K[i-1,u] + gain[ ...
                         */
                        int greatest = INT_MIN;
                        const int64_t u_2 = w - wanted;
                        greatest = max_int(greatest, K[(i - 1) % 2 * (W + 1) + u_2] + gain[i - 1]);
                        K[i % 2 * (W + 1) + w] = max_int(K[(i - 1) % 2 * (W + 1) + w], greatest);
                    }
                    for (int64_t w = max64(max64(1, tw), wanted); w < limit; w++) {
                        /* K[i,w] = K[i-1,w] max reduce(max, [u], {| 0<=u<=w} : if [w-u] == weight[i] then
                         *     K[i-1,u] + gain[ ...
                         */
                        int greatest = 0;
                        const int64_t u_2 = w - wanted;
                        greatest = max_int(greatest, K[(i - 1) % 2 * (W + 1) + u_2] + gain[i - 1]);
                        K[i % 2 * (W + 1) + w] = max_int(K[(i - 1) % 2 * (W + 1) + w], greatest);
                    }
                }
            } else {
                #pragma omp simd
                for (int64_t w = tw; w < min64(W + 1, tw + 8192); w++) {
                    /* K[i,w] = 0 */
                    K[w] = 0;
                }
            }
        }
    }
    /* best[] = K[N,W] */
    *best = K[N % 2 * (W + 1) + W];
}
