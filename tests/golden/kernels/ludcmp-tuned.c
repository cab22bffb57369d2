static void ludcmp_loops(
    int64_t N, const double *restrict A, const double *restrict b, double *restrict x, double *restrict LU,
    double *restrict NR_x)
{
    for (int64_t i = 1; i < N; i++) {
        /* NR_L, where + has nothing to combine */
        LU[i * N] = 0;
    }

    for (int64_t j = 0; j < N; j++) {
        /* NR_U, where + has nothing to combine */
        LU[j] = 0;
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
                    for (int64_t rc2 = 6 * floor_div(max64(tc2 + 5, tk), 6);
                         rc2 <= min64(N - 1, tc2 + 138);
                         rc2 += 6) {
                        for (int64_t rc3 = 8 * floor_div(max64(tc3 + 7, tk), 8);
                             rc3 <= min64(N - 1, tc3 + 136);
                             rc3 += 8) {
                            if (rc3 <= rc2 - 8 && rc3 >= 1) {
                                if (rc2 <= N - 6 && rc3 >= 2) {
                                    if (tk == 0) {
                                        /* NR_L[i,j] = L[i,k] * U[k,j], 6 x 8 */
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + rc2) * N + rc3 + 4 * s]
                                                    = 0 + LU[(r + rc2) * N] * *(double4 *)&LU[rc3 + 4 * s];
                                            }
                                        }
                                    }
                                    if (max64(1, tk) < min64(tk + 144, rc3)) {
                                        /* NR_L[i,j] += L[i,k] * U[k,j], 6 x 8 */
                                        double4 sum[6][2];
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                sum[r][s] = (double4){0};
                                                __builtin_prefetch(&LU[(r + rc2) * N + rc3 + 4 * s], 1);
                                            }
                                        }
                                        for (int64_t k = max64(1, tk); k < min64(tk + 144, rc3); k++) {
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] += LU[(r + rc2) * N + k] * *(double4 *)&LU[k * N + rc3 + 4 * s];
                                                }
                                            }
                                        }
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + rc2) * N + rc3 + 4 * s] += sum[r][s];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, rc3); k < min64(tk + 144, rc3 + 8); k++) {
                                        for (int64_t c2 = rc2; c2 < rc2 + 6; c2++) {
                                            /* L[i,j] = (A[i,j] - NR_L[i,j]) / U[j,j] */
                                            LU[c2 * N + k] = (A[c2 * N + k] - LU[c2 * N + k]) / LU[k * N + k];
#pragma omp simd
                                            for (int64_t c3 = k + 1; c3 < rc3 + 8; c3++) {
                                                /* NR_L[i,j] += L[i,k] * U[k,j] */
                                                LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                            }
                                        }
                                    }
                                } else {
                                    if (tk == 0 && rc2 <= N - 6) {
                                        /* NR_L[i,j] = L[i,k] * U[k,j], 6 x 8 */
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + rc2) * N + rc3 + 4 * s]
                                                    = 0 + LU[(r + rc2) * N] * *(double4 *)&LU[rc3 + 4 * s];
                                            }
                                        }
                                    } else if (tk == 0 && N <= rc2 + 5) {
                                        for (int64_t c2 = rc2; c2 < N; c2++) {
#pragma omp simd
                                            for (int64_t c3 = rc3; c3 < rc3 + 8; c3++) {
                                                /* NR_L[i,j] = L[i,k] * U[k,j] */
                                                LU[c2 * N + c3] = 0 + LU[c2 * N] * LU[c3];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(1, tk); k < min64(tk + 144, rc3); k++) {
                                        for (int64_t c2 = rc2; c2 < min64(N, rc2 + 6); c2++) {
#pragma omp simd
                                            for (int64_t c3 = rc3; c3 < rc3 + 8; c3++) {
                                                /* NR_L[i,j] += L[i,k] * U[k,j] */
                                                LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, rc3); k < min64(tk + 144, rc3 + 8); k++) {
                                        for (int64_t c2 = rc2; c2 < min64(N, rc2 + 6); c2++) {
                                            /* L[i,j] = (A[i,j] - NR_L[i,j]) / U[j,j] */
                                            LU[c2 * N + k] = (A[c2 * N + k] - LU[c2 * N + k]) / LU[k * N + k];
#pragma omp simd
                                            for (int64_t c3 = k + 1; c3 < rc3 + 8; c3++) {
                                                /* NR_L[i,j] += L[i,k] * U[k,j] */
                                                LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                            }
                                        }
                                    }
                                }
                            } else if (rc2 >= 1 && rc2 <= rc3 - 5) {
                                if (rc2 >= 2 && rc3 <= N - 8) {
                                    if (tk == 0) {
                                        /* NR_U[i,j] = L[i,k] * U[k,j], 6 x 8 */
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + rc2) * N + rc3 + 4 * s]
                                                    = 0 + LU[(r + rc2) * N] * *(double4 *)&LU[rc3 + 4 * s];
                                            }
                                        }
                                    }
                                    if (max64(1, tk) < min64(tk + 144, rc2)) {
                                        /* NR_U[i,j] += L[i,k] * U[k,j], 6 x 8 */
                                        double4 sum[6][2];
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                sum[r][s] = (double4){0};
                                                __builtin_prefetch(&LU[(r + rc2) * N + rc3 + 4 * s], 1);
                                            }
                                        }
                                        for (int64_t k = max64(1, tk); k < min64(tk + 144, rc2); k++) {
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] += LU[(r + rc2) * N + k] * *(double4 *)&LU[k * N + rc3 + 4 * s];
                                                }
                                            }
                                        }
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + rc2) * N + rc3 + 4 * s] += sum[r][s];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, rc2); k < min64(tk + 144, rc2 + 6); k++) {
#pragma omp simd
                                        for (int64_t c3 = rc3; c3 < rc3 + 8; c3++) {
                                            /* U[i,j] = A[i,j] - NR_U[i,j] */
                                            LU[k * N + c3] = A[k * N + c3] - LU[k * N + c3];
                                        }
                                        for (int64_t c2 = k + 1; c2 < rc2 + 6; c2++) {
#pragma omp simd
                                            for (int64_t c3 = rc3; c3 < rc3 + 8; c3++) {
                                                /* NR_U[i,j] += L[i,k] * U[k,j] */
                                                LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                            }
                                        }
                                    }
                                } else {
                                    if (tk == 0 && rc3 <= N - 8) {
                                        /* NR_U[i,j] = L[i,k] * U[k,j], 6 x 8 */
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + rc2) * N + rc3 + 4 * s]
                                                    = 0 + LU[(r + rc2) * N] * *(double4 *)&LU[rc3 + 4 * s];
                                            }
                                        }
                                    } else if (tk == 0 && N <= rc3 + 7) {
                                        for (int64_t c2 = rc2; c2 < rc2 + 6; c2++) {
#pragma omp simd
                                            for (int64_t c3 = rc3; c3 < N; c3++) {
                                                /* NR_U[i,j] = L[i,k] * U[k,j] */
                                                LU[c2 * N + c3] = 0 + LU[c2 * N] * LU[c3];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(1, tk); k < min64(tk + 144, rc2); k++) {
                                        for (int64_t c2 = rc2; c2 < rc2 + 6; c2++) {
#pragma omp simd
                                            for (int64_t c3 = rc3; c3 < min64(N, rc3 + 8); c3++) {
                                                /* NR_U[i,j] += L[i,k] * U[k,j] */
                                                LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, rc2); k < min64(tk + 144, rc2 + 6); k++) {
#pragma omp simd
                                        for (int64_t c3 = rc3; c3 < min64(N, rc3 + 8); c3++) {
                                            /* U[i,j] = A[i,j] - NR_U[i,j] */
                                            LU[k * N + c3] = A[k * N + c3] - LU[k * N + c3];
                                        }
                                        for (int64_t c2 = k + 1; c2 < rc2 + 6; c2++) {
#pragma omp simd
                                            for (int64_t c3 = rc3; c3 < min64(N, rc3 + 8); c3++) {
                                                /* NR_U[i,j] += L[i,k] * U[k,j] */
                                                LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                            }
                                        }
                                    }
                                }
                            } else {
                                if (tk == 0 && rc2 == 0 && rc3 == 0) {
#pragma omp simd
                                    for (int64_t c3 = 0; c3 <= min64(7, N - 1); c3++) {
                                        /* U[i,j] = A[i,j] - NR_U[i,j] */
                                        LU[c3] = A[c3] - LU[c3];
                                    }
                                    for (int64_t c2 = 1; c2 <= min64(5, N - 1); c2++) {
                                        /* L[i,j] = (A[i,j] - NR_L[i,j]) / U[j,j] */
                                        LU[c2 * N] = (A[c2 * N] - LU[c2 * N]) / LU[0];
#pragma omp simd
                                        for (int64_t c3 = 1; c3 < c2; c3++) {
                                            /* NR_L[i,j] = L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] = 0 + LU[c2 * N] * LU[c3];
                                        }
#pragma omp simd
                                        for (int64_t c3 = c2; c3 <= min64(7, N - 1); c3++) {
                                            /* NR_U[i,j] = L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] = 0 + LU[c2 * N] * LU[c3];
                                        }
                                    }
                                } else if (tk == 0 && rc2 == 0 && rc3 >= 1) {
#pragma omp simd
                                    for (int64_t c3 = rc3; c3 < min64(N, rc3 + 8); c3++) {
                                        /* U[i,j] = A[i,j] - NR_U[i,j] */
                                        LU[c3] = A[c3] - LU[c3];
                                    }
                                    for (int64_t c2 = 1; c2 <= min64(5, N - 1); c2++) {
#pragma omp simd
                                        for (int64_t c3 = rc3; c3 < c2; c3++) {
                                            /* NR_L[i,j] = L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] = 0 + LU[c2 * N] * LU[c3];
                                        }
#pragma omp simd
                                        for (int64_t c3 = max64(rc3, c2); c3 < min64(N, rc3 + 8); c3++) {
                                            /* NR_U[i,j] = L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] = 0 + LU[c2 * N] * LU[c3];
                                        }
                                    }
                                } else if (tk == 0 && rc2 >= 1 && rc3 == 0) {
                                    for (int64_t c2 = rc2; c2 < min64(N, rc2 + 6); c2++) {
                                        /* L[i,j] = (A[i,j] - NR_L[i,j]) / U[j,j] */
                                        LU[c2 * N] = (A[c2 * N] - LU[c2 * N]) / LU[0];
#pragma omp simd
                                        for (int64_t c3 = 1; c3 <= min64(7, c2 - 1); c3++) {
                                            /* NR_L[i,j] = L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] = 0 + LU[c2 * N] * LU[c3];
                                        }
#pragma omp simd
                                        for (int64_t c3 = c2; c3 <= min64(7, N - 1); c3++) {
                                            /* NR_U[i,j] = L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] = 0 + LU[c2 * N] * LU[c3];
                                        }
                                    }
                                } else if (tk == 0 && rc2 >= 1 && rc3 >= 1) {
                                    for (int64_t c2 = rc2; c2 < min64(N, rc2 + 6); c2++) {
#pragma omp simd
                                        for (int64_t c3 = rc3; c3 < min64(rc3 + 8, c2); c3++) {
                                            /* NR_L[i,j] = L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] = 0 + LU[c2 * N] * LU[c3];
                                        }
#pragma omp simd
                                        for (int64_t c3 = max64(rc3, c2); c3 < min64(N, rc3 + 8); c3++) {
                                            /* NR_U[i,j] = L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] = 0 + LU[c2 * N] * LU[c3];
                                        }
                                    }
                                }
                                for (int64_t k = max64(1, tk); k < min64(min64(tk + 144, rc2), rc3); k++) {
                                    for (int64_t c2 = rc2; c2 < min64(N, rc2 + 6); c2++) {
#pragma omp simd
                                        for (int64_t c3 = rc3; c3 < min64(rc3 + 8, c2); c3++) {
                                            /* NR_L[i,j] += L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                        }
#pragma omp simd
                                        for (int64_t c3 = max64(rc3, c2); c3 < min64(N, rc3 + 8); c3++) {
                                            /* NR_U[i,j] += L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(1, tk), rc2); k < min64(min64(tk + 144, rc2 + 6), rc3); k++) {
#pragma omp simd
                                    for (int64_t c3 = rc3; c3 < min64(N, rc3 + 8); c3++) {
                                        /* U[i,j] = A[i,j] - NR_U[i,j] */
                                        LU[k * N + c3] = A[k * N + c3] - LU[k * N + c3];
                                    }
                                    for (int64_t c2 = k + 1; c2 < min64(N, rc2 + 6); c2++) {
#pragma omp simd
                                        for (int64_t c3 = rc3; c3 < c2; c3++) {
                                            /* NR_L[i,j] += L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                        }
#pragma omp simd
                                        for (int64_t c3 = max64(rc3, c2); c3 < min64(N, rc3 + 8); c3++) {
                                            /* NR_U[i,j] += L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(1, tk), rc3); k < min64(min64(tk + 144, rc2), rc3 + 8); k++) {
                                    for (int64_t c2 = rc2; c2 < min64(N, rc2 + 6); c2++) {
                                        /* L[i,j] = (A[i,j] - NR_L[i,j]) / U[j,j] */
                                        LU[c2 * N + k] = (A[c2 * N + k] - LU[c2 * N + k]) / LU[k * N + k];
#pragma omp simd
                                        for (int64_t c3 = k + 1; c3 < min64(rc3 + 8, c2); c3++) {
                                            /* NR_L[i,j] += L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                        }
#pragma omp simd
                                        for (int64_t c3 = c2; c3 < min64(N, rc3 + 8); c3++) {
                                            /* NR_U[i,j] += L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(max64(1, tk), rc2), rc3);
                                     k < min64(min64(min64(N, tk + 144), rc2 + 6), rc3 + 8);
                                     k++) {
#pragma omp simd
                                    for (int64_t c3 = k; c3 < min64(N, rc3 + 8); c3++) {
                                        /* U[i,j] = A[i,j] - NR_U[i,j] */
                                        LU[k * N + c3] = A[k * N + c3] - LU[k * N + c3];
                                    }
                                    for (int64_t c2 = k + 1; c2 < min64(N, rc2 + 6); c2++) {
                                        /* L[i,j] = (A[i,j] - NR_L[i,j]) / U[j,j] */
                                        LU[c2 * N + k] = (A[c2 * N + k] - LU[c2 * N + k]) / LU[k * N + k];
#pragma omp simd
                                        for (int64_t c3 = k + 1; c3 < min64(rc3 + 8, c2); c3++) {
                                            /* NR_L[i,j] += L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
                                        }
#pragma omp simd
                                        for (int64_t c3 = c2; c3 < min64(N, rc3 + 8); c3++) {
                                            /* NR_U[i,j] += L[i,k] * U[k,j] */
                                            LU[c2 * N + c3] += LU[c2 * N + k] * LU[k * N + c3];
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
