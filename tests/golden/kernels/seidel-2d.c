static void seidel_x2d_2d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X)
{
    for (int64_t i = 0; i < N; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < N; j++) {
            /* X[t,i,j] = A[i,j] */
            X[i * N + j] = A[i * N + j];
        }
    }
    for (int64_t t = 1; t <= T; t++) {
        #pragma omp simd
        for (int64_t j = 0; j < N; j++) {
            /* X[t,i,j] = X[t-1,i,j] */
            X[t * N * N + j] = X[(t - 1) * N * N + j];
        }
        for (int64_t i = 1; i < N - 1; i++) {
            /* X[t,i,j] = X[t-1,i,j] */
            X[(t * N + i) * N] = X[((t - 1) * N + i) * N];
            for (int64_t j = 1; j < N - 1; j++) {
                /* X[t,i,j] = X[t,i,j-1] * (1.0 / 9.0) + (X[t,i-1,j-1] + X[t,i-1,j] + X[t,i-1,j+1] +
                 *     X[t-1,i,j] + X[t-1,i,j+1] + X[t-1,i+1,j-1] + X[t-1,i+1,j] + ...
                 */
                X[(t * N + i) * N + j] = X[(t * N + i) * N + j - 1] * (1.0 / 9.0)
                    + (X[(t * N + i - 1) * N + j - 1] + X[(t * N + i - 1) * N + j]
                    + X[(t * N + i - 1) * N + j + 1] + X[((t - 1) * N + i) * N + j]
                    + X[((t - 1) * N + i) * N + j + 1] + X[((t - 1) * N + i + 1) * N + j - 1]
                    + X[((t - 1) * N + i + 1) * N + j] + X[((t - 1) * N + i + 1) * N + j + 1]) * (1.0 / 9.0);
            }
            const int64_t j = N - 1;
            /* X[t,i,j] = X[t-1,i,j] */
            X[(t * N + i) * N + j] = X[((t - 1) * N + i) * N + j];
        }
        #pragma omp simd
        for (int64_t j = 0; j < N; j++) {
            /* X[t,i,j] = X[t-1,i,j] */
            const int64_t i = N - 1;
            X[(t * N + i) * N + j] = X[((t - 1) * N + i) * N + j];
        }
    }
    for (int64_t i = 0; i < N; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < N; j++) {
            /* B[i,j] = X[T,i,j] */
            B[i * N + j] = X[(T * N + i) * N + j];
        }
    }
}
