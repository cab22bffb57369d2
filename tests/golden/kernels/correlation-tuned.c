static void correlation_loops(
    int64_t M, int64_t N, const double *restrict data, double *restrict corr, double *restrict n,
    double *restrict mean, double *restrict stddev, double *restrict D, int *status)
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
        for (int64_t tj = 0; tj <= N + 1; tj += 256) {
#pragma omp parallel for
            for (int64_t ti = 0; ti < M; ti += 72) {
                if (tj <= N - 256 && tj >= 1 && ti <= M - 72) {
                    for (int64_t j = tj; j < tj + 256; j++) {
#pragma omp simd
                        for (int64_t i = ti; i < ti + 72; i++) {
                            /* NR_deviation[i] += (data[k,i] - mean[i]) * (data[k,i] - mean[i]) */
                            stddev[i] += (data[j * M + i] - mean[i]) * (data[j * M + i] - mean[i]);
                        }
                    }
                } else {
                    if (tj == 0) {
#pragma omp simd
                        for (int64_t i = ti; i < min64(M, ti + 72); i++) {
                            /* NR_deviation[i] = (data[k,i] - mean[i]) * (data[k,i] - mean[i]) */
                            stddev[i] = 0 + (data[i] - mean[i]) * (data[i] - mean[i]);
                        }
                    }
                    for (int64_t j = max64(1, tj); j < min64(N, tj + 256); j++) {
#pragma omp simd
                        for (int64_t i = ti; i < min64(M, ti + 72); i++) {
                            /* NR_deviation[i] += (data[k,i] - mean[i]) * (data[k,i] - mean[i]) */
                            stddev[i] += (data[j * M + i] - mean[i]) * (data[j * M + i] - mean[i]);
                        }
                    }
                    if (tj <= N && N <= tj + 255) {
                        for (int64_t i = ti; i < min64(M, ti + 72); i++) {
                            /* deviation[i] = sqrt(NR_deviation[i] / n) */
                            stddev[i] = sqrt(stddev[i] / *n);
                        }
                    }
                    if (N <= tj + 254) {
#pragma omp simd
                        for (int64_t i = ti; i < min64(M, ti + 72); i++) {
                            /* stddev[i] = if deviation[i] <= 0.1 then 1.0 else deviation[i] */
                            stddev[i] = stddev[i] <= 0.1 ? 1.0 : stddev[i];
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
                        for (int64_t i = ti; i < ti + 72; i++) {
                            /* D[k,i] = (data[k,i] - mean[i]) / (sqrt(n) * stddev[i]) */
                            D[j * M + i] = (data[j * M + i] - mean[i]) / (sqrt(*n) * stddev[i]);
                        }
                    }
                } else {
                    for (int64_t j = tj; j < min64(N, tj + 256); j++) {
                        for (int64_t i = ti; i < min64(M, ti + 72); i++) {
                            /* D[k,i] = (data[k,i] - mean[i]) / (sqrt(n) * stddev[i]) */
                            D[j * M + i] = (data[j * M + i] - mean[i]) / (sqrt(*n) * stddev[i]);
                        }
                    }
                }
            }
        }
        if (M >= 2) {
            for (int64_t tj_2 = 0; tj_2 < M; tj_2 += 2048) {
                for (int64_t tc1_2 = 0; tc1_2 < N; tc1_2 += 256) {
                    /* packed_D_2 = D[k,j], as the tile reads it, 8 after 8 */
#pragma omp parallel for
                    for (int64_t rj = tj_2; rj <= min64(M - 1, tj_2 + 2040); rj += 8) {
                        if (rj <= M - 8 && rj >= 1) {
                            for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                for (int64_t j = rj; j < rj + 8; j++) {
                                    packed_D_2[(rj - tj_2) * 256 + (c1 - tc1_2) * 8 + j - rj] = D[c1 * M + j];
                                }
                            }
                        } else {
                            for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                for (int64_t j = max64(1, rj); j < min64(M, rj + 8); j++) {
                                    packed_D_2[(rj - tj_2) * 256 + (c1 - tc1_2) * 8 + j - rj] = D[c1 * M + j];
                                }
                            }
                        }
                    }
#pragma omp parallel
                    {
                        /* Buffers of each thread. */
                        const int64_t packed_D_size0 = min64(72, floor_div(M + 4, 6) * 6);
                        int failed_2 = 0;
                        double *packed_D = allocate(&failed_2, sizeof(double), 2,
                            (const int64_t[]){packed_D_size0, 256});
                        if (failed_2 == 0) {
                            for (int64_t at_2 = 0; at_2 < packed_D_size0 * 256; at_2++) {
                                packed_D[at_2] = 0;
                            }
                        }
#pragma omp for schedule(dynamic)
                        for (int64_t ti_2 = 0; ti_2 <= min64(M - 2, tj_2 + 2046); ti_2 += 72) {
                            if (failed_2 == 0) {
                                /* packed_D = D[k,i], as the tile reads it, 6 after 6 */
                                for (int64_t ri = ti_2; ri <= min64(min64(M - 2, tj_2 + 2046), ti_2 + 66); ri += 6) {
                                    if (ri <= M - 7 && ri <= tj_2 + 2041) {
                                        for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                            for (int64_t i = ri; i < ri + 6; i++) {
                                                packed_D[(ri - ti_2) * 256 + (c1 - tc1_2) * 6 + i - ri] = D[c1 * M + i];
                                            }
                                        }
                                    } else {
                                        for (int64_t c1 = tc1_2; c1 <= min64(N - 1, tc1_2 + 255); c1++) {
                                            for (int64_t i = ri; i < min64(min64(M - 1, tj_2 + 2047), ri + 6); i++) {
                                                packed_D[(ri - ti_2) * 256 + (c1 - tc1_2) * 6 + i - ri] = D[c1 * M + i];
                                            }
                                        }
                                    }
                                }
                                for (int64_t rj = 8 * floor_div(max64(tj_2 + 7, ti_2 + 1), 8);
                                     rj <= min64(M - 1, tj_2 + 2040);
                                     rj += 8) {
                                    for (int64_t ri = ti_2; ri <= min64(min64(M - 2, ti_2 + 66), rj + 6); ri += 6) {
                                        if (rj <= M - 8 && ri <= rj - 6) {
                                            if (tc1_2 == 0) {
                                                /* C[i,j] = D[k,i] * D[k,j], 8 x 6 */
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        *(double4 *)&corr[(r + ri) * M + rj + 4 * s]
                                                            = 0 + packed_D[(ri - ti_2) * 256 - tc1_2 * 6 + r]
                                                            * *(const double4 *)&packed_D_2[(rj - tj_2) * 256 - tc1_2 * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            {
                                                /* C[i,j] += D[k,i] * D[k,j], 8 x 6 */
                                                double4 sum[6][2];
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] = (double4){0};
                                                        __builtin_prefetch(&corr[(r + ri) * M + rj + 4 * s], 1);
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
                                                        *(double4 *)&corr[(r + ri) * M + rj + 4 * s] += sum[r][s];
                                                    }
                                                }
                                            }
                                        } else {
                                            if (tc1_2 == 0) {
                                                /* C[i,j] = D[k,i] * D[k,j], some of 8 x 6 */
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 8; s++) {
                                                        if (r + ri < rj + s && rj + s < M) {
                                                            corr[(r + ri) * M + rj + s] = 0
                                                                + packed_D[(ri - ti_2) * 256 - tc1_2 * 6 + r] * packed_D_2[(rj - tj_2) * 256 - tc1_2 * 8 + s];
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
                                                        if (r + ri < rj + s && rj + s < M) {
                                                            corr[(r + ri) * M + rj + s] += sums[r][s];
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
        for (int64_t tj = 0; tj < M; tj += 256) {
#pragma omp parallel for
            for (int64_t ti = 72 * max64(0, floor_div(tj, 72)); ti < M; ti += 72) {
                if (tj <= ti - 256 && ti <= M - 72) {
                    for (int64_t j = tj; j < tj + 256; j++) {
                        for (int64_t i = ti; i < ti + 72; i++) {
                            /* corr[i,j] = C[j,i] */
                            corr[i * M + j] = corr[j * M + i];
                        }
                    }
                } else {
                    for (int64_t j = tj; j < min64(min64(M, tj + 256), ti + 72); j++) {
                        if (ti <= j) {
                            /* corr[i,j] = 1.0 */
                            corr[j * M + j] = 1.0;
                        }
                        for (int64_t i = max64(ti, j + 1); i < min64(M, ti + 72); i++) {
                            /* corr[i,j] = C[j,i] */
                            corr[i * M + j] = corr[j * M + i];
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
