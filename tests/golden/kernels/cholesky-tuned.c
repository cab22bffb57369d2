static void cholesky_loops(int64_t N, const double *restrict A, double *restrict L, double *restrict U)
{
    for (int64_t i = 0; i < N; i++) {
        /* S, where + has nothing to combine */
        L[i * N] = 0;
    }

    for (int64_t wc1 = 0; wc1 <= 3 * floor_div(N - 1, 144); wc1++) {
        #pragma omp parallel for schedule(dynamic)
        for (int64_t ni = max64(0, wc1 - 2 * floor_div(N - 1, 144));
             ni <= min64(floor_div(N - 1, 144), wc1);
             ni++) {
            const int64_t ti = 144 * ni;
            for (int64_t nk = max64(0, wc1 - ni - floor_div(N - 1, 144));
                 nk <= min64(floor_div(min64(N - 1, ti + 143), 144), wc1 - ni);
                 nk++) {
                const int64_t tk = 144 * nk;
                const int64_t tc1 = 144 * wc1 - 144 * ni - 144 * nk;
                if (max64(0, tk - 143) <= tc1 && tc1 <= min64(N - 1, ti + 143)) {
                    for (int64_t rc1 = 8 * floor_div(max64(tc1 + 7, tk), 8);
                         rc1 <= min64(min64(N - 1, tc1 + 136), ti + 143);
                         rc1 += 8) {
                        for (int64_t ri = 6 * floor_div(max64(max64(ti + 5, tk), rc1), 6);
                             ri <= min64(N - 1, ti + 138);
                             ri += 6) {
                            if (rc1 >= 1 && rc1 <= ri - 7 && ri <= N - 6) {
                                if (tk == 0) {
                                    /* S[i,j] = L[i,k] * U[k,j], 8 x 6 */
                                    for (int64_t r = 0; r < 6; r++) {
                                        for (int64_t s = 0; s < 2; s++) {
                                            *(double4 *)&L[(r + ri) * N + rc1 + 4 * s]
                                                = 0 + L[(r + ri) * N] * *(double4 *)&U[rc1 + 4 * s];
                                        }
                                    }
                                }
                                if (max64(1, tk) < min64(tk + 144, rc1)) {
                                    /* S[i,j] += L[i,k] * U[k,j], 8 x 6 */
                                    double4 sum[6][2];
                                    for (int64_t r = 0; r < 6; r++) {
                                        for (int64_t s = 0; s < 2; s++) {
                                            sum[r][s] = (double4){0};
                                            __builtin_prefetch(&L[(r + ri) * N + rc1 + 4 * s], 1);
                                        }
                                    }
                                    for (int64_t k = max64(1, tk); k < min64(tk + 144, rc1); k++) {
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                sum[r][s] += L[(r + ri) * N + k]
                                                    * *(double4 *)&U[k * N + rc1 + 4 * s];
                                            }
                                        }
                                    }
                                    for (int64_t r = 0; r < 6; r++) {
                                        for (int64_t s = 0; s < 2; s++) {
                                            *(double4 *)&L[(r + ri) * N + rc1 + 4 * s] += sum[r][s];
                                        }
                                    }
                                }
                                for (int64_t k = max64(tk, rc1); k < min64(tk + 144, rc1 + 7); k++) {
                                    for (int64_t i = ri; i < ri + 6; i++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / L[j,j] */
                                        L[i * N + k] = (A[i * N + k] - L[i * N + k]) / L[k * N + k];
                                        /* U[k,j] = L[j,k] */
                                        U[k * N + i] = L[i * N + k];
                                    }
                                    for (int64_t c1 = k + 1; c1 < rc1 + 8; c1++) {
                                        for (int64_t i = ri; i < ri + 6; i++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c1] += L[i * N + k] * U[k * N + c1];
                                        }
                                    }
                                }
                                if (rc1 <= tk + 136 && ri == rc1 + 7) {
                                    const int64_t i_2 = rc1 + 7;
                                    const int64_t j = rc1 + 7;
                                    /* L[i,j] = sqrt(A[i,i] - S[i,i]) */
                                    L[i_2 * N + j] = sqrt(A[i_2 * N + i_2] - L[i_2 * N + i_2]);
                                    const int64_t k_2 = rc1 + 7;
                                    /* U[k,j] = L[j,k] */
                                    U[k_2 * N + j] = L[j * N + k_2];
                                    for (int64_t i = rc1 + 8; i < rc1 + 13; i++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / L[j,j] */
                                        L[i * N + j] = (A[i * N + j] - L[i * N + j]) / L[j * N + j];
                                        /* U[k,j] = L[j,k] */
                                        U[k_2 * N + i] = L[i * N + k_2];
                                    }
                                } else if (rc1 <= tk + 136 && rc1 <= ri - 8) {
                                    for (int64_t i = ri; i < ri + 6; i++) {
                                        const int64_t j = rc1 + 7;
                                        /* L[i,j] = (A[i,j] - S[i,j]) / L[j,j] */
                                        L[i * N + j] = (A[i * N + j] - L[i * N + j]) / L[j * N + j];
                                        const int64_t k_2 = rc1 + 7;
                                        /* U[k,j] = L[j,k] */
                                        U[k_2 * N + i] = L[i * N + k_2];
                                    }
                                }
                            } else {
                                if (tk == 0 && rc1 == 0 && ri == 0) {
                                    /* L[i,j] = sqrt(A[i,i] - S[i,i]) */
                                    L[0] = sqrt(A[0] - L[0]);
                                    /* U[k,j] = L[j,k] */
                                    U[0] = L[0];
                                    for (int64_t i = 1; i <= min64(5, N - 1); i++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / L[j,j] */
                                        L[i * N] = (A[i * N] - L[i * N]) / L[0];
                                        /* U[k,j] = L[j,k] */
                                        U[i] = L[i * N];
                                    }
                                    for (int64_t c1 = 1; c1 <= min64(5, N - 1); c1++) {
                                        for (int64_t i = c1; i <= min64(5, N - 1); i++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            L[i * N + c1] = 0 + L[i * N] * U[c1];
                                        }
                                    }
                                } else if (tk == 0 && rc1 == 0 && ri >= 1) {
                                    for (int64_t i = ri; i < min64(N, ri + 6); i++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / L[j,j] */
                                        L[i * N] = (A[i * N] - L[i * N]) / L[0];
                                        /* U[k,j] = L[j,k] */
                                        U[i] = L[i * N];
                                    }
                                    for (int64_t c1 = 1; c1 < min64(min64(8, N), ri + 6); c1++) {
                                        for (int64_t i = max64(ri, c1); i < min64(N, ri + 6); i++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            L[i * N + c1] = 0 + L[i * N] * U[c1];
                                        }
                                    }
                                } else if (tk == 0 && rc1 >= 1) {
                                    for (int64_t c1 = rc1; c1 < min64(min64(N, rc1 + 8), ri + 6); c1++) {
                                        for (int64_t i = max64(ri, c1); i < min64(N, ri + 6); i++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            L[i * N + c1] = 0 + L[i * N] * U[c1];
                                        }
                                    }
                                }
                                for (int64_t k = max64(1, tk); k < min64(tk + 144, rc1); k++) {
                                    for (int64_t c1 = rc1; c1 < min64(min64(N, rc1 + 8), ri + 6); c1++) {
                                        for (int64_t i = max64(ri, c1); i < min64(N, ri + 6); i++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c1] += L[i * N + k] * U[k * N + c1];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(1, tk), rc1);
                                     k < min64(min64(tk + 144, rc1 + 8), ri);
                                     k++) {
                                    for (int64_t i = ri; i < min64(N, ri + 6); i++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / L[j,j] */
                                        L[i * N + k] = (A[i * N + k] - L[i * N + k]) / L[k * N + k];
                                        /* U[k,j] = L[j,k] */
                                        U[k * N + i] = L[i * N + k];
                                    }
                                    for (int64_t c1 = k + 1; c1 < min64(min64(N, rc1 + 8), ri + 6); c1++) {
                                        for (int64_t i = max64(ri, c1); i < min64(N, ri + 6); i++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c1] += L[i * N + k] * U[k * N + c1];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(max64(1, tk), rc1), ri);
                                     k < min64(min64(min64(N, tk + 144), rc1 + 8), ri + 6);
                                     k++) {
                                    /* L[i,j] = sqrt(A[i,i] - S[i,i]) */
                                    L[k * N + k] = sqrt(A[k * N + k] - L[k * N + k]);
                                    /* U[k,j] = L[j,k] */
                                    U[k * N + k] = L[k * N + k];
                                    for (int64_t i = k + 1; i < min64(N, ri + 6); i++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / L[j,j] */
                                        L[i * N + k] = (A[i * N + k] - L[i * N + k]) / L[k * N + k];
                                        /* U[k,j] = L[j,k] */
                                        U[k * N + i] = L[i * N + k];
                                    }
                                    for (int64_t c1 = k + 1; c1 < min64(min64(N, rc1 + 8), ri + 6); c1++) {
                                        for (int64_t i = c1; i < min64(N, ri + 6); i++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            L[i * N + c1] += L[i * N + k] * U[k * N + c1];
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
