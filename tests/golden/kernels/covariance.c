static void covariance_loops(
    int64_t M, int64_t N, const double *restrict data, double *restrict cov, double *restrict n,
    double *restrict mean, double *restrict D, double *restrict C)
{
    /* n[] = [N] */
    *n = (double)N;
    for (int64_t k = 0; k < M; k++) {
        /* mean[i] = reduce(+, [k], data[k,i]) / n */
        double sum = 0;
        for (int64_t k_2 = 0; k_2 < N; k_2++) {
            sum += data[k_2 * M + k];
        }
        mean[k] = sum / *n;
    }
    for (int64_t k = 0; k < N; k++) {
        #pragma omp simd
        for (int64_t j = 0; j < M; j++) {
            /* D[k,i] = data[k,i] - mean[i] */
            D[k * M + j] = data[k * M + j] - mean[j];
        }
    }
    for (int64_t k = 0; k < M; k++) {
        for (int64_t j = k; j < M; j++) {
            /* C[i,j] = reduce(+, [k], D[k,i] * D[k,j]) / (n - 1.0) */
            double sum = 0;
            for (int64_t k_2 = 0; k_2 < N; k_2++) {
                sum += D[k_2 * M + k] * D[k_2 * M + j];
            }
            C[k * M + j] = sum / (*n - 1.0);
        }
    }
    for (int64_t k = 0; k < M; k++) {
        for (int64_t j = 0; j < k; j++) {
            /* cov[i,j] = C[j,i] */
            cov[k * M + j] = C[j * M + k];
        }
        #pragma omp simd
        for (int64_t j = k; j < M; j++) {
            /* cov[i,j] = C[i,j] */
            cov[k * M + j] = C[k * M + j];
        }
    }
}
