static void correlation_loops(
    int64_t M, int64_t N, const double *restrict data, double *restrict corr, double *restrict n,
    double *restrict mean, double *restrict deviation, double *restrict stddev, double *restrict scale,
    double *restrict D, double *restrict C)
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
    for (int64_t k = 0; k < M; k++) {
        /* deviation[i] = sqrt(reduce(+, [k], (data[k,i] - mean[i]) * (data[k,i] - mean[i])) / n) */
        double sum = 0;
        for (int64_t k_2 = 0; k_2 < N; k_2++) {
            sum += (data[k_2 * M + k] - mean[k]) * (data[k_2 * M + k] - mean[k]);
        }
        deviation[k] = sqrt(sum / *n);
    }
    #pragma omp simd
    for (int64_t k = 0; k < M; k++) {
        /* stddev[i] = if deviation[i] <= 0.1 then 1.0 else deviation[i] */
        stddev[k] = deviation[k] <= 0.1 ? 1.0 : deviation[k];
    }
    for (int64_t k = 0; k < M; k++) {
        /* scale[i] = sqrt(n) * stddev[i] */
        scale[k] = sqrt(*n) * stddev[k];
    }
    for (int64_t k = 0; k < N; k++) {
        #pragma omp simd
        for (int64_t j = 0; j < M; j++) {
            /* D[k,i] = (data[k,i] - mean[i]) / scale[i] */
            D[k * M + j] = (data[k * M + j] - mean[j]) / scale[j];
        }
    }
    for (int64_t k = 0; k < M - 1; k++) {
        for (int64_t j = k + 1; j < M; j++) {
            /* C[i,j] = reduce(+, [k], D[k,i] * D[k,j]) */
            double sum = 0;
            for (int64_t k_2 = 0; k_2 < N; k_2++) {
                sum += D[k_2 * M + k] * D[k_2 * M + j];
            }
            C[k * (M - 1) + j - 1] = sum;
        }
    }
    for (int64_t k = 0; k < M; k++) {
        for (int64_t j = 0; j < k; j++) {
            /* corr[i,j] = C[j,i] */
            corr[k * M + j] = C[j * (M - 1) + k - 1];
        }
        /* corr[i,j] = 1.0 */
        corr[k * M + k] = 1.0;
        #pragma omp simd
        for (int64_t j = k + 1; j < M; j++) {
            /* corr[i,j] = C[i,j] */
            corr[k * M + j] = C[k * (M - 1) + j - 1];
        }
    }
}
