static void gesummv_loops(
    int64_t N, const double *restrict alpha, const double *restrict beta, const double *restrict A,
    const double *restrict B, const double *restrict x, double *restrict y, double *restrict NR_y_1)
{
#pragma omp parallel for
    for (int64_t i = 0; i < N; i++) {
        /* NR_y[i] = A[i,j] * x[j] */
        y[i] = 0 + A[i * N] * x[0];
        /* NR_y_1[i] = B[i,j] * x[j] */
        NR_y_1[i] = 0 + B[i * N] * x[0];
        if (1 < N) {
            double sum = y[i];
            double sum_2 = NR_y_1[i];
#pragma omp simd reduction(+:sum, sum_2)
            for (int64_t j = 1; j < N; j++) {
                /* NR_y[i] += A[i,j] * x[j] */
                sum += A[i * N + j] * x[j];
                /* NR_y_1[i] += B[i,j] * x[j] */
                sum_2 += B[i * N + j] * x[j];
            }
            y[i] = sum;
            NR_y_1[i] = sum_2;
        }
        /* y[i] = alpha * NR_y[i] + beta * NR_y_1[i] */
        y[i] = *alpha * y[i] + *beta * NR_y_1[i];
    }
}
