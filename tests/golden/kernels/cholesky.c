static void cholesky_loops(
    int64_t N, const double *restrict A, double *restrict L, double *restrict S, double *restrict U)
{
    for (int64_t i = 0; i < N; i++) {
        for (int64_t k = 0; k < i; k++) {
            {
                /* S[i,j] = reduce(+, [k], {| 0<=k<j}: L[i,k] * U[k,j]) */
                double sum = 0;
                for (int64_t k_2 = 0; k_2 < k; k_2++) {
                    sum += L[i * N + k_2] * U[k_2 * N + k];
                }
                S[i * N + k] = sum;
            }
            /* L[i,j] = (A[i,j] - S[i,j]) / L[j,j] */
            L[i * N + k] = (A[i * N + k] - S[i * N + k]) / L[k * N + k];
            /* U[k,j] = L[j,k] */
            U[k * N + i] = L[i * N + k];
        }
        {
            /* S[i,j] = reduce(+, [k], {| 0<=k<j}: L[i,k] * U[k,j]) */
            double sum = 0;
            for (int64_t k = 0; k < i; k++) {
                sum += L[i * N + k] * U[k * N + i];
            }
            S[i * N + i] = sum;
        }
        /* L[i,j] = sqrt(A[i,i] - S[i,i]) */
        L[i * N + i] = sqrt(A[i * N + i] - S[i * N + i]);
        /* U[k,j] = L[j,k] */
        U[i * N + i] = L[i * N + i];
    }
}
