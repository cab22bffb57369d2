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
        beta[k] = (1.0 - alpha[k - 1] * alpha[k - 1]) * beta[k - 1];
        {
            /* alpha[k] = -(r[k] + reduce(+, [i], {| 0<=i<k}: r[k-i-1] * y[k-1,i])) / beta[k] */
            double sum = 0;
            for (int64_t i = 0; i < k; i++) {
                sum += r[k - i - 1] * y[(k - 1) * N + i];
            }
            alpha[k] = -(r[k] + sum) / beta[k];
        }
        #pragma omp simd
        for (int64_t i = 0; i < k; i++) {
            /* y[k,i] = y[k-1,i] + alpha[k] * y[k-1,k-i-1] */
            y[k * N + i] = y[(k - 1) * N + i] + alpha[k] * y[(k - 1) * N + k - i - 1];
        }
        /* y[k,i] = alpha[k] */
        y[k * N + k] = alpha[k];
    }
    #pragma omp simd
    for (int64_t i = 0; i < N; i++) {
        /* x[i] = y[N-1,i] */
        x[i] = y[(N - 1) * N + i];
    }
}
