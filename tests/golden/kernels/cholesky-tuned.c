static void cholesky_loops(int64_t N, const double *restrict A, double *restrict L, double *restrict U)
{
    /* NR_L, where + has nothing to combine */
    L[0] = 0;

    for (int64_t i = 1; i < N; i++) {
        /* NR_L_1, where + has nothing to combine */
        L[i * N] = 0;
    }

    for (int64_t wi = 0; wi <= floor_div(N - 1, 192) + 2 * floor_div(N - 1, 96); wi++) {
#pragma omp parallel for schedule(dynamic)
        for (int64_t nc2 = max64(0, wi - floor_div(N - 1, 192) - floor_div(N - 1, 96));
             nc2 <= min64(floor_div(N - 1, 96), wi);
             nc2++) {
            const int64_t tc2 = 96 * nc2;
            for (int64_t nk = max64(0, wi - nc2 - floor_div(N - 1, 192));
                 nk <= min64(floor_div(min64(N - 1, tc2 + 95), 96), wi - nc2);
                 nk++) {
                const int64_t tk = 96 * nk;
                const int64_t ti = 192 * wi - 192 * nc2 - 192 * nk;
                if (max64(max64(0, tc2 - 191), tk - 191) <= ti && ti <= N - 1) {
                    for (int64_t ri = 6 * floor_div(max64(max64(ti + 5, tc2), tk), 6);
                         ri <= min64(N - 1, ti + 186);
                         ri += 6) {
                        for (int64_t rc2 = 8 * floor_div(max64(tc2 + 7, tk), 8);
                             rc2 <= min64(min64(N - 1, tc2 + 88), ri + 5);
                             rc2 += 8) {
                            if (ri <= N - 6 && rc2 <= ri - 8 && rc2 >= 1) {
                                if (tk == 0) {
                                    /* NR_L_1[i,j] = L[i,k] * U[k,j], 6 x 8 */
                                    for (int64_t r = 0; r < 6; r++) {
                                        for (int64_t s = 0; s < 2; s++) {
                                            *(double4 *)&L[(r + ri) * N + rc2 + 4 * s] = 0 + L[(r + ri) * N] * *(double4 *)&U[rc2 + 4 * s];
                                        }
                                    }
                                }
                                if (max64(1, tk) < min64(tk + 96, rc2)) {
                                    /* NR_L_1[i,j] += L[i,k] * U[k,j], 6 x 8 */
                                    double4 sum[6][2];
                                    for (int64_t r = 0; r < 6; r++) {
                                        for (int64_t s = 0; s < 2; s++) {
                                            sum[r][s] = (double4){0};
                                            __builtin_prefetch(&L[(r + ri) * N + rc2 + 4 * s], 1);
                                        }
                                    }
                                    for (int64_t k = max64(1, tk); k < min64(tk + 96, rc2); k++) {
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                sum[r][s] += L[(r + ri) * N + k] * *(double4 *)&U[k * N + rc2 + 4 * s];
                                            }
                                        }
                                    }
                                    for (int64_t r = 0; r < 6; r++) {
                                        for (int64_t s = 0; s < 2; s++) {
                                            *(double4 *)&L[(r + ri) * N + rc2 + 4 * s] += sum[r][s];
                                        }
                                    }
                                }
                                for (int64_t k = max64(tk, rc2); k < min64(tk + 96, rc2 + 8); k++) {
                                    for (int64_t i = ri; i < ri + 6; i++) {
                                        /* L[i,j] = (A[i,j] - NR_L_1[i,j]) / L[j,j] */
                                        L[i * N + k] = (A[i * N + k] - L[i * N + k]) / L[k * N + k];
                                        /* U[k,j] = L[j,k] */
                                        U[k * N + i] = L[i * N + k];
#pragma omp simd
                                        for (int64_t c2 = k + 1; c2 < rc2 + 8; c2++) {
                                            /* NR_L_1[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c2] += L[i * N + k] * U[k * N + c2];
                                        }
                                    }
                                }
                            } else {
                                if (tk == 0 && rc2 >= 1) {
                                    for (int64_t i = max64(ri, rc2); i < min64(min64(N, ri + 6), rc2 + 8); i++) {
#pragma omp simd
                                        for (int64_t c2 = rc2; c2 < i; c2++) {
                                            /* NR_L_1[i,j] = L[i,k] * U[k,j] */
                                            L[i * N + c2] = 0 + L[i * N] * U[c2];
                                        }
                                        /* NR_L[i,j] = L[i,k] * U[k,i] */
                                        L[i * N + i] = 0 + L[i * N] * U[i];
                                    }
                                    for (int64_t i = max64(ri, rc2 + 8); i < min64(N, ri + 6); i++) {
#pragma omp simd
                                        for (int64_t c2 = rc2; c2 < rc2 + 8; c2++) {
                                            /* NR_L_1[i,j] = L[i,k] * U[k,j] */
                                            L[i * N + c2] = 0 + L[i * N] * U[c2];
                                        }
                                    }
                                }
                                for (int64_t k = max64(1, tk); k < min64(tk + 96, rc2); k++) {
                                    for (int64_t i = max64(ri, rc2); i < min64(min64(N, ri + 6), rc2 + 8); i++) {
#pragma omp simd
                                        for (int64_t c2 = rc2; c2 < i; c2++) {
                                            /* NR_L_1[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c2] += L[i * N + k] * U[k * N + c2];
                                        }
                                        /* NR_L[i,j] += L[i,k] * U[k,i] */
                                        L[i * N + i] += L[i * N + k] * U[k * N + i];
                                    }
                                    for (int64_t i = max64(ri, rc2 + 8); i < min64(N, ri + 6); i++) {
#pragma omp simd
                                        for (int64_t c2 = rc2; c2 < rc2 + 8; c2++) {
                                            /* NR_L_1[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c2] += L[i * N + k] * U[k * N + c2];
                                        }
                                    }
                                }
                                if (tk == 0 && ri >= 1 && rc2 == 0) {
                                    for (int64_t i = ri; i < min64(min64(8, N), ri + 6); i++) {
                                        /* L[i,j] = (A[i,j] - NR_L_1[i,j]) / L[j,j] */
                                        L[i * N] = (A[i * N] - L[i * N]) / L[0];
                                        /* U[k,j] = L[j,k] */
                                        U[i] = L[i * N];
#pragma omp simd
                                        for (int64_t c2 = 1; c2 < i; c2++) {
                                            /* NR_L_1[i,j] = L[i,k] * U[k,j] */
                                            L[i * N + c2] = 0 + L[i * N] * U[c2];
                                        }
                                        /* NR_L[i,j] = L[i,k] * U[k,i] */
                                        L[i * N + i] = 0 + L[i * N] * U[i];
                                    }
                                    for (int64_t i = max64(8, ri); i < min64(N, ri + 6); i++) {
                                        /* L[i,j] = (A[i,j] - NR_L_1[i,j]) / L[j,j] */
                                        L[i * N] = (A[i * N] - L[i * N]) / L[0];
                                        /* U[k,j] = L[j,k] */
                                        U[i] = L[i * N];
#pragma omp simd
                                        for (int64_t c2 = 1; c2 <= 7; c2++) {
                                            /* NR_L_1[i,j] = L[i,k] * U[k,j] */
                                            L[i * N + c2] = 0 + L[i * N] * U[c2];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(1, tk), rc2); k < min64(min64(tk + 96, ri), rc2 + 8); k++) {
                                    for (int64_t i = ri; i < min64(min64(N, ri + 6), rc2 + 8); i++) {
                                        /* L[i,j] = (A[i,j] - NR_L_1[i,j]) / L[j,j] */
                                        L[i * N + k] = (A[i * N + k] - L[i * N + k]) / L[k * N + k];
                                        /* U[k,j] = L[j,k] */
                                        U[k * N + i] = L[i * N + k];
#pragma omp simd
                                        for (int64_t c2 = k + 1; c2 < i; c2++) {
                                            /* NR_L_1[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c2] += L[i * N + k] * U[k * N + c2];
                                        }
                                        /* NR_L[i,j] += L[i,k] * U[k,i] */
                                        L[i * N + i] += L[i * N + k] * U[k * N + i];
                                    }
                                    for (int64_t i = max64(ri, rc2 + 8); i < min64(N, ri + 6); i++) {
                                        /* L[i,j] = (A[i,j] - NR_L_1[i,j]) / L[j,j] */
                                        L[i * N + k] = (A[i * N + k] - L[i * N + k]) / L[k * N + k];
                                        /* U[k,j] = L[j,k] */
                                        U[k * N + i] = L[i * N + k];
#pragma omp simd
                                        for (int64_t c2 = k + 1; c2 < rc2 + 8; c2++) {
                                            /* NR_L_1[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c2] += L[i * N + k] * U[k * N + c2];
                                        }
                                    }
                                }
                                if (tk == 0 && ri == 0 && rc2 == 0) {
                                    /* L[i,j] = sqrt(A[i,i] - NR_L[i,j]) */
                                    L[0] = sqrt(A[0] - L[0]);
                                    /* U[k,j] = L[j,k] */
                                    U[0] = L[0];
                                    for (int64_t i = 1; i <= min64(5, N - 1); i++) {
                                        /* L[i,j] = (A[i,j] - NR_L_1[i,j]) / L[j,j] */
                                        L[i * N] = (A[i * N] - L[i * N]) / L[0];
                                        /* U[k,j] = L[j,k] */
                                        U[i] = L[i * N];
#pragma omp simd
                                        for (int64_t c2 = 1; c2 < i; c2++) {
                                            /* NR_L_1[i,j] = L[i,k] * U[k,j] */
                                            L[i * N + c2] = 0 + L[i * N] * U[c2];
                                        }
                                        /* NR_L[i,j] = L[i,k] * U[k,i] */
                                        L[i * N + i] = 0 + L[i * N] * U[i];
                                    }
                                }
                                for (int64_t k = max64(max64(max64(1, tk), ri), rc2);
                                     k < min64(min64(min64(N, tk + 96), ri + 6), rc2 + 8);
                                     k++) {
                                    /* L[i,j] = sqrt(A[i,i] - NR_L[i,j]) */
                                    L[k * N + k] = sqrt(A[k * N + k] - L[k * N + k]);
                                    /* U[k,j] = L[j,k] */
                                    U[k * N + k] = L[k * N + k];
                                    for (int64_t i = k + 1; i < min64(min64(N, ri + 6), rc2 + 8); i++) {
                                        /* L[i,j] = (A[i,j] - NR_L_1[i,j]) / L[j,j] */
                                        L[i * N + k] = (A[i * N + k] - L[i * N + k]) / L[k * N + k];
                                        /* U[k,j] = L[j,k] */
                                        U[k * N + i] = L[i * N + k];
#pragma omp simd
                                        for (int64_t c2 = k + 1; c2 < i; c2++) {
                                            /* NR_L_1[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c2] += L[i * N + k] * U[k * N + c2];
                                        }
                                        /* NR_L[i,j] += L[i,k] * U[k,i] */
                                        L[i * N + i] += L[i * N + k] * U[k * N + i];
                                    }
                                    for (int64_t i = rc2 + 8; i < min64(N, ri + 6); i++) {
                                        /* L[i,j] = (A[i,j] - NR_L_1[i,j]) / L[j,j] */
                                        L[i * N + k] = (A[i * N + k] - L[i * N + k]) / L[k * N + k];
                                        /* U[k,j] = L[j,k] */
                                        U[k * N + i] = L[i * N + k];
#pragma omp simd
                                        for (int64_t c2 = k + 1; c2 < rc2 + 8; c2++) {
                                            /* NR_L_1[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c2] += L[i * N + k] * U[k * N + c2];
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
