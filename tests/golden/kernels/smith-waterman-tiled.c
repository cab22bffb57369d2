static void smith_waterman_loops(
    int64_t M, int64_t N, const int *restrict a, const int *restrict b, int *restrict score, int *restrict H,
    int *restrict best)
{
    for (int64_t wi = 0; wi <= (M + N) / 32; wi++) {
        #pragma omp parallel for if((double)(wi + 1) * (double)M * (double)(N - 1) > 2222)
        for (int64_t nj = max64(0, wi - M / 32); nj <= min64(wi, N / 32); nj++) {
            const int64_t ti = 32 * wi - 32 * nj;
            const int64_t tj = 32 * nj;
            if (ti <= M - 31 && ti >= 1 && tj <= N - 31 && tj >= 2) {
                for (int64_t i = ti; i < ti + 32; i++) {
                    /* best[i] max= H[i,j] */
                    int greatest = best[i - 1];
                    for (int64_t j = tj; j < tj + 32; j++) {
                        /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1,
                         *     H[i,j-1] - 1)
                         */
                        H[i * (N + 1) + j]
                            = max_int(max_int(max_int(0,
                            sum_int(H[(i - 1) * (N + 1) + j - 1], a[i - 1] == b[j - 1] ? 2 : -1)),
                            difference_int(H[(i - 1) * (N + 1) + j], 1)),
                            difference_int(H[i * (N + 1) + j - 1], 1));
                        greatest = max_int(greatest, H[i * (N + 1) + j]);
                    }
                    best[i - 1] = greatest;
                }
            } else {
                if (ti == 0) {
                    #pragma omp simd
                    for (int64_t j = tj; j < min64(N + 1, tj + 32); j++) {
                        /* H[i,j] = 0 */
                        H[j] = 0;
                    }
                }
                for (int64_t i = max64(1, ti); i < min64(M + 1, ti + 32); i++) {
                    if (tj == 0) {
                        /* H[i,j] = 0 */
                        H[i * (N + 1)] = 0;
                    }
                    if (tj <= 1) {
                        /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1,
                         *     H[i,j-1] - 1)
                         */
                        H[i * (N + 1) + 1]
                            = max_int(max_int(max_int(0,
                            sum_int(H[(i - 1) * (N + 1)], a[i - 1] == b[0] ? 2 : -1)),
                            difference_int(H[(i - 1) * (N + 1) + 1], 1)), difference_int(H[i * (N + 1)], 1));
                        /* best[i] = H[i,j] */
                        best[i - 1] = H[i * (N + 1) + 1];
                    }
                    if (max64(2, tj) < min64(N + 1, tj + 32)) {
                        /* best[i] max= H[i,j] */
                        int greatest = best[i - 1];
                        for (int64_t j = max64(2, tj); j < min64(N + 1, tj + 32); j++) {
                            /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1,
                             *     H[i,j-1] - 1)
                             */
                            H[i * (N + 1) + j]
                                = max_int(max_int(max_int(0,
                                sum_int(H[(i - 1) * (N + 1) + j - 1], a[i - 1] == b[j - 1] ? 2 : -1)),
                                difference_int(H[(i - 1) * (N + 1) + j], 1)),
                                difference_int(H[i * (N + 1) + j - 1], 1));
                            greatest = max_int(greatest, H[i * (N + 1) + j]);
                        }
                        best[i - 1] = greatest;
                    }
                }
            }
        }
    }
    for (int64_t wi = 0; wi <= M / 32; wi++) {
        const int64_t ti = 32 * wi;
        if (ti <= M - 31 && ti >= 2) {
            /* score[] max= best[i] */
            int greatest = *score;
            for (int64_t i = ti; i < ti + 32; i++) {
                greatest = max_int(greatest, best[i - 1]);
            }
            *score = greatest;
        } else {
            if (ti <= 1) {
                /* score[] = best[i] */
                *score = best[0];
            }
            if (max64(2, ti) < min64(M + 1, ti + 32)) {
                /* score[] max= best[i] */
                int greatest = *score;
                for (int64_t i = max64(2, ti); i < min64(M + 1, ti + 32); i++) {
                    greatest = max_int(greatest, best[i - 1]);
                }
                *score = greatest;
            }
        }
    }
}
