static void mvt_loops(
    int64_t N, const double *restrict a, const double *restrict b, const double *restrict y1_,
    const double *restrict y2, const double *restrict A, double *restrict x1, double *restrict x2, int *status)
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
                for (int64_t c1 = 0; c1 < N; c1++) {
                    if (failed_2 == 0) {
                        /* NR_x1[i] = A[i,j] * y1[j] */
                        x1[c1] = 0 + A[c1 * N] * y1_[0];
                        /* NR_x2[i] += A[j,i] * y2[j] */
                        own_sum_NR_x2[0] += A[c1 * N] * y2[c1];
                        if (1 < N) {
                            double sum = x1[c1];
#pragma omp simd reduction(+:sum)
                            for (int64_t c2 = 1; c2 < N; c2++) {
                                /* NR_x1[i] += A[i,j] * y1[j] */
                                sum += A[c1 * N + c2] * y1_[c2];
                                /* NR_x2[i] += A[j,i] * y2[j] */
                                own_sum_NR_x2[c2] += A[c1 * N + c2] * y2[c1];
                            }
                            x1[c1] = sum;
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
