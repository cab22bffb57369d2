static void optimal_search_tree_loops(
    int64_t N, const long *restrict w, long *restrict cost, long *restrict W, long *restrict C,
    long *restrict NR_C_1, long *restrict NR_C_2)
{
    for (int64_t i = 1; i <= N; i++) {
        for (int64_t j = i; j <= min64(N, i + 31); j++) {
            /* NR_C, where min has nothing to combine */
            C[(i - 1) * (N + 1) + j] = LONG_MAX;
        }
    }

    for (int64_t wc4 = -1; wc4 <= N / 64; wc4++) {
        #pragma omp parallel for
        for (int64_t nj = max64(0, wc4); nj <= N / 64; nj++) {
            const int64_t tc4 = 64 * wc4 - 64 * nj;
            const int64_t tj = 64 * nj;
            for (int64_t rc4 = 16 * floor_div(max64(max64(-N - 1, tc4 + 15), -tj - 64), 16);
                 rc4 <= min64(0, tc4 + 48);
                 rc4 += 16) {
                for (int64_t rj = 16 * floor_div(max64(tj + 15, -rc4 - 16), 16);
                     rj <= min64(N, tj + 48);
                     rj += 16) {
                    if (rc4 <= -16 && rc4 + rj >= 33 && rj <= N - 15) {
                        for (int64_t c1 = -rc4 + 1; c1 < -rc4 + 17; c1++) {
                            #pragma omp simd
                            for (int64_t j = rj; j < rj + 16; j++) {
                                /* NR_C[i,j] = C[i,r-1] + C[r+1,j] */
                                const int64_t i = c1 - 16;
                                C[(i - 1) * (N + 1) + j] = C[(i - 1) * (N + 1) + c1 - 1]
                                    + C[c1 * (N + 1) + j];
                            }
                            for (int64_t c4 = -c1 + 17; c4 < rc4 + 16; c4++) {
                                #pragma omp simd
                                for (int64_t j = rj; j < rj + 16; j++) {
                                    /* NR_C[i,j] min= C[i,r-1] + C[r+1,j] */
                                    const int64_t i = -c4;
                                    C[(i - 1) * (N + 1) + j]
                                        = min_long(C[(i - 1) * (N + 1) + j],
                                        C[(i - 1) * (N + 1) + c1 - 1] + C[c1 * (N + 1) + j]);
                                }
                            }
                        }
                        {
                            const int64_t i = -rc4;
                            /* NR_C[i,j] min= C[i,r-1] + C[r+1,j], 16 x 16 */
                            long least[16][16];
                            for (int64_t r = 0; r < 16; r++) {
                                for (int64_t s = 0; s < 16; s++) {
                                    least[r][s] = C[(i - r - 1) * (N + 1) + rj + s];
                                }
                            }
                            for (int64_t c1 = -rc4 + 17; c1 < rj - 15; c1++) {
                                for (int64_t r = 0; r < 16; r++) {
                                    for (int64_t s = 0; s < 16; s++) {
                                        least[r][s]
                                            = min_long(least[r][s],
                                            C[(i - r - 1) * (N + 1) + c1 - 1] + C[c1 * (N + 1) + rj + s]);
                                    }
                                }
                            }
                            for (int64_t r = 0; r < 16; r++) {
                                for (int64_t s = 0; s < 16; s++) {
                                    C[(i - r - 1) * (N + 1) + rj + s] = least[r][s];
                                }
                            }
                        }
                        for (int64_t c1 = rj - 15; c1 < rj; c1++) {
                            for (int64_t c4 = rc4; c4 < rc4 + 16; c4++) {
                                #pragma omp simd
                                for (int64_t j = c1 + 16; j < rj + 16; j++) {
                                    /* NR_C[i,j] min= C[i,r-1] + C[r+1,j] */
                                    const int64_t i = -c4;
                                    C[(i - 1) * (N + 1) + j]
                                        = min_long(C[(i - 1) * (N + 1) + j],
                                        C[(i - 1) * (N + 1) + c1 - 1] + C[c1 * (N + 1) + j]);
                                }
                            }
                        }
                        for (int64_t c1 = rc4; c1 < rc4 + 16; c1++) {
                            for (int64_t j = rj; j < rj + 16; j++) {
                                /* NR_C_2[i,j] = the identity of min */
                                NR_C_2[j - 1] = LONG_MAX;
                            }
                            const int64_t i = -c1;
                            #pragma omp simd
                            for (int64_t j = rj; j < rj + 16; j++) {
                                /* NR_C_1[i,j] = C[i,r-1] + C[r+1,j] */
                                const int64_t r = -c1;
                                NR_C_1[j - 1] = C[(i - 1) * (N + 1) + r - 1] + C[r * (N + 1) + j];
                            }
                            for (int64_t c2 = -c1 + 1; c2 <= -c1 + 15; c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j < rj + 16; j++) {
                                    /* NR_C_1[i,j] min= C[i,r-1] + C[r+1,j] */
                                    NR_C_1[j - 1]
                                        = min_long(NR_C_1[j - 1],
                                        C[(i - 1) * (N + 1) + c2 - 1] + C[c2 * (N + 1) + j]);
                                }
                            }
                            for (int64_t c2 = rj - 15; c2 < rj; c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j <= c2 + 15; j++) {
                                    /* NR_C_2[i,j] min= C[i,r-1] + C[r+1,j] */
                                    NR_C_2[j - 1]
                                        = min_long(NR_C_2[j - 1],
                                        C[(i - 1) * (N + 1) + c2 - 1] + C[c2 * (N + 1) + j]);
                                }
                            }
                            for (int64_t c2 = rj; c2 < rj + 16; c2++) {
                                /* W[i,j] = W[i,j-1] + w[j] */
                                W[i - 1] = W[i - 1] + w[c2 - 1];
                                #pragma omp simd
                                for (int64_t j = c2; j < rj + 16; j++) {
                                    /* NR_C_2[i,j] min= C[i,r-1] + C[r+1,j] */
                                    NR_C_2[j - 1]
                                        = min_long(NR_C_2[j - 1],
                                        C[(i - 1) * (N + 1) + c2 - 1] + C[c2 * (N + 1) + j]);
                                }
                                /* C[i,j] = W[i,j] + NR_C[i,j] min (NR_C_1[i,j] min NR_C_2[i,j]) */
                                C[(i - 1) * (N + 1) + c2]
                                    = W[i - 1]
                                    + min_long(C[(i - 1) * (N + 1) + c2],
                                    min_long(NR_C_1[c2 - 1], NR_C_2[c2 - 1]));
                            }
                        }
                    } else {
                        for (int64_t c1 = max64(17, -rc4 + 1);
                             c1 < min64(min64(N - 15, -rc4 + 17), rj);
                             c1++) {
                            #pragma omp simd
                            for (int64_t j = max64(rj, c1 + 16); j < min64(N + 1, rj + 16); j++) {
                                /* NR_C[i,j] = C[i,r-1] + C[r+1,j] */
                                const int64_t i = c1 - 16;
                                C[(i - 1) * (N + 1) + j] = C[(i - 1) * (N + 1) + c1 - 1]
                                    + C[c1 * (N + 1) + j];
                            }
                            for (int64_t c4 = -c1 + 17; c4 < min64(0, rc4 + 16); c4++) {
                                #pragma omp simd
                                for (int64_t j = max64(rj, c1 + 16); j < min64(N + 1, rj + 16); j++) {
                                    /* NR_C[i,j] min= C[i,r-1] + C[r+1,j] */
                                    const int64_t i = -c4;
                                    C[(i - 1) * (N + 1) + j]
                                        = min_long(C[(i - 1) * (N + 1) + j],
                                        C[(i - 1) * (N + 1) + c1 - 1] + C[c1 * (N + 1) + j]);
                                }
                            }
                        }
                        for (int64_t c1 = -rc4 + 17; c1 < min64(N - 15, rj); c1++) {
                            for (int64_t c4 = rc4; c4 < min64(0, rc4 + 16); c4++) {
                                #pragma omp simd
                                for (int64_t j = max64(rj, c1 + 16); j < min64(N + 1, rj + 16); j++) {
                                    /* NR_C[i,j] min= C[i,r-1] + C[r+1,j] */
                                    const int64_t i = -c4;
                                    C[(i - 1) * (N + 1) + j]
                                        = min_long(C[(i - 1) * (N + 1) + j],
                                        C[(i - 1) * (N + 1) + c1 - 1] + C[c1 * (N + 1) + j]);
                                }
                            }
                        }
                        if (N + rc4 <= -1 && N <= rj + 14) {
                            /* C[i,j] = 0 */
                            const int64_t i = N + 1;
                            C[(i - 1) * (N + 1) + N] = 0;
                        } else if (rc4 + rj <= -16 && rj <= N - 15) {
                            /* C[i,j] = 0 */
                            const int64_t i = rj + 16;
                            const int64_t j_2 = rj + 15;
                            C[(i - 1) * (N + 1) + j_2] = 0;
                        }
                        for (int64_t c1 = max64(max64(-N, rc4), -rj - 15); c1 < min64(rc4 + 16, -rj); c1++) {
                            const int64_t i = -c1;
                            {
                                /* C[i,j] = 0 */
                                const int64_t j_2 = -c1 - 1;
                                C[(i - 1) * (N + 1) + j_2] = 0;
                            }
                            {
                                /* W[i,j] = w[j] */
                                const int64_t j_2 = -c1;
                                W[i - 1] = w[j_2 - 1];
                            }
                            for (int64_t j = -c1; j < min64(N + 1, rj + 16); j++) {
                                /* NR_C_2[i,j] = the identity of min */
                                NR_C_2[j - 1] = LONG_MAX;
                            }
                            #pragma omp simd
                            for (int64_t j = -c1; j < min64(N + 1, rj + 16); j++) {
                                /* NR_C_1[i,j] = C[i,r-1] + C[r+1,j] */
                                const int64_t r = -c1;
                                NR_C_1[j - 1] = C[(i - 1) * (N + 1) + r - 1] + C[r * (N + 1) + j];
                            }
                            {
                                /* C[i,j] = W[i,j] + NR_C[i,j] min (NR_C_1[i,j] min NR_C_2[i,j]) */
                                const int64_t j_2 = -c1;
                                C[(i - 1) * (N + 1) + j_2]
                                    = W[i - 1]
                                    + min_long(C[(i - 1) * (N + 1) + j_2],
                                    min_long(NR_C_1[j_2 - 1], NR_C_2[j_2 - 1]));
                            }
                            for (int64_t c2 = -c1 + 1; c2 < min64(N + 1, rj + 16); c2++) {
                                /* W[i,j] = W[i,j-1] + w[j] */
                                W[i - 1] = W[i - 1] + w[c2 - 1];
                                #pragma omp simd
                                for (int64_t j = c2; j < min64(N + 1, rj + 16); j++) {
                                    /* NR_C_1[i,j] min= C[i,r-1] + C[r+1,j] */
                                    NR_C_1[j - 1]
                                        = min_long(NR_C_1[j - 1],
                                        C[(i - 1) * (N + 1) + c2 - 1] + C[c2 * (N + 1) + j]);
                                }
                                /* C[i,j] = W[i,j] + NR_C[i,j] min (NR_C_1[i,j] min NR_C_2[i,j]) */
                                C[(i - 1) * (N + 1) + c2]
                                    = W[i - 1]
                                    + min_long(C[(i - 1) * (N + 1) + c2],
                                    min_long(NR_C_1[c2 - 1], NR_C_2[c2 - 1]));
                            }
                        }
                        if (rj >= 1 && rc4 + rj <= 0 && rc4 + rj >= -15) {
                            /* W[i,j] = w[j] */
                            W[rj - 1] = w[rj - 1];
                            for (int64_t j = rj; j < min64(N + 1, rj + 16); j++) {
                                /* NR_C_2[i,j] = the identity of min */
                                NR_C_2[j - 1] = LONG_MAX;
                            }
                            #pragma omp simd
                            for (int64_t j = rj; j < min64(N + 1, rj + 16); j++) {
                                /* NR_C_1[i,j] = C[i,r-1] + C[r+1,j] */
                                NR_C_1[j - 1] = C[(rj - 1) * (N + 1) + rj - 1] + C[rj * (N + 1) + j];
                            }
                            /* C[i,j] = W[i,j] + NR_C[i,j] min (NR_C_1[i,j] min NR_C_2[i,j]) */
                            C[(rj - 1) * (N + 1) + rj]
                                = W[rj - 1]
                                + min_long(C[(rj - 1) * (N + 1) + rj],
                                min_long(NR_C_1[rj - 1], NR_C_2[rj - 1]));
                            for (int64_t c2 = rj + 1; c2 < min64(N + 1, rj + 16); c2++) {
                                /* W[i,j] = W[i,j-1] + w[j] */
                                W[rj - 1] = W[rj - 1] + w[c2 - 1];
                                #pragma omp simd
                                for (int64_t j = c2; j < min64(N + 1, rj + 16); j++) {
                                    /* NR_C_1[i,j] min= C[i,r-1] + C[r+1,j] */
                                    NR_C_1[j - 1]
                                        = min_long(NR_C_1[j - 1],
                                        C[(rj - 1) * (N + 1) + c2 - 1] + C[c2 * (N + 1) + j]);
                                }
                                /* C[i,j] = W[i,j] + NR_C[i,j] min (NR_C_1[i,j] min NR_C_2[i,j]) */
                                C[(rj - 1) * (N + 1) + c2]
                                    = W[rj - 1]
                                    + min_long(C[(rj - 1) * (N + 1) + c2],
                                    min_long(NR_C_1[c2 - 1], NR_C_2[c2 - 1]));
                            }
                        }
                        for (int64_t c1 = max64(rc4, -rj + 1); c1 < min64(0, rc4 + 16); c1++) {
                            for (int64_t j = rj; j < min64(N + 1, rj + 16); j++) {
                                /* NR_C_2[i,j] = the identity of min */
                                NR_C_2[j - 1] = LONG_MAX;
                            }
                            const int64_t i = -c1;
                            #pragma omp simd
                            for (int64_t j = rj; j < min64(N + 1, rj + 16); j++) {
                                /* NR_C_1[i,j] = C[i,r-1] + C[r+1,j] */
                                const int64_t r = -c1;
                                NR_C_1[j - 1] = C[(i - 1) * (N + 1) + r - 1] + C[r * (N + 1) + j];
                            }
                            for (int64_t c2 = -c1 + 1; c2 < min64(rj, -c1 + 16); c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j < min64(N + 1, rj + 16); j++) {
                                    /* NR_C_1[i,j] min= C[i,r-1] + C[r+1,j] */
                                    NR_C_1[j - 1]
                                        = min_long(NR_C_1[j - 1],
                                        C[(i - 1) * (N + 1) + c2 - 1] + C[c2 * (N + 1) + j]);
                                }
                            }
                            for (int64_t c2 = rj; c2 <= min64(N, -c1 + 15); c2++) {
                                /* W[i,j] = W[i,j-1] + w[j] */
                                W[i - 1] = W[i - 1] + w[c2 - 1];
                                #pragma omp simd
                                for (int64_t j = c2; j < min64(N + 1, rj + 16); j++) {
                                    /* NR_C_1[i,j] min= C[i,r-1] + C[r+1,j] */
                                    NR_C_1[j - 1]
                                        = min_long(NR_C_1[j - 1],
                                        C[(i - 1) * (N + 1) + c2 - 1] + C[c2 * (N + 1) + j]);
                                }
                                /* C[i,j] = W[i,j] + NR_C[i,j] min (NR_C_1[i,j] min NR_C_2[i,j]) */
                                C[(i - 1) * (N + 1) + c2]
                                    = W[i - 1]
                                    + min_long(C[(i - 1) * (N + 1) + c2],
                                    min_long(NR_C_1[c2 - 1], NR_C_2[c2 - 1]));
                            }
                            for (int64_t c2 = max64(rj - 15, -c1 + 16); c2 < rj; c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j <= min64(N, c2 + 15); j++) {
                                    /* NR_C_2[i,j] min= C[i,r-1] + C[r+1,j] */
                                    NR_C_2[j - 1]
                                        = min_long(NR_C_2[j - 1],
                                        C[(i - 1) * (N + 1) + c2 - 1] + C[c2 * (N + 1) + j]);
                                }
                            }
                            for (int64_t c2 = max64(rj, -c1 + 16); c2 < min64(N + 1, rj + 16); c2++) {
                                /* W[i,j] = W[i,j-1] + w[j] */
                                W[i - 1] = W[i - 1] + w[c2 - 1];
                                #pragma omp simd
                                for (int64_t j = c2; j < min64(N + 1, rj + 16); j++) {
                                    /* NR_C_2[i,j] min= C[i,r-1] + C[r+1,j] */
                                    NR_C_2[j - 1]
                                        = min_long(NR_C_2[j - 1],
                                        C[(i - 1) * (N + 1) + c2 - 1] + C[c2 * (N + 1) + j]);
                                }
                                /* C[i,j] = W[i,j] + NR_C[i,j] min (NR_C_1[i,j] min NR_C_2[i,j]) */
                                C[(i - 1) * (N + 1) + c2]
                                    = W[i - 1]
                                    + min_long(C[(i - 1) * (N + 1) + c2],
                                    min_long(NR_C_1[c2 - 1], NR_C_2[c2 - 1]));
                            }
                        }
                        if (rc4 >= -15 && N <= rj + 15) {
                            /* cost[] = C[1,N] */
                            *cost = C[N];
                        }
                    }
                }
            }
        }
    }
}
