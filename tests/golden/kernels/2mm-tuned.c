static void n_2mm_loops(
    int64_t NI, int64_t NJ, int64_t NK, int64_t NL, const double *restrict alpha,
    const double *restrict beta, const double *restrict A, const double *restrict B,
    const double *restrict C, const double *restrict D0, double *restrict D, double *restrict tmp,
    int *status)
{
    /* What tiles read over and over is packed; these buffers are for all threads. */
    const int64_t packed_B_size0 = min64(2048, floor_div(NJ + 7, 8) * 8);
    const int64_t packed_C_size0 = min64(2048, floor_div(NL + 7, 8) * 8);
    int failed = 0;
    double *packed_B
        = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_B_size0, 256});
    double *packed_C
        = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_C_size0, 256});
    if (failed == 0) {
        for (int64_t at_2 = 0; at_2 < packed_B_size0 * 256; at_2++) {
            packed_B[at_2] = 0;
        }
        for (int64_t at_2 = 0; at_2 < packed_C_size0 * 256; at_2++) {
            packed_C[at_2] = 0;
        }
    }
    if (failed == 0) {
        for (int64_t tl = 0; tl < NJ; tl += 2048) {
            for (int64_t tk = 0; tk <= NK; tk += 256) {
                /* packed_B = B[k,j], as the tile reads it, 8 after 8 */
                if (tk < NK) {
                    #pragma omp parallel for
                    for (int64_t rl = tl; rl <= min64(NJ - 1, tl + 2040); rl += 8) {
                        if (rl <= NJ - 8) {
                            for (int64_t k = tk; k <= min64(NK - 1, tk + 255); k++) {
                                for (int64_t l = rl; l < rl + 8; l++) {
                                    packed_B[(rl - tl) * 256 + (k - tk) * 8 + l - rl] = B[k * NJ + l];
                                }
                            }
                        } else {
                            for (int64_t k = tk; k <= min64(NK - 1, tk + 255); k++) {
                                for (int64_t l = rl; l < min64(NJ, rl + 8); l++) {
                                    packed_B[(rl - tl) * 256 + (k - tk) * 8 + l - rl] = B[k * NJ + l];
                                }
                            }
                        }
                    }
                }
                #pragma omp parallel
                {
                    /* Buffers of each thread. */
                    const int64_t packed_A_size0 = min64(72, floor_div(NI + 5, 6) * 6);
                    int failed_2 = 0;
                    double *packed_A
                        = allocate(&failed_2, sizeof(double), 2, (const int64_t[]){packed_A_size0, 256});
                    if (failed_2 == 0) {
                        for (int64_t at_2 = 0; at_2 < packed_A_size0 * 256; at_2++) {
                            packed_A[at_2] = 0;
                        }
                    }
                    #pragma omp for schedule(dynamic)
                    for (int64_t ti = 0; ti < NI; ti += 72) {
                        if (failed_2 == 0) {
                            /* packed_A = A[i,k], as the tile reads it, 6 after 6 */
                            if (tk < NK) {
                                for (int64_t ri = ti; ri <= min64(NI - 1, ti + 66); ri += 6) {
                                    if (ri <= NI - 6) {
                                        for (int64_t k = tk; k <= min64(NK - 1, tk + 255); k++) {
                                            for (int64_t i = ri; i < ri + 6; i++) {
                                                packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                    = A[i * NK + k];
                                            }
                                        }
                                    } else {
                                        for (int64_t k = tk; k <= min64(NK - 1, tk + 255); k++) {
                                            for (int64_t i = ri; i < min64(NI, ri + 6); i++) {
                                                packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                    = A[i * NK + k];
                                            }
                                        }
                                    }
                                }
                            }
                            for (int64_t rl = tl; rl <= min64(NJ - 1, tl + 2040); rl += 8) {
                                for (int64_t ri = ti; ri <= min64(NI - 1, ti + 66); ri += 6) {
                                    if (rl <= NJ - 8 && ri <= NI - 6) {
                                        if (tk == 0) {
                                            /* NR_tmp[i,j] = A[i,k] * B[k,j], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&tmp[(r + ri) * NJ + rl + 4 * s]
                                                        = 0 + packed_A[(ri - ti) * 256 - tk * 6 + r]
                                                        * *(const double4 *)&packed_B[(rl - tl) * 256
                                                        - tk * 8 + 4 * s];
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NK, tk + 256)) {
                                            /* NR_tmp[i,j] += A[i,k] * B[k,j], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&tmp[(r + ri) * NJ + rl + 4 * s], 1);
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(NK, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_A[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_B[(rl - tl) * 256
                                                            + (k - tk) * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&tmp[(r + ri) * NJ + rl + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                        if (NK <= tk + 255) {
                                            /* tmp[i,j] = alpha * NR_tmp[i,j], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&tmp[(r + ri) * NJ + rl + 4 * s]
                                                        = *alpha
                                                        * *(double4 *)&tmp[(r + ri) * NJ + rl + 4 * s];
                                                }
                                            }
                                        }
                                    } else {
                                        if (tk == 0) {
                                            /* NR_tmp[i,j] = A[i,k] * B[k,j], some of 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (r + ri < NI && rl + s < NJ) {
                                                        tmp[(r + ri) * NJ + rl + s]
                                                            = 0 + packed_A[(ri - ti) * 256 - tk * 6 + r]
                                                            * packed_B[(rl - tl) * 256 - tk * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NK, tk + 256)) {
                                            /* NR_tmp[i,j] += A[i,k] * B[k,j], some of 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(NK, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_A[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_B[(rl - tl) * 256
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
                                                    if (r + ri < NI && rl + s < NJ) {
                                                        tmp[(r + ri) * NJ + rl + s] += sums[r][s];
                                                    }
                                                }
                                            }
                                        }
                                        if (NK <= tk + 255) {
                                            for (int64_t l = rl; l < min64(NJ, rl + 8); l++) {
                                                for (int64_t i = ri; i < min64(NI, ri + 6); i++) {
                                                    /* tmp[i,j] = alpha * NR_tmp[i,j] */
                                                    tmp[i * NJ + l] = *alpha * tmp[i * NJ + l];
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
        for (int64_t tl = 0; tl < NL; tl += 2048) {
            for (int64_t tk = 0; tk <= NJ; tk += 256) {
                /* packed_C = C[j,l], as the tile reads it, 8 after 8 */
                if (tk < NJ) {
                    #pragma omp parallel for
                    for (int64_t rl = tl; rl <= min64(NL - 1, tl + 2040); rl += 8) {
                        if (rl <= NL - 8) {
                            for (int64_t k = tk; k <= min64(NJ - 1, tk + 255); k++) {
                                for (int64_t l = rl; l < rl + 8; l++) {
                                    packed_C[(rl - tl) * 256 + (k - tk) * 8 + l - rl] = C[k * NL + l];
                                }
                            }
                        } else {
                            for (int64_t k = tk; k <= min64(NJ - 1, tk + 255); k++) {
                                for (int64_t l = rl; l < min64(NL, rl + 8); l++) {
                                    packed_C[(rl - tl) * 256 + (k - tk) * 8 + l - rl] = C[k * NL + l];
                                }
                            }
                        }
                    }
                }
                #pragma omp parallel
                {
                    /* Buffers of each thread. */
                    const int64_t packed_tmp_size0 = min64(72, floor_div(NI + 5, 6) * 6);
                    int failed_3 = 0;
                    double *packed_tmp
                        = allocate(&failed_3, sizeof(double), 2, (const int64_t[]){packed_tmp_size0, 256});
                    if (failed_3 == 0) {
                        for (int64_t at_2 = 0; at_2 < packed_tmp_size0 * 256; at_2++) {
                            packed_tmp[at_2] = 0;
                        }
                    }
                    #pragma omp for schedule(dynamic)
                    for (int64_t ti = 0; ti < NI; ti += 72) {
                        if (failed_3 == 0) {
                            /* packed_tmp = tmp[i,j], as the tile reads it, 6 after 6 */
                            if (tk < NJ) {
                                for (int64_t ri = ti; ri <= min64(NI - 1, ti + 66); ri += 6) {
                                    if (ri <= NI - 6) {
                                        for (int64_t k = tk; k <= min64(NJ - 1, tk + 255); k++) {
                                            for (int64_t i = ri; i < ri + 6; i++) {
                                                packed_tmp[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                    = tmp[i * NJ + k];
                                            }
                                        }
                                    } else {
                                        for (int64_t k = tk; k <= min64(NJ - 1, tk + 255); k++) {
                                            for (int64_t i = ri; i < min64(NI, ri + 6); i++) {
                                                packed_tmp[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                    = tmp[i * NJ + k];
                                            }
                                        }
                                    }
                                }
                            }
                            for (int64_t rl = tl; rl <= min64(NL - 1, tl + 2040); rl += 8) {
                                for (int64_t ri = ti; ri <= min64(NI - 1, ti + 66); ri += 6) {
                                    if (rl <= NL - 8 && ri <= NI - 6) {
                                        if (tk == 0) {
                                            /* NR_D[i,l] = tmp[i,j] * C[j,l], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&D[(r + ri) * NL + rl + 4 * s]
                                                        = 0 + packed_tmp[(ri - ti) * 256 - tk * 6 + r]
                                                        * *(const double4 *)&packed_C[(rl - tl) * 256
                                                        - tk * 8 + 4 * s];
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NJ, tk + 256)) {
                                            /* NR_D[i,l] += tmp[i,j] * C[j,l], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&D[(r + ri) * NL + rl + 4 * s], 1);
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(NJ, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_tmp[(ri - ti) * 256
                                                            + (k - tk) * 6 + r]
                                                            * *(const double4 *)&packed_C[(rl - tl) * 256
                                                            + (k - tk) * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&D[(r + ri) * NL + rl + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                        if (NJ <= tk + 255) {
                                            /* D[i,l] = beta * D0[i,l] + NR_D[i,l], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&D[(r + ri) * NL + rl + 4 * s]
                                                        = *beta
                                                        * *(const double4 *)&D0[(r + ri) * NL + rl + 4 * s]
                                                        + *(double4 *)&D[(r + ri) * NL + rl + 4 * s];
                                                }
                                            }
                                        }
                                    } else {
                                        if (tk == 0) {
                                            /* NR_D[i,l] = tmp[i,j] * C[j,l], some of 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (r + ri < NI && rl + s < NL) {
                                                        D[(r + ri) * NL + rl + s]
                                                            = 0 + packed_tmp[(ri - ti) * 256 - tk * 6 + r]
                                                            * packed_C[(rl - tl) * 256 - tk * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NJ, tk + 256)) {
                                            /* NR_D[i,l] += tmp[i,j] * C[j,l], some of 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(NJ, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_tmp[(ri - ti) * 256
                                                            + (k - tk) * 6 + r]
                                                            * *(const double4 *)&packed_C[(rl - tl) * 256
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
                                                    if (r + ri < NI && rl + s < NL) {
                                                        D[(r + ri) * NL + rl + s] += sums[r][s];
                                                    }
                                                }
                                            }
                                        }
                                        if (NJ <= tk + 255) {
                                            for (int64_t l = rl; l < min64(NL, rl + 8); l++) {
                                                for (int64_t i = ri; i < min64(NI, ri + 6); i++) {
                                                    /* D[i,l] = beta * D0[i,l] + NR_D[i,l] */
                                                    D[i * NL + l] = *beta * D0[i * NL + l] + D[i * NL + l];
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                    if (failed_3 != 0) {
                        set_status(status, failed_3);
                    }
                    free(packed_tmp);
                }
            }
        }
    } else {
        set_status(status, failed);
    }
    free(packed_B);
    free(packed_C);
}
