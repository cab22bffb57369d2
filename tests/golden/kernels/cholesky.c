static void cholesky_loops(int64_t N, const double *restrict A, double *restrict L, double *restrict U)
{
    for (int64_t i = 0; i < N; i++) {
        for (int64_t k = 0; k < i; k++) {
            {
                /* L[i,j] = (A[i,j] - reduce(+, [k], {| 0<=k<j} : L[i,k] * U[k,j])) / L[j,j] */
                double sum = 0;
                for (int64_t k_2 = 0; k_2 < k; k_2++) {
                    sum += L[i * N + k_2] * U[k_2 * N + k];
                }
                L[i * N + k] = (A[i * N + k] - sum) / L[k * N + k];
            }
            /* U[k,j] = L[j,k] */
            U[k * N + i] = L[i * N + k];
        }
        {
            /* L[i,j] = sqrt(A[i,i] - reduce(+, [k], {| 0<=k<i} : L[i,k] * U[k,i])) */
            double sum = 0;
            for (int64_t k_2 = 0; k_2 < i; k_2++) {
                sum += L[i * N + k_2] * U[k_2 * N + i];
            }
            L[i * N + i] = sqrt(A[i * N + i] - sum);
        }
        /* U[k,j] = L[j,k] */
        U[i * N + i] = L[i * N + i];
    }
}
