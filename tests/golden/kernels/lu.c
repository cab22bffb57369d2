static void lu_loops(
    int64_t N, const double *restrict A, double *restrict LU, double *restrict S, double *restrict L,
    double *restrict U)
{
    for (int64_t c0 = 0; c0 < N; c0++) {
        for (int64_t j = 0; j < c0; j++) {
            {
                /* S[i,j] = reduce(+, [k], {| 0<=k<i && k<j}: L[i,k] * U[k,j]) */
                double sum = 0;
                for (int64_t k = 0; k < min64(c0, j); k++) {
                    sum += L[(c0 - 1) * (N - 1) + k] * U[k * N + j];
                }
                S[c0 * N + j] = sum;
            }
            /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
            L[(c0 - 1) * (N - 1) + j] = (A[c0 * N + j] - S[c0 * N + j]) / U[j * N + j];
        }
        for (int64_t j = c0; j < N; j++) {
            {
                /* S[i,j] = reduce(+, [k], {| 0<=k<i && k<j}: L[i,k] * U[k,j]) */
                double sum = 0;
                for (int64_t k = 0; k < min64(c0, j); k++) {
                    sum += L[(c0 - 1) * (N - 1) + k] * U[k * N + j];
                }
                S[c0 * N + j] = sum;
            }
            /* U[i,j] = A[i,j] - S[i,j] */
            U[c0 * N + j] = A[c0 * N + j] - S[c0 * N + j];
        }
    }
    for (int64_t c0 = N; c0 < 2 * N; c0++) {
        const int64_t i = c0 - N;
        #pragma omp simd
        for (int64_t j = 0; j < c0 - N; j++) {
            /* LU[i,j] = L[i,j] */
            LU[i * N + j] = L[(i - 1) * (N - 1) + j];
        }
        #pragma omp simd
        for (int64_t j = c0 - N; j < N; j++) {
            /* LU[i,j] = U[i,j] */
            LU[i * N + j] = U[i * N + j];
        }
    }
}
