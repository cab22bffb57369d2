static void trmm_loops(
    int64_t M, int64_t N, const double *restrict alpha, const double *restrict A, const double *restrict B0,
    double *restrict B)
{
    for (int64_t i = 0; i < M - 1; i++) {
        for (int64_t j = 0; j < N; j++) {
            /* B[i,j] = alpha * (B0[i,j] + reduce(+, [k], {| i<k}: A[k,i] * B0[k,j])) */
            double sum = 0;
            for (int64_t k = i + 1; k < M; k++) {
                sum += A[(k - 1) * (M - 1) + i] * B0[k * N + j];
            }
            B[i * N + j] = *alpha * (B0[i * N + j] + sum);
        }
    }
    #pragma omp simd
    for (int64_t j = 0; j < N; j++) {
        /* B[i,j] = alpha * B0[i,j] */
        const int64_t i = M - 1;
        B[i * N + j] = *alpha * B0[i * N + j];
    }
}
