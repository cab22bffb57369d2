static void mvt_loops(
    int64_t N, const double *restrict a, const double *restrict b, const double *restrict y1_,
    const double *restrict y2, const double *restrict A, double *restrict x1, double *restrict x2,
    int *status)
{
    {
        int failed = 0;
        double *sum_NR_x2 = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed == 0) {
            for (int64_t at = 0; at < N; at++) {
                sum_NR_x2[at] = 0;
            }
        }
        if (failed == 0) {
            #pragma omp parallel
            {
                int failed_2 = 0;
                double *own_sum_NR_x2 = allocate(&failed_2, sizeof(double), 1, (const int64_t[]){N});
                if (failed_2 == 0) {
                    for (int64_t at = 0; at < N; at++) {
                        own_sum_NR_x2[at] = 0;
                    }
                }
                #pragma omp for nowait
                for (int64_t rc3 = 0; rc3 < N; rc3 += 8) {
                    if (failed_2 == 0) {
                        if (rc3 <= N - 8) {
                            for (int64_t c3 = rc3; c3 < rc3 + 8; c3++) {
                                /* NR_x1[i] = the identity of + */
                                x1[c3] = 0;
                            }
                            {
                                double sum = x1[rc3];
                                double sum_2 = x1[rc3 + 1];
                                double sum_3 = x1[rc3 + 2];
                                double sum_4 = x1[rc3 + 3];
                                double sum_5 = x1[rc3 + 4];
                                double sum_6 = x1[rc3 + 5];
                                double sum_7 = x1[rc3 + 6];
                                double sum_8 = x1[rc3 + 7];
                                #pragma omp simd reduction(+:sum, sum_2, sum_3, sum_4, sum_5, sum_6, sum_7, \
                                    sum_8)
                                for (int64_t c2 = 0; c2 < N; c2++) {
                                    double sum_9 = own_sum_NR_x2[c2];
                                    /* NR_x1[i] += A[i,j] * y1[j] */
                                    sum += A[rc3 * N + c2] * y1_[c2];
                                    /* NR_x2[i] += A[j,i] * y2[j] */
                                    sum_9 += A[rc3 * N + c2] * y2[rc3];
                                    sum_2 += A[(rc3 + 1) * N + c2] * y1_[c2];
                                    sum_9 += A[(rc3 + 1) * N + c2] * y2[rc3 + 1];
                                    sum_3 += A[(rc3 + 2) * N + c2] * y1_[c2];
                                    sum_9 += A[(rc3 + 2) * N + c2] * y2[rc3 + 2];
                                    sum_4 += A[(rc3 + 3) * N + c2] * y1_[c2];
                                    sum_9 += A[(rc3 + 3) * N + c2] * y2[rc3 + 3];
                                    sum_5 += A[(rc3 + 4) * N + c2] * y1_[c2];
                                    sum_9 += A[(rc3 + 4) * N + c2] * y2[rc3 + 4];
                                    sum_6 += A[(rc3 + 5) * N + c2] * y1_[c2];
                                    sum_9 += A[(rc3 + 5) * N + c2] * y2[rc3 + 5];
                                    sum_7 += A[(rc3 + 6) * N + c2] * y1_[c2];
                                    sum_9 += A[(rc3 + 6) * N + c2] * y2[rc3 + 6];
                                    sum_8 += A[(rc3 + 7) * N + c2] * y1_[c2];
                                    sum_9 += A[(rc3 + 7) * N + c2] * y2[rc3 + 7];
                                    own_sum_NR_x2[c2] = sum_9;
                                }
                                x1[rc3] = sum;
                                x1[rc3 + 1] = sum_2;
                                x1[rc3 + 2] = sum_3;
                                x1[rc3 + 3] = sum_4;
                                x1[rc3 + 4] = sum_5;
                                x1[rc3 + 5] = sum_6;
                                x1[rc3 + 6] = sum_7;
                                x1[rc3 + 7] = sum_8;
                            }
                        } else {
                            for (int64_t c3 = rc3; c3 < min64(N, rc3 + 8); c3++) {
                                /* NR_x1[i] = the identity of + */
                                x1[c3] = 0;
                            }
                            for (int64_t c2 = 0; c2 < N; c2++) {
                                /* NR_x2[i] += A[j,i] * y2[j] */
                                double sum = own_sum_NR_x2[c2];
                                for (int64_t c3 = rc3; c3 < min64(N, rc3 + 8); c3++) {
                                    /* NR_x1[i] += A[i,j] * y1[j] */
                                    x1[c3] += A[c3 * N + c2] * y1_[c2];
                                    sum += A[c3 * N + c2] * y2[c3];
                                }
                                own_sum_NR_x2[c2] = sum;
                            }
                        }
                    }
                }
                if (failed_2 == 0) {
                    #pragma omp critical
                    {
                        for (int64_t at = 0; at < N; at++) {
                            sum_NR_x2[at] += own_sum_NR_x2[at];
                        }
                    }
                } else {
                    set_status(status, failed_2);
                }
                free(own_sum_NR_x2);
            }
            /* NR_x2 = reduce(+, (i,j->i), A[j,i] * y2[j]) */
            for (int64_t NR_x2_0 = 0; NR_x2_0 < N; NR_x2_0++) {
                x2[NR_x2_0] = sum_NR_x2[NR_x2_0];
            }
        } else {
            set_status(status, failed);
        }
        free(sum_NR_x2);
    }
    #pragma omp simd
    for (int64_t c1 = 0; c1 < N; c1++) {
        /* x1[i] = a[i] + NR_x1[i] */
        x1[c1] = a[c1] + x1[c1];
        /* x2[i] = b[i] + NR_x2[i] */
        x2[c1] = b[c1] + x2[c1];
    }
}
