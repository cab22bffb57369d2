static void fdtd_x2d_2d_loops(
    int64_t NX, int64_t NY, int64_t T, const double *restrict ex0, const double *restrict ey0,
    const double *restrict hz0, const double *restrict source_, double *restrict ex, double *restrict ey,
    double *restrict hz)
{
    for (int64_t wt = 0;
         wt <= floor_div(T, 16) + floor_div(NX + T, 32) + floor_div(NY + T, 128);
         wt++) {
        #pragma omp parallel for schedule(dynamic)
        for (int64_t nc1 = max64(0, wt - floor_div(T, 16) - floor_div(NY + T, 128));
             nc1 <= min64(floor_div(NX + T, 32), wt);
             nc1++) {
            const int64_t tc1 = 32 * nc1;
            for (int64_t nc3
                     = max64(max64(0, floor_div(tc1 - NX + 1, 128)), wt - nc1 - floor_div(T, 16));
                 nc3 <= min64(floor_div(min64(NY + T, NY + tc1 + 30), 128), wt - nc1);
                 nc3++) {
                const int64_t tc3 = 128 * nc3;
                const int64_t tt = 16 * wt - 16 * nc1 - 16 * nc3;
                if (max64(max64(0, tc1 - NX - 15), tc3 - NY - 15) <= tt
                    && tt <= min64(min64(T, tc1 + 31), tc3 + 127)) {
                    if (tt <= T - 15 && tt >= 1 && tc1 <= NX + tt - 32 && tt <= tc1 - 16
                        && tc3 <= NY + tt - 128 && tt <= tc3 - 16) {
                        for (int64_t t = tt; t < tt + 16; t++) {
                            for (int64_t c1 = tc1; c1 < tc1 + 32; c1++) {
                                #pragma omp simd
                                for (int64_t c3 = tc3; c3 < tc3 + 128; c3++) {
                                    /* EY[t,i,j] = EY[t-1,i,j] - 0.5 * (HZ[t-1,i,j] - HZ[t-1,i-1,j]) */
                                    const int64_t i = c1 - t;
                                    const int64_t j = c3 - t;
                                    ey[i * NY + j] = ey[i * NY + j]
                                        - 0.5 * (hz[i * NY + j] - hz[(i - 1) * NY + j]);
                                }
                                #pragma omp simd
                                for (int64_t c3 = tc3; c3 < tc3 + 128; c3++) {
                                    /* EX[t,i,j] = EX[t-1,i,j] - 0.5 * (HZ[t-1,i,j] - HZ[t-1,i,j-1]) */
                                    const int64_t i = c1 - t;
                                    const int64_t j = c3 - t;
                                    ex[i * NY + j] = ex[i * NY + j]
                                        - 0.5 * (hz[i * NY + j] - hz[i * NY + j - 1]);
                                }
                                #pragma omp simd
                                for (int64_t c3 = tc3; c3 < tc3 + 128; c3++) {
                                    /* HZ[t,i,j] = HZ[t-1,i,j] - 0.7 * (EX[t,i,j+1] - EX[t,i,j] + EY[t,i+1,j]
                                     *     - EY[t,i,j])
                                     */
                                    const int64_t i = c1 - t - 1;
                                    const int64_t j = c3 - t - 1;
                                    hz[i * NY + j] = hz[i * NY + j]
                                        - 0.7
                                        * (ex[i * NY + j + 1] - ex[i * NY + j] + ey[(i + 1) * NY + j]
                                        - ey[i * NY + j]);
                                }
                            }
                        }
                    } else {
                        if (tt == 0) {
                            for (int64_t c1 = max64(tc1, tc3 - NY + 1); c1 < min64(NX + 1, tc1 + 32); c1++) {
                                if (c1 < NX) {
                                    #pragma omp simd
                                    for (int64_t c3 = tc3; c3 < min64(NY, tc3 + 128); c3++) {
                                        /* EY[t,i,j] = ey0[i,j] */
                                        ey[c1 * NY + c3] = ey0[c1 * NY + c3];
                                    }
                                    #pragma omp simd
                                    for (int64_t c3 = tc3; c3 < min64(NY, tc3 + 128); c3++) {
                                        /* EX[t,i,j] = ex0[i,j] */
                                        ex[c1 * NY + c3] = ex0[c1 * NY + c3];
                                    }
                                }
                                if (c1 >= 1) {
                                    #pragma omp simd
                                    for (int64_t c3 = max64(1, tc3); c3 < min64(NY + 1, tc3 + 128); c3++) {
                                        /* HZ[t,i,j] = hz0[i,j] */
                                        const int64_t i = c1 - 1;
                                        const int64_t j = c3 - 1;
                                        hz[i * NY + j] = hz0[i * NY + j];
                                    }
                                }
                            }
                        }
                        for (int64_t t = max64(max64(max64(1, tt), tc1 - NX + 1), tc3 - NY + 1);
                             t < min64(min64(min64(T + 1, tt + 16), tc1 + 32), tc3 + 128);
                             t++) {
                            if (tc1 <= t) {
                                #pragma omp simd
                                for (int64_t c3 = max64(tc3, t); c3 < min64(tc3 + 128, NY + t); c3++) {
                                    /* EY[t,i,j] = source[t] */
                                    const int64_t j = c3 - t;
                                    ey[j] = source_[t - 1];
                                }
                            }
                            if (t <= tc3 + 126) {
                                for (int64_t c1 = max64(tc1, t); c1 < min64(tc1 + 32, NX + t); c1++) {
                                    if (t < c1) {
                                        #pragma omp simd
                                        for (int64_t c3 = max64(tc3, t);
                                             c3 < min64(tc3 + 128, NY + t);
                                             c3++) {
                                            /* EY[t,i,j] = EY[t-1,i,j] - 0.5 * (HZ[t-1,i,j] - HZ[t-1,i-1,j])
                                             */
                                            const int64_t i = c1 - t;
                                            const int64_t j = c3 - t;
                                            ey[i * NY + j] = ey[i * NY + j]
                                                - 0.5 * (hz[i * NY + j] - hz[(i - 1) * NY + j]);
                                        }
                                    }
                                    #pragma omp simd
                                    for (int64_t c3 = max64(tc3, t + 1);
                                         c3 < min64(tc3 + 128, NY + t);
                                         c3++) {
                                        /* EX[t,i,j] = EX[t-1,i,j] - 0.5 * (HZ[t-1,i,j] - HZ[t-1,i,j-1]) */
                                        const int64_t i = c1 - t;
                                        const int64_t j = c3 - t;
                                        ex[i * NY + j] = ex[i * NY + j]
                                            - 0.5 * (hz[i * NY + j] - hz[i * NY + j - 1]);
                                    }
                                    if (t < c1) {
                                        #pragma omp simd
                                        for (int64_t c3 = max64(tc3, t + 1);
                                             c3 < min64(tc3 + 128, NY + t);
                                             c3++) {
                                            /* HZ[t,i,j] = HZ[t-1,i,j] - 0.7 * (EX[t,i,j+1] - EX[t,i,j] +
                                             *     EY[t,i+1,j] - EY[t,i,j])
                                             */
                                            const int64_t i = c1 - t - 1;
                                            const int64_t j = c3 - t - 1;
                                            hz[i * NY + j] = hz[i * NY + j]
                                                - 0.7
                                                * (ex[i * NY + j + 1] - ex[i * NY + j] + ey[(i + 1) * NY + j]
                                                - ey[i * NY + j]);
                                        }
                                    }
                                }
                            } else {
                                for (int64_t c1 = max64(tc1, tc3 + 128);
                                     c1 < min64(tc1 + 32, NX + tc3 + 127);
                                     c1++) {
                                    /* EY[t,i,j] = EY[t-1,i,j] - 0.5 * (HZ[t-1,i,j] - HZ[t-1,i-1,j]) */
                                    const int64_t i = c1 - tc3 - 127;
                                    ey[i * NY] = ey[i * NY] - 0.5 * (hz[i * NY] - hz[(i - 1) * NY]);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
