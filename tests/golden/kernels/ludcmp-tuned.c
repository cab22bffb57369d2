static void ludcmp_loops(
    int64_t N, const double *restrict A, const double *restrict b, double *restrict x, double *restrict LU,
    double *restrict NR_x)
{
    for (int64_t j = 0; j < N; j++) {
        /* S, where + has nothing to combine */
        LU[j] = 0;
    }
    for (int64_t i = 1; i < N; i++) {
        /* S, where + has nothing to combine */
        LU[i * N] = 0;
    }

    /* NR_y, where + has nothing to combine */
    x[0] = 0;

    {
        /* NR_x, where + has nothing to combine */
        const int64_t i_2 = N - 1;
        NR_x[i_2] = 0;
    }

    for (int64_t wc2 = 0; wc2 <= 3 * floor_div(N - 1, 144); wc2++) {
        #pragma omp parallel for schedule(dynamic)
        for (int64_t nc3 = max64(0, wc2 - 2 * floor_div(N - 1, 144));
             nc3 <= min64(floor_div(N - 1, 144), wc2);
             nc3++) {
            const int64_t tc3 = 144 * nc3;
            for (int64_t nk = max64(0, wc2 - nc3 - floor_div(N - 1, 144));
                 nk <= min64(floor_div(min64(N - 1, tc3 + 143), 144), wc2 - nc3);
                 nk++) {
                const int64_t tk = 144 * nk;
                const int64_t tc2 = 144 * wc2 - 144 * nc3 - 144 * nk;
                if (max64(0, tk - 143) <= tc2 && tc2 <= N - 1) {
                    for (int64_t rc2 = 8 * floor_div(max64(tc2 + 7, tk), 8);
                         rc2 <= min64(N - 1, tc2 + 136);
                         rc2 += 8) {
                        for (int64_t rc3 = 6 * floor_div(max64(tc3 + 5, tk), 6);
                             rc3 <= min64(N - 1, tc3 + 138);
                             rc3 += 6) {
                            if (rc2 <= N - 8 && rc2 >= 1 && rc3 <= N - 6 && rc3 >= 1) {
                                if (rc2 >= 2 && rc3 >= 2) {
                                    if (tk == 0) {
                                        /* S[i,j] = L[i,k] * U[k,j], 8 x 6 */
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + rc3) * N + rc2 + 4 * s]
                                                    = 0 + LU[(r + rc3) * N] * *(double4 *)&LU[rc2 + 4 * s];
                                            }
                                        }
                                    }
                                    if (max64(1, tk) < min64(min64(tk + 144, rc2), rc3)) {
                                        /* S[i,j] += L[i,k] * U[k,j], 8 x 6 */
                                        double4 sum[6][2];
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                sum[r][s] = (double4){0};
                                                __builtin_prefetch(&LU[(r + rc3) * N + rc2 + 4 * s], 1);
                                            }
                                        }
                                        for (int64_t k = max64(1, tk);
                                             k < min64(min64(tk + 144, rc2), rc3);
                                             k++) {
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] += LU[(r + rc3) * N + k]
                                                        * *(double4 *)&LU[k * N + rc2 + 4 * s];
                                                }
                                            }
                                        }
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + rc3) * N + rc2 + 4 * s] += sum[r][s];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, rc2);
                                         k < min64(min64(tk + 144, rc2 + 8), rc3);
                                         k++) {
                                        for (int64_t c3 = rc3; c3 < rc3 + 6; c3++) {
                                            /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                            LU[c3 * N + k] = (A[c3 * N + k] - LU[c3 * N + k]) / LU[k * N + k];
                                        }
                                        for (int64_t c2 = k + 1; c2 < rc2 + 8; c2++) {
                                            for (int64_t c3 = rc3; c3 < rc3 + 6; c3++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, rc3);
                                         k < min64(min64(tk + 144, rc2), rc3 + 6);
                                         k++) {
                                        for (int64_t c2 = rc2; c2 < rc2 + 8; c2++) {
                                            /* U[i,j] = A[i,j] - S[i,j] */
                                            LU[k * N + c2] = A[k * N + c2] - LU[k * N + c2];
                                            for (int64_t c3 = k + 1; c3 < rc3 + 6; c3++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(max64(tk, rc2), rc3);
                                         k < min64(min64(tk + 144, rc2 + 8), rc3 + 6);
                                         k++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[k * N + k] = A[k * N + k] - LU[k * N + k];
                                        for (int64_t c3 = k + 1; c3 < rc3 + 6; c3++) {
                                            /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                            LU[c3 * N + k] = (A[c3 * N + k] - LU[c3 * N + k]) / LU[k * N + k];
                                        }
                                        for (int64_t c2 = k + 1; c2 < rc2 + 8; c2++) {
                                            /* U[i,j] = A[i,j] - S[i,j] */
                                            LU[k * N + c2] = A[k * N + c2] - LU[k * N + c2];
                                            for (int64_t c3 = k + 1; c3 < rc3 + 6; c3++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
                                            }
                                        }
                                    }
                                } else {
                                    if (tk == 0) {
                                        /* S[i,j] = L[i,k] * U[k,j], 8 x 6 */
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + rc3) * N + rc2 + 4 * s]
                                                    = 0 + LU[(r + rc3) * N] * *(double4 *)&LU[rc2 + 4 * s];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(1, tk);
                                         k < min64(min64(tk + 144, rc2), rc3);
                                         k++) {
                                        for (int64_t c2 = rc2; c2 < rc2 + 8; c2++) {
                                            for (int64_t c3 = rc3; c3 < rc3 + 6; c3++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, rc2);
                                         k < min64(min64(tk + 144, rc2 + 8), rc3);
                                         k++) {
                                        for (int64_t c3 = rc3; c3 < rc3 + 6; c3++) {
                                            /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                            LU[c3 * N + k] = (A[c3 * N + k] - LU[c3 * N + k]) / LU[k * N + k];
                                        }
                                        for (int64_t c2 = k + 1; c2 < rc2 + 8; c2++) {
                                            for (int64_t c3 = rc3; c3 < rc3 + 6; c3++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, rc3);
                                         k < min64(min64(tk + 144, rc2), rc3 + 6);
                                         k++) {
                                        for (int64_t c2 = rc2; c2 < rc2 + 8; c2++) {
                                            /* U[i,j] = A[i,j] - S[i,j] */
                                            LU[k * N + c2] = A[k * N + c2] - LU[k * N + c2];
                                            for (int64_t c3 = k + 1; c3 < rc3 + 6; c3++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(max64(tk, rc2), rc3);
                                         k < min64(min64(tk + 144, rc2 + 8), rc3 + 6);
                                         k++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[k * N + k] = A[k * N + k] - LU[k * N + k];
                                        for (int64_t c3 = k + 1; c3 < rc3 + 6; c3++) {
                                            /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                            LU[c3 * N + k] = (A[c3 * N + k] - LU[c3 * N + k]) / LU[k * N + k];
                                        }
                                        for (int64_t c2 = k + 1; c2 < rc2 + 8; c2++) {
                                            /* U[i,j] = A[i,j] - S[i,j] */
                                            LU[k * N + c2] = A[k * N + c2] - LU[k * N + c2];
                                            for (int64_t c3 = k + 1; c3 < rc3 + 6; c3++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
                                            }
                                        }
                                    }
                                }
                            } else {
                                if (tk == 0 && rc2 == 0 && rc3 == 0) {
                                    /* U[i,j] = A[i,j] - S[i,j] */
                                    LU[0] = A[0] - LU[0];
                                    for (int64_t c3 = 1; c3 <= min64(5, N - 1); c3++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                        LU[c3 * N] = (A[c3 * N] - LU[c3 * N]) / LU[0];
                                    }
                                    for (int64_t c2 = 1; c2 <= min64(7, N - 1); c2++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[c2] = A[c2] - LU[c2];
                                        for (int64_t c3 = 1; c3 <= min64(5, N - 1); c3++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            LU[c3 * N + c2] = 0 + LU[c3 * N] * LU[c2];
                                        }
                                    }
                                } else if (tk == 0 && rc2 == 0 && rc3 >= 1) {
                                    for (int64_t c3 = rc3; c3 < min64(N, rc3 + 6); c3++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                        LU[c3 * N] = (A[c3 * N] - LU[c3 * N]) / LU[0];
                                    }
                                    for (int64_t c2 = 1; c2 <= min64(7, N - 1); c2++) {
                                        for (int64_t c3 = rc3; c3 < min64(N, rc3 + 6); c3++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            LU[c3 * N + c2] = 0 + LU[c3 * N] * LU[c2];
                                        }
                                    }
                                } else if (tk == 0 && rc2 >= 1 && rc3 == 0) {
                                    for (int64_t c2 = rc2; c2 < min64(N, rc2 + 8); c2++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[c2] = A[c2] - LU[c2];
                                        for (int64_t c3 = 1; c3 <= min64(5, N - 1); c3++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            LU[c3 * N + c2] = 0 + LU[c3 * N] * LU[c2];
                                        }
                                    }
                                } else if (tk == 0 && rc2 >= 1 && rc3 >= 1) {
                                    for (int64_t c2 = rc2; c2 < min64(N, rc2 + 8); c2++) {
                                        for (int64_t c3 = rc3; c3 < min64(N, rc3 + 6); c3++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            LU[c3 * N + c2] = 0 + LU[c3 * N] * LU[c2];
                                        }
                                    }
                                }
                                for (int64_t k = max64(1, tk); k < min64(min64(tk + 144, rc2), rc3); k++) {
                                    for (int64_t c2 = rc2; c2 < min64(N, rc2 + 8); c2++) {
                                        for (int64_t c3 = rc3; c3 < min64(N, rc3 + 6); c3++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(1, tk), rc2);
                                     k < min64(min64(tk + 144, rc2 + 8), rc3);
                                     k++) {
                                    for (int64_t c3 = rc3; c3 < min64(N, rc3 + 6); c3++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                        LU[c3 * N + k] = (A[c3 * N + k] - LU[c3 * N + k]) / LU[k * N + k];
                                    }
                                    for (int64_t c2 = k + 1; c2 < min64(N, rc2 + 8); c2++) {
                                        for (int64_t c3 = rc3; c3 < min64(N, rc3 + 6); c3++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(1, tk), rc3);
                                     k < min64(min64(tk + 144, rc2), rc3 + 6);
                                     k++) {
                                    for (int64_t c2 = rc2; c2 < min64(N, rc2 + 8); c2++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[k * N + c2] = A[k * N + c2] - LU[k * N + c2];
                                        for (int64_t c3 = k + 1; c3 < min64(N, rc3 + 6); c3++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(max64(1, tk), rc2), rc3);
                                     k < min64(min64(min64(N, tk + 144), rc2 + 8), rc3 + 6);
                                     k++) {
                                    /* U[i,j] = A[i,j] - S[i,j] */
                                    LU[k * N + k] = A[k * N + k] - LU[k * N + k];
                                    for (int64_t c3 = k + 1; c3 < min64(N, rc3 + 6); c3++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                        LU[c3 * N + k] = (A[c3 * N + k] - LU[c3 * N + k]) / LU[k * N + k];
                                    }
                                    for (int64_t c2 = k + 1; c2 < min64(N, rc2 + 8); c2++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[k * N + c2] = A[k * N + c2] - LU[k * N + c2];
                                        for (int64_t c3 = k + 1; c3 < min64(N, rc3 + 6); c3++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            LU[c3 * N + c2] += LU[c3 * N + k] * LU[k * N + c2];
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
    for (int64_t wk = 0; wk <= (N - 1) / 72; wk++) {
        #pragma omp parallel for
        for (int64_t nc3_2 = max64(0, wk - (N + 143) / 144 + 1); nc3_2 <= wk / 2; nc3_2++) {
            const int64_t tk_2 = 144 * wk - 144 * nc3_2;
            const int64_t tc3_2 = 144 * nc3_2;
            if (tk_2 <= N - 144 && tc3_2 <= tk_2 - 144 && tc3_2 >= 1) {
                for (int64_t k = tk_2; k < tk_2 + 144; k++) {
                    double sum_2 = x[k];
                    #pragma omp simd reduction(+:sum_2)
                    for (int64_t c3 = tc3_2; c3 < tc3_2 + 144; c3++) {
                        /* NR_y[i] += L[i,j] * y[j] */
                        sum_2 += LU[k * N + c3] * x[c3];
                    }
                    x[k] = sum_2;
                }
            } else {
                for (int64_t k = max64(tk_2, tc3_2); k < min64(N, tk_2 + 144); k++) {
                    if (tc3_2 == 0 && k >= 1) {
                        /* NR_y[i] = L[i,j] * y[j] */
                        x[k] = 0 + LU[k * N] * x[0];
                    }
                    if (max64(1, tc3_2) < min64(tc3_2 + 144, k)) {
                        double sum = x[k];
                        #pragma omp simd reduction(+:sum)
                        for (int64_t c3 = max64(1, tc3_2); c3 < min64(tc3_2 + 144, k); c3++) {
                            /* NR_y[i] += L[i,j] * y[j] */
                            sum += LU[k * N + c3] * x[c3];
                        }
                        x[k] = sum;
                    }
                    if (k <= tc3_2 + 143) {
                        /* y[i] = b[i] - NR_y[i] */
                        x[k] = b[k] - x[k];
                    }
                }
            }
        }
    }
    for (int64_t wk_2 = -((N + 70) / 72) - 1; wk_2 <= 0; wk_2++) {
        #pragma omp parallel for
        for (int64_t nc3_3 = max64(wk_2, -((N + 142) / 144)); nc3_3 <= -((-wk_2 + 1) / 2); nc3_3++) {
            const int64_t tk_3 = 144 * wk_2 - 144 * nc3_3;
            const int64_t tc3_3 = 144 * nc3_3;
            if (tk_3 <= -143 && tc3_3 <= tk_3 - 144 && N + tc3_3 >= 2) {
                for (int64_t k = tk_3; k < tk_3 + 144; k++) {
                    const int64_t i = -k;
                    /* NR_x[i] += U[i,j] * x[j] */
                    double sum_5 = NR_x[i];
                    for (int64_t c3 = tc3_3; c3 < tc3_3 + 144; c3++) {
                        const int64_t j = -c3;
                        sum_5 += LU[i * N + j] * x[j];
                    }
                    NR_x[i] = sum_5;
                }
            } else {
                for (int64_t k = max64(max64(-N + 1, tk_3), tc3_3); k < min64(1, tk_3 + 144); k++) {
                    if (N + tc3_3 <= 1 && N + k >= 2) {
                        /* NR_x[i] = U[i,j] * x[j] */
                        const int64_t i = -k;
                        const int64_t j = N - 1;
                        NR_x[i] = 0 + LU[i * N + j] * x[j];
                    }
                    if (max64(-N + 2, tc3_3) < min64(tc3_3 + 144, k)) {
                        const int64_t i = -k;
                        /* NR_x[i] += U[i,j] * x[j] */
                        double sum_4 = NR_x[i];
                        for (int64_t c3 = max64(-N + 2, tc3_3); c3 < min64(tc3_3 + 144, k); c3++) {
                            const int64_t j = -c3;
                            sum_4 += LU[i * N + j] * x[j];
                        }
                        NR_x[i] = sum_4;
                    }
                    if (k <= tc3_3 + 143) {
                        /* x[i] = (y[i] - NR_x[i]) / U[i,i] */
                        const int64_t i = -k;
                        x[i] = (x[i] - NR_x[i]) / LU[i * N + i];
                    }
                }
            }
        }
    }
}
