static void gramschmidt_loops(
    int64_t M, int64_t N, const double *restrict A, double *restrict R, double *restrict Q,
    double *restrict norm, double *restrict taken, int *status)
{
    for (int64_t c0 = 0; c0 <= N; c0++) {
        if (48 * c0 < N) {
            #pragma omp parallel
            {
                /* Buffers of each thread. */
                const int64_t packed_P_size0 = min64(96, floor_div(N + 7, 8) * 8);
                const int64_t packed_Q_size0 = min64(72, floor_div(M + 5, 6) * 6);
                int failed = 0;
                double *packed_P
                    = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_P_size0, 240});
                double *packed_Q
                    = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_Q_size0, 240});
                if (failed == 0) {
                    for (int64_t at_2 = 0; at_2 < packed_P_size0 * 240; at_2++) {
                        packed_P[at_2] = 0;
                    }
                    for (int64_t at_2 = 0; at_2 < packed_Q_size0 * 240; at_2++) {
                        packed_Q[at_2] = 0;
                    }
                }
                #pragma omp for schedule(dynamic)
                for (int64_t tc7 = 96 * max64(0, floor_div(48 * c0, 96)); tc7 < N; tc7 += 96) {
                    if (failed == 0) {
                        for (int64_t tc4 = 240 * max64(0, floor_div(48 * c0 - 48, 240));
                             tc4 <= 48 * c0;
                             tc4 += 240) {
                            /* packed_P = P[b-1,k,j], as the tile reads it, 8 after 8 */
                            if (tc4 < 48 * c0) {
                                for (int64_t rc7
                                         = 8
                                         * max64(max64(6, floor_div(48 * c0, 8)), floor_div(tc7 + 7, 8));
                                     rc7 <= min64(N - 1, tc7 + 88);
                                     rc7 += 8) {
                                    if (rc7 <= N - 8 && 48 * c0 <= rc7) {
                                        for (int64_t c4 = max64(48 * c0 - 48, tc4);
                                             c4 <= min64(48 * c0 - 1, tc4 + 239);
                                             c4++) {
                                            for (int64_t c7 = rc7; c7 < rc7 + 8; c7++) {
                                                packed_P[(rc7 - tc7) * 240 + (c4 - tc4) * 8 + c7 - rc7]
                                                    = R[c4 * N + c7];
                                            }
                                        }
                                    } else {
                                        for (int64_t c4 = max64(48 * c0 - 48, tc4);
                                             c4 <= min64(48 * c0 - 1, tc4 + 239);
                                             c4++) {
                                            for (int64_t c7 = max64(48 * c0, rc7);
                                                 c7 < min64(N, rc7 + 8);
                                                 c7++) {
                                                packed_P[(rc7 - tc7) * 240 + (c4 - tc4) * 8 + c7 - rc7]
                                                    = R[c4 * N + c7];
                                            }
                                        }
                                    }
                                }
                            }
                            for (int64_t tc8 = 0; tc8 < M; tc8 += 72) {
                                /* packed_Q = Q[i,k], as the tile reads it, 6 after 6 */
                                if (tc4 < 48 * c0) {
                                    for (int64_t rc8 = tc8; rc8 <= min64(M - 1, tc8 + 66); rc8 += 6) {
                                        if (rc8 <= M - 6) {
                                            for (int64_t c4 = max64(48 * c0 - 48, tc4);
                                                 c4 <= min64(48 * c0 - 1, tc4 + 239);
                                                 c4++) {
                                                for (int64_t c8 = rc8; c8 < rc8 + 6; c8++) {
                                                    packed_Q[(rc8 - tc8) * 240 + (c4 - tc4) * 6 + c8 - rc8]
                                                        = Q[c8 * N + c4];
                                                }
                                            }
                                        } else {
                                            for (int64_t c4 = max64(48 * c0 - 48, tc4);
                                                 c4 <= min64(48 * c0 - 1, tc4 + 239);
                                                 c4++) {
                                                for (int64_t c8 = rc8; c8 < min64(M, rc8 + 6); c8++) {
                                                    packed_Q[(rc8 - tc8) * 240 + (c4 - tc4) * 6 + c8 - rc8]
                                                        = Q[c8 * N + c4];
                                                }
                                            }
                                        }
                                    }
                                }
                                for (int64_t rc7 = 8 * floor_div(max64(48 * c0, tc7 + 7), 8);
                                     rc7 <= min64(N - 1, tc7 + 88);
                                     rc7 += 8) {
                                    for (int64_t rc8 = tc8; rc8 <= min64(M - 1, tc8 + 66); rc8 += 6) {
                                        if (rc7 <= N - 8 && rc8 <= M - 6) {
                                            if (tc4 <= 48 * c0 - 48 && rc7 < 48 * c0) {
                                                /* NR_W[b,i,j] = Q[i,k] * P[b-1,k,j], some of 8 x 6 */
                                                const int64_t k = 48 * c0 - 48;
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 8; s++) {
                                                        if (r + rc8 < M && rc7 + s < N
                                                            && 48 * c0 <= rc7 + s) {
                                                            taken[(r + rc8) * (N - 48) + rc7 + s - 48]
                                                                = 0
                                                                + packed_Q[(rc8 - tc8) * 240 + (k - tc4) * 6
                                                                + r]
                                                                * packed_P[(rc7 - tc7) * 240 + (k - tc4) * 8
                                                                + s];
                                                        }
                                                    }
                                                }
                                            }
                                            if (rc7 < 48 * c0) {
                                                {
                                                    /* NR_W[b,i,j] += Q[i,k] * P[b-1,k,j], some of 8 x 6 */
                                                    double4 sum[6][2];
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            sum[r][s] = (double4){0};
                                                        }
                                                    }
                                                    for (int64_t c4 = max64(48 * c0 - 47, tc4);
                                                         c4 < min64(48 * c0, tc4 + 240);
                                                         c4++) {
                                                        for (int64_t r = 0; r < 6; r++) {
                                                            for (int64_t s = 0; s < 2; s++) {
                                                                sum[r][s] += packed_Q[(rc8 - tc8) * 240
                                                                    + (c4 - tc4) * 6 + r]
                                                                    * *(const double4 *)&packed_P[(rc7 - tc7)
                                                                    * 240 + (c4 - tc4) * 8 + 4 * s];
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
                                                            if (r + rc8 < M && rc7 + s < N
                                                                && 48 * c0 <= rc7 + s) {
                                                                taken[(r + rc8) * (N - 48) + rc7 + s
                                                                    - 48] += sums[r][s];
                                                            }
                                                        }
                                                    }
                                                }
                                                if (48 * c0 <= tc4 + 239) {
                                                    for (int64_t c7 = 48 * c0; c7 < rc7 + 8; c7++) {
                                                        for (int64_t c8 = rc8; c8 < rc8 + 6; c8++) {
                                                            /* W[b,i,j] = W[b-1,i,j] - NR_W[b,i,j] */
                                                            Q[c8 * N + c7] = Q[c8 * N + c7]
                                                                - taken[c8 * (N - 48) + c7 - 48];
                                                        }
                                                    }
                                                }
                                            } else {
                                                if (tc4 <= 48 * c0 - 48) {
                                                    /* NR_W[b,i,j] = Q[i,k] * P[b-1,k,j], 8 x 6 */
                                                    const int64_t k = 48 * c0 - 48;
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            *(double4 *)&taken[(r + rc8) * (N - 48) + rc7
                                                                + 4 * s - 48] = 0
                                                                + packed_Q[(rc8 - tc8) * 240 + (k - tc4) * 6
                                                                + r]
                                                                * *(const double4 *)&packed_P[(rc7 - tc7)
                                                                * 240 + (k - tc4) * 8 + 4 * s];
                                                        }
                                                    }
                                                }
                                                if (max64(48 * c0 - 47, tc4)
                                                    < min64(48 * c0, tc4 + 240)) {
                                                    /* NR_W[b,i,j] += Q[i,k] * P[b-1,k,j], 8 x 6 */
                                                    double4 sum[6][2];
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            sum[r][s] = (double4){0};
                                                            __builtin_prefetch(&taken[(r + rc8) * (N - 48)
                                                                + rc7 + 4 * s - 48], 1);
                                                        }
                                                    }
                                                    for (int64_t c4 = max64(48 * c0 - 47, tc4);
                                                         c4 < min64(48 * c0, tc4 + 240);
                                                         c4++) {
                                                        for (int64_t r = 0; r < 6; r++) {
                                                            for (int64_t s = 0; s < 2; s++) {
                                                                sum[r][s] += packed_Q[(rc8 - tc8) * 240
                                                                    + (c4 - tc4) * 6 + r]
                                                                    * *(const double4 *)&packed_P[(rc7 - tc7)
                                                                    * 240 + (c4 - tc4) * 8 + 4 * s];
                                                            }
                                                        }
                                                    }
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            *(double4 *)&taken[(r + rc8) * (N - 48) + rc7
                                                                + 4 * s - 48] += sum[r][s];
                                                        }
                                                    }
                                                }
                                                if (c0 >= 1 && 48 * c0 <= tc4 + 239) {
                                                    /* W[b,i,j] = W[b-1,i,j] - NR_W[b,i,j], 8 x 6 */
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            *(double4 *)&Q[(r + rc8) * N + rc7 + 4 * s]
                                                                = *(double4 *)&Q[(r + rc8) * N + rc7 + 4 * s]
                                                                - *(double4 *)&taken[(r + rc8) * (N - 48)
                                                                + rc7 + 4 * s - 48];
                                                        }
                                                    }
                                                } else if (c0 == 0 && tc4 == 0) {
                                                    /* W[b,i,j] = A[i,j], 8 x 6 */
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            *(double4 *)&Q[(r + rc8) * N + rc7 + 4 * s]
                                                                = *(const double4 *)&A[(r + rc8) * N + rc7
                                                                + 4 * s];
                                                        }
                                                    }
                                                }
                                            }
                                        } else {
                                            if (tc4 <= 48 * c0 - 48) {
                                                /* NR_W[b,i,j] = Q[i,k] * P[b-1,k,j], some of 8 x 6 */
                                                const int64_t k = 48 * c0 - 48;
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 8; s++) {
                                                        if (r + rc8 < M && rc7 + s < N
                                                            && 48 * c0 <= rc7 + s) {
                                                            taken[(r + rc8) * (N - 48) + rc7 + s - 48]
                                                                = 0
                                                                + packed_Q[(rc8 - tc8) * 240 + (k - tc4) * 6
                                                                + r]
                                                                * packed_P[(rc7 - tc7) * 240 + (k - tc4) * 8
                                                                + s];
                                                        }
                                                    }
                                                }
                                            }
                                            if (max64(48 * c0 - 47, tc4) < min64(48 * c0, tc4 + 240)) {
                                                /* NR_W[b,i,j] += Q[i,k] * P[b-1,k,j], some of 8 x 6 */
                                                double4 sum[6][2];
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] = (double4){0};
                                                    }
                                                }
                                                for (int64_t c4 = max64(48 * c0 - 47, tc4);
                                                     c4 < min64(48 * c0, tc4 + 240);
                                                     c4++) {
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            sum[r][s] += packed_Q[(rc8 - tc8) * 240
                                                                + (c4 - tc4) * 6 + r]
                                                                * *(const double4 *)&packed_P[(rc7 - tc7)
                                                                * 240 + (c4 - tc4) * 8 + 4 * s];
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
                                                        if (r + rc8 < M && rc7 + s < N
                                                            && 48 * c0 <= rc7 + s) {
                                                            taken[(r + rc8) * (N - 48) + rc7 + s
                                                                - 48] += sums[r][s];
                                                        }
                                                    }
                                                }
                                            }
                                            if (c0 >= 1 && 48 * c0 <= tc4 + 239) {
                                                for (int64_t c7 = max64(48 * c0, rc7);
                                                     c7 < min64(N, rc7 + 8);
                                                     c7++) {
                                                    for (int64_t c8 = rc8; c8 < min64(M, rc8 + 6); c8++) {
                                                        /* W[b,i,j] = W[b-1,i,j] - NR_W[b,i,j] */
                                                        Q[c8 * N + c7] = Q[c8 * N + c7]
                                                            - taken[c8 * (N - 48) + c7 - 48];
                                                    }
                                                }
                                            } else if (c0 == 0 && tc4 == 0) {
                                                for (int64_t c7 = rc7; c7 < min64(N, rc7 + 8); c7++) {
                                                    for (int64_t c8 = rc8; c8 < min64(M, rc8 + 6); c8++) {
                                                        /* W[b,i,j] = A[i,j] */
                                                        Q[c8 * N + c7] = A[c8 * N + c7];
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                if (failed != 0) {
                    set_status(status, failed);
                }
                free(packed_P);
                free(packed_Q);
            }
        }
        for (int64_t c2 = 48 * c0; c2 <= min64(N - 1, 48 * c0 + 47); c2++) {
            /* NR_norm[b,k] = the identity of + */
            norm[c2] = 0;
            {
                /* NR_norm[b,k] += V[b,k,i,k] * V[b,k,i,k] */
                double sum = norm[c2];
                for (int64_t c5 = 0; c5 < M; c5++) {
                    sum += Q[c5 * N + c2] * Q[c5 * N + c2];
                }
                norm[c2] = sum;
            }
            /* norm[b,k] = sqrt(NR_norm[b,k]) */
            norm[c2] = sqrt(norm[c2]);
            for (int64_t c5 = 0; c5 < M; c5++) {
                /* Q[i,k] = V[b,k,i,k] / norm[b,k] */
                Q[c5 * N + c2] = 0 + Q[c5 * N + c2] / norm[c2];
            }
            if (c2 <= N - 2 && c2 <= 48 * c0 + 46) {
                for (int64_t c6 = c2 + 1; c6 <= min64(N - 1, 48 * c0 + 47); c6++) {
                    /* S[b,k,j] = the identity of + */
                    R[c2 * N + c6] = 0;
                }
                for (int64_t c5 = 0; c5 < M; c5++) {
                    #pragma omp simd
                    for (int64_t c6 = c2 + 1; c6 <= min64(N - 1, 48 * c0 + 47); c6++) {
                        /* S[b,k,j] += Q[i,k] * V[b,k,i,j] */
                        R[c2 * N + c6] += Q[c5 * N + c2] * Q[c5 * N + c6];
                    }
                }
                for (int64_t c5 = 0; c5 < M; c5++) {
                    #pragma omp simd
                    for (int64_t c6 = c2 + 1; c6 <= min64(N - 1, 48 * c0 + 47); c6++) {
                        /* V[b,k,i,j] = V[b,k-1,i,j] - Q[i,k-1] * S[b,k-1,j] */
                        const int64_t k = c2 + 1;
                        Q[c5 * N + c6] = Q[c5 * N + c6] - Q[c5 * N + k - 1] * R[(k - 1) * N + c6];
                    }
                }
            }
        }
        if (48 * c0 <= N - 49) {
            #pragma omp parallel
            {
                /* Buffers of each thread. */
                const int64_t packed_W_size0 = min64(96, floor_div(N + 7, 8) * 8);
                const int64_t packed_Q_2_size0 = min64(72, floor_div(-((N - 1) % 48) + N + 4, 6) * 6);
                int failed_2 = 0;
                double *packed_W
                    = allocate(&failed_2, sizeof(double), 2, (const int64_t[]){packed_W_size0, 240});
                double *packed_Q_2
                    = allocate(&failed_2, sizeof(double), 2, (const int64_t[]){packed_Q_2_size0, 240});
                if (failed_2 == 0) {
                    for (int64_t at_2 = 0; at_2 < packed_W_size0 * 240; at_2++) {
                        packed_W[at_2] = 0;
                    }
                    for (int64_t at_2 = 0; at_2 < packed_Q_2_size0 * 240; at_2++) {
                        packed_Q_2[at_2] = 0;
                    }
                }
                #pragma omp for schedule(dynamic)
                for (int64_t tc7 = 96 * max64(0, floor_div(48 * c0 + 48, 96)); tc7 < N; tc7 += 96) {
                    if (failed_2 == 0) {
                        for (int64_t tc4 = 0; tc4 < M; tc4 += 240) {
                            /* packed_W = W[b,i,j], as the tile reads it, 8 after 8 */
                            for (int64_t rc7
                                     = 8
                                     * max64(max64(6, floor_div(48 * c0 + 48, 8)), floor_div(tc7 + 7, 8));
                                 rc7 <= min64(N - 1, tc7 + 88);
                                 rc7 += 8) {
                                if (48 * c0 <= rc7 - 48 && rc7 <= N - 8) {
                                    for (int64_t c4 = tc4; c4 <= min64(M - 1, tc4 + 239); c4++) {
                                        for (int64_t c7 = rc7; c7 < rc7 + 8; c7++) {
                                            packed_W[(rc7 - tc7) * 240 + (c4 - tc4) * 8 + c7 - rc7]
                                                = Q[c4 * N + c7];
                                        }
                                    }
                                } else {
                                    for (int64_t c4 = tc4; c4 <= min64(M - 1, tc4 + 239); c4++) {
                                        for (int64_t c7 = max64(48 * c0 + 48, rc7);
                                             c7 < min64(N, rc7 + 8);
                                             c7++) {
                                            packed_W[(rc7 - tc7) * 240 + (c4 - tc4) * 8 + c7 - rc7]
                                                = Q[c4 * N + c7];
                                        }
                                    }
                                }
                            }
                            for (int64_t tc8 = 72 * max64(0, floor_div(48 * c0, 72));
                                 tc8 <= 48 * c0 + 47;
                                 tc8 += 72) {
                                /* packed_Q_2 = Q[i,k], as the tile reads it, 6 after 6 */
                                for (int64_t rc8 = 6 * floor_div(max64(48 * c0, tc8 + 5), 6);
                                     rc8 <= min64(48 * c0 + 47, tc8 + 66);
                                     rc8 += 6) {
                                    if (48 * c0 <= rc8 && rc8 <= 48 * c0 + 42) {
                                        for (int64_t c4 = tc4; c4 <= min64(M - 1, tc4 + 239); c4++) {
                                            for (int64_t c8 = rc8; c8 < rc8 + 6; c8++) {
                                                packed_Q_2[(rc8 - tc8) * 240 + (c4 - tc4) * 6 + c8 - rc8]
                                                    = Q[c4 * N + c8];
                                            }
                                        }
                                    } else {
                                        for (int64_t c4 = tc4; c4 <= min64(M - 1, tc4 + 239); c4++) {
                                            for (int64_t c8 = max64(48 * c0, rc8);
                                                 c8 < min64(48 * c0 + 48, rc8 + 6);
                                                 c8++) {
                                                packed_Q_2[(rc8 - tc8) * 240 + (c4 - tc4) * 6 + c8 - rc8]
                                                    = Q[c4 * N + c8];
                                            }
                                        }
                                    }
                                }
                                for (int64_t rc7
                                         = 8
                                         * max64(max64(6, floor_div(48 * c0 + 48, 8)),
                                         floor_div(tc7 + 7, 8));
                                     rc7 <= min64(N - 1, tc7 + 88);
                                     rc7 += 8) {
                                    for (int64_t rc8 = 6 * floor_div(max64(48 * c0, tc8 + 5), 6);
                                         rc8 <= min64(48 * c0 + 47, tc8 + 66);
                                         rc8 += 6) {
                                        if (48 * c0 <= rc7 - 48 && rc7 <= N - 8 && 48 * c0 <= rc8
                                            && rc8 <= 48 * c0 + 42) {
                                            if (tc4 == 0) {
                                                /* P[b,k,j] = Q[i,k] * W[b,i,j], 8 x 6 */
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        *(double4 *)&R[(r + rc8) * N + rc7 + 4 * s]
                                                            = 0 + packed_Q_2[(rc8 - tc8) * 240 - tc4 * 6 + r]
                                                            * *(const double4 *)&packed_W[(rc7 - tc7) * 240
                                                            - tc4 * 8 + 4 * s];
                                                    }
                                                }
                                            }
                                            {
                                                /* P[b,k,j] += Q[i,k] * W[b,i,j], 8 x 6 */
                                                double4 sum[6][2];
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] = (double4){0};
                                                        __builtin_prefetch(&R[(r + rc8) * N + rc7 + 4 * s],
                                                            1);
                                                    }
                                                }
                                                for (int64_t c4 = max64(1, tc4);
                                                     c4 < min64(M, tc4 + 240);
                                                     c4++) {
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            sum[r][s] += packed_Q_2[(rc8 - tc8) * 240
                                                                + (c4 - tc4) * 6 + r]
                                                                * *(const double4 *)&packed_W[(rc7 - tc7)
                                                                * 240 + (c4 - tc4) * 8 + 4 * s];
                                                        }
                                                    }
                                                }
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        *(double4 *)&R[(r + rc8) * N + rc7
                                                            + 4 * s] += sum[r][s];
                                                    }
                                                }
                                            }
                                        } else {
                                            if (tc4 == 0) {
                                                /* P[b,k,j] = Q[i,k] * W[b,i,j], some of 8 x 6 */
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 8; s++) {
                                                        if (48 * c0 <= r + rc8
                                                            && r + rc8 <= 48 * c0 + 47
                                                            && 48 * c0 <= rc7 + s - 48
                                                            && rc7 + s < N) {
                                                            R[(r + rc8) * N + rc7 + s]
                                                                = 0
                                                                + packed_Q_2[(rc8 - tc8) * 240 - tc4 * 6 + r]
                                                                * packed_W[(rc7 - tc7) * 240 - tc4 * 8 + s];
                                                        }
                                                    }
                                                }
                                            }
                                            {
                                                /* P[b,k,j] += Q[i,k] * W[b,i,j], some of 8 x 6 */
                                                double4 sum[6][2];
                                                for (int64_t r = 0; r < 6; r++) {
                                                    for (int64_t s = 0; s < 2; s++) {
                                                        sum[r][s] = (double4){0};
                                                    }
                                                }
                                                for (int64_t c4 = max64(1, tc4);
                                                     c4 < min64(M, tc4 + 240);
                                                     c4++) {
                                                    for (int64_t r = 0; r < 6; r++) {
                                                        for (int64_t s = 0; s < 2; s++) {
                                                            sum[r][s] += packed_Q_2[(rc8 - tc8) * 240
                                                                + (c4 - tc4) * 6 + r]
                                                                * *(const double4 *)&packed_W[(rc7 - tc7)
                                                                * 240 + (c4 - tc4) * 8 + 4 * s];
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
                                                        if (48 * c0 <= r + rc8
                                                            && r + rc8 <= 48 * c0 + 47
                                                            && 48 * c0 <= rc7 + s - 48
                                                            && rc7 + s < N) {
                                                            R[(r + rc8) * N + rc7 + s] += sums[r][s];
                                                        }
                                                    }
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
                free(packed_W);
                free(packed_Q_2);
            }
        }
        if (c0 == N) {
            for (int64_t c5 = 0; c5 < N; c5++) {
                /* R[k,j] = norm[b,k] */
                R[c5 * N + c5] = 0 + norm[c5];
                for (int64_t c6 = c5 + 1; c6 <= min64(N - 1, c5 + 47); c6++) {
                    if ((c6 + 48) % 48 + c5 >= c6) {
                        /* R[k,j] = S[b,k,j] */
                        R[c5 * N + c6] = 0 + R[c5 * N + c6];
                    }
                }
                #pragma omp simd
                for (int64_t c6 = -(c5 % 48) + c5 + 48; c6 < N; c6++) {
                    /* R[k,j] = P[b,k,j] */
                    R[c5 * N + c6] = 0 + R[c5 * N + c6];
                }
            }
        }
    }
}
