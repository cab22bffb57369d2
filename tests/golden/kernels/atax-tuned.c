static void atax_loops(
    int64_t M, int64_t N, const double *restrict A, const double *restrict x, double *restrict y,
    double *restrict tmp, int *status)
{
    {
        int failed = 0;
        double *sum_y = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed == 0) {
            for (int64_t at = 0; at < N; at++) {
                sum_y[at] = 0;
            }
        }
        if (failed == 0) {
#pragma omp parallel
            {
                int failed_2 = 0;
                double *own_sum_y = allocate(&failed_2, sizeof(double), 1, (const int64_t[]){N});
                if (failed_2 == 0) {
                    for (int64_t at = 0; at < N; at++) {
                        own_sum_y[at] = 0;
                    }
                }
#pragma omp for nowait
                for (int64_t i = 0; i < M; i++) {
                    if (failed_2 == 0) {
                        /* tmp[i] = A[i,j] * x[j] */
                        tmp[i] = 0 + A[i * N] * x[0];
                        if (1 < N) {
                            double sum = tmp[i];
#pragma omp simd reduction(+:sum)
                            for (int64_t j = 1; j < N; j++) {
                                /* tmp[i] += A[i,j] * x[j] */
                                sum += A[i * N + j] * x[j];
                            }
                            tmp[i] = sum;
                        }
#pragma omp simd
                        for (int64_t j = 0; j < N; j++) {
                            /* y[j] += A[i,j] * tmp[i] */
                            own_sum_y[j] += A[i * N + j] * tmp[i];
                        }
                    }
                }
                if (failed_2 == 0) {
#pragma omp critical
                    {
                        for (int64_t at = 0; at < N; at++) {
                            sum_y[at] += own_sum_y[at];
                        }
                    }
                } else {
                    set_status(status, failed_2);
                }
                free(own_sum_y);
            }
            /* y = reduce(+, (j,i->j), A[i,j] * tmp[i]) */
            for (int64_t y_0 = 0; y_0 < N; y_0++) {
                y[y_0] = sum_y[y_0];
            }
        } else {
            set_status(status, failed);
        }
        free(sum_y);
    }
}
