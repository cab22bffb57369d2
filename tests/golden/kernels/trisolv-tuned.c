static void trisolv_loops(int64_t N, const double *restrict L, const double *restrict b, double *restrict x)
{
    /* NR_x, where + has nothing to combine */
    x[0] = 0;

    for (int64_t wi = 0; wi <= (9 * N - 9) / 1024; wi++) {
#pragma omp parallel for
        for (int64_t nj = max64(0, wi - (N + 127) / 128 + 1); nj <= wi / 9; nj++) {
            const int64_t ti = 128 * wi - 128 * nj;
            const int64_t tj = 1024 * nj;
            if (ti <= N - 128 && tj <= ti - 1024 && tj >= 1) {
                for (int64_t i = ti; i < ti + 128; i++) {
                    double sum_2 = x[i];
#pragma omp simd reduction(+:sum_2)
                    for (int64_t j = tj; j < tj + 1024; j++) {
                        /* NR_x[i] += L[i,j] * x[j] */
                        sum_2 += L[i * N + j] * x[j];
                    }
                    x[i] = sum_2;
                }
            } else {
                for (int64_t i = max64(ti, tj); i < min64(N, ti + 128); i++) {
                    if (tj == 0 && i >= 1) {
                        /* NR_x[i] = L[i,j] * x[j] */
                        x[i] = 0 + L[i * N] * x[0];
                    }
                    if (max64(1, tj) < min64(tj + 1024, i)) {
                        double sum = x[i];
#pragma omp simd reduction(+:sum)
                        for (int64_t j = max64(1, tj); j < min64(tj + 1024, i); j++) {
                            /* NR_x[i] += L[i,j] * x[j] */
                            sum += L[i * N + j] * x[j];
                        }
                        x[i] = sum;
                    }
                    if (i <= tj + 1023) {
                        /* x[i] = (b[i] - NR_x[i]) / L[i,i] */
                        x[i] = (b[i] - x[i]) / L[i * N + i];
                    }
                }
            }
        }
    }
}
