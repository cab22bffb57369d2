static void optimal_search_tree_loops(
    int64_t N, const long *restrict w, long *restrict cost, long *restrict W, long *restrict C)
{
    {
        /* C[i,j] = 0 */
        const int64_t i = N + 1;
        C[(i - 1) * (N + 1) + N] = 0;
    }
    for (int64_t c0 = -N; c0 < 0; c0++) {
        {
            /* C[i,j] = 0 */
            const int64_t i = -c0;
            const int64_t j_2 = -c0 - 1;
            C[(i - 1) * (N + 1) + j_2] = 0;
        }
        {
            /* W[i,j] = w[j] */
            const int64_t i = -c0;
            const int64_t j_2 = -c0;
            W[i - 1] = w[j_2 - 1];
        }
#pragma omp simd
        for (int64_t j = -c0; j <= N; j++) {
            /* NR_C[i,j] = C[i,r-1] + C[r+1,j] */
            const int64_t i = -c0;
            const int64_t r_2 = -c0;
            C[(i - 1) * (N + 1) + j] = C[(i - 1) * (N + 1) + r_2 - 1] + C[r_2 * (N + 1) + j];
        }
        {
            /* C[i,j] = W[i,j] + NR_C[i,j] */
            const int64_t i = -c0;
            const int64_t j_2 = -c0;
            C[(i - 1) * (N + 1) + j_2] = W[i - 1] + C[(i - 1) * (N + 1) + j_2];
        }
        for (int64_t r = -c0 + 1; r <= N; r++) {
            {
                /* W[i,j] = W[i,j-1] + w[j] */
                const int64_t i = -c0;
                W[i - 1] = W[i - 1] + w[r - 1];
            }
#pragma omp simd
            for (int64_t j = r; j <= N; j++) {
                /* NR_C[i,j] min= C[i,r-1] + C[r+1,j] */
                const int64_t i = -c0;
                C[(i - 1) * (N + 1) + j] = min_long(C[(i - 1) * (N + 1) + j],
                    C[(i - 1) * (N + 1) + r - 1] + C[r * (N + 1) + j]);
            }
            {
                /* C[i,j] = W[i,j] + NR_C[i,j] */
                const int64_t i = -c0;
                C[(i - 1) * (N + 1) + r] = W[i - 1] + C[(i - 1) * (N + 1) + r];
            }
        }
    }
    /* cost[] = C[1,N] */
    *cost = C[N];
}
