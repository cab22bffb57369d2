static void nussinov_loops(int64_t N, const int *restrict seq, int *restrict pairs, int *restrict S)
{
    #pragma omp simd
    for (int64_t j = N - 2; j < N; j++) {
        /* S[i,j] = 0 */
        const int64_t i = N - 1;
        S[i * (N + 1) + j + 1] = 0;
    }
    for (int64_t c0 = -N + 2; c0 <= 0; c0++) {
        const int64_t i = -c0;
        #pragma omp simd
        for (int64_t j = -c0 - 1; j <= -c0; j++) {
            /* S[i,j] = 0 */
            S[i * (N + 1) + j + 1] = 0;
        }
        const int64_t j_2 = -c0 + 1;
        /* S[i,j] = if seq[i] + seq[j] == 3 then 1 else 0 */
        S[i * (N + 1) + j_2 + 1] = sum_int(seq[i], seq[j_2]) == 3 ? 1 : 0;
        for (int64_t j = -c0 + 2; j < N; j++) {
            /* S[i,j] = max(S[i+1,j], S[i,j-1], S[i+1,j-1] + (if seq[i] + seq[j] == 3 then 1 else 0),
             *     reduce(max, [k], {| i<k<j}: S[i,k] + S[k+1,j]))
             */
            int greatest = INT_MIN;
            for (int64_t k = i + 1; k < j; k++) {
                greatest = max_int(greatest, sum_int(S[i * (N + 1) + k + 1], S[(k + 1) * (N + 1) + j + 1]));
            }
            S[i * (N + 1) + j + 1]
                = max_int(max_int(max_int(S[(i + 1) * (N + 1) + j + 1], S[i * (N + 1) + j]),
                sum_int(S[(i + 1) * (N + 1) + j], sum_int(seq[i], seq[j]) == 3 ? 1 : 0)), greatest);
        }
    }
    /* pairs[] = S[0,N-1] */
    *pairs = S[N];
}
