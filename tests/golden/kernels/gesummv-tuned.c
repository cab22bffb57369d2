static void gesummv_loops(
    int64_t N, const double *restrict alpha, const double *restrict beta, const double *restrict A,
    const double *restrict B, const double *restrict x, double *restrict y, double *restrict NR_y_1)
{
    #pragma omp parallel for
    for (int64_t ri = 0; ri < N; ri += 4) {
        if (ri <= N - 4) {
            for (int64_t i = ri; i < ri + 4; i++) {
                /* NR_y[i] = the identity of + */
                y[i] = 0;
                /* NR_y_1[i] = the identity of + */
                NR_y_1[i] = 0;
            }
            {
                double sum = y[ri];
                double sum_2 = NR_y_1[ri];
                double sum_3 = y[ri + 1];
                double sum_4 = NR_y_1[ri + 1];
                double sum_5 = y[ri + 2];
                double sum_6 = NR_y_1[ri + 2];
                double sum_7 = y[ri + 3];
                double sum_8 = NR_y_1[ri + 3];
                #pragma omp simd reduction(+:sum, sum_2, sum_3, sum_4, sum_5, sum_6, sum_7, sum_8)
                for (int64_t j = 0; j < N; j++) {
                    /* NR_y[i] += A[i,j] * x[j] */
                    sum += A[ri * N + j] * x[j];
                    /* NR_y_1[i] += B[i,j] * x[j] */
                    sum_2 += B[ri * N + j] * x[j];
                    sum_3 += A[(ri + 1) * N + j] * x[j];
                    sum_4 += B[(ri + 1) * N + j] * x[j];
                    sum_5 += A[(ri + 2) * N + j] * x[j];
                    sum_6 += B[(ri + 2) * N + j] * x[j];
                    sum_7 += A[(ri + 3) * N + j] * x[j];
                    sum_8 += B[(ri + 3) * N + j] * x[j];
                }
                y[ri] = sum;
                NR_y_1[ri] = sum_2;
                y[ri + 1] = sum_3;
                NR_y_1[ri + 1] = sum_4;
                y[ri + 2] = sum_5;
                NR_y_1[ri + 2] = sum_6;
                y[ri + 3] = sum_7;
                NR_y_1[ri + 3] = sum_8;
            }
            #pragma omp simd
            for (int64_t i = ri; i < ri + 4; i++) {
                /* y[i] = alpha * NR_y[i] + beta * NR_y_1[i] */
                y[i] = *alpha * y[i] + *beta * NR_y_1[i];
            }
        } else {
            for (int64_t i = ri; i < min64(N, ri + 4); i++) {
                /* NR_y[i] = the identity of + */
                y[i] = 0;
                /* NR_y_1[i] = the identity of + */
                NR_y_1[i] = 0;
            }
            for (int64_t j = 0; j < N; j++) {
                for (int64_t i = ri; i < min64(N, ri + 4); i++) {
                    /* NR_y[i] += A[i,j] * x[j] */
                    y[i] += A[i * N + j] * x[j];
                    /* NR_y_1[i] += B[i,j] * x[j] */
                    NR_y_1[i] += B[i * N + j] * x[j];
                }
            }
            #pragma omp simd
            for (int64_t i = ri; i < min64(N, ri + 4); i++) {
                /* y[i] = alpha * NR_y[i] + beta * NR_y_1[i] */
                y[i] = *alpha * y[i] + *beta * NR_y_1[i];
            }
        }
    }
}
