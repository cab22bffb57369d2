static void seidel_x2d_2d_loops(int64_t N, int64_t T, const double *restrict A, double *restrict B)
{
    for (int64_t wt = 0;
         wt <= floor_div(T, 8) + floor_div(N + T - 1, 16) + floor_div(2 * N + 2 * T - 2, 128);
         wt++) {
        #pragma omp parallel for schedule(dynamic)
        for (int64_t nc1 = max64(0, wt - floor_div(T, 8) - floor_div(2 * N + 2 * T - 2, 128));
             nc1 <= min64(floor_div(N + T - 1, 16), wt);
             nc1++) {
            const int64_t tc1 = 16 * nc1;
            for (int64_t nc2
                     = max64(max64(max64(0, floor_div(tc1, 128)), floor_div(2 * tc1 - N + 1, 128)),
                     wt - nc1 - floor_div(T, 8));
                 nc2
                     <= min64(floor_div(min64(min64(2 * N + 2 * T - 2, N + T + tc1 + 14),
                     N + 2 * tc1 + 29), 128), wt - nc1);
                 nc2++) {
                const int64_t tc2 = 128 * nc2;
                const int64_t tt = 8 * wt - 8 * nc1 - 8 * nc2;
                if (max64(max64(max64(0, tc1 - N - 6), tc2 - N - tc1 - 21), -N + (tc2 + 1) / 2 - 6)
                    <= tt
                    && tt <= min64(min64(min64(T, tc1 + 15), tc2 - tc1 + 127), (tc2 + 1) / 2 + 63)) {
                    if (tt <= T - 7 && tt >= 1 && tc1 <= N + tt - 17 && tt <= tc1 - 8
                        && tc2 <= N + tc1 + tt - 129 && tc1 + tt <= tc2 - 23) {
                        for (int64_t t = tt; t < tt + 8; t++) {
                            for (int64_t c1 = tc1; c1 < tc1 + 16; c1++) {
                                for (int64_t c2 = tc2; c2 < tc2 + 128; c2++) {
                                    /* X[t,i,j] = X[t,i,j-1] * (1.0 / 9.0) + (X[t,i-1,j-1] + X[t,i-1,j] +
                                     *     X[t,i-1,j+1] + X[t-1,i,j] + X ...
                                     */
                                    const int64_t i = c1 - t;
                                    const int64_t j = c2 - c1 - t;
                                    B[i * N + j] = B[i * N + j - 1] * (1.0 / 9.0)
                                        + (B[(i - 1) * N + j - 1] + B[(i - 1) * N + j]
                                        + B[(i - 1) * N + j + 1] + B[i * N + j] + B[i * N + j + 1]
                                        + B[(i + 1) * N + j - 1] + B[(i + 1) * N + j]
                                        + B[(i + 1) * N + j + 1]) * (1.0 / 9.0);
                                }
                            }
                        }
                    } else {
                        if (tt == 0) {
                            for (int64_t c1 = max64(tc1, tc2 - N + 1);
                                 c1 < min64(min64(N, tc1 + 16), tc2 + 128);
                                 c1++) {
                                #pragma omp simd
                                for (int64_t c2 = max64(tc2, c1); c2 < min64(tc2 + 128, N + c1); c2++) {
                                    /* X[t,i,j] = A[i,j] */
                                    const int64_t j = c2 - c1;
                                    B[c1 * N + j] = A[c1 * N + j];
                                }
                            }
                        }
                        for (int64_t t
                                 = max64(max64(max64(max64(1, tt), tc1 - N + 2), tc2 - N - tc1 - 13),
                                 -N + (tc2 + 1) / 2 + 2);
                             t
                                 < min64(min64(min64(min64(T + 1, tt + 8), tc1 + 15), tc2 - tc1 + 127),
                                 (tc2 + 1) / 2 + 63);
                             t++) {
                            for (int64_t c1 = max64(max64(tc1, t + 1), tc2 - N - t + 2);
                                 c1 < min64(min64(tc1 + 16, N + t - 1), tc2 - t + 127);
                                 c1++) {
                                for (int64_t c2 = max64(tc2, c1 + t + 1);
                                     c2 < min64(tc2 + 128, N + c1 + t - 1);
                                     c2++) {
                                    /* X[t,i,j] = X[t,i,j-1] * (1.0 / 9.0) + (X[t,i-1,j-1] + X[t,i-1,j] +
                                     *     X[t,i-1,j+1] + X[t-1,i,j] + X ...
                                     */
                                    const int64_t i = c1 - t;
                                    const int64_t j = c2 - c1 - t;
                                    B[i * N + j] = B[i * N + j - 1] * (1.0 / 9.0)
                                        + (B[(i - 1) * N + j - 1] + B[(i - 1) * N + j]
                                        + B[(i - 1) * N + j + 1] + B[i * N + j] + B[i * N + j + 1]
                                        + B[(i + 1) * N + j - 1] + B[(i + 1) * N + j]
                                        + B[(i + 1) * N + j + 1]) * (1.0 / 9.0);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
