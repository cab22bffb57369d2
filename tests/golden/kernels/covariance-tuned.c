static void covariance_loops(
    int64_t M, int64_t N, const double *restrict data, double *restrict cov, double *restrict n,
    double *restrict mean, double *restrict D, int *status)
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
        #pragma omp parallel for
        for (int64_t tc3 = 0; tc3 < N; tc3 += 72) {
            if (tc3 <= N - 72) {
                for (int64_t c3 = tc3; c3 < tc3 + 72; c3++) {
                    #pragma omp simd
                    for (int64_t c4 = 0; c4 < M; c4++) {
                        /* D[k,i] = data[k,i] - mean[i] */
                        D[c3 * M + c4] = data[c3 * M + c4] - mean[c4];
                    }
                }
            } else {
                for (int64_t c3 = tc3; c3 < min64(N, tc3 + 72); c3++) {
                    #pragma omp simd
                    for (int64_t c4 = 0; c4 < M; c4++) {
                        /* D[k,i] = data[k,i] - mean[i] */
                        D[c3 * M + c4] = data[c3 * M + c4] - mean[c4];
                    }
                }
            }
        }
        for (int64_t tc3_2 = 0; tc3_2 < M; tc3_2 += 2048) {
            for (int64_t tc1_2 = 0; tc1_2 <= N; tc1_2 += 256) {
                /* packed_D_2 = D[k,j], as the tile reads it, 8 after 8 */
                if (tc1_2 < N) {
                    #pragma omp parallel for
                    for (int64_t rc3 = tc3_2; rc3 <= min64(M - 1, tc3_2 + 2040); rc3 += 8) {
                        if (rc3 <= M - 8) {
                            for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                for (int64_t c3 = rc3; c3 < rc3 + 8; c3++) {
                                    packed_D_2[(rc3 - tc3_2) * 256 + (c1 - tc1_2) * 8 + c3 - rc3]
                                        = D[c1 * M + c3];
                                }
                            }
                        } else {
                            for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                for (int64_t c3 = rc3; c3 < min64(M, rc3 + 8); c3++) {
                                    packed_D_2[(rc3 - tc3_2) * 256 + (c1 - tc1_2) * 8 + c3 - rc3]
                                        = D[c1 * M + c3];
                                }
                            }
                        }
                    }
                }
                #pragma omp parallel
                {
                    /* Buffers of each thread. */
                    const int64_t packed_D_size0 = min64(72, floor_div(M + 5, 6) * 6);
                    int failed_2 = 0;
                    double *packed_D
                        = allocate(&failed_2, sizeof(double), 2, (const int64_t[]){packed_D_size0, 256});
                    if (failed_2 == 0) {
                        for (int64_t at_2 = 0; at_2 < packed_D_size0 * 256; at_2++) {
                            packed_D[at_2] = 0;
                        }
                    }
                    #pragma omp for schedule(dynamic)
                    for (int64_t tc4 = 0; tc4 <= min64(M - 1, tc3_2 + 2047); tc4 += 72) {
                        if (failed_2 == 0) {
                            /* packed_D = D[k,i], as the tile reads it, 6 after 6 */
                            if (tc1_2 < N) {
                                for (int64_t rc4 = tc4;
                                     rc4 <= min64(min64(M - 1, tc3_2 + 2047), tc4 + 66);
                                     rc4 += 6) {
                                    if (rc4 <= M - 6 && rc4 <= tc3_2 + 2042) {
                                        for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                            for (int64_t c4 = rc4; c4 < rc4 + 6; c4++) {
                                                packed_D[(rc4 - tc4) * 256 + (c1 - tc1_2) * 6 + c4 - rc4]
                                                    = D[c1 * M + c4];
                                            }
                                        }
                                    } else {
                                        for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                            for (int64_t c4 = rc4;
                                                 c4 < min64(min64(M, tc3_2 + 2048), rc4 + 6);
                                                 c4++) {
                                                packed_D[(rc4 - tc4) * 256 + (c1 - tc1_2) * 6 + c4 - rc4]
                                                    = D[c1 * M + c4];
                                            }
                                        }
                                    }
                                }
                            }
                            for (int64_t rc3 = 8 * floor_div(max64(tc3_2 + 7, tc4), 8);
                                 rc3 <= min64(M - 1, tc3_2 + 2040);
                                 rc3 += 8) {
                                for (int64_t rc4 = tc4;
                                     rc4 <= min64(min64(M - 1, tc4 + 66), rc3 + 7);
                                     rc4 += 6) {
                                    if (rc3 <= M - 8 && rc4 <= rc3 - 5) {
                                        if (tc1_2 == 0) {
                                            /* NR_C[i,j] = D[k,i] * D[k,j], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&cov[(r + rc4) * M + rc3 + 4 * s]
                                                        = 0 + packed_D[(rc4 - tc4) * 256 - tc1_2 * 6 + r]
                                                        * *(const double4 *)&packed_D_2[(rc3 - tc3_2) * 256
                                                        - tc1_2 * 8 + 4 * s];
                                                }
                                            }
                                        }
                                        if (max64(1, tc1_2) < min64(N, tc1_2 + 256)) {
                                            /* NR_C[i,j] += D[k,i] * D[k,j], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&cov[(r + rc4) * M + rc3 + 4 * s], 1);
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
                                                    *(double4 *)&cov[(r + rc4) * M + rc3
                                                        + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                        if (N <= tc1_2 + 255) {
                                            /* C[i,j] = NR_C[i,j] / (n - 1.0), 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&cov[(r + rc4) * M + rc3 + 4 * s]
                                                        = *(double4 *)&cov[(r + rc4) * M + rc3 + 4 * s]
                                                        / (*n - 1.0);
                                                }
                                            }
                                        }
                                    } else {
                                        if (tc1_2 == 0) {
                                            /* NR_C[i,j] = D[k,i] * D[k,j], some of 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (rc3 + s < M && r + rc4 <= rc3 + s) {
                                                        cov[(r + rc4) * M + rc3 + s]
                                                            = 0 + packed_D[(rc4 - tc4) * 256 - tc1_2 * 6 + r]
                                                            * packed_D_2[(rc3 - tc3_2) * 256 - tc1_2 * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        if (max64(1, tc1_2) < min64(N, tc1_2 + 256)) {
                                            /* NR_C[i,j] += D[k,i] * D[k,j], some of 8 x 6 */
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
                                                    if (rc3 + s < M && r + rc4 <= rc3 + s) {
                                                        cov[(r + rc4) * M + rc3 + s] += sums[r][s];
                                                    }
                                                }
                                            }
                                        }
                                        if (N <= tc1_2 + 255) {
                                            for (int64_t c3 = max64(rc3, rc4); c3 < min64(M, rc3 + 8); c3++) {
                                                for (int64_t c4 = rc4; c4 < min64(rc4 + 6, c3 + 1); c4++) {
                                                    /* C[i,j] = NR_C[i,j] / (n - 1.0) */
                                                    cov[c4 * M + c3] = cov[c4 * M + c3] / (*n - 1.0);
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
        for (int64_t tc2 = 0; tc2 < M - 1; tc2 += 256) {
            #pragma omp parallel for
            for (int64_t tc3 = 72 * max64(0, floor_div(tc2 + 1, 72)); tc3 < M; tc3 += 72) {
                if (tc2 <= tc3 - 256 && tc3 <= M - 72) {
                    for (int64_t c2 = tc2; c2 < tc2 + 256; c2++) {
                        for (int64_t c3 = tc3; c3 < tc3 + 72; c3++) {
                            /* cov[i,j] = C[j,i] */
                            cov[c3 * M + c2] = cov[c2 * M + c3];
                        }
                    }
                } else {
                    for (int64_t c2 = tc2; c2 < min64(min64(M - 1, tc2 + 256), tc3 + 71); c2++) {
                        for (int64_t c3 = max64(tc3, c2 + 1); c3 < min64(M, tc3 + 72); c3++) {
                            /* cov[i,j] = C[j,i] */
                            cov[c3 * M + c2] = cov[c2 * M + c3];
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
