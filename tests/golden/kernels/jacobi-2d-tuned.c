static void jacobi_x2d_2d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X)
{
    for (int64_t wt = 0; wt <= (N + 2 * T + 1) / 16; wt++) {
        #pragma omp parallel for
        for (int64_t nc1 = max64(wt - (T + 1) / 16, (wt + 1) / 2);
             nc1 <= min64(min64(wt, (N + T) / 16), (N + 16 * wt + 14) / 32);
             nc1++) {
            const int64_t tt = 16 * wt - 16 * nc1;
            const int64_t tc1 = 16 * nc1;
            if (tt <= T - 15 && tt >= 1 && tc1 <= N + tt - 17 && tt <= tc1 - 16) {
                for (int64_t t = tt; t < tt + 16; t++) {
                    for (int64_t c1 = tc1; c1 < tc1 + 16; c1++) {
                        const int64_t i = c1 - t;
                        /* X[t,i,j] = X[t-1,i,j] */
                        X[(T + i - t) * N] = X[(T + i - t + 1) * N];
                        #pragma omp simd
                        for (int64_t j = 1; j < N - 1; j++) {
                            /* X[t,i,j] = 0.2 * (X[t-1,i,j] + X[t-1,i,j-1] + X[t-1,i,j+1] + X[t-1,i+1,j] +
                             *     X[t-1,i-1,j])
                             */
                            X[(T + i - t) * N + j] = 0.2
                                * (X[(T + i - t + 1) * N + j] + X[(T + i - t + 1) * N + j - 1]
                                + X[(T + i - t + 1) * N + j + 1] + X[(T + i - t + 2) * N + j]
                                + X[(T + i - t) * N + j]);
                        }
                        const int64_t j = N - 1;
                        /* X[t,i,j] = X[t-1,i,j] */
                        X[(T + i - t) * N + j] = X[(T + i - t + 1) * N + j];
                    }
                }
            } else {
                if (tt == 0) {
                    for (int64_t c1 = tc1; c1 < min64(N, tc1 + 16); c1++) {
                        #pragma omp simd
                        for (int64_t j = 0; j < N; j++) {
                            /* X[t,i,j] = A[i,j] */
                            X[(T + c1) * N + j] = A[c1 * N + j];
                        }
                    }
                }
                for (int64_t t = max64(max64(1, tt), tc1 - N + 1);
                     t < min64(min64(T + 1, tt + 16), tc1 + 16);
                     t++) {
                    if (tc1 <= t) {
                        #pragma omp simd
                        for (int64_t j = 0; j < N; j++) {
                            /* X[t,i,j] = X[t-1,i,j] */
                            X[(T - t) * N + j] = X[(T - t + 1) * N + j];
                        }
                    }
                    for (int64_t c1 = max64(tc1, t + 1); c1 < min64(tc1 + 16, N + t - 1); c1++) {
                        const int64_t i = c1 - t;
                        /* X[t,i,j] = X[t-1,i,j] */
                        X[(T + i - t) * N] = X[(T + i - t + 1) * N];
                        #pragma omp simd
                        for (int64_t j = 1; j < N - 1; j++) {
                            /* X[t,i,j] = 0.2 * (X[t-1,i,j] + X[t-1,i,j-1] + X[t-1,i,j+1] + X[t-1,i+1,j] +
                             *     X[t-1,i-1,j])
                             */
                            X[(T + i - t) * N + j] = 0.2
                                * (X[(T + i - t + 1) * N + j] + X[(T + i - t + 1) * N + j - 1]
                                + X[(T + i - t + 1) * N + j + 1] + X[(T + i - t + 2) * N + j]
                                + X[(T + i - t) * N + j]);
                        }
                        const int64_t j = N - 1;
                        /* X[t,i,j] = X[t-1,i,j] */
                        X[(T + i - t) * N + j] = X[(T + i - t + 1) * N + j];
                    }
                    if (N + t <= tc1 + 16) {
                        #pragma omp simd
                        for (int64_t j = 0; j < N; j++) {
                            /* X[t,i,j] = X[t-1,i,j] */
                            const int64_t i = N - 1;
                            X[(T + i - t) * N + j] = X[(T + i - t + 1) * N + j];
                        }
                    }
                }
                if (T <= tt + 14) {
                    for (int64_t c1 = max64(T + 1, tc1); c1 < min64(N + T + 1, tc1 + 16); c1++) {
                        #pragma omp simd
                        for (int64_t j = 0; j < N; j++) {
                            /* B[i,j] = X[T,i,j] */
                            const int64_t i = c1 - T - 1;
                            B[i * N + j] = X[i * N + j];
                        }
                    }
                }
            }
        }
    }
}
