static void jacobi_x2d_1d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X)
{
    for (int64_t wt = 0; wt <= (N + 3 * T + 2) / 32; wt++) {
#pragma omp parallel for
        for (int64_t nc1 = max64(wt - (T + 17) / 16 + 1, (wt + 1) / 3);
             nc1 <= min64(min64(wt, (N + T) / 32), (N + 16 * wt + 14) / 48);
             nc1++) {
            const int64_t tt = 16 * wt - 16 * nc1;
            const int64_t tc1 = 32 * nc1;
            if (tt <= T - 15 && tt >= 1 && tc1 <= N + tt - 33 && tt <= tc1 - 16) {
                for (int64_t t = tt; t < tt + 16; t++) {
#pragma omp simd
                    for (int64_t c1 = tc1; c1 < tc1 + 32; c1++) {
                        /* X[t,i] = 0.33333 * (X[t-1,i-1] + X[t-1,i] + X[t-1,i+1]) */
                        const int64_t i = c1 - t;
                        X[t % 2 * N + i] = 0.33333 * (X[(t - 1) % 2 * N + i - 1] + X[(t - 1) % 2 * N + i]
                            + X[(t - 1) % 2 * N + i + 1]);
                    }
                }
            } else {
                if (tt == 0) {
#pragma omp simd
                    for (int64_t c1 = tc1; c1 < min64(N, tc1 + 32); c1++) {
                        /* X[t,i] = A[i] */
                        X[c1] = A[c1];
                    }
                }
                for (int64_t t = max64(max64(1, tt), tc1 - N + 1);
                     t < min64(min64(T + 1, tt + 16), tc1 + 32);
                     t++) {
                    if (tc1 <= t) {
                        /* X[t,i] = X[t-1,i] */
                        X[t % 2 * N] = X[(t - 1) % 2 * N];
                    }
#pragma omp simd
                    for (int64_t c1 = max64(tc1, t + 1); c1 < min64(tc1 + 32, N + t - 1); c1++) {
                        /* X[t,i] = 0.33333 * (X[t-1,i-1] + X[t-1,i] + X[t-1,i+1]) */
                        const int64_t i = c1 - t;
                        X[t % 2 * N + i] = 0.33333 * (X[(t - 1) % 2 * N + i - 1] + X[(t - 1) % 2 * N + i]
                            + X[(t - 1) % 2 * N + i + 1]);
                    }
                    if (N + t <= tc1 + 32) {
                        /* X[t,i] = X[t-1,i] */
                        const int64_t i = N - 1;
                        X[t % 2 * N + i] = X[(t - 1) % 2 * N + i];
                    }
                }
                if (T <= tt + 14) {
#pragma omp simd
                    for (int64_t c1 = max64(T + 1, tc1); c1 < min64(N + T + 1, tc1 + 32); c1++) {
                        /* B[i] = X[T,i] */
                        const int64_t i = c1 - T - 1;
                        B[i] = X[T % 2 * N + i];
                    }
                }
            }
        }
    }
}
