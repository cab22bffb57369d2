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
                for (int64_t ri = 0; ri < M; ri += 2) {
                    if (failed_2 == 0) {
                        if (ri <= M - 2) {
                            for (int64_t i = ri; i < ri + 2; i++) {
                                /* tmp[i] = the identity of + */
                                tmp[i] = 0;
                            }
                            {
                                double sum = tmp[ri];
                                double sum_2 = tmp[ri + 1];
                                #pragma omp simd reduction(+:sum, sum_2)
                                for (int64_t j = 0; j < N; j++) {
                                    /* tmp[i] += A[i,j] * x[j] */
                                    sum += A[ri * N + j] * x[j];
                                    sum_2 += A[(ri + 1) * N + j] * x[j];
                                }
                                tmp[ri] = sum;
                                tmp[ri + 1] = sum_2;
                            }
                            #pragma omp simd
                            for (int64_t j = 0; j < N; j++) {
                                double sum_3 = own_sum_y[j];
                                /* y[j] += A[i,j] * tmp[i] */
                                sum_3 += A[ri * N + j] * tmp[ri];
                                sum_3 += A[(ri + 1) * N + j] * tmp[ri + 1];
                                own_sum_y[j] = sum_3;
                            }
                        } else {
                            for (int64_t i = ri; i < min64(M, ri + 2); i++) {
                                /* tmp[i] = the identity of + */
                                tmp[i] = 0;
                            }
                            for (int64_t j = 0; j < N; j++) {
                                for (int64_t i = ri; i < min64(M, ri + 2); i++) {
                                    /* tmp[i] += A[i,j] * x[j] */
                                    tmp[i] += A[i * N + j] * x[j];
                                }
                            }
                            for (int64_t j = 0; j < N; j++) {
                                /* y[j] += A[i,j] * tmp[i] */
                                double sum = own_sum_y[j];
                                for (int64_t i = ri; i < min64(M, ri + 2); i++) {
                                    sum += A[i * N + j] * tmp[i];
                                }
                                own_sum_y[j] = sum;
                            }
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
