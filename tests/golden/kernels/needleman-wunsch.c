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
    for (int64_t j = 1; j <= N; j++) {
        /* P[i,j] = -1000000 */
        P[j] = -1000000;
        /* Q[i,j] = (D[i,j-1] - open) max (Q[i,j-1] - extend) */
        Q[j] = max_int(difference_int(D[j - 1], *open_), difference_int(Q[j - 1], *extend));
        /* D[i,j] = Q[i,j] */
        D[j] = Q[j];
    }
    for (int64_t i = 1; i <= M; i++) {
        /* P[i,j] = (D[i-1,j] - open) max (P[i-1,j] - extend) */
        P[i * (N + 1)]
            = max_int(difference_int(D[(i - 1) * (N + 1)], *open_),
            difference_int(P[(i - 1) * (N + 1)], *extend));
        /* Q[i,j] = -1000000 */
        Q[i * (N + 1)] = -1000000;
        /* D[i,j] = P[i,j] */
        D[i * (N + 1)] = P[i * (N + 1)];
        for (int64_t j = 1; j <= N; j++) {
            /* P[i,j] = (D[i-1,j] - open) max (P[i-1,j] - extend) */
            P[i * (N + 1) + j]
                = max_int(difference_int(D[(i - 1) * (N + 1) + j], *open_),
                difference_int(P[(i - 1) * (N + 1) + j], *extend));
            /* Q[i,j] = (D[i,j-1] - open) max (Q[i,j-1] - extend) */
            Q[i * (N + 1) + j]
                = max_int(difference_int(D[i * (N + 1) + j - 1], *open_),
                difference_int(Q[i * (N + 1) + j - 1], *extend));
            /* D[i,j] = max(D[i-1,j-1] + (if a[i] == b[j] then 2 else -1), P[i,j], Q[i,j]) */
            D[i * (N + 1) + j]
                = max_int(max_int(sum_int(D[(i - 1) * (N + 1) + j - 1], a[i - 1] == b[j - 1] ? 2 : -1),
                P[i * (N + 1) + j]), Q[i * (N + 1) + j]);
        }
    }
    /* score[] = D[M,N] */
    *score = D[M * (N + 1) + N];
}
