static void correlation_loops(
    int64_t M, int64_t N, const double *restrict data, double *restrict corr, double *restrict n,
    double *restrict mean, double *restrict scale, double *restrict D, int *status)
{
    /* What tiles read over and over is packed; these buffers are for all threads. */
    const int64_t packed_D_2_size0 = min64(2048, floor_div(M + 7, 8) * 8);
    int failed = 0;
    double *packed_D_2
        = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_D_2_size0, 256});
    if (failed == 0) {
        for (int64_t at_2 = 0; at_2 < packed_D_2_size0 * 256; at_2++) {
            packed_D_2[at_2] = 0;
        }
    }
    if (failed == 0) {
        /* n[] = [N] */
        *n = (double)N;
        for (int64_t tc1 = 0; tc1 <= N; tc1 += 2048) {
            #pragma omp parallel for
            for (int64_t tc2 = 0; tc2 < M; tc2 += 256) {
                if (tc1 <= N - 2048 && tc1 >= 1 && tc2 <= M - 256) {
                    for (int64_t c1 = tc1; c1 < tc1 + 2048; c1++) {
                        #pragma omp simd
                        for (int64_t c2 = tc2; c2 < tc2 + 256; c2++) {
                            /* NR_mean[i] += data[k,i] */
                            mean[c2] += data[c1 * M + c2];
                        }
                    }
                } else {
                    if (tc1 == 0) {
                        #pragma omp simd
                        for (int64_t c2 = tc2; c2 < min64(M, tc2 + 256); c2++) {
                            /* NR_mean[i] = data[k,i] */
                            mean[c2] = 0 + data[c2];
                        }
                    }
                    for (int64_t c1 = max64(1, tc1); c1 < min64(N, tc1 + 2048); c1++) {
                        #pragma omp simd
                        for (int64_t c2 = tc2; c2 < min64(M, tc2 + 256); c2++) {
                            /* NR_mean[i] += data[k,i] */
                            mean[c2] += data[c1 * M + c2];
                        }
                    }
                    if (N <= tc1 + 2047) {
                        #pragma omp simd
                        for (int64_t c2 = tc2; c2 < min64(M, tc2 + 256); c2++) {
                            /* mean[i] = NR_mean[i] / n */
                            mean[c2] = mean[c2] / *n;
                        }
                    }
                }
            }
        }
        for (int64_t tc1 = 0; tc1 <= N + 2; tc1 += 2048) {
            #pragma omp parallel for
            for (int64_t tc2 = 0; tc2 < M; tc2 += 256) {
                if (tc1 <= N - 2048 && tc1 >= 1 && tc2 <= M - 256) {
                    for (int64_t c1 = tc1; c1 < tc1 + 2048; c1++) {
                        #pragma omp simd
                        for (int64_t c2 = tc2; c2 < tc2 + 256; c2++) {
                            /* NR_deviation[i] += (data[k,i] - mean[i]) * (data[k,i] - mean[i]) */
                            scale[c2] += (data[c1 * M + c2] - mean[c2]) * (data[c1 * M + c2] - mean[c2]);
                        }
                    }
                } else {
                    if (tc1 == 0) {
                        #pragma omp simd
                        for (int64_t c2 = tc2; c2 < min64(M, tc2 + 256); c2++) {
                            /* NR_deviation[i] = (data[k,i] - mean[i]) * (data[k,i] - mean[i]) */
                            scale[c2] = 0 + (data[c2] - mean[c2]) * (data[c2] - mean[c2]);
                        }
                    }
                    for (int64_t c1 = max64(1, tc1); c1 < min64(N, tc1 + 2048); c1++) {
                        #pragma omp simd
                        for (int64_t c2 = tc2; c2 < min64(M, tc2 + 256); c2++) {
                            /* NR_deviation[i] += (data[k,i] - mean[i]) * (data[k,i] - mean[i]) */
                            scale[c2] += (data[c1 * M + c2] - mean[c2]) * (data[c1 * M + c2] - mean[c2]);
                        }
                    }
                    if (tc1 <= N && N <= tc1 + 2047) {
                        for (int64_t c2 = tc2; c2 < min64(M, tc2 + 256); c2++) {
                            /* deviation[i] = sqrt(NR_deviation[i] / n) */
                            scale[c2] = sqrt(scale[c2] / *n);
                        }
                    }
                    if (tc1 <= N + 1 && N <= tc1 + 2046) {
                        #pragma omp simd
                        for (int64_t c2 = tc2; c2 < min64(M, tc2 + 256); c2++) {
                            /* stddev[i] = if deviation[i] <= 0.1 then 1.0 else deviation[i] */
                            scale[c2] = scale[c2] <= 0.1 ? 1.0 : scale[c2];
                        }
                    }
                    if (N <= tc1 + 2045) {
                        for (int64_t c2 = tc2; c2 < min64(M, tc2 + 256); c2++) {
                            /* scale[i] = sqrt(n) * stddev[i] */
                            scale[c2] = sqrt(*n) * scale[c2];
                        }
                    }
                }
            }
        }
        #pragma omp parallel for
        for (int64_t tc3 = 0; tc3 < N; tc3 += 72) {
            if (tc3 <= N - 72) {
                for (int64_t c3 = tc3; c3 < tc3 + 72; c3++) {
                    #pragma omp simd
                    for (int64_t c4 = 0; c4 < M; c4++) {
                        /* D[k,i] = (data[k,i] - mean[i]) / scale[i] */
                        D[c3 * M + c4] = (data[c3 * M + c4] - mean[c4]) / scale[c4];
                    }
                }
            } else {
                for (int64_t c3 = tc3; c3 < min64(N, tc3 + 72); c3++) {
                    #pragma omp simd
                    for (int64_t c4 = 0; c4 < M; c4++) {
                        /* D[k,i] = (data[k,i] - mean[i]) / scale[i] */
                        D[c3 * M + c4] = (data[c3 * M + c4] - mean[c4]) / scale[c4];
                    }
                }
            }
        }
        if (M >= 2) {
            for (int64_t tc3_2 = 0; tc3_2 < M; tc3_2 += 2048) {
                for (int64_t tc1_2 = 0; tc1_2 < N; tc1_2 += 256) {
                    /* packed_D_2 = D[k,j], as the tile reads it, 8 after 8 */
                    #pragma omp parallel for
                    for (int64_t rc3 = tc3_2; rc3 <= min64(M - 1, tc3_2 + 2040); rc3 += 8) {
                        if (rc3 <= M - 8 && rc3 >= 1) {
                            for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                for (int64_t c3 = rc3; c3 < rc3 + 8; c3++) {
                                    packed_D_2[(rc3 - tc3_2) * 256 + (c1 - tc1_2) * 8 + c3 - rc3]
                                        = D[c1 * M + c3];
                                }
                            }
                        } else {
                            for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                for (int64_t c3 = max64(1, rc3); c3 < min64(M, rc3 + 8); c3++) {
                                    packed_D_2[(rc3 - tc3_2) * 256 + (c1 - tc1_2) * 8 + c3 - rc3]
                                        = D[c1 * M + c3];
                                }
                            }
                        }
                    }
                    #pragma omp parallel
                    {
                        /* Buffers of each thread. */
                        const int64_t packed_D_size0 = min64(72, floor_div(M + 4, 6) * 6);
                        int failed_2 = 0;
                        double *packed_D
                            = allocate(&failed_2, sizeof(double), 2, (const int64_t[]){packed_D_size0, 256});
                        if (failed_2 == 0) {
                            for (int64_t at_2 = 0; at_2 < packed_D_size0 * 256; at_2++) {
                                packed_D[at_2] = 0;
                            }
                        }
                        #pragma omp for schedule(dynamic)
                        for (int64_t tc4 = 0; tc4 <= min64(M - 2, tc3_2 + 2046); tc4 += 72) {
                            if (failed_2 == 0) {
                                /* packed_D = D[k,i], as the tile reads it, 6 after 6 */
                                for (int64_t rc4 = tc4;
                                     rc4 <= min64(min64(M - 2, tc3_2 + 2046), tc4 + 66);
                                     rc4 += 6) {
                                    if (rc4 <= M - 7 && rc4 <= tc3_2 + 2041) {
                                        for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                            for (int64_t c4 = rc4; c4 < rc4 + 6; c4++) {
                                                packed_D[(rc4 - tc4) * 256 + (c1 - tc1_2) * 6 + c4 - rc4]
                                                    = D[c1 * M + c4];
                                            }
                                        }
                                    } else {
                                        for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                            for (int64_t c4 = rc4;
                                                 c4 < min64(min64(M - 1, tc3_2 + 2047), rc4 + 6);
                                                 c4++) {
                                                packed_D[(rc4 - tc4) * 256 + (c1 - tc1_2) * 6 + c4 - rc4]
                                                    = D[c1 * M + c4];
                                            }
                                        }
                                    }
                                }
                                for (int64_t rc3 = 8 * floor_div(max64(tc3_2 + 7, tc4 + 1), 8);
                                     rc3 <= min64(M - 1, tc3_2 + 2040);
                                     rc3 += 8) {
                                    for (int64_t rc4 = tc4;
                                         rc4 <= min64(min64(M - 2, tc4 + 66), rc3 + 6);
                                         rc4 += 6) {
                                        if (rc3 <= M - 8 && rc4 <= rc3 - 6) {
                                            if (tc1_2 == 0) {
                                                /* C[i,j] = D[k,i] * D[k,j], 8 x 6 */
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        *(double4 *)&corr[(r + rc4) * M + rc3 + 4 * s]
                                                            = 0 + packed_D[(rc4 - tc4) * 256 - tc1_2 * 6 + r]
                                                            * *(const double4 *)&packed_D_2[(rc3 - tc3_2)
                                                            * 256 - tc1_2 * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            {
                                                /* C[i,j] += D[k,i] * D[k,j], 8 x 6 */
                                                double4 sum[6][2];
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] = (double4){0};
                                                        __builtin_prefetch(&corr[(r + rc4) * M + rc3
                                                            + 4 * s], 1);
                                                    }
                                                }
                                                for (int64_t c1 = max64(1, tc1_2);
                                                     c1 < min64(N, tc1_2 + 256);
                                                     c1++) {
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            sum[r][s] += packed_D[(rc4 - tc4) * 256
                                                                + (c1 - tc1_2) * 6 + r]
                                                                * *(const double4 *)&packed_D_2[(rc3 - tc3_2)
                                                                * 256 + (c1 - tc1_2) * 8 + 4 * s];
                                                        }
                                                    }
                                                }
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        *(double4 *)&corr[(r + rc4) * M + rc3
                                                            + 4 * s] += sum[r][s];
                                                    }
                                                }
                                            }
                                        } else {
                                            if (tc1_2 == 0) {
                                                /* C[i,j] = D[k,i] * D[k,j], some of 8 x 6 */
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 8; s++) {
                                                        if (r + rc4 < rc3 + s && rc3 + s < M) {
                                                            corr[(r + rc4) * M + rc3 + s]
                                                                = 0
                                                                + packed_D[(rc4 - tc4) * 256 - tc1_2 * 6 + r]
                                                                * packed_D_2[(rc3 - tc3_2) * 256 - tc1_2 * 8
                                                                + s];
                                                        }
                                                    }
                                                }
                                            }
                                            {
                                                /* C[i,j] += D[k,i] * D[k,j], some of 8 x 6 */
                                                double4 sum[6][2];
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] = (double4){0};
                                                    }
                                                }
                                                for (int64_t c1 = max64(1, tc1_2);
                                                     c1 < min64(N, tc1_2 + 256);
                                                     c1++) {
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            sum[r][s] += packed_D[(rc4 - tc4) * 256
                                                                + (c1 - tc1_2) * 6 + r]
                                                                * *(const double4 *)&packed_D_2[(rc3 - tc3_2)
                                                                * 256 + (c1 - tc1_2) * 8 + 4 * s];
                                                        }
                                                    }
                                                }
                                                double sums[6][8];
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        *(double4 *)&sums[r][4 * s] = sum[r][s];
                                                    }
                                                }
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 8; s++) {
                                                        if (r + rc4 < rc3 + s && rc3 + s < M) {
                                                            corr[(r + rc4) * M + rc3 + s] += sums[r][s];
                                                        }
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                        if (failed_2 != 0) {
                            set_status(status, failed_2);
                        }
                        free(packed_D);
                    }
                }
            }
        }
        for (int64_t tc2 = 0; tc2 < M; tc2 += 256) {
            #pragma omp parallel for
            for (int64_t tc3 = 72 * max64(0, floor_div(tc2, 72)); tc3 < M; tc3 += 72) {
                if (tc2 <= tc3 - 256 && tc3 <= M - 72) {
                    for (int64_t c2 = tc2; c2 < tc2 + 256; c2++) {
                        for (int64_t c3 = tc3; c3 < tc3 + 72; c3++) {
                            /* corr[i,j] = C[j,i] */
                            corr[c3 * M + c2] = corr[c2 * M + c3];
                        }
                    }
                } else {
                    for (int64_t c2 = tc2; c2 < min64(min64(M, tc2 + 256), tc3 + 72); c2++) {
                        if (tc3 <= c2) {
                            /* corr[i,j] = 1.0 */
                            corr[c2 * M + c2] = 1.0;
                        }
                        for (int64_t c3 = max64(tc3, c2 + 1); c3 < min64(M, tc3 + 72); c3++) {
                            /* corr[i,j] = C[j,i] */
                            corr[c3 * M + c2] = corr[c2 * M + c3];
                        }
                    }
                }
            }
        }
    } else {
        set_status(status, failed);
    }
    free(packed_D_2);
}
