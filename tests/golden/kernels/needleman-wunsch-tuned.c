static void needleman_wunsch_loops(
    int64_t M, int64_t N, const int *restrict open_, const int *restrict extend, const int *restrict a,
    const int *restrict b, int *restrict score, int *restrict D, int *restrict P, int *restrict Q)
{
    /* P[i,j] = -1000000 */
    P[0] = -1000000;
    /* Q[i,j] = -1000000 */
    Q[0] = -1000000;
    /* D[i,j] = 0 */
    D[0] = 0;
    for (int64_t c0 = 1; c0 <= min64(M, N); c0++) {
        /* P[i,j] = -1000000 */
        P[c0] = -1000000;
        /* Q[i,j] = (D[i,j-1] - open) max (Q[i,j-1] - extend) */
        Q[0] = max_int(D[(c0 - 1) % 3 * (M + 1)] - *open_, Q[0] - *extend);
        /* D[i,j] = Q[i,j] */
        D[c0 % 3 * (M + 1)] = Q[0];
        #pragma omp simd
        for (int64_t i = 1; i < c0; i++) {
            const int64_t j = c0 - i;
            /* P[i,j] = (D[i-1,j] - open) max (P[i-1,j] - extend) */
            P[j] = max_int(D[(i + j - 1) % 3 * (M + 1) + i - 1] - *open_, P[j] - *extend);
            /* Q[i,j] = (D[i,j-1] - open) max (Q[i,j-1] - extend) */
            Q[i] = max_int(D[(i + j - 1) % 3 * (M + 1) + i] - *open_, Q[i] - *extend);
            /* D[i,j] = max(D[i-1,j-1] + (if a[i] == b[j] then 2 else -1), P[i,j], Q[i,j]) */
            D[(i + j) % 3 * (M + 1) + i]
                = max_int(max_int(D[(i + j - 2) % 3 * (M + 1) + i - 1] + (a[i - 1] == b[j - 1] ? 2 : -1),
                P[j]), Q[i]);
        }
        /* P[i,j] = (D[i-1,j] - open) max (P[i-1,j] - extend) */
        P[0] = max_int(D[(c0 - 1) % 3 * (M + 1) + c0 - 1] - *open_, P[0] - *extend);
        /* Q[i,j] = -1000000 */
        Q[c0] = -1000000;
        /* D[i,j] = P[i,j] */
        D[c0 % 3 * (M + 1) + c0] = P[0];
    }
    for (int64_t c0 = M + 1; c0 <= N; c0++) {
        /* P[i,j] = -1000000 */
        P[c0] = -1000000;
        /* Q[i,j] = (D[i,j-1] - open) max (Q[i,j-1] - extend) */
        Q[0] = max_int(D[(c0 - 1) % 3 * (M + 1)] - *open_, Q[0] - *extend);
        /* D[i,j] = Q[i,j] */
        D[c0 % 3 * (M + 1)] = Q[0];
        #pragma omp simd
        for (int64_t i = 1; i <= M; i++) {
            const int64_t j = c0 - i;
            /* P[i,j] = (D[i-1,j] - open) max (P[i-1,j] - extend) */
            P[j] = max_int(D[(i + j - 1) % 3 * (M + 1) + i - 1] - *open_, P[j] - *extend);
            /* Q[i,j] = (D[i,j-1] - open) max (Q[i,j-1] - extend) */
            Q[i] = max_int(D[(i + j - 1) % 3 * (M + 1) + i] - *open_, Q[i] - *extend);
            /* D[i,j] = max(D[i-1,j-1] + (if a[i] == b[j] then 2 else -1), P[i,j], Q[i,j]) */
            D[(i + j) % 3 * (M + 1) + i]
                = max_int(max_int(D[(i + j - 2) % 3 * (M + 1) + i - 1] + (a[i - 1] == b[j - 1] ? 2 : -1),
                P[j]), Q[i]);
        }
    }
    for (int64_t c0 = N + 1; c0 <= M; c0++) {
        #pragma omp simd
        for (int64_t i = c0 - N; i < c0; i++) {
            const int64_t j = c0 - i;
            /* P[i,j] = (D[i-1,j] - open) max (P[i-1,j] - extend) */
            P[j] = max_int(D[(i + j - 1) % 3 * (M + 1) + i - 1] - *open_, P[j] - *extend);
            /* Q[i,j] = (D[i,j-1] - open) max (Q[i,j-1] - extend) */
            Q[i] = max_int(D[(i + j - 1) % 3 * (M + 1) + i] - *open_, Q[i] - *extend);
            /* D[i,j] = max(D[i-1,j-1] + (if a[i] == b[j] then 2 else -1), P[i,j], Q[i,j]) */
            D[(i + j) % 3 * (M + 1) + i]
                = max_int(max_int(D[(i + j - 2) % 3 * (M + 1) + i - 1] + (a[i - 1] == b[j - 1] ? 2 : -1),
                P[j]), Q[i]);
        }
        /* P[i,j] = (D[i-1,j] - open) max (P[i-1,j] - extend) */
        P[0] = max_int(D[(c0 - 1) % 3 * (M + 1) + c0 - 1] - *open_, P[0] - *extend);
        /* Q[i,j] = -1000000 */
        Q[c0] = -1000000;
        /* D[i,j] = P[i,j] */
        D[c0 % 3 * (M + 1) + c0] = P[0];
    }
    for (int64_t c0 = max64(M + 1, N + 1); c0 <= M + N; c0++) {
        #pragma omp simd
        for (int64_t i = c0 - N; i <= M; i++) {
            const int64_t j = c0 - i;
            /* P[i,j] = (D[i-1,j] - open) max (P[i-1,j] - extend) */
            P[j] = max_int(D[(i + j - 1) % 3 * (M + 1) + i - 1] - *open_, P[j] - *extend);
            /* Q[i,j] = (D[i,j-1] - open) max (Q[i,j-1] - extend) */
            Q[i] = max_int(D[(i + j - 1) % 3 * (M + 1) + i] - *open_, Q[i] - *extend);
            /* D[i,j] = max(D[i-1,j-1] + (if a[i] == b[j] then 2 else -1), P[i,j], Q[i,j]) */
            D[(i + j) % 3 * (M + 1) + i]
                = max_int(max_int(D[(i + j - 2) % 3 * (M + 1) + i - 1] + (a[i - 1] == b[j - 1] ? 2 : -1),
                P[j]), Q[i]);
        }
    }
    /* score[] = D[M,N] */
    *score = D[(M + N) % 3 * (M + 1) + M];
}
