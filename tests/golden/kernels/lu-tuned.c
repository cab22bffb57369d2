static void lu_loops(int64_t N, const double *restrict A, double *restrict LU)
{
    for (int64_t j = 0; j < N; j++) {
        /* S, where + has nothing to combine */
        LU[j] = 0;
    }
    for (int64_t i = 1; i < N; i++) {
        /* S, where + has nothing to combine */
        LU[i * N] = 0;
    }

    for (int64_t wj = 0; wj <= 3 * floor_div(N - 1, 144); wj++) {
        #pragma omp parallel for schedule(dynamic)
        for (int64_t ni = max64(0, wj - 2 * floor_div(N - 1, 144));
             ni <= min64(floor_div(N - 1, 144), wj);
             ni++) {
            const int64_t ti = 144 * ni;
            for (int64_t nk = max64(0, wj - ni - floor_div(N - 1, 144));
                 nk <= min64(floor_div(min64(N - 1, ti + 143), 144), wj - ni);
                 nk++) {
                const int64_t tk = 144 * nk;
                const int64_t tj = 144 * wj - 144 * ni - 144 * nk;
                if (max64(0, tk - 143) <= tj && tj <= N - 1) {
                    for (int64_t rj = 8 * floor_div(max64(tj + 7, tk), 8);
                         rj <= min64(N - 1, tj + 136);
                         rj += 8) {
                        for (int64_t ri = 6 * floor_div(max64(ti + 5, tk), 6);
                             ri <= min64(N - 1, ti + 138);
                             ri += 6) {
                            if (rj <= N - 8 && rj >= 1 && ri <= N - 6 && ri >= 1) {
                                if (rj >= 2 && ri >= 2) {
                                    if (tk == 0) {
                                        /* S[i,j] = L[i,k] * U[k,j], 8 x 6 */
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + ri) * N + rj + 4 * s]
                                                    = 0 + LU[(r + ri) * N] * *(double4 *)&LU[rj + 4 * s];
                                            }
                                        }
                                    }
                                    if (max64(1, tk) < min64(min64(tk + 144, rj), ri)) {
                                        /* S[i,j] += L[i,k] * U[k,j], 8 x 6 */
                                        double4 sum[6][2];
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                sum[r][s] = (double4){0};
                                                __builtin_prefetch(&LU[(r + ri) * N + rj + 4 * s], 1);
                                            }
                                        }
                                        for (int64_t k = max64(1, tk);
                                             k < min64(min64(tk + 144, rj), ri);
                                             k++) {
                                            for (int64_t r = 0; r < 6; r++) {
                                                for (int64_t s = 0; s < 2; s++) {
                                                    sum[r][s] += LU[(r + ri) * N + k]
                                                        * *(double4 *)&LU[k * N + rj + 4 * s];
                                                }
                                            }
                                        }
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + ri) * N + rj + 4 * s] += sum[r][s];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, rj);
                                         k < min64(min64(tk + 144, rj + 8), ri);
                                         k++) {
                                        for (int64_t i = ri; i < ri + 6; i++) {
                                            /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                            LU[i * N + k] = (A[i * N + k] - LU[i * N + k]) / LU[k * N + k];
                                        }
                                        for (int64_t j = k + 1; j < rj + 8; j++) {
                                            for (int64_t i = ri; i < ri + 6; i++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, ri);
                                         k < min64(min64(tk + 144, rj), ri + 6);
                                         k++) {
                                        for (int64_t j = rj; j < rj + 8; j++) {
                                            /* U[i,j] = A[i,j] - S[i,j] */
                                            LU[k * N + j] = A[k * N + j] - LU[k * N + j];
                                            for (int64_t i = k + 1; i < ri + 6; i++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(max64(tk, rj), ri);
                                         k < min64(min64(tk + 144, rj + 8), ri + 6);
                                         k++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[k * N + k] = A[k * N + k] - LU[k * N + k];
                                        for (int64_t i = k + 1; i < ri + 6; i++) {
                                            /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                            LU[i * N + k] = (A[i * N + k] - LU[i * N + k]) / LU[k * N + k];
                                        }
                                        for (int64_t j = k + 1; j < rj + 8; j++) {
                                            /* U[i,j] = A[i,j] - S[i,j] */
                                            LU[k * N + j] = A[k * N + j] - LU[k * N + j];
                                            for (int64_t i = k + 1; i < ri + 6; i++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
                                            }
                                        }
                                    }
                                } else {
                                    if (tk == 0) {
                                        /* S[i,j] = L[i,k] * U[k,j], 8 x 6 */
                                        for (int64_t r = 0; r < 6; r++) {
                                            for (int64_t s = 0; s < 2; s++) {
                                                *(double4 *)&LU[(r + ri) * N + rj + 4 * s]
                                                    = 0 + LU[(r + ri) * N] * *(double4 *)&LU[rj + 4 * s];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(1, tk); k < min64(min64(tk + 144, rj), ri); k++) {
                                        for (int64_t j = rj; j < rj + 8; j++) {
                                            for (int64_t i = ri; i < ri + 6; i++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, rj);
                                         k < min64(min64(tk + 144, rj + 8), ri);
                                         k++) {
                                        for (int64_t i = ri; i < ri + 6; i++) {
                                            /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                            LU[i * N + k] = (A[i * N + k] - LU[i * N + k]) / LU[k * N + k];
                                        }
                                        for (int64_t j = k + 1; j < rj + 8; j++) {
                                            for (int64_t i = ri; i < ri + 6; i++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(tk, ri);
                                         k < min64(min64(tk + 144, rj), ri + 6);
                                         k++) {
                                        for (int64_t j = rj; j < rj + 8; j++) {
                                            /* U[i,j] = A[i,j] - S[i,j] */
                                            LU[k * N + j] = A[k * N + j] - LU[k * N + j];
                                            for (int64_t i = k + 1; i < ri + 6; i++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
                                            }
                                        }
                                    }
                                    for (int64_t k = max64(max64(tk, rj), ri);
                                         k < min64(min64(tk + 144, rj + 8), ri + 6);
                                         k++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[k * N + k] = A[k * N + k] - LU[k * N + k];
                                        for (int64_t i = k + 1; i < ri + 6; i++) {
                                            /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                            LU[i * N + k] = (A[i * N + k] - LU[i * N + k]) / LU[k * N + k];
                                        }
                                        for (int64_t j = k + 1; j < rj + 8; j++) {
                                            /* U[i,j] = A[i,j] - S[i,j] */
                                            LU[k * N + j] = A[k * N + j] - LU[k * N + j];
                                            for (int64_t i = k + 1; i < ri + 6; i++) {
                                                /* S[i,j] += L[i,k] * U[k,j] */
                                                LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
                                            }
                                        }
                                    }
                                }
                            } else {
                                if (tk == 0 && rj == 0 && ri == 0) {
                                    /* U[i,j] = A[i,j] - S[i,j] */
                                    LU[0] = A[0] - LU[0];
                                    for (int64_t i = 1; i <= min64(5, N - 1); i++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                        LU[i * N] = (A[i * N] - LU[i * N]) / LU[0];
                                    }
                                    for (int64_t j = 1; j <= min64(7, N - 1); j++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[j] = A[j] - LU[j];
                                        for (int64_t i = 1; i <= min64(5, N - 1); i++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            LU[i * N + j] = 0 + LU[i * N] * LU[j];
                                        }
                                    }
                                } else if (tk == 0 && rj == 0 && ri >= 1) {
                                    for (int64_t i = ri; i < min64(N, ri + 6); i++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                        LU[i * N] = (A[i * N] - LU[i * N]) / LU[0];
                                    }
                                    for (int64_t j = 1; j <= min64(7, N - 1); j++) {
                                        for (int64_t i = ri; i < min64(N, ri + 6); i++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            LU[i * N + j] = 0 + LU[i * N] * LU[j];
                                        }
                                    }
                                } else if (tk == 0 && rj >= 1 && ri == 0) {
                                    for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[j] = A[j] - LU[j];
                                        for (int64_t i = 1; i <= min64(5, N - 1); i++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            LU[i * N + j] = 0 + LU[i * N] * LU[j];
                                        }
                                    }
                                } else if (tk == 0 && rj >= 1 && ri >= 1) {
                                    for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                        for (int64_t i = ri; i < min64(N, ri + 6); i++) {
                                            /* S[i,j] = L[i,k] * U[k,j] */
                                            LU[i * N + j] = 0 + LU[i * N] * LU[j];
                                        }
                                    }
                                }
                                for (int64_t k = max64(1, tk); k < min64(min64(tk + 144, rj), ri); k++) {
                                    for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                        for (int64_t i = ri; i < min64(N, ri + 6); i++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(1, tk), rj);
                                     k < min64(min64(tk + 144, rj + 8), ri);
                                     k++) {
                                    for (int64_t i = ri; i < min64(N, ri + 6); i++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                        LU[i * N + k] = (A[i * N + k] - LU[i * N + k]) / LU[k * N + k];
                                    }
                                    for (int64_t j = k + 1; j < min64(N, rj + 8); j++) {
                                        for (int64_t i = ri; i < min64(N, ri + 6); i++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(1, tk), ri);
                                     k < min64(min64(tk + 144, rj), ri + 6);
                                     k++) {
                                    for (int64_t j = rj; j < min64(N, rj + 8); j++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[k * N + j] = A[k * N + j] - LU[k * N + j];
                                        for (int64_t i = k + 1; i < min64(N, ri + 6); i++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
                                        }
                                    }
                                }
                                for (int64_t k = max64(max64(max64(1, tk), rj), ri);
                                     k < min64(min64(min64(N, tk + 144), rj + 8), ri + 6);
                                     k++) {
                                    /* U[i,j] = A[i,j] - S[i,j] */
                                    LU[k * N + k] = A[k * N + k] - LU[k * N + k];
                                    for (int64_t i = k + 1; i < min64(N, ri + 6); i++) {
                                        /* L[i,j] = (A[i,j] - S[i,j]) / U[j,j] */
                                        LU[i * N + k] = (A[i * N + k] - LU[i * N + k]) / LU[k * N + k];
                                    }
                                    for (int64_t j = k + 1; j < min64(N, rj + 8); j++) {
                                        /* U[i,j] = A[i,j] - S[i,j] */
                                        LU[k * N + j] = A[k * N + j] - LU[k * N + j];
                                        for (int64_t i = k + 1; i < min64(N, ri + 6); i++) {
                                            /* S[i,j] += L[i,k] * U[k,j] */
                                            LU[i * N + j] += LU[i * N + k] * LU[k * N + j];
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
