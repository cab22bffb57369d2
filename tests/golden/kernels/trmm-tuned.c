static void trmm_loops(
    int64_t M, int64_t N, const double *restrict alpha, const double *restrict A, const double *restrict B0,
    double *restrict B, int *status)
{
    /* What tiles read over and over is packed; these buffers are for all threads. */
    const int64_t packed_B0_size0 = min64(2048, floor_div(N + 7, 8) * 8);
    int failed = 0;
    double *packed_B0
        = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_B0_size0, 256});
    if (failed == 0) {
        for (int64_t at_2 = 0; at_2 < packed_B0_size0 * 256; at_2++) {
            packed_B0[at_2] = 0;
        }
    }
    if (failed == 0) {
        for (int64_t tj = 0; tj < N; tj += 2048) {
            for (int64_t tk = 0; tk <= M; tk += 256) {
                /* packed_B0 = B0[k,j], as the tile reads it, 8 after 8 */
                if (tk < M) {
                    #pragma omp parallel for
                    for (int64_t rj = tj; rj <= min64(N - 1, tj + 2040); rj += 8) {
                        if (rj <= N - 8) {
                            for (int64_t k = max64(1, tk); k <= min64(M - 1, tk + 255); k++) {
                                for (int64_t j = rj; j < rj + 8; j++) {
                                    packed_B0[(rj - tj) * 256 + (k - tk) * 8 + j - rj] = B0[k * N + j];
                                }
                            }
                        } else {
                            for (int64_t k = max64(1, tk); k <= min64(M - 1, tk + 255); k++) {
                                for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                    packed_B0[(rj - tj) * 256 + (k - tk) * 8 + j - rj] = B0[k * N + j];
                                }
                            }
                        }
                    }
                }
                #pragma omp parallel
                {
                    /* Buffers of each thread. */
                    const int64_t packed_A_size0 = min64(72, floor_div(M + 4, 6) * 6);
                    int failed_2 = 0;
                    double *packed_A
                        = allocate(&failed_2, sizeof(double), 2, (const int64_t[]){packed_A_size0, 256});
                    if (failed_2 == 0) {
                        for (int64_t at_2 = 0; at_2 < packed_A_size0 * 256; at_2++) {
                            packed_A[at_2] = 0;
                        }
                    }
                    #pragma omp for schedule(dynamic)
                    for (int64_t ti = 0; ti <= min64(M - 1, tk + 254); ti += 72) {
                        if (failed_2 == 0) {
                            /* packed_A = A[k,i], as the tile reads it, 6 after 6 */
                            if (tk < M) {
                                for (int64_t ri = ti; ri <= min64(min64(M - 2, tk + 254), ti + 66); ri += 6) {
                                    for (int64_t k = max64(tk, ri + 1); k <= min64(M - 1, tk + 255); k++) {
                                        for (int64_t i = ri; i < min64(ri + 6, k); i++) {
                                            packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                = A[(k - 1) * (M - 1) + i];
                                        }
                                    }
                                }
                            }
                            for (int64_t rj = tj; rj <= min64(N - 1, tj + 2040); rj += 8) {
                                for (int64_t ri = ti; ri <= min64(min64(M - 1, tk + 254), ti + 66); ri += 6) {
                                    if (rj <= N - 8 && ri <= M - 7) {
                                        if (tk <= ri + 1) {
                                            /* NR_B[i,j] = A[k,i] * B0[k,j], some of 8 x 6 */
                                            const int64_t k_2 = ri + 1;
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (rj + s < N && k_2 == r + ri + 1) {
                                                        B[(r + ri) * N + rj + s]
                                                            = 0
                                                            + packed_A[(ri - ti) * 256 + (k_2 - tk) * 6 + r]
                                                            * packed_B0[(rj - tj) * 256 + (k_2 - tk) * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        for (int64_t k = max64(tk, ri + 2);
                                             k < min64(tk + 256, ri + 7);
                                             k++) {
                                            for (int64_t j = rj; j < rj + 8; j++) {
                                                for (int64_t i = ri; i < k - 1; i++) {
                                                    /* NR_B[i,j] += A[k,i] * B0[k,j] */
                                                    B[i * N + j] += packed_A[(ri - ti) * 256 + (k - tk) * 6
                                                        + i - ri]
                                                        * packed_B0[(rj - tj) * 256 + (k - tk) * 8 + j - rj];
                                                }
                                                const int64_t i_2 = k - 1;
                                                /* NR_B[i,j] = A[k,i] * B0[k,j] */
                                                B[i_2 * N + j]
                                                    = 0 + packed_A[(ri - ti) * 256 + (k - tk) * 6 + i_2 - ri]
                                                    * packed_B0[(rj - tj) * 256 + (k - tk) * 8 + j - rj];
                                            }
                                        }
                                        if (max64(tk, ri + 7) < min64(M, tk + 256)) {
                                            /* NR_B[i,j] += A[k,i] * B0[k,j], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&B[(r + ri) * N + rj + 4 * s], 1);
                                                }
                                            }
                                            for (int64_t k = max64(tk, ri + 7); k < min64(M, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_A[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_B0[(rj - tj) * 256
                                                            + (k - tk) * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&B[(r + ri) * N + rj + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                        if (M <= tk + 255) {
                                            /* B[i,j] = alpha * (B0[i,j] + NR_B[i,j]), 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&B[(r + ri) * N + rj + 4 * s]
                                                        = *alpha
                                                        * (*(const double4 *)&B0[(r + ri) * N + rj + 4 * s]
                                                        + *(double4 *)&B[(r + ri) * N + rj + 4 * s]);
                                                }
                                            }
                                        }
                                    } else {
                                        if (ri <= M - 2 && tk <= ri + 1) {
                                            /* NR_B[i,j] = A[k,i] * B0[k,j], some of 8 x 6 */
                                            const int64_t k_2 = ri + 1;
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (rj + s < N && k_2 == r + ri + 1) {
                                                        B[(r + ri) * N + rj + s]
                                                            = 0
                                                            + packed_A[(ri - ti) * 256 + (k_2 - tk) * 6 + r]
                                                            * packed_B0[(rj - tj) * 256 + (k_2 - tk) * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        for (int64_t k = max64(tk, ri + 2);
                                             k < min64(min64(M, tk + 256), ri + 7);
                                             k++) {
                                            for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                                for (int64_t i = ri; i < k - 1; i++) {
                                                    /* NR_B[i,j] += A[k,i] * B0[k,j] */
                                                    B[i * N + j] += packed_A[(ri - ti) * 256 + (k - tk) * 6
                                                        + i - ri]
                                                        * packed_B0[(rj - tj) * 256 + (k - tk) * 8 + j - rj];
                                                }
                                                const int64_t i_2 = k - 1;
                                                /* NR_B[i,j] = A[k,i] * B0[k,j] */
                                                B[i_2 * N + j]
                                                    = 0 + packed_A[(ri - ti) * 256 + (k - tk) * 6 + i_2 - ri]
                                                    * packed_B0[(rj - tj) * 256 + (k - tk) * 8 + j - rj];
                                            }
                                        }
                                        if (max64(tk, ri + 7) < min64(M, tk + 256)) {
                                            /* NR_B[i,j] += A[k,i] * B0[k,j], some of 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                }
                                            }
                                            for (int64_t k = max64(tk, ri + 7); k < min64(M, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_A[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_B0[(rj - tj) * 256
                                                            + (k - tk) * 8 + 4 * s];
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
                                                    if (rj + s < N) {
                                                        B[(r + ri) * N + rj + s] += sums[r][s];
                                                    }
                                                }
                                            }
                                        }
                                        if (M <= tk + 255 && ri <= M - 7) {
                                            for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                                for (int64_t i = ri; i < ri + 6; i++) {
                                                    /* B[i,j] = alpha * (B0[i,j] + NR_B[i,j]) */
                                                    B[i * N + j] = *alpha * (B0[i * N + j] + B[i * N + j]);
                                                }
                                            }
                                        } else if (M <= tk + 255 && M <= ri + 6) {
                                            for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                                for (int64_t i = ri; i < M - 1; i++) {
                                                    /* B[i,j] = alpha * (B0[i,j] + NR_B[i,j]) */
                                                    B[i * N + j] = *alpha * (B0[i * N + j] + B[i * N + j]);
                                                }
                                                const int64_t i_2 = M - 1;
                                                /* B[i,j] = alpha * B0[i,j] */
                                                B[i_2 * N + j] = *alpha * B0[i_2 * N + j];
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
                    free(packed_A);
                }
            }
        }
    } else {
        set_status(status, failed);
    }
    free(packed_B0);
}
