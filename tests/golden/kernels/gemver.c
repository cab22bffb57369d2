static void gemver_loops(
    int64_t N, const double *restrict alpha, const double *restrict beta, const double *restrict A,
    const double *restrict u1, const double *restrict v1, const double *restrict u2,
    const double *restrict v2, const double *restrict y, const double *restrict z, double *restrict w,
    double *restrict x, double *restrict B)
{
    for (int64_t i = 0; i < N; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < N; j++) {
            /* B[i,j] = A[i,j] + u1[i] * v1[j] + u2[i] * v2[j] */
            B[i * N + j] = A[i * N + j] + u1[i] * v1[j] + u2[i] * v2[j];
        }
    }
    for (int64_t i = 0; i < N; i++) {
        /* x[i] = z[i] + beta * reduce(+, [j], B[j,i] * y[j]) */
        double sum = 0;
        for (int64_t j = 0; j < N; j++) {
            sum += B[j * N + i] * y[j];
        }
        x[i] = z[i] + *beta * sum;
    }
    for (int64_t i = 0; i < N; i++) {
        /* w[i] = alpha * reduce(+, [j], B[i,j] * x[j]) */
        double sum = 0;
        for (int64_t j = 0; j < N; j++) {
            sum += B[i * N + j] * x[j];
        }
        w[i] = *alpha * sum;
    }
}
