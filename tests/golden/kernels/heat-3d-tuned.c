static void heat_x2d_3d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X)
{
    for (int64_t wt = 0; wt <= floor_div(T + 1, 8) + 2 * floor_div(N + T, 32); wt++) {
        #pragma omp parallel for schedule(dynamic)
        for (int64_t nc1 = max64(0, wt - floor_div(T + 1, 8) - floor_div(N + T, 32));
             nc1 <= min64(floor_div(N + T, 32), wt);
             nc1++) {
            const int64_t tc1 = 32 * nc1;
            for (int64_t nc2
                     = max64(max64(0, floor_div(tc1 - N + 1, 32)), wt - nc1 - floor_div(T + 1, 8));
                 nc2 <= min64(floor_div(min64(N + T, N + tc1 + 30), 32), wt - nc1);
                 nc2++) {
                const int64_t tc2 = 32 * nc2;
                const int64_t tt = 8 * wt - 8 * nc1 - 8 * nc2;
                if (max64(max64(0, tc1 - N - 6), tc2 - N - 6) <= tt
                    && tt <= min64(min64(T + 1, tc1 + 31), tc2 + 31)) {
                    if (tt <= T - 7 && tt >= 1 && tc1 <= N + tt - 33 && tt <= tc1 - 8
                        && tc2 <= N + tt - 33 && tt <= tc2 - 8) {
                        for (int64_t t = tt; t < tt + 8; t++) {
                            for (int64_t c1 = tc1; c1 < tc1 + 32; c1++) {
                                for (int64_t c2 = tc2; c2 < tc2 + 32; c2++) {
                                    const int64_t i = c1 - t;
                                    const int64_t j = c2 - t;
                                    /* X[t,i,j,k] = X[t-1,i,j,k] */
                                    X[((T + i - t) * (N + T) + T + j - t) * N]
                                        = X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N];
                                    #pragma omp simd
                                    for (int64_t k = 1; k < N - 1; k++) {
                                        /* X[t,i,j,k] = 0.25 * X[t-1,i,j,k] + 0.125 * (X[t-1,i+1,j,k] +
                                         *     X[t-1,i-1,j,k]) + 0.125 * (X[t-1,i, ...
                                         */
                                        X[((T + i - t) * (N + T) + T + j - t) * N + k]
                                            = 0.25 * X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N + k]
                                            + 0.125
                                            * (X[((T + i - t + 2) * (N + T) + T + j - t + 1) * N + k]
                                            + X[((T + i - t) * (N + T) + T + j - t + 1) * N + k])
                                            + 0.125
                                            * (X[((T + i - t + 1) * (N + T) + T + j - t + 2) * N + k]
                                            + X[((T + i - t + 1) * (N + T) + T + j - t) * N + k])
                                            + 0.125
                                            * (X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N + k + 1]
                                            + X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N + k - 1]);
                                    }
                                    const int64_t k_2 = N - 1;
                                    /* X[t,i,j,k] = X[t-1,i,j,k] */
                                    X[((T + i - t) * (N + T) + T + j - t) * N + k_2]
                                        = X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N + k_2];
                                }
                            }
                        }
                    } else {
                        if (tt == 0) {
                            for (int64_t c1 = tc1; c1 < min64(N, tc1 + 32); c1++) {
                                for (int64_t c2 = tc2; c2 < min64(N, tc2 + 32); c2++) {
                                    #pragma omp simd
                                    for (int64_t k = 0; k < N; k++) {
                                        /* X[t,i,j,k] = A[i,j,k] */
                                        X[((T + c1) * (N + T) + T + c2) * N + k] = A[(c1 * N + c2) * N + k];
                                    }
                                }
                            }
                        }
                        for (int64_t t = max64(max64(max64(1, tt), tc1 - N + 1), tc2 - N + 1);
                             t < min64(min64(min64(T + 1, tt + 8), tc1 + 32), tc2 + 32);
                             t++) {
                            if (tc1 <= t) {
                                for (int64_t c2 = max64(tc2, t); c2 < min64(tc2 + 32, N + t); c2++) {
                                    #pragma omp simd
                                    for (int64_t k = 0; k < N; k++) {
                                        /* X[t,i,j,k] = X[t-1,i,j,k] */
                                        const int64_t j = c2 - t;
                                        X[((T - t) * (N + T) + T + j - t) * N + k]
                                            = X[((T - t + 1) * (N + T) + T + j - t + 1) * N + k];
                                    }
                                }
                            }
                            for (int64_t c1 = max64(tc1, t + 1); c1 < min64(tc1 + 32, N + t - 1); c1++) {
                                if (tc2 <= t) {
                                    #pragma omp simd
                                    for (int64_t k = 0; k < N; k++) {
                                        /* X[t,i,j,k] = X[t-1,i,j,k] */
                                        const int64_t i = c1 - t;
                                        X[((T + i - t) * (N + T) + T - t) * N + k]
                                            = X[((T + i - t + 1) * (N + T) + T - t + 1) * N + k];
                                    }
                                }
                                for (int64_t c2 = max64(tc2, t + 1); c2 < min64(tc2 + 32, N + t - 1); c2++) {
                                    const int64_t i = c1 - t;
                                    const int64_t j = c2 - t;
                                    /* X[t,i,j,k] = X[t-1,i,j,k] */
                                    X[((T + i - t) * (N + T) + T + j - t) * N]
                                        = X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N];
                                    #pragma omp simd
                                    for (int64_t k = 1; k < N - 1; k++) {
                                        /* X[t,i,j,k] = 0.25 * X[t-1,i,j,k] + 0.125 * (X[t-1,i+1,j,k] +
                                         *     X[t-1,i-1,j,k]) + 0.125 * (X[t-1,i, ...
                                         */
                                        X[((T + i - t) * (N + T) + T + j - t) * N + k]
                                            = 0.25 * X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N + k]
                                            + 0.125
                                            * (X[((T + i - t + 2) * (N + T) + T + j - t + 1) * N + k]
                                            + X[((T + i - t) * (N + T) + T + j - t + 1) * N + k])
                                            + 0.125
                                            * (X[((T + i - t + 1) * (N + T) + T + j - t + 2) * N + k]
                                            + X[((T + i - t + 1) * (N + T) + T + j - t) * N + k])
                                            + 0.125
                                            * (X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N + k + 1]
                                            + X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N + k - 1]);
                                    }
                                    const int64_t k_2 = N - 1;
                                    /* X[t,i,j,k] = X[t-1,i,j,k] */
                                    X[((T + i - t) * (N + T) + T + j - t) * N + k_2]
                                        = X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N + k_2];
                                }
                                if (N + t <= tc2 + 32) {
                                    #pragma omp simd
                                    for (int64_t k = 0; k < N; k++) {
                                        /* X[t,i,j,k] = X[t-1,i,j,k] */
                                        const int64_t i = c1 - t;
                                        const int64_t j = N - 1;
                                        X[((T + i - t) * (N + T) + T + j - t) * N + k]
                                            = X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N + k];
                                    }
                                }
                            }
                            if (N + t <= tc1 + 32) {
                                for (int64_t c2 = max64(tc2, t); c2 < min64(tc2 + 32, N + t); c2++) {
                                    #pragma omp simd
                                    for (int64_t k = 0; k < N; k++) {
                                        /* X[t,i,j,k] = X[t-1,i,j,k] */
                                        const int64_t i = N - 1;
                                        const int64_t j = c2 - t;
                                        X[((T + i - t) * (N + T) + T + j - t) * N + k]
                                            = X[((T + i - t + 1) * (N + T) + T + j - t + 1) * N + k];
                                    }
                                }
                            }
                        }
                        if (T <= tt + 6) {
                            for (int64_t c1 = max64(T + 1, tc1); c1 < min64(N + T + 1, tc1 + 32); c1++) {
                                for (int64_t c2 = max64(T + 1, tc2); c2 < min64(N + T + 1, tc2 + 32); c2++) {
                                    #pragma omp simd
                                    for (int64_t k = 0; k < N; k++) {
                                        /* B[i,j,k] = X[T,i,j,k] */
                                        const int64_t i = c1 - T - 1;
                                        const int64_t j = c2 - T - 1;
                                        B[(i * N + j) * N + k] = X[(i * (N + T) + j) * N + k];
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
