static void jacobi_x2d_1d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X)
{
    #pragma omp simd
    for (int64_t i = 0; i < N; i++) {
        /* X[t,i] = A[i] */
        X[i] = A[i];
    }
    for (int64_t t = 1; t <= T; t++) {
        /* X[t,i] = X[t-1,i] */
        X[t * N] = X[(t - 1) * N];
        #pragma omp simd
        for (int64_t i = 1; i < N - 1; i++) {
            /* X[t,i] = 0.33333 * (X[t-1,i-1] + X[t-1,i] + X[t-1,i+1]) */
            X[t * N + i]
                = 0.33333 * (X[(t - 1) * N + i - 1] + X[(t - 1) * N + i] + X[(t - 1) * N + i + 1]);
        }
        const int64_t i = N - 1;
        /* X[t,i] = X[t-1,i] */
        X[t * N + i] = X[(t - 1) * N + i];
    }
    #pragma omp simd
    for (int64_t i = 0; i < N; i++) {
        /* B[i] = X[T,i] */
        B[i] = X[T * N + i];
    }
}
