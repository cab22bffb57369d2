static void heat_x2d_3d_loops(
    int64_t N, int64_t T, const double *restrict A, double *restrict B, double *restrict X)
{
    for (int64_t wt = 0;
         wt <= floor_div(T + 1, 4) + 2 * floor_div(N + T, 16) + floor_div(N + T, 256);
         wt++) {
#pragma omp parallel for schedule(dynamic)
        for (int64_t nc1 = max64(0, wt - floor_div(T + 1, 4) - floor_div(N + T, 16)
                 - floor_div(N + T, 256));
             nc1 <= min64(floor_div(N + T, 16), wt);
             nc1++) {
            const int64_t tc1 = 16 * nc1;
            for (int64_t nc2 = max64(max64(0, floor_div(tc1 - N + 1, 16)),
                     wt - nc1 - floor_div(T + 1, 4) - floor_div(N + T, 256));
                 nc2 <= min64(floor_div(min64(N + T, N + tc1 + 14), 16), wt - nc1);
                 nc2++) {
                const int64_t tc2 = 16 * nc2;
                for (int64_t nc3 = max64(max64(max64(0, floor_div(tc1 - N + 1, 256)),
                         floor_div(tc2 - N + 1, 256)), wt - nc1 - nc2 - floor_div(T + 1, 4));
                     nc3 <= min64(floor_div(min64(min64(N + T, N + tc1 + 14), N + tc2 + 14), 256), wt - nc1 - nc2);
                     nc3++) {
                    const int64_t tc3 = 256 * nc3;
                    const int64_t tt = 4 * wt - 4 * nc1 - 4 * nc2 - 4 * nc3;
                    if (max64(max64(max64(0, tc1 - N - 2), tc2 - N - 2), tc3 - N - 2) <= tt
                        && tt <= min64(min64(min64(T + 1, tc1 + 15), tc2 + 15), tc3 + 255)) {
                        if (tt <= T - 3 && tt >= 1 && tc1 <= N + tt - 17 && tt <= tc1 - 4 && tc2 <= N + tt - 17
                            && tt <= tc2 - 4 && tc3 <= N + tt - 257 && tt <= tc3 - 4) {
                            for (int64_t t = tt; t < tt + 4; t++) {
                                for (int64_t c1 = tc1; c1 < tc1 + 16; c1++) {
                                    for (int64_t c2 = tc2; c2 < tc2 + 16; c2++) {
#pragma omp simd
                                        for (int64_t c3 = tc3; c3 < tc3 + 256; c3++) {
                                            /* X[t,i,j,k] = X[t-1,i,j,k] + 0.125 * (X[t-1,i+1,j,k] - 2.0 * X[t-1,i,j,k] + X[t-1,i-1,j,k]) + 0.1 ... */
                                            const int64_t i = c1 - t;
                                            const int64_t j = c2 - t;
                                            const int64_t k = c3 - t;
                                            X[((t % 2 * N + i) * N + j) * N + k]
                                                = X[(((t - 1) % 2 * N + i) * N + j) * N + k]
                                                + 0.125 * (X[(((t - 1) % 2 * N + i + 1) * N + j) * N + k]
                                                - 2.0 * X[(((t - 1) % 2 * N + i) * N + j) * N + k]
                                                + X[(((t - 1) % 2 * N + i - 1) * N + j) * N + k])
                                                + 0.125 * (X[(((t - 1) % 2 * N + i) * N + j + 1) * N + k]
                                                - 2.0 * X[(((t - 1) % 2 * N + i) * N + j) * N + k]
                                                + X[(((t - 1) % 2 * N + i) * N + j - 1) * N + k])
                                                + 0.125 * (X[(((t - 1) % 2 * N + i) * N + j) * N + k + 1]
                                                - 2.0 * X[(((t - 1) % 2 * N + i) * N + j) * N + k]
                                                + X[(((t - 1) % 2 * N + i) * N + j) * N + k - 1]);
                                        }
                                    }
                                }
                            }
                        } else {
                            if (tt == 0) {
                                for (int64_t c1 = tc1; c1 < min64(N, tc1 + 16); c1++) {
                                    for (int64_t c2 = tc2; c2 < min64(N, tc2 + 16); c2++) {
#pragma omp simd
                                        for (int64_t c3 = tc3; c3 < min64(N, tc3 + 256); c3++) {
                                            /* X[t,i,j,k] = A[i,j,k] */
                                            X[(c1 * N + c2) * N + c3] = A[(c1 * N + c2) * N + c3];
                                        }
                                    }
                                }
                            }
                            for (int64_t t = max64(max64(max64(max64(1, tt), tc1 - N + 1), tc2 - N + 1), tc3 - N + 1);
                                 t < min64(min64(min64(min64(T + 1, tt + 4), tc1 + 16), tc2 + 16), tc3 + 256);
                                 t++) {
                                for (int64_t c1 = max64(tc1, t); c1 < min64(tc1 + 16, N + t); c1++) {
                                    for (int64_t c2 = max64(tc2, t); c2 < min64(tc2 + 16, N + t); c2++) {
                                        if (c1 <= N + t - 2 && t < c1 && c2 <= N + t - 2 && t < c2) {
                                            if (tc3 <= t) {
                                                /* X[t,i,j,k] = X[t-1,i,j,k] */
                                                const int64_t i = c1 - t;
                                                const int64_t j = c2 - t;
                                                X[((t % 2 * N + i) * N + j) * N] = X[(((t - 1) % 2 * N + i) * N + j) * N];
                                            }
#pragma omp simd
                                            for (int64_t c3 = max64(tc3, t + 1); c3 < min64(tc3 + 256, N + t - 1); c3++) {
                                                /* X[t,i,j,k] = X[t-1,i,j,k] + 0.125 * (X[t-1,i+1,j,k] - 2.0 * X[t-1,i,j,k] + X[t-1,i-1,j,k]) + 0.1 ... */
                                                const int64_t i = c1 - t;
                                                const int64_t j = c2 - t;
                                                const int64_t k = c3 - t;
                                                X[((t % 2 * N + i) * N + j) * N + k]
                                                    = X[(((t - 1) % 2 * N + i) * N + j) * N + k]
                                                    + 0.125 * (X[(((t - 1) % 2 * N + i + 1) * N + j) * N + k]
                                                    - 2.0 * X[(((t - 1) % 2 * N + i) * N + j) * N + k]
                                                    + X[(((t - 1) % 2 * N + i - 1) * N + j) * N + k])
                                                    + 0.125 * (X[(((t - 1) % 2 * N + i) * N + j + 1) * N + k]
                                                    - 2.0 * X[(((t - 1) % 2 * N + i) * N + j) * N + k]
                                                    + X[(((t - 1) % 2 * N + i) * N + j - 1) * N + k])
                                                    + 0.125 * (X[(((t - 1) % 2 * N + i) * N + j) * N + k + 1]
                                                    - 2.0 * X[(((t - 1) % 2 * N + i) * N + j) * N + k]
                                                    + X[(((t - 1) % 2 * N + i) * N + j) * N + k - 1]);
                                            }
                                            if (N + t <= tc3 + 256) {
                                                /* X[t,i,j,k] = X[t-1,i,j,k] */
                                                const int64_t i = c1 - t;
                                                const int64_t j = c2 - t;
                                                const int64_t k = N - 1;
                                                X[((t % 2 * N + i) * N + j) * N + k] = X[(((t - 1) % 2 * N + i) * N + j) * N + k];
                                            }
                                        } else if (c1 == t) {
#pragma omp simd
                                            for (int64_t c3 = max64(tc3, t); c3 < min64(tc3 + 256, N + t); c3++) {
                                                /* X[t,i,j,k] = X[t-1,i,j,k] */
                                                const int64_t j = c2 - t;
                                                const int64_t k = c3 - t;
                                                X[(t % 2 * N * N + j) * N + k] = X[((t - 1) % 2 * N * N + j) * N + k];
                                            }
                                        } else if (c1 + 1 == N + t) {
#pragma omp simd
                                            for (int64_t c3 = max64(tc3, t); c3 < min64(tc3 + 256, N + t); c3++) {
                                                /* X[t,i,j,k] = X[t-1,i,j,k] */
                                                const int64_t i = N - 1;
                                                const int64_t j = c2 - t;
                                                const int64_t k = c3 - t;
                                                X[((t % 2 * N + i) * N + j) * N + k] = X[(((t - 1) % 2 * N + i) * N + j) * N + k];
                                            }
                                        } else if (c2 == t) {
#pragma omp simd
                                            for (int64_t c3 = max64(tc3, t); c3 < min64(tc3 + 256, N + t); c3++) {
                                                /* X[t,i,j,k] = X[t-1,i,j,k] */
                                                const int64_t i = c1 - t;
                                                const int64_t k = c3 - t;
                                                X[(t % 2 * N + i) * N * N + k] = X[((t - 1) % 2 * N + i) * N * N + k];
                                            }
                                        } else {
#pragma omp simd
                                            for (int64_t c3 = max64(tc3, t); c3 < min64(tc3 + 256, N + t); c3++) {
                                                /* X[t,i,j,k] = X[t-1,i,j,k] */
                                                const int64_t i = c1 - t;
                                                const int64_t j = N - 1;
                                                const int64_t k = c3 - t;
                                                X[((t % 2 * N + i) * N + j) * N + k] = X[(((t - 1) % 2 * N + i) * N + j) * N + k];
                                            }
                                        }
                                    }
                                }
                            }
                            if (T <= tt + 2) {
                                for (int64_t c1 = max64(T + 1, tc1); c1 < min64(N + T + 1, tc1 + 16); c1++) {
                                    for (int64_t c2 = max64(T + 1, tc2); c2 < min64(N + T + 1, tc2 + 16); c2++) {
#pragma omp simd
                                        for (int64_t c3 = max64(T + 1, tc3); c3 < min64(N + T + 1, tc3 + 256); c3++) {
                                            /* B[i,j,k] = X[T,i,j,k] */
                                            const int64_t i = c1 - T - 1;
                                            const int64_t j = c2 - T - 1;
                                            const int64_t k = c3 - T - 1;
                                            B[(i * N + j) * N + k] = X[((T % 2 * N + i) * N + j) * N + k];
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
}
