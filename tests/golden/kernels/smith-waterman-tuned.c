static void smith_waterman_loops(
    int64_t M, int64_t N, const int *restrict a, const int *restrict b, int *restrict score, int *restrict H,
    int *restrict best)
{
    /* H[i,j] = 0 */
    H[0] = 0;
    #pragma omp simd
    for (int64_t c1 = 0; c1 <= 1; c1++) {
        /* H[i,j] = 0 */
        const int64_t j = -c1 + 1;
        H[(c1 + j) % 3 * (M + 1) + c1] = 0;
    }
    for (int64_t c0 = 2; c0 <= M; c0++) {
        if (c0 <= N) {
            /* H[i,j] = 0 */
            H[c0 % 3 * (M + 1)] = 0;
        }
        #pragma omp simd
        for (int64_t c1 = max64(1, c0 - N); c1 < c0 - 1; c1++) {
            const int64_t j = c0 - c1;
            /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1, H[i,j-1] - 1) */
            H[(c1 + j) % 3 * (M + 1) + c1]
                = max_int(max_int(max_int(0, H[(c1 + j - 2) % 3 * (M + 1) + c1 - 1]
                + (a[c1 - 1] == b[j - 1] ? 2 : -1)), H[(c1 + j - 1) % 3 * (M + 1) + c1 - 1] - 1),
                H[(c1 + j - 1) % 3 * (M + 1) + c1] - 1);
            /* best[i] max= H[i,j] */
            best[c1 - 1] = max_int(best[c1 - 1], H[(c1 + j) % 3 * (M + 1) + c1]);
        }
        const int64_t i = c0 - 1;
        /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1, H[i,j-1] - 1) */
        H[(i + 1) % 3 * (M + 1) + i]
            = max_int(max_int(max_int(0, H[(i - 1) % 3 * (M + 1) + i - 1]
            + (a[i - 1] == b[0] ? 2 : -1)), H[i % 3 * (M + 1) + i - 1] - 1),
            H[i % 3 * (M + 1) + i] - 1);
        /* best[i] = H[i,j] */
        best[i - 1] = H[(i + 1) % 3 * (M + 1) + i];
        /* H[i,j] = 0 */
        H[c0 % 3 * (M + 1) + c0] = 0;
    }
    if (M < N) {
        {
            /* H[i,j] = 0 */
            const int64_t j = M + 1;
            H[j % 3 * (M + 1)] = 0;
        }
        #pragma omp simd
        for (int64_t c1 = 1; c1 < M; c1++) {
            const int64_t j = M - c1 + 1;
            /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1, H[i,j-1] - 1) */
            H[(c1 + j) % 3 * (M + 1) + c1]
                = max_int(max_int(max_int(0, H[(c1 + j - 2) % 3 * (M + 1) + c1 - 1]
                + (a[c1 - 1] == b[j - 1] ? 2 : -1)), H[(c1 + j - 1) % 3 * (M + 1) + c1 - 1] - 1),
                H[(c1 + j - 1) % 3 * (M + 1) + c1] - 1);
            /* best[i] max= H[i,j] */
            best[c1 - 1] = max_int(best[c1 - 1], H[(c1 + j) % 3 * (M + 1) + c1]);
        }
        /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1, H[i,j-1] - 1) */
        H[(M + 1) % 3 * (M + 1) + M]
            = max_int(max_int(max_int(0, H[(M - 1) % 3 * (M + 1) + M - 1]
            + (a[M - 1] == b[0] ? 2 : -1)), H[M % 3 * (M + 1) + M - 1] - 1),
            H[M % 3 * (M + 1) + M] - 1);
        /* best[i] = H[i,j] */
        best[M - 1] = H[(M + 1) % 3 * (M + 1) + M];
    }
    for (int64_t c0 = M + 2; c0 <= N; c0++) {
        /* H[i,j] = 0 */
        H[c0 % 3 * (M + 1)] = 0;
        #pragma omp simd
        for (int64_t c1 = 1; c1 <= M; c1++) {
            const int64_t j = c0 - c1;
            /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1, H[i,j-1] - 1) */
            H[(c1 + j) % 3 * (M + 1) + c1]
                = max_int(max_int(max_int(0, H[(c1 + j - 2) % 3 * (M + 1) + c1 - 1]
                + (a[c1 - 1] == b[j - 1] ? 2 : -1)), H[(c1 + j - 1) % 3 * (M + 1) + c1 - 1] - 1),
                H[(c1 + j - 1) % 3 * (M + 1) + c1] - 1);
            /* best[i] max= H[i,j] */
            best[c1 - 1] = max_int(best[c1 - 1], H[(c1 + j) % 3 * (M + 1) + c1]);
        }
    }
    if (N <= M) {
        #pragma omp simd
        for (int64_t c1 = M - N + 1; c1 < M; c1++) {
            const int64_t j = M - c1 + 1;
            /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1, H[i,j-1] - 1) */
            H[(c1 + j) % 3 * (M + 1) + c1]
                = max_int(max_int(max_int(0, H[(c1 + j - 2) % 3 * (M + 1) + c1 - 1]
                + (a[c1 - 1] == b[j - 1] ? 2 : -1)), H[(c1 + j - 1) % 3 * (M + 1) + c1 - 1] - 1),
                H[(c1 + j - 1) % 3 * (M + 1) + c1] - 1);
            /* best[i] max= H[i,j] */
            best[c1 - 1] = max_int(best[c1 - 1], H[(c1 + j) % 3 * (M + 1) + c1]);
        }
        /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1, H[i,j-1] - 1) */
        H[(M + 1) % 3 * (M + 1) + M]
            = max_int(max_int(max_int(0, H[(M - 1) % 3 * (M + 1) + M - 1]
            + (a[M - 1] == b[0] ? 2 : -1)), H[M % 3 * (M + 1) + M - 1] - 1),
            H[M % 3 * (M + 1) + M] - 1);
        /* best[i] = H[i,j] */
        best[M - 1] = H[(M + 1) % 3 * (M + 1) + M];
    }
    for (int64_t c0 = max64(M + 2, N + 1); c0 <= M + N; c0++) {
        #pragma omp simd
        for (int64_t c1 = c0 - N; c1 <= M; c1++) {
            const int64_t j = c0 - c1;
            /* H[i,j] = max(0, H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), H[i-1,j] - 1, H[i,j-1] - 1) */
            H[(c1 + j) % 3 * (M + 1) + c1]
                = max_int(max_int(max_int(0, H[(c1 + j - 2) % 3 * (M + 1) + c1 - 1]
                + (a[c1 - 1] == b[j - 1] ? 2 : -1)), H[(c1 + j - 1) % 3 * (M + 1) + c1 - 1] - 1),
                H[(c1 + j - 1) % 3 * (M + 1) + c1] - 1);
            /* best[i] max= H[i,j] */
            best[c1 - 1] = max_int(best[c1 - 1], H[(c1 + j) % 3 * (M + 1) + c1]);
        }
    }
    /* score[] = best[i] */
    *score = best[0];
    if (2 <= M) {
        /* score[] max= best[i] */
        int greatest = *score;
        for (int64_t c2 = 2; c2 <= M; c2++) {
            greatest = max_int(greatest, best[c2 - 1]);
        }
        *score = greatest;
    }
}
