static void jacobi_x2d_1d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X)
{
    for (int64_t wt = 0; wt <= (N + 33 * T + 32) / 1024; wt++) {
        #pragma omp parallel for
        for (int64_t nc1 = max64(wt - (T + 33) / 32 + 1, (wt + 1) / 33);
             nc1 <= min64(min64(wt, (N + T) / 1024), (N + 32 * wt + 30) / 1056);
             nc1++) {
            const int64_t tt = 32 * wt - 32 * nc1;
            const int64_t tc1 = 1024 * nc1;
            if (tt <= T - 31 && tt >= 1 && tc1 <= N + tt - 1025 && tt <= tc1 - 32) {
                for (int64_t t = tt; t < tt + 32; t++) {
                    #pragma omp simd
                    for (int64_t c1 = tc1; c1 < tc1 + 1024; c1++) {
                        /* X[t,i] = 0.33333 * (X[t-1,i-1] + X[t-1,i] + X[t-1,i+1]) */
                        const int64_t i = c1 - t;
                        X[t % 2 * N + i]
                            = 0.33333
                            * (X[(t - 1) % 2 * N + i - 1] + X[(t - 1) % 2 * N + i]
                            + X[(t - 1) % 2 * N + i + 1]);
                    }
                }
            } else {
                if (tt == 0) {
                    #pragma omp simd
                    for (int64_t c1 = tc1; c1 < min64(N, tc1 + 1024); c1++) {
                        /* X[t,i] = A[i] */
                        X[c1] = A[c1];
                    }
                }
                for (int64_t t = max64(max64(1, tt), tc1 - N + 1);
                     t < min64(min64(T + 1, tt + 32), tc1 + 1024);
                     t++) {
                    if (tc1 <= t) {
                        /* X[t,i] = X[t-1,i] */
                        X[t % 2 * N] = X[(t - 1) % 2 * N];
                    }
                    #pragma omp simd
                    for (int64_t c1 = max64(tc1, t + 1); c1 < min64(tc1 + 1024, N + t - 1); c1++) {
                        /* X[t,i] = 0.33333 * (X[t-1,i-1] + X[t-1,i] + X[t-1,i+1]) */
                        const int64_t i = c1 - t;
                        X[t % 2 * N + i]
                            = 0.33333
                            * (X[(t - 1) % 2 * N + i - 1] + X[(t - 1) % 2 * N + i]
                            + X[(t - 1) % 2 * N + i + 1]);
                    }
                    if (N + t <= tc1 + 1024) {
                        /* X[t,i] = X[t-1,i] */
                        const int64_t i = N - 1;
                        X[t % 2 * N + i] = X[(t - 1) % 2 * N + i];
                    }
                }
                if (T <= tt + 30) {
                    #pragma omp simd
                    for (int64_t c1 = max64(T + 1, tc1); c1 < min64(N + T + 1, tc1 + 1024); c1++) {
                        /* B[i] = X[T,i] */
                        const int64_t i = c1 - T - 1;
                        B[i] = X[T % 2 * N + i];
                    }
                }
            }
        }
    }
}
