static void heat_x2d_3d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X)
{
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < N; j++) {
            #pragma omp simd
            for (int64_t k = 0; k < N; k++) {
                /* X[t,i,j,k] = A[i,j,k] */
                X[(i * N + j) * N + k] = A[(i * N + j) * N + k];
            }
        }
    }
    for (int64_t t = 1; t <= T; t++) {
        for (int64_t j = 0; j < N; j++) {
            #pragma omp simd
            for (int64_t k = 0; k < N; k++) {
                /* X[t,i,j,k] = X[t-1,i,j,k] */
                X[(t * N * N + j) * N + k] = X[((t - 1) * N * N + j) * N + k];
            }
        }
        for (int64_t i = 1; i < N - 1; i++) {
            #pragma omp simd
            for (int64_t k = 0; k < N; k++) {
                /* X[t,i,j,k] = X[t-1,i,j,k] */
                X[(t * N + i) * N * N + k] = X[((t - 1) * N + i) * N * N + k];
            }
            for (int64_t j = 1; j < N - 1; j++) {
                /* X[t,i,j,k] = X[t-1,i,j,k] */
                X[((t * N + i) * N + j) * N] = X[(((t - 1) * N + i) * N + j) * N];
                #pragma omp simd
                for (int64_t k = 1; k < N - 1; k++) {
                    /* X[t,i,j,k] = 0.25 * X[t-1,i,j,k] + 0.125 * (X[t-1,i+1,j,k] + X[t-1,i-1,j,k]) + 0.125 *
                     *     (X[t-1,i,j+1,k] + X[t-1,i,j-1,k]) + 0.125 * (X[t-1,i,j,k+1] + ...
                     */
                    X[((t * N + i) * N + j) * N + k]
                        = 0.25 * X[(((t - 1) * N + i) * N + j) * N + k]
                        + 0.125
                        * (X[(((t - 1) * N + i + 1) * N + j) * N + k]
                        + X[(((t - 1) * N + i - 1) * N + j) * N + k])
                        + 0.125
                        * (X[(((t - 1) * N + i) * N + j + 1) * N + k]
                        + X[(((t - 1) * N + i) * N + j - 1) * N + k])
                        + 0.125
                        * (X[(((t - 1) * N + i) * N + j) * N + k + 1]
                        + X[(((t - 1) * N + i) * N + j) * N + k - 1]);
                }
                const int64_t k = N - 1;
                /* X[t,i,j,k] = X[t-1,i,j,k] */
                X[((t * N + i) * N + j) * N + k] = X[(((t - 1) * N + i) * N + j) * N + k];
            }
            #pragma omp simd
            for (int64_t k = 0; k < N; k++) {
                /* X[t,i,j,k] = X[t-1,i,j,k] */
                const int64_t j = N - 1;
                X[((t * N + i) * N + j) * N + k] = X[(((t - 1) * N + i) * N + j) * N + k];
            }
        }
        for (int64_t j = 0; j < N; j++) {
            #pragma omp simd
            for (int64_t k = 0; k < N; k++) {
                /* X[t,i,j,k] = X[t-1,i,j,k] */
                const int64_t i = N - 1;
                X[((t * N + i) * N + j) * N + k] = X[(((t - 1) * N + i) * N + j) * N + k];
            }
        }
    }
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < N; j++) {
            #pragma omp simd
            for (int64_t k = 0; k < N; k++) {
                /* B[i,j,k] = X[T,i,j,k] */
                B[(i * N + j) * N + k] = X[((T * N + i) * N + j) * N + k];
            }
        }
    }
}
