static void nussinov_loops(
    int64_t N, const int *restrict seq, int *restrict pairs, int *restrict S, int *restrict NR_S_1,
    int *restrict NR_S_2)
{
    for (int64_t i = 0; i < N - 2; i++) {
        for (int64_t j = i + 2; j <= min64(N - 1, i + 31); j++) {
            /* NR_S, where max has nothing to combine */
            S[i * (N + 1) + j + 1] = INT_MIN;
        }
    }

    for (int64_t wc4 = -1; wc4 <= N / 64; wc4++) {
        #pragma omp parallel for
        for (int64_t nj = wc4; nj <= min64(wc4 + (N + 62) / 64, N / 64); nj++) {
            const int64_t tc4 = 64 * wc4 - 64 * nj;
            const int64_t tj = 64 * nj;
            for (int64_t rc4 = 16 * floor_div(max64(max64(-N + 1, tc4 + 15), -tj - 64), 16);
                 rc4 <= min64(0, tc4 + 48);
                 rc4 += 16) {
                for (int64_t rj = max64(tj, -rc4 - 16); rj <= min64(N, tj + 48); rj += 16) {
                    if (rc4 <= -15 && rc4 + rj >= 33 && rj <= N - 16) {
                        for (int64_t c1 = -rc4 + 1; c1 < -rc4 + 17; c1++) {
                            #pragma omp simd
                            for (int64_t j = rj; j < rj + 16; j++) {
                                /* NR_S[i,j] = S[i,k] + S[k+1,j] */
                                const int64_t i = c1 - 16;
                                S[i * (N + 1) + j + 1]
                                    = sum_int(S[i * (N + 1) + c1 + 1], S[(c1 + 1) * (N + 1) + j + 1]);
                            }
                            for (int64_t c4 = -c1 + 17; c4 < rc4 + 16; c4++) {
                                #pragma omp simd
                                for (int64_t j = rj; j < rj + 16; j++) {
                                    /* NR_S[i,j] max= S[i,k] + S[k+1,j] */
                                    const int64_t i = -c4;
                                    S[i * (N + 1) + j + 1]
                                        = max_int(S[i * (N + 1) + j + 1],
                                        sum_int(S[i * (N + 1) + c1 + 1], S[(c1 + 1) * (N + 1) + j + 1]));
                                }
                            }
                        }
                        {
                            const int64_t i = -rc4;
                            /* NR_S[i,j] max= S[i,k] + S[k+1,j], 16 x 16 */
                            int greatest[16][16];
                            for (int64_t r = 0; r < 16; r++) {
                                for (int64_t s = 0; s < 16; s++) {
                                    greatest[r][s] = INT_MIN;
                                    __builtin_prefetch(&S[(i - r) * (N + 1) + rj + s + 1], 1);
                                }
                            }
                            for (int64_t c1 = -rc4 + 17; c1 < rj - 15; c1++) {
                                for (int64_t r = 0; r < 16; r++) {
                                    for (int64_t s = 0; s < 16; s++) {
                                        greatest[r][s]
                                            = max_int(greatest[r][s],
                                            sum_int(S[(i - r) * (N + 1) + c1 + 1],
                                            S[(c1 + 1) * (N + 1) + rj + s + 1]));
                                    }
                                }
                            }
                            for (int64_t r = 0; r < 16; r++) {
                                for (int64_t s = 0; s < 16; s++) {
                                    S[(i - r) * (N + 1) + rj + s + 1]
                                        = max_int(S[(i - r) * (N + 1) + rj + s + 1], greatest[r][s]);
                                }
                            }
                        }
                        for (int64_t c1 = rj - 15; c1 < rj; c1++) {
                            for (int64_t c4 = rc4; c4 < rc4 + 16; c4++) {
                                #pragma omp simd
                                for (int64_t j = c1 + 16; j < rj + 16; j++) {
                                    /* NR_S[i,j] max= S[i,k] + S[k+1,j] */
                                    const int64_t i = -c4;
                                    S[i * (N + 1) + j + 1]
                                        = max_int(S[i * (N + 1) + j + 1],
                                        sum_int(S[i * (N + 1) + c1 + 1], S[(c1 + 1) * (N + 1) + j + 1]));
                                }
                            }
                        }
                        for (int64_t c1 = rc4; c1 < rc4 + 16; c1++) {
                            for (int64_t j = rj; j < rj + 16; j++) {
                                /* NR_S_2[i,j] = the identity of max */
                                NR_S_2[j - 2] = INT_MIN;
                            }
                            const int64_t i = -c1;
                            #pragma omp simd
                            for (int64_t j = rj; j < rj + 16; j++) {
                                /* NR_S_1[i,j] = S[i,k] + S[k+1,j] */
                                const int64_t k = -c1 + 1;
                                NR_S_1[j - 2] = sum_int(S[i * (N + 1) + k + 1], S[(k + 1) * (N + 1) + j + 1]);
                            }
                            for (int64_t c2 = -c1 + 2; c2 <= -c1 + 15; c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j < rj + 16; j++) {
                                    /* NR_S_1[i,j] max= S[i,k] + S[k+1,j] */
                                    NR_S_1[j - 2]
                                        = max_int(NR_S_1[j - 2],
                                        sum_int(S[i * (N + 1) + c2 + 1], S[(c2 + 1) * (N + 1) + j + 1]));
                                }
                            }
                            for (int64_t c2 = rj - 15; c2 < rj; c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j <= c2 + 15; j++) {
                                    /* NR_S_2[i,j] max= S[i,k] + S[k+1,j] */
                                    NR_S_2[j - 2]
                                        = max_int(NR_S_2[j - 2],
                                        sum_int(S[i * (N + 1) + c2 + 1], S[(c2 + 1) * (N + 1) + j + 1]));
                                }
                            }
                            for (int64_t c2 = rj; c2 < rj + 16; c2++) {
                                /* S[i,j] = max(S[i+1,j], S[i,j-1], S[i+1,j-1] + (if seq[i] + seq[j] == 3 then
                                 *     1 else 0), NR_S[i,j] max (NR_S_1[i,j] max NR_S_2[i,j]))
                                 */
                                S[i * (N + 1) + c2 + 1]
                                    = max_int(max_int(max_int(S[(i + 1) * (N + 1) + c2 + 1],
                                    S[i * (N + 1) + c2]),
                                    sum_int(S[(i + 1) * (N + 1) + c2],
                                    sum_int(seq[i], seq[c2]) == 3 ? 1 : 0)),
                                    max_int(S[i * (N + 1) + c2 + 1],
                                    max_int(NR_S_1[c2 - 2], NR_S_2[c2 - 2])));
                                #pragma omp simd
                                for (int64_t j = c2 + 1; j < rj + 16; j++) {
                                    /* NR_S_2[i,j] max= S[i,k] + S[k+1,j] */
                                    NR_S_2[j - 2]
                                        = max_int(NR_S_2[j - 2],
                                        sum_int(S[i * (N + 1) + c2 + 1], S[(c2 + 1) * (N + 1) + j + 1]));
                                }
                            }
                        }
                    } else {
                        for (int64_t c1 = max64(16, -rc4 + 1);
                             c1 < min64(min64(N - 16, -rc4 + 17), rj);
                             c1++) {
                            #pragma omp simd
                            for (int64_t j = max64(rj, c1 + 16); j < min64(N, rj + 16); j++) {
                                /* NR_S[i,j] = S[i,k] + S[k+1,j] */
                                const int64_t i = c1 - 16;
                                S[i * (N + 1) + j + 1]
                                    = sum_int(S[i * (N + 1) + c1 + 1], S[(c1 + 1) * (N + 1) + j + 1]);
                            }
                            for (int64_t c4 = -c1 + 17; c4 < min64(1, rc4 + 16); c4++) {
                                #pragma omp simd
                                for (int64_t j = max64(rj, c1 + 16); j < min64(N, rj + 16); j++) {
                                    /* NR_S[i,j] max= S[i,k] + S[k+1,j] */
                                    const int64_t i = -c4;
                                    S[i * (N + 1) + j + 1]
                                        = max_int(S[i * (N + 1) + j + 1],
                                        sum_int(S[i * (N + 1) + c1 + 1], S[(c1 + 1) * (N + 1) + j + 1]));
                                }
                            }
                        }
                        for (int64_t c1 = -rc4 + 17; c1 < min64(N - 16, rj); c1++) {
                            for (int64_t c4 = rc4; c4 < min64(1, rc4 + 16); c4++) {
                                #pragma omp simd
                                for (int64_t j = max64(rj, c1 + 16); j < min64(N, rj + 16); j++) {
                                    /* NR_S[i,j] max= S[i,k] + S[k+1,j] */
                                    const int64_t i = -c4;
                                    S[i * (N + 1) + j + 1]
                                        = max_int(S[i * (N + 1) + j + 1],
                                        sum_int(S[i * (N + 1) + c1 + 1], S[(c1 + 1) * (N + 1) + j + 1]));
                                }
                            }
                        }
                        if (N + rc4 <= 1 && N <= rj + 15) {
                            #pragma omp simd
                            for (int64_t c2 = max64(N - 2, rj); c2 < N; c2++) {
                                /* S[i,j] = 0 */
                                const int64_t i = N - 1;
                                S[i * (N + 1) + c2 + 1] = 0;
                            }
                        }
                        for (int64_t c1 = max64(-N + 1, rc4); c1 < min64(1, -rj - 14); c1++) {
                            #pragma omp simd
                            for (int64_t c2 = -c1 - 1; c2 < rj + 16; c2++) {
                                /* S[i,j] = 0 */
                                const int64_t i = -c1;
                                S[i * (N + 1) + c2 + 1] = 0;
                            }
                        }
                        for (int64_t c1 = max64(max64(-N + 2, rc4), -rj - 14);
                             c1 < min64(min64(1, rc4 + 16), -rj + 2);
                             c1++) {
                            #pragma omp simd
                            for (int64_t c2 = max64(rj, -c1 - 1); c2 <= -c1; c2++) {
                                /* S[i,j] = 0 */
                                const int64_t i = -c1;
                                S[i * (N + 1) + c2 + 1] = 0;
                            }
                            for (int64_t j = -c1 + 2; j < min64(N, rj + 16); j++) {
                                /* NR_S_2[i,j] = the identity of max */
                                NR_S_2[j - 2] = INT_MIN;
                            }
                            {
                                /* S[i,j] = if seq[i] + seq[j] == 3 then 1 else 0 */
                                const int64_t i = -c1;
                                const int64_t j = -c1 + 1;
                                S[i * (N + 1) + j + 1] = sum_int(seq[i], seq[j]) == 3 ? 1 : 0;
                            }
                            #pragma omp simd
                            for (int64_t j = -c1 + 2; j < min64(N, rj + 16); j++) {
                                /* NR_S_1[i,j] = S[i,k] + S[k+1,j] */
                                const int64_t i = -c1;
                                const int64_t k = -c1 + 1;
                                NR_S_1[j - 2] = sum_int(S[i * (N + 1) + k + 1], S[(k + 1) * (N + 1) + j + 1]);
                            }
                            for (int64_t c2 = -c1 + 2; c2 < min64(min64(N, rj + 16), -c1 + 16); c2++) {
                                const int64_t i = -c1;
                                /* S[i,j] = max(S[i+1,j], S[i,j-1], S[i+1,j-1] + (if seq[i] + seq[j] == 3 then
                                 *     1 else 0), NR_S[i,j] max (NR_S_1[i,j] max NR_S_2[i,j]))
                                 */
                                S[i * (N + 1) + c2 + 1]
                                    = max_int(max_int(max_int(S[(i + 1) * (N + 1) + c2 + 1],
                                    S[i * (N + 1) + c2]),
                                    sum_int(S[(i + 1) * (N + 1) + c2],
                                    sum_int(seq[i], seq[c2]) == 3 ? 1 : 0)),
                                    max_int(S[i * (N + 1) + c2 + 1],
                                    max_int(NR_S_1[c2 - 2], NR_S_2[c2 - 2])));
                                #pragma omp simd
                                for (int64_t j = c2 + 1; j < min64(N, rj + 16); j++) {
                                    /* NR_S_1[i,j] max= S[i,k] + S[k+1,j] */
                                    NR_S_1[j - 2]
                                        = max_int(NR_S_1[j - 2],
                                        sum_int(S[i * (N + 1) + c2 + 1], S[(c2 + 1) * (N + 1) + j + 1]));
                                }
                            }
                            if (rj <= N - 16 && c1 + rj == 1) {
                                /* S[i,j] = max(S[i+1,j], S[i,j-1], S[i+1,j-1] + (if seq[i] + seq[j] == 3 then
                                 *     1 else 0), NR_S[i,j] max (NR_S_1[i,j] max NR_S_2[i,j]))
                                 */
                                const int64_t i = rj - 1;
                                const int64_t j = rj + 15;
                                S[i * (N + 1) + j + 1]
                                    = max_int(max_int(max_int(S[(i + 1) * (N + 1) + j + 1],
                                    S[i * (N + 1) + j]),
                                    sum_int(S[(i + 1) * (N + 1) + j], sum_int(seq[i], seq[j]) == 3 ? 1 : 0)),
                                    max_int(S[i * (N + 1) + j + 1], max_int(NR_S_1[j - 2], NR_S_2[j - 2])));
                            }
                        }
                        for (int64_t c1 = max64(rc4, -rj + 2); c1 < min64(1, rc4 + 16); c1++) {
                            for (int64_t j = rj; j < min64(N, rj + 16); j++) {
                                /* NR_S_2[i,j] = the identity of max */
                                NR_S_2[j - 2] = INT_MIN;
                            }
                            const int64_t i = -c1;
                            #pragma omp simd
                            for (int64_t j = rj; j < min64(N, rj + 16); j++) {
                                /* NR_S_1[i,j] = S[i,k] + S[k+1,j] */
                                const int64_t k = -c1 + 1;
                                NR_S_1[j - 2] = sum_int(S[i * (N + 1) + k + 1], S[(k + 1) * (N + 1) + j + 1]);
                            }
                            for (int64_t c2 = -c1 + 2; c2 < min64(rj, -c1 + 16); c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j < min64(N, rj + 16); j++) {
                                    /* NR_S_1[i,j] max= S[i,k] + S[k+1,j] */
                                    NR_S_1[j - 2]
                                        = max_int(NR_S_1[j - 2],
                                        sum_int(S[i * (N + 1) + c2 + 1], S[(c2 + 1) * (N + 1) + j + 1]));
                                }
                            }
                            for (int64_t c2 = rj; c2 <= min64(N - 1, -c1 + 15); c2++) {
                                /* S[i,j] = max(S[i+1,j], S[i,j-1], S[i+1,j-1] + (if seq[i] + seq[j] == 3 then
                                 *     1 else 0), NR_S[i,j] max (NR_S_1[i,j] max NR_S_2[i,j]))
                                 */
                                S[i * (N + 1) + c2 + 1]
                                    = max_int(max_int(max_int(S[(i + 1) * (N + 1) + c2 + 1],
                                    S[i * (N + 1) + c2]),
                                    sum_int(S[(i + 1) * (N + 1) + c2],
                                    sum_int(seq[i], seq[c2]) == 3 ? 1 : 0)),
                                    max_int(S[i * (N + 1) + c2 + 1],
                                    max_int(NR_S_1[c2 - 2], NR_S_2[c2 - 2])));
                                #pragma omp simd
                                for (int64_t j = c2 + 1; j < min64(N, rj + 16); j++) {
                                    /* NR_S_1[i,j] max= S[i,k] + S[k+1,j] */
                                    NR_S_1[j - 2]
                                        = max_int(NR_S_1[j - 2],
                                        sum_int(S[i * (N + 1) + c2 + 1], S[(c2 + 1) * (N + 1) + j + 1]));
                                }
                            }
                            for (int64_t c2 = max64(rj - 15, -c1 + 16); c2 < rj; c2++) {
                                #pragma omp simd
                                for (int64_t j = rj; j <= min64(N - 1, c2 + 15); j++) {
                                    /* NR_S_2[i,j] max= S[i,k] + S[k+1,j] */
                                    NR_S_2[j - 2]
                                        = max_int(NR_S_2[j - 2],
                                        sum_int(S[i * (N + 1) + c2 + 1], S[(c2 + 1) * (N + 1) + j + 1]));
                                }
                            }
                            for (int64_t c2 = max64(rj, -c1 + 16); c2 < min64(N, rj + 16); c2++) {
                                /* S[i,j] = max(S[i+1,j], S[i,j-1], S[i+1,j-1] + (if seq[i] + seq[j] == 3 then
                                 *     1 else 0), NR_S[i,j] max (NR_S_1[i,j] max NR_S_2[i,j]))
                                 */
                                S[i * (N + 1) + c2 + 1]
                                    = max_int(max_int(max_int(S[(i + 1) * (N + 1) + c2 + 1],
                                    S[i * (N + 1) + c2]),
                                    sum_int(S[(i + 1) * (N + 1) + c2],
                                    sum_int(seq[i], seq[c2]) == 3 ? 1 : 0)),
                                    max_int(S[i * (N + 1) + c2 + 1],
                                    max_int(NR_S_1[c2 - 2], NR_S_2[c2 - 2])));
                                #pragma omp simd
                                for (int64_t j = c2 + 1; j < min64(N, rj + 16); j++) {
                                    /* NR_S_2[i,j] max= S[i,k] + S[k+1,j] */
                                    NR_S_2[j - 2]
                                        = max_int(NR_S_2[j - 2],
                                        sum_int(S[i * (N + 1) + c2 + 1], S[(c2 + 1) * (N + 1) + j + 1]));
                                }
                            }
                        }
                        if (rc4 >= -15 && N <= rj + 15) {
                            /* pairs[] = S[0,N-1] */
                            *pairs = S[N];
                        }
                    }
                }
            }
        }
    }
}
