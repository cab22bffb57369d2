static void durbin_loops(
    int64_t N, const double *restrict r, double *restrict x, double *restrict y, double *restrict alpha,
    double *restrict beta)
{
    /* beta[k] = 1.0 */
    beta[0] = 1.0;
    /* alpha[k] = -r[0] */
    alpha[0] = -r[0];
    /* y[k,i] = alpha[k] */
    y[0] = alpha[0];
    for (int64_t k = 1; k < N; k++) {
        /* beta[k] = (1.0 - alpha[k-1] * alpha[k-1]) * beta[k-1] */
        beta[0] = (1.0 - alpha[0] * alpha[0]) * beta[0];
        /* NR_alpha[k] = r[k-i-1] * y[k-1,i] */
        alpha[0] = 0 + r[k - 1] * y[(k - 1) % 2 * N];
        if (1 < k) {
            /* NR_alpha[k] += r[k-i-1] * y[k-1,i] */
            double sum = alpha[0];
            for (int64_t i = 1; i < k; i++) {
                sum += r[k - i - 1] * y[(k - 1) % 2 * N + i];
            }
            alpha[0] = sum;
        }
        /* alpha[k] = -(r[k] + NR_alpha[k]) / beta[k] */
        alpha[0] = -(r[k] + alpha[0]) / beta[0];
#pragma omp parallel for simd
        for (int64_t i = 0; i < k; i++) {
            /* y[k,i] = y[k-1,i] + alpha[k] * y[k-1,k-i-1] */
            y[k % 2 * N + i] = y[(k - 1) % 2 * N + i] + alpha[0] * y[(k - 1) % 2 * N + k - i - 1];
        }
        /* y[k,i] = alpha[k] */
        y[k % 2 * N + k] = alpha[0];
    }
#pragma omp simd
    for (int64_t i = 0; i < N; i++) {
        /* x[i] = y[N-1,i] */
        x[i] = y[(N - 1) % 2 * N + i];
    }
}
