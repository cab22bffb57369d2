static void gemm_loops(
    int64_t NI, int64_t NJ, int64_t NK, const double *restrict alpha, const double *restrict beta,
    const double *restrict C0, const double *restrict A, const double *restrict B, double *restrict C,
    int *status)
{
    /* What tiles read over and over is packed; these buffers are for all threads. */
    const int64_t packed_B_size0 = min64(2016, (NJ + 7) / 8 * 8);
    int failed = 0;
    double *packed_B
        = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_B_size0, 512});
    if (failed == 0) {
        for (int64_t at = 0; at < packed_B_size0 * 512; at++) {
            packed_B[at] = 0;
        }
    }
    if (failed == 0) {
        for (int64_t tj = 0; tj < NJ; tj += 2016) {
            for (int64_t tk = 0; tk <= NK; tk += 512) {
                /* packed_B = B[k,j], as the tile reads it, 8 after 8 */
                if (tk < NK) {
                    #pragma omp parallel for
                    for (int64_t rj = tj; rj <= min64(NJ - 1, tj + 2008); rj += 8) {
                        if (rj <= NJ - 8) {
                            for (int64_t k = tk; k <= min64(NK - 1, tk + 511); k++) {
                                for (int64_t j = rj; j < rj + 8; j++) {
                                    packed_B[(rj - tj) * 512 + (k - tk) * 8 + j - rj] = B[k * NJ + j];
                                }
                            }
                        } else {
                            for (int64_t k = tk; k <= min64(NK - 1, tk + 511); k++) {
                                for (int64_t j = rj; j < NJ; j++) {
                                    packed_B[(rj - tj) * 512 + (k - tk) * 8 + j - rj] = B[k * NJ + j];
                                }
                            }
                        }
                    }
                }
                #pragma omp parallel if((double)NI * (double)(NJ - tj) * (double)(NK - 1) > 5000)
                {
                    /* Buffers of each thread. */
                    const int64_t packed_A_size0 = min64(72, (NI + 5) / 6 * 6);
                    int failed_2 = 0;
                    double *packed_A
                        = allocate(&failed_2, sizeof(double), 2, (const int64_t[]){packed_A_size0, 512});
                    if (failed_2 == 0) {
                        for (int64_t at = 0; at < packed_A_size0 * 512; at++) {
                            packed_A[at] = 0;
                        }
                    }
                    #pragma omp for schedule(dynamic)
                    for (int64_t ti = 0; ti < NI; ti += 72) {
                        if (failed_2 == 0) {
                            /* packed_A = A[i,k], as the tile reads it, 6 after 6 */
                            if (tk < NK) {
                                for (int64_t ri = ti; ri <= min64(NI - 1, ti + 66); ri += 6) {
                                    if (ri <= NI - 6) {
                                        for (int64_t k = tk; k <= min64(NK - 1, tk + 511); k++) {
                                            for (int64_t i = ri; i < ri + 6; i++) {
                                                packed_A[(ri - ti) * 512 + (k - tk) * 6 + i - ri]
                                                    = A[i * NK + k];
                                            }
                                        }
                                    } else {
                                        for (int64_t k = tk; k <= min64(NK - 1, tk + 511); k++) {
                                            for (int64_t i = ri; i < NI; i++) {
                                                packed_A[(ri - ti) * 512 + (k - tk) * 6 + i - ri]
                                                    = A[i * NK + k];
                                            }
                                        }
                                    }
                                }
                            }
                            for (int64_t rj = tj; rj <= min64(NJ - 1, tj + 2008); rj += 8) {
                                for (int64_t ri = ti; ri <= min64(NI - 1, ti + 66); ri += 6) {
                                    if (rj <= NJ - 8 && ri <= NI - 6) {
                                        if (tk == 0) {
                                            /* NR_C[i,j] = A[i,k] * B[k,j], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&C[(r + ri) * NJ + rj + 4 * s]
                                                        = 0 + packed_A[(ri - ti) * 512 - tk * 6 + r]
                                                        * *(const double4 *)&packed_B[(rj - tj) * 512
                                                        - tk * 8 + 4 * s];
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NK, tk + 512)) {
                                            /* NR_C[i,j] += A[i,k] * B[k,j], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&C[(r + ri) * NJ + rj + 4 * s], 1);
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(NK, tk + 512); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_A[(ri - ti) * 512 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_B[(rj - tj) * 512
                                                            + (k - tk) * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&C[(r + ri) * NJ + rj + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                        if (NK <= tk + 511) {
                                            /* C[i,j] = beta * C0[i,j] + alpha * NR_C[i,j], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&C[(r + ri) * NJ + rj + 4 * s]
                                                        = *beta
                                                        * *(const double4 *)&C0[(r + ri) * NJ + rj + 4 * s]
                                                        + *alpha * *(double4 *)&C[(r + ri) * NJ + rj + 4 * s];
                                                }
                                            }
                                        }
                                    } else {
                                        if (tk == 0) {
                                            /* NR_C[i,j] = A[i,k] * B[k,j], some of 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (r + ri < NI && rj + s < NJ) {
                                                        C[(r + ri) * NJ + rj + s]
                                                            = 0 + packed_A[(ri - ti) * 512 - tk * 6 + r]
                                                            * packed_B[(rj - tj) * 512 - tk * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NK, tk + 512)) {
                                            /* NR_C[i,j] += A[i,k] * B[k,j], some of 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(NK, tk + 512); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_A[(ri - ti) * 512 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_B[(rj - tj) * 512
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
                                                    if (r + ri < NI && rj + s < NJ) {
                                                        C[(r + ri) * NJ + rj + s] += sums[r][s];
                                                    }
                                                }
                                            }
                                        }
                                        if (NK <= tk + 511) {
                                            for (int64_t i = ri; i < min64(NI, ri + 6); i++) {
                                                #pragma omp simd
                                                for (int64_t j = rj; j < min64(NJ, rj + 8); j++) {
                                                    /* C[i,j] = beta * C0[i,j] + alpha * NR_C[i,j] */
                                                    C[i * NJ + j] = *beta * C0[i * NJ + j]
                                                        + *alpha * C[i * NJ + j];
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
                    free(packed_A);
                }
            }
        }
    } else {
        set_status(status, failed);
    }
    free(packed_B);
}
