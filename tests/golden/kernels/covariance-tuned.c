static void covariance_loops(
    int64_t M, int64_t N, const double *restrict data, double *restrict cov, double *restrict n,
    double *restrict mean, double *restrict D, int *status)
{
    /* What tiles read over and over is packed; these buffers are for all threads. */
    const int64_t packed_D_2_size0 = min64(2048, floor_div(M + 7, 8) * 8);
    int failed = 0;
    double *packed_D_2 = allocate(&failed, sizeof(double), 2,
        (const int64_t[]){packed_D_2_size0, 256});
    if (failed == 0) {
        for (int64_t at_2 = 0; at_2 < packed_D_2_size0 * 256; at_2++) {
            packed_D_2[at_2] = 0;
        }
    }
    if (failed == 0) {
        /* n[] = [N] */
        *n = (double)N;
        for (int64_t tj = 0; tj <= N; tj += 256) {
#pragma omp parallel for
            for (int64_t ti = 0; ti < M; ti += 72) {
                if (tj <= N - 256 && tj >= 1 && ti <= M - 72) {
                    for (int64_t j = tj; j < tj + 256; j++) {
#pragma omp simd
                        for (int64_t i = ti; i < ti + 72; i++) {
                            /* NR_mean[i] += data[k,i] */
                            mean[i] += data[j * M + i];
                        }
                    }
                } else {
                    if (tj == 0) {
#pragma omp simd
                        for (int64_t i = ti; i < min64(M, ti + 72); i++) {
                            /* NR_mean[i] = data[k,i] */
                            mean[i] = 0 + data[i];
                        }
                    }
                    for (int64_t j = max64(1, tj); j < min64(N, tj + 256); j++) {
#pragma omp simd
                        for (int64_t i = ti; i < min64(M, ti + 72); i++) {
                            /* NR_mean[i] += data[k,i] */
                            mean[i] += data[j * M + i];
                        }
                    }
                    if (N <= tj + 255) {
#pragma omp simd
                        for (int64_t i = ti; i < min64(M, ti + 72); i++) {
                            /* mean[i] = NR_mean[i] / n */
                            mean[i] = mean[i] / *n;
                        }
                    }
                }
            }
        }
        for (int64_t tj = 0; tj < N; tj += 256) {
#pragma omp parallel for
            for (int64_t ti = 0; ti < M; ti += 72) {
                if (tj <= N - 256 && ti <= M - 72) {
                    for (int64_t j = tj; j < tj + 256; j++) {
#pragma omp simd
                        for (int64_t i = ti; i < ti + 72; i++) {
                            /* D[k,i] = data[k,i] - mean[i] */
                            D[j * M + i] = data[j * M + i] - mean[i];
                        }
                    }
                } else {
                    for (int64_t j = tj; j < min64(N, tj + 256); j++) {
#pragma omp simd
                        for (int64_t i = ti; i < min64(M, ti + 72); i++) {
                            /* D[k,i] = data[k,i] - mean[i] */
                            D[j * M + i] = data[j * M + i] - mean[i];
                        }
                    }
                }
            }
        }
        for (int64_t tj_2 = 0; tj_2 < M; tj_2 += 2048) {
            for (int64_t tc1_2 = 0; tc1_2 <= N; tc1_2 += 256) {
                /* packed_D_2 = D[k,j], as the tile reads it, 8 after 8 */
                if (tc1_2 < N) {
#pragma omp parallel for
                    for (int64_t rj = tj_2; rj <= min64(M - 1, tj_2 + 2040); rj += 8) {
                        if (rj <= M - 8) {
                            for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                for (int64_t j = rj; j < rj + 8; j++) {
                                    packed_D_2[(rj - tj_2) * 256 + (c1 - tc1_2) * 8 + j - rj] = D[c1 * M + j];
                                }
                            }
                        } else {
                            for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                for (int64_t j = rj; j < min64(M, rj + 8); j++) {
                                    packed_D_2[(rj - tj_2) * 256 + (c1 - tc1_2) * 8 + j - rj] = D[c1 * M + j];
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
                    double *packed_D = allocate(&failed_2, sizeof(double), 2,
                        (const int64_t[]){packed_D_size0, 256});
                    if (failed_2 == 0) {
                        for (int64_t at_2 = 0; at_2 < packed_D_size0 * 256; at_2++) {
                            packed_D[at_2] = 0;
                        }
                    }
#pragma omp for schedule(dynamic)
                    for (int64_t ti_2 = 0; ti_2 <= min64(M - 1, tj_2 + 2047); ti_2 += 72) {
                        if (failed_2 == 0) {
                            /* packed_D = D[k,i], as the tile reads it, 6 after 6 */
                            if (tc1_2 < N) {
                                for (int64_t ri = ti_2; ri <= min64(min64(M - 1, tj_2 + 2047), ti_2 + 66); ri += 6) {
                                    if (ri <= M - 6 && ri <= tj_2 + 2042) {
                                        for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                            for (int64_t i = ri; i < ri + 6; i++) {
                                                packed_D[(ri - ti_2) * 256 + (c1 - tc1_2) * 6 + i - ri] = D[c1 * M + i];
                                            }
                                        }
                                    } else {
                                        for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                            for (int64_t i = ri; i < min64(min64(M, tj_2 + 2048), ri + 6); i++) {
                                                packed_D[(ri - ti_2) * 256 + (c1 - tc1_2) * 6 + i - ri] = D[c1 * M + i];
                                            }
                                        }
                                    }
                                }
                            }
                            for (int64_t rj = 8 * floor_div(max64(tj_2 + 7, ti_2), 8);
                                 rj <= min64(M - 1, tj_2 + 2040);
                                 rj += 8) {
                                for (int64_t ri = ti_2; ri <= min64(min64(M - 1, ti_2 + 66), rj + 7); ri += 6) {
                                    if (rj <= M - 8 && ri <= rj - 5) {
                                        if (tc1_2 == 0) {
                                            /* NR_C[i,j] = D[k,i] * D[k,j], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&cov[(r + ri) * M + rj + 4 * s]
                                                        = 0 + packed_D[(ri - ti_2) * 256 - tc1_2 * 6 + r]
                                                        * *(const double4 *)&packed_D_2[(rj - tj_2) * 256 - tc1_2 * 8 + 4 * s];
                                                }
                                            }
                                        }
                                        if (max64(1, tc1_2) < min64(N, tc1_2 + 256)) {
                                            /* NR_C[i,j] += D[k,i] * D[k,j], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&cov[(r + ri) * M + rj + 4 * s], 1);
                                                }
                                            }
                                            for (int64_t c1 = max64(1, tc1_2); c1 < min64(N, tc1_2 + 256); c1++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_D[(ri - ti_2) * 256 + (c1 - tc1_2) * 6 + r]
                                                            * *(const double4 *)&packed_D_2[(rj - tj_2) * 256 + (c1 - tc1_2) * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&cov[(r + ri) * M + rj + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                        if (N <= tc1_2 + 255) {
                                            /* C[i,j] = NR_C[i,j] / (n - 1.0), 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&cov[(r + ri) * M + rj + 4 * s]
                                                        = *(double4 *)&cov[(r + ri) * M + rj + 4 * s] / (*n - 1.0);
                                                }
                                            }
                                        }
                                    } else {
                                        if (tc1_2 == 0) {
                                            /* NR_C[i,j] = D[k,i] * D[k,j], some of 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (rj + s < M && r + ri <= rj + s) {
                                                        cov[(r + ri) * M + rj + s] = 0
                                                            + packed_D[(ri - ti_2) * 256 - tc1_2 * 6 + r] * packed_D_2[(rj - tj_2) * 256 - tc1_2 * 8 + s];
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
                                            for (int64_t c1 = max64(1, tc1_2); c1 < min64(N, tc1_2 + 256); c1++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_D[(ri - ti_2) * 256 + (c1 - tc1_2) * 6 + r]
                                                            * *(const double4 *)&packed_D_2[(rj - tj_2) * 256 + (c1 - tc1_2) * 8 + 4 * s];
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
                                                    if (rj + s < M && r + ri <= rj + s) {
                                                        cov[(r + ri) * M + rj + s] += sums[r][s];
                                                    }
                                                }
                                            }
                                        }
                                        if (N <= tc1_2 + 255) {
                                            for (int64_t j = max64(rj, ri); j < min64(M, rj + 8); j++) {
                                                for (int64_t i = ri; i < min64(ri + 6, j + 1); i++) {
                                                    /* C[i,j] = NR_C[i,j] / (n - 1.0) */
                                                    cov[i * M + j] = cov[i * M + j] / (*n - 1.0);
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
        for (int64_t tj = 0; tj < M - 1; tj += 256) {
#pragma omp parallel for
            for (int64_t ti = 72 * max64(0, floor_div(tj + 1, 72)); ti < M; ti += 72) {
                if (tj <= ti - 256 && ti <= M - 72) {
                    for (int64_t j = tj; j < tj + 256; j++) {
                        for (int64_t i = ti; i < ti + 72; i++) {
                            /* cov[i,j] = C[j,i] */
                            cov[i * M + j] = cov[j * M + i];
                        }
                    }
                } else {
                    for (int64_t j = tj; j < min64(min64(M - 1, tj + 256), ti + 71); j++) {
                        for (int64_t i = max64(ti, j + 1); i < min64(M, ti + 72); i++) {
                            /* cov[i,j] = C[j,i] */
                            cov[i * M + j] = cov[j * M + i];
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
