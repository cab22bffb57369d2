static void trisolv_loops(int64_t N, const double *restrict L, const double *restrict b, double *restrict x)
{
    /* NR_x, where + has nothing to combine */
    x[0] = 0;

    for (int64_t wi = 0; wi <= (17 * N - 17) / 2048; wi++) {
        #pragma omp parallel for
        for (int64_t nj = max64(0, wi - (N + 127) / 128 + 1); nj <= wi / 17; nj++) {
            const int64_t ti = 128 * wi - 128 * nj;
            const int64_t tj = 2048 * nj;
            for (int64_t ri = 8 * floor_div(max64(ti + 7, tj), 8); ri <= min64(N - 1, ti + 120); ri += 8) {
                if (ri <= N - 8 && ri >= 1) {
                    if (tj == 0) {
                        /* NR_x[i] = L[i,j] * x[j], 8 */
                        for (int64_t r = 0; r < 8; r++) {
                            x[r + ri] = 0 + L[(r + ri) * N] * x[0];
                        }
                    }
                    if (max64(1, tj) < min64(tj + 2048, ri)) {
                        /* NR_x[i] += L[i,j] * x[j], 8 */
                        double sum[8];
                        for (int64_t r = 0; r < 8; r++) {
                            sum[r] = 0;
                            __builtin_prefetch(&x[r + ri], 1);
                        }
                        for (int64_t j = max64(1, tj); j < min64(tj + 2048, ri); j++) {
                            for (int64_t r = 0; r < 8; r++) {
                                sum[r] += L[(r + ri) * N + j] * x[j];
                            }
                        }
                        for (int64_t r = 0; r < 8; r++) {
                            x[r + ri] += sum[r];
                        }
                    }
                    for (int64_t j = max64(tj, ri); j < min64(tj + 2048, ri + 8); j++) {
                        /* x[i] = (b[i] - NR_x[i]) / L[i,i] */
                        x[j] = (b[j] - x[j]) / L[j * N + j];
                        for (int64_t i = j + 1; i < ri + 8; i++) {
                            /* NR_x[i] += L[i,j] * x[j] */
                            x[i] += L[i * N + j] * x[j];
                        }
                    }
                } else {
                    if (tj == 0 && ri == 0) {
                        /* x[i] = (b[i] - NR_x[i]) / L[i,i] */
                        x[0] = (b[0] - x[0]) / L[0];
                        for (int64_t i = 1; i <= min64(7, N - 1); i++) {
                            /* NR_x[i] = L[i,j] * x[j] */
                            x[i] = 0 + L[i * N] * x[0];
                        }
                    } else if (tj == 0 && ri >= 1) {
                        for (int64_t i = ri; i < min64(N, ri + 8); i++) {
                            /* NR_x[i] = L[i,j] * x[j] */
                            x[i] = 0 + L[i * N] * x[0];
                        }
                    }
                    for (int64_t j = max64(1, tj); j < min64(tj + 2048, ri); j++) {
                        for (int64_t i = ri; i < min64(N, ri + 8); i++) {
                            /* NR_x[i] += L[i,j] * x[j] */
                            x[i] += L[i * N + j] * x[j];
                        }
                    }
                    for (int64_t j = max64(max64(1, tj), ri); j < min64(min64(N, tj + 2048), ri + 8); j++) {
                        /* x[i] = (b[i] - NR_x[i]) / L[i,i] */
                        x[j] = (b[j] - x[j]) / L[j * N + j];
                        for (int64_t i = j + 1; i < min64(N, ri + 8); i++) {
                            /* NR_x[i] += L[i,j] * x[j] */
                            x[i] += L[i * N + j] * x[j];
                        }
                    }
                }
            }
        }
    }
}
