static void ludcmp_loops(
    int64_t N, const double *restrict A, const double *restrict b, double *restrict x, double *restrict S,
    double *restrict L, double *restrict U, double *restrict y)
{
    for (int64_t c1 = 0; c1 < N; c1++) {
        for (int64_t j = 0; j < c1; j++) {
            {
                /* S[i,j] = reduce(+, [k], {| 0<=k<i && k<j}: L[i,k] * U[k,j]) */
                double sum = 0;
                for (int64_t k = 0; k < min64(c1, j); k++) {
                    sum += L[(c1 - 1) * (N - 1) + k] * U[k * N + j];
                }
                S[c1 * N + j] = sum;
            }
            /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
            L[(c1 - 1) * (N - 1) + j] = (A[c1 * N + j] - S[c1 * N + j]) / U[j * N + j];
        }
        for (int64_t j = c1; j < N; j++) {
            {
                /* S[i,j] = reduce(+, [k], {| 0<=k<i && k<j}: L[i,k] * U[k,j]) */
                double sum = 0;
                for (int64_t k = 0; k < min64(c1, j); k++) {
                    sum += L[(c1 - 1) * (N - 1) + k] * U[k * N + j];
                }
                S[c1 * N + j] = sum;
            }
            /* U[i,j] = A[i,j] - S[i,j] */
            U[c1 * N + j] = A[c1 * N + j] - S[c1 * N + j];
        }
    }
    for (int64_t c1 = 0; c1 < N; c1++) {
        /* y[i] = b[i] - reduce(+, [j], {| 0<=j<i}: L[i,j] * y[j]) */
        double sum = 0;
        for (int64_t j = 0; j < c1; j++) {
            sum += L[(c1 - 1) * (N - 1) + j] * y[j];
        }
        y[c1] = b[c1] - sum;
    }
    for (int64_t c1 = -N + 1; c1 <= 0; c1++) {
        /* x[i] = (y[i] - reduce(+, [j], {| i<j<N}: U[i,j] * x[j])) / U[i,i] */
        const int64_t i = -c1;
        double sum = 0;
        for (int64_t j = i + 1; j < N; j++) {
            sum += U[i * N + j] * x[j];
        }
        x[i] = (y[i] - sum) / U[i * N + i];
    }
}
