static void n_3mm_loops(
    int64_t NI, int64_t NJ, int64_t NK, int64_t NL, int64_t NM, const double *restrict A,
    const double *restrict B, const double *restrict C, const double *restrict D, double *restrict G,
    double *restrict E, double *restrict F, int *status)
{
    /* What tiles read over and over is packed; these buffers are for all threads. */
    const int64_t packed_B_size0 = min64(2048, floor_div(NJ + 7, 8) * 8);
    const int64_t packed_D_size0 = min64(2048, floor_div(NL + 7, 8) * 8);
    const int64_t packed_F_size0 = min64(2048, floor_div(NL + 7, 8) * 8);
    int failed = 0;
    double *packed_B
        = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_B_size0, 256});
    double *packed_D
        = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_D_size0, 256});
    double *packed_F
        = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_F_size0, 256});
    if (failed == 0) {
        for (int64_t at_2 = 0; at_2 < packed_B_size0 * 256; at_2++) {
            packed_B[at_2] = 0;
        }
        for (int64_t at_2 = 0; at_2 < packed_D_size0 * 256; at_2++) {
            packed_D[at_2] = 0;
        }
        for (int64_t at_2 = 0; at_2 < packed_F_size0 * 256; at_2++) {
            packed_F[at_2] = 0;
        }
    }
    if (failed == 0) {
        for (int64_t tl = 0; tl < NJ; tl += 2048) {
            for (int64_t tk = 0; tk < NK; tk += 256) {
                /* packed_B = B[k,j], as the tile reads it, 8 after 8 */
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
                            for (int64_t ri = ti; ri <= min64(NI - 1, ti + 66); ri += 6) {
                                if (ri <= NI - 6) {
                                    for (int64_t k = tk; k <= min64(NK - 1, tk + 255); k++) {
                                        for (int64_t i = ri; i < ri + 6; i++) {
                                            packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri] = A[i * NK + k];
                                        }
                                    }
                                } else {
                                    for (int64_t k = tk; k <= min64(NK - 1, tk + 255); k++) {
                                        for (int64_t i = ri; i < min64(NI, ri + 6); i++) {
                                            packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri] = A[i * NK + k];
                                        }
                                    }
                                }
                            }
                            for (int64_t rl = tl; rl <= min64(NJ - 1, tl + 2040); rl += 8) {
                                for (int64_t ri = ti; ri <= min64(NI - 1, ti + 66); ri += 6) {
                                    if (rl <= NJ - 8 && ri <= NI - 6) {
                                        if (tk == 0) {
                                            /* E[i,j] = A[i,k] * B[k,j], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&E[(r + ri) * NJ + rl + 4 * s]
                                                        = 0 + packed_A[(ri - ti) * 256 - tk * 6 + r]
                                                        * *(const double4 *)&packed_B[(rl - tl) * 256
                                                        - tk * 8 + 4 * s];
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NK, tk + 256)) {
                                            /* E[i,j] += A[i,k] * B[k,j], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&E[(r + ri) * NJ + rl + 4 * s], 1);
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
                                                    *(double4 *)&E[(r + ri) * NJ + rl + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                    } else {
                                        if (tk == 0) {
                                            /* E[i,j] = A[i,k] * B[k,j], some of 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (r + ri < NI && rl + s < NJ) {
                                                        E[(r + ri) * NJ + rl + s]
                                                            = 0 + packed_A[(ri - ti) * 256 - tk * 6 + r]
                                                            * packed_B[(rl - tl) * 256 - tk * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NK, tk + 256)) {
                                            /* E[i,j] += A[i,k] * B[k,j], some of 8 x 6 */
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
                                                        E[(r + ri) * NJ + rl + s] += sums[r][s];
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
                    free(packed_A);
                }
            }
        }
        for (int64_t tl = 0; tl < NL; tl += 2048) {
            for (int64_t tk = 0; tk < NM; tk += 256) {
                /* packed_D = D[m,l], as the tile reads it, 8 after 8 */
                #pragma omp parallel for
                for (int64_t rl = tl; rl <= min64(NL - 1, tl + 2040); rl += 8) {
                    if (rl <= NL - 8) {
                        for (int64_t k = tk; k <= min64(NM - 1, tk + 255); k++) {
                            for (int64_t l = rl; l < rl + 8; l++) {
                                packed_D[(rl - tl) * 256 + (k - tk) * 8 + l - rl] = D[k * NL + l];
                            }
                        }
                    } else {
                        for (int64_t k = tk; k <= min64(NM - 1, tk + 255); k++) {
                            for (int64_t l = rl; l < min64(NL, rl + 8); l++) {
                                packed_D[(rl - tl) * 256 + (k - tk) * 8 + l - rl] = D[k * NL + l];
                            }
                        }
                    }
                }
                #pragma omp parallel
                {
                    /* Buffers of each thread. */
                    const int64_t packed_C_size0 = min64(72, floor_div(NJ + 5, 6) * 6);
                    int failed_3 = 0;
                    double *packed_C
                        = allocate(&failed_3, sizeof(double), 2, (const int64_t[]){packed_C_size0, 256});
                    if (failed_3 == 0) {
                        for (int64_t at_2 = 0; at_2 < packed_C_size0 * 256; at_2++) {
                            packed_C[at_2] = 0;
                        }
                    }
                    #pragma omp for schedule(dynamic)
                    for (int64_t ti = 0; ti < NJ; ti += 72) {
                        if (failed_3 == 0) {
                            /* packed_C = C[j,m], as the tile reads it, 6 after 6 */
                            for (int64_t ri = ti; ri <= min64(NJ - 1, ti + 66); ri += 6) {
                                if (ri <= NJ - 6) {
                                    for (int64_t k = tk; k <= min64(NM - 1, tk + 255); k++) {
                                        for (int64_t i = ri; i < ri + 6; i++) {
                                            packed_C[(ri - ti) * 256 + (k - tk) * 6 + i - ri] = C[i * NM + k];
                                        }
                                    }
                                } else {
                                    for (int64_t k = tk; k <= min64(NM - 1, tk + 255); k++) {
                                        for (int64_t i = ri; i < min64(NJ, ri + 6); i++) {
                                            packed_C[(ri - ti) * 256 + (k - tk) * 6 + i - ri] = C[i * NM + k];
                                        }
                                    }
                                }
                            }
                            for (int64_t rl = tl; rl <= min64(NL - 1, tl + 2040); rl += 8) {
                                for (int64_t ri = ti; ri <= min64(NJ - 1, ti + 66); ri += 6) {
                                    if (rl <= NL - 8 && ri <= NJ - 6) {
                                        if (tk == 0) {
                                            /* F[j,l] = C[j,m] * D[m,l], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&F[(r + ri) * NL + rl + 4 * s]
                                                        = 0 + packed_C[(ri - ti) * 256 - tk * 6 + r]
                                                        * *(const double4 *)&packed_D[(rl - tl) * 256
                                                        - tk * 8 + 4 * s];
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NM, tk + 256)) {
                                            /* F[j,l] += C[j,m] * D[m,l], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&F[(r + ri) * NL + rl + 4 * s], 1);
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(NM, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_C[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_D[(rl - tl) * 256
                                                            + (k - tk) * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&F[(r + ri) * NL + rl + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                    } else {
                                        if (tk == 0) {
                                            /* F[j,l] = C[j,m] * D[m,l], some of 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (r + ri < NJ && rl + s < NL) {
                                                        F[(r + ri) * NL + rl + s]
                                                            = 0 + packed_C[(ri - ti) * 256 - tk * 6 + r]
                                                            * packed_D[(rl - tl) * 256 - tk * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NM, tk + 256)) {
                                            /* F[j,l] += C[j,m] * D[m,l], some of 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(NM, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_C[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_D[(rl - tl) * 256
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
                                                    if (r + ri < NJ && rl + s < NL) {
                                                        F[(r + ri) * NL + rl + s] += sums[r][s];
                                                    }
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
                    free(packed_C);
                }
            }
        }
        for (int64_t tl = 0; tl < NL; tl += 2048) {
            for (int64_t tk = 0; tk < NJ; tk += 256) {
                /* packed_F = F[j,l], as the tile reads it, 8 after 8 */
                #pragma omp parallel for
                for (int64_t rl = tl; rl <= min64(NL - 1, tl + 2040); rl += 8) {
                    if (rl <= NL - 8) {
                        for (int64_t k = tk; k <= min64(NJ - 1, tk + 255); k++) {
                            for (int64_t l = rl; l < rl + 8; l++) {
                                packed_F[(rl - tl) * 256 + (k - tk) * 8 + l - rl] = F[k * NL + l];
                            }
                        }
                    } else {
                        for (int64_t k = tk; k <= min64(NJ - 1, tk + 255); k++) {
                            for (int64_t l = rl; l < min64(NL, rl + 8); l++) {
                                packed_F[(rl - tl) * 256 + (k - tk) * 8 + l - rl] = F[k * NL + l];
                            }
                        }
                    }
                }
                #pragma omp parallel
                {
                    /* Buffers of each thread. */
                    const int64_t packed_E_size0 = min64(72, floor_div(NI + 5, 6) * 6);
                    int failed_4 = 0;
                    double *packed_E
                        = allocate(&failed_4, sizeof(double), 2, (const int64_t[]){packed_E_size0, 256});
                    if (failed_4 == 0) {
                        for (int64_t at_2 = 0; at_2 < packed_E_size0 * 256; at_2++) {
                            packed_E[at_2] = 0;
                        }
                    }
                    #pragma omp for schedule(dynamic)
                    for (int64_t ti = 0; ti < NI; ti += 72) {
                        if (failed_4 == 0) {
                            /* packed_E = E[i,j], as the tile reads it, 6 after 6 */
                            for (int64_t ri = ti; ri <= min64(NI - 1, ti + 66); ri += 6) {
                                if (ri <= NI - 6) {
                                    for (int64_t k = tk; k <= min64(NJ - 1, tk + 255); k++) {
                                        for (int64_t i = ri; i < ri + 6; i++) {
                                            packed_E[(ri - ti) * 256 + (k - tk) * 6 + i - ri] = E[i * NJ + k];
                                        }
                                    }
                                } else {
                                    for (int64_t k = tk; k <= min64(NJ - 1, tk + 255); k++) {
                                        for (int64_t i = ri; i < min64(NI, ri + 6); i++) {
                                            packed_E[(ri - ti) * 256 + (k - tk) * 6 + i - ri] = E[i * NJ + k];
                                        }
                                    }
                                }
                            }
                            for (int64_t rl = tl; rl <= min64(NL - 1, tl + 2040); rl += 8) {
                                for (int64_t ri = ti; ri <= min64(NI - 1, ti + 66); ri += 6) {
                                    if (rl <= NL - 8 && ri <= NI - 6) {
                                        if (tk == 0) {
                                            /* G[i,l] = E[i,j] * F[j,l], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&G[(r + ri) * NL + rl + 4 * s]
                                                        = 0 + packed_E[(ri - ti) * 256 - tk * 6 + r]
                                                        * *(const double4 *)&packed_F[(rl - tl) * 256
                                                        - tk * 8 + 4 * s];
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NJ, tk + 256)) {
                                            /* G[i,l] += E[i,j] * F[j,l], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&G[(r + ri) * NL + rl + 4 * s], 1);
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(NJ, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_E[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_F[(rl - tl) * 256
                                                            + (k - tk) * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&G[(r + ri) * NL + rl + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                    } else {
                                        if (tk == 0) {
                                            /* G[i,l] = E[i,j] * F[j,l], some of 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (r + ri < NI && rl + s < NL) {
                                                        G[(r + ri) * NL + rl + s]
                                                            = 0 + packed_E[(ri - ti) * 256 - tk * 6 + r]
                                                            * packed_F[(rl - tl) * 256 - tk * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(NJ, tk + 256)) {
                                            /* G[i,l] += E[i,j] * F[j,l], some of 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(NJ, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_E[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_F[(rl - tl) * 256
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
                                                        G[(r + ri) * NL + rl + s] += sums[r][s];
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                    if (failed_4 != 0) {
                        set_status(status, failed_4);
                    }
                    free(packed_E);
                }
            }
        }
    } else {
        set_status(status, failed);
    }
    free(packed_B);
    free(packed_D);
    free(packed_F);
}
