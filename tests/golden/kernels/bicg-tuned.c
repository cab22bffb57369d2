static void bicg_loops(
    int64_t M, int64_t N, const double *restrict A, const double *restrict p, const double *restrict r,
    double *restrict s, double *restrict q, int *status)
{
    int failed = 0;
    double *sum_s = allocate(&failed, sizeof(double), 1, (const int64_t[]){M});
    if (failed == 0) {
        for (int64_t at = 0; at < M; at++) {
            sum_s[at] = 0;
        }
    }
    if (failed == 0) {
        #pragma omp parallel if((double)N * (double)M > 2500)
        {
            int failed_2 = 0;
            double *own_sum_s = allocate(&failed_2, sizeof(double), 1, (const int64_t[]){M});
            if (failed_2 == 0) {
                for (int64_t at = 0; at < M; at++) {
                    own_sum_s[at] = 0;
                }
            }
            #pragma omp for nowait
            for (int64_t ri = 0; ri < N; ri += 8) {
                if (failed_2 == 0) {
                    if (ri <= N - 8) {
                        for (int64_t i = ri; i < ri + 8; i++) {
                            /* q[i] = the identity of + */
                            q[i] = 0;
                        }
                        {
                            double sum = q[ri];
                            double sum_2 = q[ri + 1];
                            double sum_3 = q[ri + 2];
                            double sum_4 = q[ri + 3];
                            double sum_5 = q[ri + 4];
                            double sum_6 = q[ri + 5];
                            double sum_7 = q[ri + 6];
                            double sum_8 = q[ri + 7];
                            #pragma omp simd reduction(+:sum, sum_2, sum_3, sum_4, sum_5, sum_6, sum_7, \
                                sum_8)
                            for (int64_t j = 0; j < M; j++) {
                                double sum_9 = own_sum_s[j];
                                /* s[j] += r[i] * A[i,j] */
                                sum_9 += r[ri] * A[ri * M + j];
                                /* q[i] += A[i,j] * p[j] */
                                sum += A[ri * M + j] * p[j];
                                sum_9 += r[ri + 1] * A[(ri + 1) * M + j];
                                sum_2 += A[(ri + 1) * M + j] * p[j];
                                sum_9 += r[ri + 2] * A[(ri + 2) * M + j];
                                sum_3 += A[(ri + 2) * M + j] * p[j];
                                sum_9 += r[ri + 3] * A[(ri + 3) * M + j];
                                sum_4 += A[(ri + 3) * M + j] * p[j];
                                sum_9 += r[ri + 4] * A[(ri + 4) * M + j];
                                sum_5 += A[(ri + 4) * M + j] * p[j];
                                sum_9 += r[ri + 5] * A[(ri + 5) * M + j];
                                sum_6 += A[(ri + 5) * M + j] * p[j];
                                sum_9 += r[ri + 6] * A[(ri + 6) * M + j];
                                sum_7 += A[(ri + 6) * M + j] * p[j];
                                sum_9 += r[ri + 7] * A[(ri + 7) * M + j];
                                sum_8 += A[(ri + 7) * M + j] * p[j];
                                own_sum_s[j] = sum_9;
                            }
                            q[ri] = sum;
                            q[ri + 1] = sum_2;
                            q[ri + 2] = sum_3;
                            q[ri + 3] = sum_4;
                            q[ri + 4] = sum_5;
                            q[ri + 5] = sum_6;
                            q[ri + 6] = sum_7;
                            q[ri + 7] = sum_8;
                        }
                    } else {
                        for (int64_t i = ri; i < N; i++) {
                            /* q[i] = the identity of + */
                            q[i] = 0;
                        }
                        for (int64_t j = 0; j < M; j++) {
                            /* s[j] += r[i] * A[i,j] */
                            double sum = own_sum_s[j];
                            for (int64_t i = ri; i < N; i++) {
                                sum += r[i] * A[i * M + j];
                                /* q[i] += A[i,j] * p[j] */
                                q[i] += A[i * M + j] * p[j];
                            }
                            own_sum_s[j] = sum;
                        }
                    }
                }
            }
            if (failed_2 == 0) {
                #pragma omp critical
                {
                    for (int64_t at = 0; at < M; at++) {
                        sum_s[at] += own_sum_s[at];
                    }
                }
            } else {
                set_status(status, failed_2);
            }
            free(own_sum_s);
        }
        /* s = reduce(+, (j,i->j), r[i] * A[i,j]) */
        for (int64_t s_0 = 0; s_0 < M; s_0++) {
            s[s_0] = sum_s[s_0];
        }
    } else {
        set_status(status, failed);
    }
    free(sum_s);
}
