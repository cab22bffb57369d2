static void durbin_loops(
    int64_t N, const double *restrict r, double *restrict x, double *restrict y, double *restrict alpha,
    double *restrict beta, double *restrict NR_alpha)
{
    /* beta[k] = 1.0 */
    beta[0] = 1.0;
    /* alpha[k] = -r[0] */
    alpha[0] = -r[0];
    if (N == 1) {
        /* y[k,i] = alpha[k] */
        y[0] = alpha[0];
    } else {
        /* y[k,i] = alpha[k] */
        y[0] = alpha[0];
        /* NR_alpha[k] = r[k-i-1] * y[k-1,i] */
        NR_alpha[0] = 0 + r[0] * y[0];
    }
    for (int64_t c0 = 1; c0 < N - 1; c0++) {
        /* beta[k] = (1.0 - alpha[k-1] * alpha[k-1]) * beta[k-1] */
        beta[0] = (1.0 - alpha[0] * alpha[0]) * beta[0];
        /* alpha[k] = -(r[k] + NR_alpha[k]) / beta[k] */
        alpha[0] = -(r[c0] + NR_alpha[0]) / beta[0];
        /* NR_alpha[k] = the identity of + */
        NR_alpha[0] = 0;
        {
            double sum = NR_alpha[0];
            #pragma omp simd reduction(+:sum)
            for (int64_t i = 0; i < c0; i++) {
                /* y[k,i] = y[k-1,i] + alpha[k] * y[k-1,k-i-1] */
                y[c0 % 2 * N + i] = y[(c0 - 1) % 2 * N + i] + alpha[0] * y[(c0 - 1) % 2 * N + c0 - i - 1];
                const int64_t k = c0 + 1;
                /* NR_alpha[k] += r[k-i-1] * y[k-1,i] */
                sum += r[k - i - 1] * y[(k - 1) % 2 * N + i];
            }
            NR_alpha[0] = sum;
        }
        /* y[k,i] = alpha[k] */
        y[c0 % 2 * N + c0] = alpha[0];
        {
            /* NR_alpha[k] += r[k-i-1] * y[k-1,i] */
            const int64_t k = c0 + 1;
            NR_alpha[0] += r[k - c0 - 1] * y[(k - 1) % 2 * N + c0];
        }
    }
    if (N >= 2) {
        /* beta[k] = (1.0 - alpha[k-1] * alpha[k-1]) * beta[k-1] */
        beta[0] = (1.0 - alpha[0] * alpha[0]) * beta[0];
        const int64_t k = N - 1;
        /* alpha[k] = -(r[k] + NR_alpha[k]) / beta[k] */
        alpha[0] = -(r[k] + NR_alpha[0]) / beta[0];
        #pragma omp simd
        for (int64_t i = 0; i < N - 1; i++) {
            /* y[k,i] = y[k-1,i] + alpha[k] * y[k-1,k-i-1] */
            y[k % 2 * N + i] = y[(k - 1) % 2 * N + i] + alpha[0] * y[(k - 1) % 2 * N + k - i - 1];
        }
        const int64_t i_2 = N - 1;
        /* y[k,i] = alpha[k] */
        y[k % 2 * N + i_2] = alpha[0];
    }
    #pragma omp simd
    for (int64_t i = 0; i < N; i++) {
        /* x[i] = y[N-1,i] */
        x[i] = y[(N - 1) % 2 * N + i];
    }
}
