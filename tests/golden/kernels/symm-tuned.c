static void symm_loops(
    int64_t M, int64_t N, const double *restrict alpha, const double *restrict beta,
    const double *restrict C0, const double *restrict A, const double *restrict B, double *restrict C,
    int *status)
{
    /* What tiles read over and over is packed; these buffers are for all threads. */
    const int64_t packed_B_size0 = min64(2048, floor_div(N + 7, 8) * 8);
    int failed = 0;
    double *packed_B
        = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_B_size0, 256});
    if (failed == 0) {
        for (int64_t at_2 = 0; at_2 < packed_B_size0 * 256; at_2++) {
            packed_B[at_2] = 0;
        }
    }
    if (failed == 0) {
        for (int64_t tj = 0; tj < N; tj += 2048) {
            for (int64_t tk = 0; tk <= M; tk += 256) {
                /* packed_B = B[k,j], as the tile reads it, 8 after 8 */
                if (tk < M) {
                    #pragma omp parallel for
                    for (int64_t rj = tj; rj <= min64(N - 1, tj + 2040); rj += 8) {
                        if (rj <= N - 8) {
                            for (int64_t k = tk; k <= min64(M - 1, tk + 255); k++) {
                                for (int64_t j = rj; j < rj + 8; j++) {
                                    packed_B[(rj - tj) * 256 + (k - tk) * 8 + j - rj] = B[k * N + j];
                                }
                            }
                        } else {
                            for (int64_t k = tk; k <= min64(M - 1, tk + 255); k++) {
                                for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                    packed_B[(rj - tj) * 256 + (k - tk) * 8 + j - rj] = B[k * N + j];
                                }
                            }
                        }
                    }
                }
                #pragma omp parallel
                {
                    /* Buffers of each thread. */
                    const int64_t packed_A_size0 = min64(72, floor_div(M + 5, 6) * 6);
                    int failed_2 = 0;
                    double *packed_A
                        = allocate(&failed_2, sizeof(double), 2, (const int64_t[]){packed_A_size0, 256});
                    if (failed_2 == 0) {
                        for (int64_t at_2 = 0; at_2 < packed_A_size0 * 256; at_2++) {
                            packed_A[at_2] = 0;
                        }
                    }
                    #pragma omp for schedule(dynamic)
                    for (int64_t ti = 0; ti < M; ti += 72) {
                        if (failed_2 == 0) {
                            /* packed_A = case {| k<=i}: A[i,k]; {| i<k}: A[k,i]; esac, as the tile reads it,
                             *     6 after 6
                             */
                            if (tk < M) {
                                for (int64_t ri = ti; ri <= min64(M - 1, ti + 66); ri += 6) {
                                    if (ri <= M - 7 && tk <= ri && ri <= tk + 249) {
                                        for (int64_t k = tk; k <= min64(M - 1, tk + 255); k++) {
                                            for (int64_t i = ri; i < min64(ri + 6, k); i++) {
                                                packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                    = A[k * M + i];
                                            }
                                            for (int64_t i = max64(ri, k); i < ri + 6; i++) {
                                                packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                    = A[i * M + k];
                                            }
                                        }
                                    } else {
                                        for (int64_t k = tk; k <= min64(M - 1, tk + 255); k++) {
                                            for (int64_t i = ri; i < min64(ri + 6, k); i++) {
                                                packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                    = A[k * M + i];
                                            }
                                            for (int64_t i = max64(ri, k); i < min64(M, ri + 6); i++) {
                                                packed_A[(ri - ti) * 256 + (k - tk) * 6 + i - ri]
                                                    = A[i * M + k];
                                            }
                                        }
                                    }
                                }
                            }
                            for (int64_t rj = tj; rj <= min64(N - 1, tj + 2040); rj += 8) {
                                for (int64_t ri = ti; ri <= min64(M - 1, ti + 66); ri += 6) {
                                    if (rj <= N - 8 && ri <= M - 6) {
                                        if (tk == 0) {
                                            /* NR_C[i,j] = case {| k<=i}: A[i,k]; {| i<k}: A[k,i]; esac *
                                             *     B[k,j], 8 x 6
                                             */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&C[(r + ri) * N + rj + 4 * s]
                                                        = 0 + packed_A[(ri - ti) * 256 - tk * 6 + r]
                                                        * *(const double4 *)&packed_B[(rj - tj) * 256
                                                        - tk * 8 + 4 * s];
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(M, tk + 256)) {
                                            /* NR_C[i,j] += case {| k<=i}: A[i,k]; {| i<k}: A[k,i]; esac *
                                             *     B[k,j], 8 x 6
                                             */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                    __builtin_prefetch(&C[(r + ri) * N + rj + 4 * s], 1);
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(M, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_A[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_B[(rj - tj) * 256
                                                            + (k - tk) * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&C[(r + ri) * N + rj + 4 * s] += sum[r][s];
                                                }
                                            }
                                        }
                                        if (M <= tk + 255) {
                                            /* C[i,j] = beta * C0[i,j] + alpha * NR_C[i,j], 8 x 6 */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    *(double4 *)&C[(r + ri) * N + rj + 4 * s]
                                                        = *beta
                                                        * *(const double4 *)&C0[(r + ri) * N + rj + 4 * s]
                                                        + *alpha * *(double4 *)&C[(r + ri) * N + rj + 4 * s];
                                                }
                                            }
                                        }
                                    } else {
                                        if (tk == 0) {
                                            /* NR_C[i,j] = case {| k<=i}: A[i,k]; {| i<k}: A[k,i]; esac *
                                             *     B[k,j], some of 8 x 6
                                             */
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 8; s++) {
                                                    if (r + ri < M && rj + s < N) {
                                                        C[(r + ri) * N + rj + s]
                                                            = 0 + packed_A[(ri - ti) * 256 - tk * 6 + r]
                                                            * packed_B[(rj - tj) * 256 - tk * 8 + s];
                                                    }
                                                }
                                            }
                                        }
                                        if (max64(1, tk) < min64(M, tk + 256)) {
                                            /* NR_C[i,j] += case {| k<=i}: A[i,k]; {| i<k}: A[k,i]; esac *
                                             *     B[k,j], some of 8 x 6
                                             */
                                            double4 sum[6][2];
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] = (double4){0};
                                                }
                                            }
                                            for (int64_t k = max64(1, tk); k < min64(M, tk + 256); k++) {
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] += packed_A[(ri - ti) * 256 + (k - tk) * 6
                                                            + r]
                                                            * *(const double4 *)&packed_B[(rj - tj) * 256
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
                                                    if (r + ri < M && rj + s < N) {
                                                        C[(r + ri) * N + rj + s] += sums[r][s];
                                                    }
                                                }
                                            }
                                        }
                                        if (M <= tk + 255) {
                                            for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                                for (int64_t i = ri; i < min64(M, ri + 6); i++) {
                                                    /* C[i,j] = beta * C0[i,j] + alpha * NR_C[i,j] */
                                                    C[i * N + j] = *beta * C0[i * N + j]
                                                        + *alpha * C[i * N + j];
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
