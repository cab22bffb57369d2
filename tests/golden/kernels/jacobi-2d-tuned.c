static void jacobi_x2d_2d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X)
{
    for (int64_t wt = 0;
         wt <= floor_div(T + 1, 8) + floor_div(N + T, 16) + floor_div(N + T, 32);
         wt++) {
#pragma omp parallel for schedule(dynamic)
        for (int64_t nc1 = max64(0, wt - floor_div(T + 1, 8) - floor_div(N + T, 32));
             nc1 <= min64(floor_div(N + T, 16), wt);
             nc1++) {
            const int64_t tc1 = 16 * nc1;
            for (int64_t nc2 = max64(max64(0, floor_div(tc1 - N + 1, 32)),
                     wt - nc1 - floor_div(T + 1, 8));
                 nc2 <= min64(floor_div(min64(N + T, N + tc1 + 14), 32), wt - nc1);
                 nc2++) {
                const int64_t tc2 = 32 * nc2;
                const int64_t tt = 8 * wt - 8 * nc1 - 8 * nc2;
                if (max64(max64(0, tc1 - N - 6), tc2 - N - 6) <= tt
                    && tt <= min64(min64(T + 1, tc1 + 15), tc2 + 31)) {
                    if (tt <= T - 7 && tt >= 1 && tc1 <= N + tt - 17 && tt <= tc1 - 8 && tc2 <= N + tt - 33
                        && tt <= tc2 - 8) {
                        for (int64_t t = tt; t < tt + 8; t++) {
                            for (int64_t c1 = tc1; c1 < tc1 + 16; c1++) {
#pragma omp simd
                                for (int64_t c2 = tc2; c2 < tc2 + 32; c2++) {
                                    /* X[t,i,j] = 0.2 * (X[t-1,i,j] + X[t-1,i,j-1] + X[t-1,i,j+1] + X[t-1,i+1,j] + X[t-1,i-1,j]) */
                                    const int64_t i = c1 - t;
                                    const int64_t j = c2 - t;
                                    X[(t % 2 * N + i) * N + j] = 0.2
                                        * (X[((t - 1) % 2 * N + i) * N + j] + X[((t - 1) % 2 * N + i) * N + j - 1]
                                        + X[((t - 1) % 2 * N + i) * N + j + 1] + X[((t - 1) % 2 * N + i + 1) * N + j]
                                        + X[((t - 1) % 2 * N + i - 1) * N + j]);
                                }
                            }
                        }
                    } else {
                        if (tt == 0) {
                            for (int64_t c1 = tc1; c1 < min64(N, tc1 + 16); c1++) {
#pragma omp simd
                                for (int64_t c2 = tc2; c2 < min64(N, tc2 + 32); c2++) {
                                    /* X[t,i,j] = A[i,j] */
                                    X[c1 * N + c2] = A[c1 * N + c2];
                                }
                            }
                        }
                        for (int64_t t = max64(max64(max64(1, tt), tc1 - N + 1), tc2 - N + 1);
                             t < min64(min64(min64(T + 1, tt + 8), tc1 + 16), tc2 + 32);
                             t++) {
                            for (int64_t c1 = max64(tc1, t); c1 < min64(tc1 + 16, N + t); c1++) {
                                if (c1 <= N + t - 2 && t < c1) {
                                    if (tc2 <= t) {
                                        /* X[t,i,j] = X[t-1,i,j] */
                                        const int64_t i = c1 - t;
                                        X[(t % 2 * N + i) * N] = X[((t - 1) % 2 * N + i) * N];
                                    }
#pragma omp simd
                                    for (int64_t c2 = max64(tc2, t + 1); c2 < min64(tc2 + 32, N + t - 1); c2++) {
                                        /* X[t,i,j] = 0.2 * (X[t-1,i,j] + X[t-1,i,j-1] + X[t-1,i,j+1] + X[t-1,i+1,j] + X[t-1,i-1,j]) */
                                        const int64_t i = c1 - t;
                                        const int64_t j = c2 - t;
                                        X[(t % 2 * N + i) * N + j] = 0.2
                                            * (X[((t - 1) % 2 * N + i) * N + j] + X[((t - 1) % 2 * N + i) * N + j - 1]
                                            + X[((t - 1) % 2 * N + i) * N + j + 1] + X[((t - 1) % 2 * N + i + 1) * N + j]
                                            + X[((t - 1) % 2 * N + i - 1) * N + j]);
                                    }
                                    if (N + t <= tc2 + 32) {
                                        /* X[t,i,j] = X[t-1,i,j] */
                                        const int64_t i = c1 - t;
                                        const int64_t j = N - 1;
                                        X[(t % 2 * N + i) * N + j] = X[((t - 1) % 2 * N + i) * N + j];
                                    }
                                } else if (c1 == t) {
#pragma omp simd
                                    for (int64_t c2 = max64(tc2, t); c2 < min64(tc2 + 32, N + t); c2++) {
                                        /* X[t,i,j] = X[t-1,i,j] */
                                        const int64_t j = c2 - t;
                                        X[t % 2 * N * N + j] = X[(t - 1) % 2 * N * N + j];
                                    }
                                } else {
#pragma omp simd
                                    for (int64_t c2 = max64(tc2, t); c2 < min64(tc2 + 32, N + t); c2++) {
                                        /* X[t,i,j] = X[t-1,i,j] */
                                        const int64_t i = N - 1;
                                        const int64_t j = c2 - t;
                                        X[(t % 2 * N + i) * N + j] = X[((t - 1) % 2 * N + i) * N + j];
                                    }
                                }
                            }
                        }
                        if (T <= tt + 6) {
                            for (int64_t c1 = max64(T + 1, tc1); c1 < min64(N + T + 1, tc1 + 16); c1++) {
#pragma omp simd
                                for (int64_t c2 = max64(T + 1, tc2); c2 < min64(N + T + 1, tc2 + 32); c2++) {
                                    /* B[i,j] = X[T,i,j] */
                                    const int64_t i = c1 - T - 1;
                                    const int64_t j = c2 - T - 1;
                                    B[i * N + j] = X[(T % 2 * N + i) * N + j];
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
