static void gemver_loops(
    int64_t N, const double *restrict alpha, const double *restrict beta, const double *restrict A,
    const double *restrict u1, const double *restrict v1, const double *restrict u2,
    const double *restrict v2, const double *restrict y, const double *restrict z, double *restrict w,
    double *restrict x, int *status)
{
    {
        int failed = 0;
        double *sum_NR_x = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed == 0) {
            for (int64_t at = 0; at < N; at++) {
                sum_NR_x[at] = 0;
            }
        }
        if (failed == 0) {
            #pragma omp parallel
            {
                int failed_2 = 0;
                double *own_sum_NR_x = allocate(&failed_2, sizeof(double), 1, (const int64_t[]){N});
                if (failed_2 == 0) {
                    for (int64_t at = 0; at < N; at++) {
                        own_sum_NR_x[at] = 0;
                    }
                }
                #pragma omp for nowait
                for (int64_t rc3 = 0; rc3 < N; rc3 += 8) {
                    if (failed_2 == 0) {
                        if (rc3 <= N - 8) {
                            #pragma omp simd
                            for (int64_t c2 = 0; c2 < N; c2++) {
                                double sum = own_sum_NR_x[c2];
                                /* NR_x[i] += (A[j,i] + u1[j] * v1[i] + u2[j] * v2[i]) * y[j] */
                                sum += (A[rc3 * N + c2] + u1[rc3] * v1[c2] + u2[rc3] * v2[c2]) * y[rc3];
                                sum += (A[(rc3 + 1) * N + c2] + u1[rc3 + 1] * v1[c2] + u2[rc3 + 1] * v2[c2])
                                    * y[rc3 + 1];
                                sum += (A[(rc3 + 2) * N + c2] + u1[rc3 + 2] * v1[c2] + u2[rc3 + 2] * v2[c2])
                                    * y[rc3 + 2];
                                sum += (A[(rc3 + 3) * N + c2] + u1[rc3 + 3] * v1[c2] + u2[rc3 + 3] * v2[c2])
                                    * y[rc3 + 3];
                                sum += (A[(rc3 + 4) * N + c2] + u1[rc3 + 4] * v1[c2] + u2[rc3 + 4] * v2[c2])
                                    * y[rc3 + 4];
                                sum += (A[(rc3 + 5) * N + c2] + u1[rc3 + 5] * v1[c2] + u2[rc3 + 5] * v2[c2])
                                    * y[rc3 + 5];
                                sum += (A[(rc3 + 6) * N + c2] + u1[rc3 + 6] * v1[c2] + u2[rc3 + 6] * v2[c2])
                                    * y[rc3 + 6];
                                sum += (A[(rc3 + 7) * N + c2] + u1[rc3 + 7] * v1[c2] + u2[rc3 + 7] * v2[c2])
                                    * y[rc3 + 7];
                                own_sum_NR_x[c2] = sum;
                            }
                        } else {
                            for (int64_t c2 = 0; c2 < N; c2++) {
                                /* NR_x[i] += (A[j,i] + u1[j] * v1[i] + u2[j] * v2[i]) * y[j] */
                                double sum = own_sum_NR_x[c2];
                                for (int64_t c3 = rc3; c3 < min64(N, rc3 + 8); c3++) {
                                    sum += (A[c3 * N + c2] + u1[c3] * v1[c2] + u2[c3] * v2[c2]) * y[c3];
                                }
                                own_sum_NR_x[c2] = sum;
                            }
                        }
                    }
                }
                if (failed_2 == 0) {
                    #pragma omp critical
                    {
                        for (int64_t at = 0; at < N; at++) {
                            sum_NR_x[at] += own_sum_NR_x[at];
                        }
                    }
                } else {
                    set_status(status, failed_2);
                }
                free(own_sum_NR_x);
            }
            /* NR_x = reduce(+, (i,j->i), (A[j,i] + u1[j] * v1[i] + u2[j] * v2[i]) * y[j]) */
            for (int64_t NR_x_0 = 0; NR_x_0 < N; NR_x_0++) {
                x[NR_x_0] = sum_NR_x[NR_x_0];
            }
        } else {
            set_status(status, failed);
        }
        free(sum_NR_x);
    }
    #pragma omp simd
    for (int64_t c1 = 0; c1 < N; c1++) {
        /* x[i] = z[i] + beta * NR_x[i] */
        x[c1] = z[c1] + *beta * x[c1];
    }
    #pragma omp parallel for
    for (int64_t rc3_2 = 0; rc3_2 < N; rc3_2 += 8) {
        if (rc3_2 <= N - 8) {
            for (int64_t c3 = rc3_2; c3 < rc3_2 + 8; c3++) {
                /* NR_w[i] = the identity of + */
                w[c3] = 0;
            }
            {
                double sum_2 = w[rc3_2];
                double sum_3 = w[rc3_2 + 1];
                double sum_4 = w[rc3_2 + 2];
                double sum_5 = w[rc3_2 + 3];
                double sum_6 = w[rc3_2 + 4];
                double sum_7 = w[rc3_2 + 5];
                double sum_8 = w[rc3_2 + 6];
                double sum_9 = w[rc3_2 + 7];
                #pragma omp simd reduction(+:sum_2, sum_3, sum_4, sum_5, sum_6, sum_7, sum_8, sum_9)
                for (int64_t c2 = 0; c2 < N; c2++) {
                    /* NR_w[i] += (A[i,j] + u1[i] * v1[j] + u2[i] * v2[j]) * x[j] */
                    sum_2 += (A[rc3_2 * N + c2] + u1[rc3_2] * v1[c2] + u2[rc3_2] * v2[c2]) * x[c2];
                    sum_3 += (A[(rc3_2 + 1) * N + c2] + u1[rc3_2 + 1] * v1[c2] + u2[rc3_2 + 1] * v2[c2])
                        * x[c2];
                    sum_4 += (A[(rc3_2 + 2) * N + c2] + u1[rc3_2 + 2] * v1[c2] + u2[rc3_2 + 2] * v2[c2])
                        * x[c2];
                    sum_5 += (A[(rc3_2 + 3) * N + c2] + u1[rc3_2 + 3] * v1[c2] + u2[rc3_2 + 3] * v2[c2])
                        * x[c2];
                    sum_6 += (A[(rc3_2 + 4) * N + c2] + u1[rc3_2 + 4] * v1[c2] + u2[rc3_2 + 4] * v2[c2])
                        * x[c2];
                    sum_7 += (A[(rc3_2 + 5) * N + c2] + u1[rc3_2 + 5] * v1[c2] + u2[rc3_2 + 5] * v2[c2])
                        * x[c2];
                    sum_8 += (A[(rc3_2 + 6) * N + c2] + u1[rc3_2 + 6] * v1[c2] + u2[rc3_2 + 6] * v2[c2])
                        * x[c2];
                    sum_9 += (A[(rc3_2 + 7) * N + c2] + u1[rc3_2 + 7] * v1[c2] + u2[rc3_2 + 7] * v2[c2])
                        * x[c2];
                }
                w[rc3_2] = sum_2;
                w[rc3_2 + 1] = sum_3;
                w[rc3_2 + 2] = sum_4;
                w[rc3_2 + 3] = sum_5;
                w[rc3_2 + 4] = sum_6;
                w[rc3_2 + 5] = sum_7;
                w[rc3_2 + 6] = sum_8;
                w[rc3_2 + 7] = sum_9;
            }
        } else {
            for (int64_t c3 = rc3_2; c3 < min64(N, rc3_2 + 8); c3++) {
                /* NR_w[i] = the identity of + */
                w[c3] = 0;
            }
            for (int64_t c2 = 0; c2 < N; c2++) {
                for (int64_t c3 = rc3_2; c3 < min64(N, rc3_2 + 8); c3++) {
                    /* NR_w[i] += (A[i,j] + u1[i] * v1[j] + u2[i] * v2[j]) * x[j] */
                    w[c3] += (A[c3 * N + c2] + u1[c3] * v1[c2] + u2[c3] * v2[c2]) * x[c2];
                }
            }
        }
    }
    #pragma omp simd
    for (int64_t c1 = 0; c1 < N; c1++) {
        /* w[i] = alpha * NR_w[i] */
        w[c1] = *alpha * w[c1];
    }
}
