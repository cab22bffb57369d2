static void matrix_chain_loops(int64_t N, const long *restrict p, long *restrict best, long *restrict M)
{
    for (int64_t c0 = -N; c0 < 0; c0++) {
        const int64_t i = -c0;
        const int64_t j_2 = -c0;
        /* M[i,j] = 0 */
        M[(i - 1) * N + j_2 - 1] = 0;
        for (int64_t j = -c0 + 1; j <= N; j++) {
            /* M[i,j] = reduce(min, [k], {| i<=k<j}: M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j]) */
            long least = LONG_MAX;
            for (int64_t k = i; k < j; k++) {
                least
                    = min_long(least,
                    sum_long(sum_long(M[(i - 1) * N + k - 1], M[k * N + j - 1]),
                    product_long(product_long(p[i - 1], p[k]), p[j])));
            }
            M[(i - 1) * N + j - 1] = least;
        }
    }
    /* best[] = M[1,N] */
    *best = M[N - 1];
}
