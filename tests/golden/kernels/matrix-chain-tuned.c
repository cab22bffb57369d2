static void matrix_chain_loops(
    int64_t N, const long *restrict p, long *restrict best, long *restrict M, long *restrict NR_M_1,
    long *restrict NR_M_2)
{
    for (int64_t i = 1; i < N; i++) {
        for (int64_t j = i + 1; j <= min64(N, i + 32); j++) {
            /* NR_M, where min has nothing to combine */
            M[(i - 1) * N + j - 1] = LONG_MAX;
        }
    }

    for (int64_t wc4 = -1; wc4 <= N / 64; wc4++) {
        #pragma omp parallel for
        for (int64_t nj = max64(0, wc4); nj <= min64(wc4 + (N - 1) / 64 + 1, N / 64); nj++) {
            const int64_t tc4 = 64 * wc4 - 64 * nj;
            const int64_t tj = 64 * nj;
            for (int64_t rc4 = 16 * floor_div(max64(max64(-N, tc4 + 15), -tj - 63), 16);
                 rc4 <= min64(0, tc4 + 48);
                 rc4 += 16) {
                for (int64_t rj = 16 * floor_div(max64(tj + 15, -rc4 - 15), 16);
                     rj <= min64(N, tj + 48);
                     rj += 16) {
                    if (rc4 <= -16 && rc4 + rj >= 34 && rj <= N - 15) {
                        for (int64_t c1 = -rc4 + 1; c1 < -rc4 + 17; c1++) {
                            #pragma omp simd
                            for (int64_t j = rj; j < rj + 16; j++) {
                                /* NR_M[i,j] = M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                const int64_t i = c1 - 16;
                                M[(i - 1) * N + j - 1] = M[(i - 1) * N + c1 - 1] + M[c1 * N + j - 1]
                                    + p[i - 1] * p[c1] * p[j];
                            }
                            for (int64_t c4 = -c1 + 17; c4 < rc4 + 16; c4++) {
                                #pragma omp simd
                                for (int64_t j = rj; j < rj + 16; j++) {
                                    /* NR_M[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    const int64_t i = -c4;
                                    M[(i - 1) * N + j - 1]
                                        = min_long(M[(i - 1) * N + j - 1],
                                        M[(i - 1) * N + c1 - 1] + M[c1 * N + j - 1]
                                        + p[i - 1] * p[c1] * p[j]);
                                }
                            }
                        }
                        {
                            const int64_t i = -rc4;
                            /* NR_M[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j], 16 x 16 */
                            long least[16][16];
                            for (int64_t r = 0; r < 16; r++) {
                                for (int64_t s = 0; s < 16; s++) {
                                    least[r][s] = M[(i - r - 1) * N + rj + s - 1];
                                }
                            }
                            for (int64_t c1 = -rc4 + 17; c1 < rj - 16; c1++) {
                                for (int64_t r = 0; r < 16; r++) {
                                    for (int64_t s = 0; s < 16; s++) {
                                        least[r][s]
                                            = min_long(least[r][s],
                                            M[(i - r - 1) * N + c1 - 1] + M[c1 * N + rj + s - 1]
                                            + p[i - r - 1] * p[c1] * p[rj + s]);
                                    }
                                }
                            }
                            for (int64_t r = 0; r < 16; r++) {
                                for (int64_t s = 0; s < 16; s++) {
                                    M[(i - r - 1) * N + rj + s - 1] = least[r][s];
                                }
                            }
                        }
                        for (int64_t c1 = rj - 16; c1 < rj - 1; c1++) {
                            for (int64_t c4 = rc4; c4 < rc4 + 16; c4++) {
                                #pragma omp simd
                                for (int64_t j = c1 + 17; j < rj + 16; j++) {
                                    /* NR_M[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    const int64_t i = -c4;
                                    M[(i - 1) * N + j - 1]
                                        = min_long(M[(i - 1) * N + j - 1],
                                        M[(i - 1) * N + c1 - 1] + M[c1 * N + j - 1]
                                        + p[i - 1] * p[c1] * p[j]);
                                }
                            }
                        }
                        for (int64_t c1 = rc4; c1 < rc4 + 16; c1++) {
                            for (int64_t j = rj; j < rj + 16; j++) {
                                /* NR_M_2[i,j] = the identity of min */
                                NR_M_2[j - 2] = LONG_MAX;
                            }
                            const int64_t i = -c1;
                            #pragma omp simd
                            for (int64_t j = rj; j < rj + 16; j++) {
                                /* NR_M_1[i,j] = M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                const int64_t k = -c1;
                                NR_M_1[j - 2] = M[(i - 1) * N + k - 1] + M[k * N + j - 1]
                                    + p[i - 1] * p[k] * p[j];
                            }
                            for (int64_t c2 = -c1 + 1; c2 <= -c1 + 15; c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j < rj + 16; j++) {
                                    /* NR_M_1[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    NR_M_1[j - 2]
                                        = min_long(NR_M_1[j - 2],
                                        M[(i - 1) * N + c2 - 1] + M[c2 * N + j - 1]
                                        + p[i - 1] * p[c2] * p[j]);
                                }
                            }
                            for (int64_t c2 = rj - 16; c2 < rj; c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j <= c2 + 16; j++) {
                                    /* NR_M_2[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    NR_M_2[j - 2]
                                        = min_long(NR_M_2[j - 2],
                                        M[(i - 1) * N + c2 - 1] + M[c2 * N + j - 1]
                                        + p[i - 1] * p[c2] * p[j]);
                                }
                            }
                            for (int64_t c2 = rj; c2 < rj + 16; c2++) {
                                /* M[i,j] = NR_M[i,j] min (NR_M_1[i,j] min NR_M_2[i,j]) */
                                M[(i - 1) * N + c2 - 1]
                                    = min_long(M[(i - 1) * N + c2 - 1],
                                    min_long(NR_M_1[c2 - 2], NR_M_2[c2 - 2]));
                                #pragma omp simd
                                for (int64_t j = c2 + 1; j < rj + 16; j++) {
                                    /* NR_M_2[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    NR_M_2[j - 2]
                                        = min_long(NR_M_2[j - 2],
                                        M[(i - 1) * N + c2 - 1] + M[c2 * N + j - 1]
                                        + p[i - 1] * p[c2] * p[j]);
                                }
                            }
                        }
                    } else {
                        for (int64_t c1 = max64(17, -rc4 + 1);
                             c1 < min64(min64(N - 16, -rc4 + 17), rj - 1);
                             c1++) {
                            #pragma omp simd
                            for (int64_t j = max64(rj, c1 + 17); j < min64(N + 1, rj + 16); j++) {
                                /* NR_M[i,j] = M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                const int64_t i = c1 - 16;
                                M[(i - 1) * N + j - 1] = M[(i - 1) * N + c1 - 1] + M[c1 * N + j - 1]
                                    + p[i - 1] * p[c1] * p[j];
                            }
                            for (int64_t c4 = -c1 + 17; c4 < min64(0, rc4 + 16); c4++) {
                                #pragma omp simd
                                for (int64_t j = max64(rj, c1 + 17); j < min64(N + 1, rj + 16); j++) {
                                    /* NR_M[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    const int64_t i = -c4;
                                    M[(i - 1) * N + j - 1]
                                        = min_long(M[(i - 1) * N + j - 1],
                                        M[(i - 1) * N + c1 - 1] + M[c1 * N + j - 1]
                                        + p[i - 1] * p[c1] * p[j]);
                                }
                            }
                        }
                        for (int64_t c1 = -rc4 + 17; c1 < min64(N - 16, rj - 1); c1++) {
                            for (int64_t c4 = rc4; c4 < min64(0, rc4 + 16); c4++) {
                                #pragma omp simd
                                for (int64_t j = max64(rj, c1 + 17); j < min64(N + 1, rj + 16); j++) {
                                    /* NR_M[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    const int64_t i = -c4;
                                    M[(i - 1) * N + j - 1]
                                        = min_long(M[(i - 1) * N + j - 1],
                                        M[(i - 1) * N + c1 - 1] + M[c1 * N + j - 1]
                                        + p[i - 1] * p[c1] * p[j]);
                                }
                            }
                        }
                        for (int64_t c1 = max64(max64(-N, rc4), -rj - 15);
                             c1 < min64(min64(0, rc4 + 16), -rj + 1);
                             c1++) {
                            const int64_t i = -c1;
                            const int64_t j_2 = -c1;
                            /* M[i,j] = 0 */
                            M[(i - 1) * N + j_2 - 1] = 0;
                            for (int64_t j = -c1 + 1; j < min64(N + 1, rj + 16); j++) {
                                /* NR_M_2[i,j] = the identity of min */
                                NR_M_2[j - 2] = LONG_MAX;
                            }
                            #pragma omp simd
                            for (int64_t j = -c1 + 1; j < min64(N + 1, rj + 16); j++) {
                                /* NR_M_1[i,j] = M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                const int64_t k = -c1;
                                NR_M_1[j - 2] = M[(i - 1) * N + k - 1] + M[k * N + j - 1]
                                    + p[i - 1] * p[k] * p[j];
                            }
                            for (int64_t c2 = -c1 + 1; c2 < min64(N + 1, rj + 16); c2++) {
                                /* M[i,j] = NR_M[i,j] min (NR_M_1[i,j] min NR_M_2[i,j]) */
                                M[(i - 1) * N + c2 - 1]
                                    = min_long(M[(i - 1) * N + c2 - 1],
                                    min_long(NR_M_1[c2 - 2], NR_M_2[c2 - 2]));
                                #pragma omp simd
                                for (int64_t j = c2 + 1; j < min64(N + 1, rj + 16); j++) {
                                    /* NR_M_1[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    NR_M_1[j - 2]
                                        = min_long(NR_M_1[j - 2],
                                        M[(i - 1) * N + c2 - 1] + M[c2 * N + j - 1]
                                        + p[i - 1] * p[c2] * p[j]);
                                }
                            }
                        }
                        for (int64_t c1 = max64(rc4, -rj + 1); c1 < min64(0, rc4 + 16); c1++) {
                            for (int64_t j = rj; j < min64(N + 1, rj + 16); j++) {
                                /* NR_M_2[i,j] = the identity of min */
                                NR_M_2[j - 2] = LONG_MAX;
                            }
                            const int64_t i = -c1;
                            #pragma omp simd
                            for (int64_t j = rj; j < min64(N + 1, rj + 16); j++) {
                                /* NR_M_1[i,j] = M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                const int64_t k = -c1;
                                NR_M_1[j - 2] = M[(i - 1) * N + k - 1] + M[k * N + j - 1]
                                    + p[i - 1] * p[k] * p[j];
                            }
                            for (int64_t c2 = -c1 + 1; c2 < min64(rj, -c1 + 16); c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j < min64(N + 1, rj + 16); j++) {
                                    /* NR_M_1[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    NR_M_1[j - 2]
                                        = min_long(NR_M_1[j - 2],
                                        M[(i - 1) * N + c2 - 1] + M[c2 * N + j - 1]
                                        + p[i - 1] * p[c2] * p[j]);
                                }
                            }
                            for (int64_t c2 = rj; c2 <= min64(N, -c1 + 15); c2++) {
                                /* M[i,j] = NR_M[i,j] min (NR_M_1[i,j] min NR_M_2[i,j]) */
                                M[(i - 1) * N + c2 - 1]
                                    = min_long(M[(i - 1) * N + c2 - 1],
                                    min_long(NR_M_1[c2 - 2], NR_M_2[c2 - 2]));
                                #pragma omp simd
                                for (int64_t j = c2 + 1; j < min64(N + 1, rj + 16); j++) {
                                    /* NR_M_1[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    NR_M_1[j - 2]
                                        = min_long(NR_M_1[j - 2],
                                        M[(i - 1) * N + c2 - 1] + M[c2 * N + j - 1]
                                        + p[i - 1] * p[c2] * p[j]);
                                }
                            }
                            for (int64_t c2 = max64(rj - 16, -c1 + 16); c2 < rj; c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j <= min64(N, c2 + 16); j++) {
                                    /* NR_M_2[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    NR_M_2[j - 2]
                                        = min_long(NR_M_2[j - 2],
                                        M[(i - 1) * N + c2 - 1] + M[c2 * N + j - 1]
                                        + p[i - 1] * p[c2] * p[j]);
                                }
                            }
                            for (int64_t c2 = max64(rj, -c1 + 16); c2 < min64(N + 1, rj + 16); c2++) {
                                /* M[i,j] = NR_M[i,j] min (NR_M_1[i,j] min NR_M_2[i,j]) */
                                M[(i - 1) * N + c2 - 1]
                                    = min_long(M[(i - 1) * N + c2 - 1],
                                    min_long(NR_M_1[c2 - 2], NR_M_2[c2 - 2]));
                                #pragma omp simd
                                for (int64_t j = c2 + 1; j < min64(N + 1, rj + 16); j++) {
                                    /* NR_M_2[i,j] min= M[i,k] + M[k+1,j] + p[i-1] * p[k] * p[j] */
                                    NR_M_2[j - 2]
                                        = min_long(NR_M_2[j - 2],
                                        M[(i - 1) * N + c2 - 1] + M[c2 * N + j - 1]
                                        + p[i - 1] * p[c2] * p[j]);
                                }
                            }
                        }
                        if (rc4 >= -15 && N <= rj + 15) {
                            /* best[] = M[1,N] */
                            *best = M[N - 1];
                        }
                    }
                }
            }
        }
    }
}
