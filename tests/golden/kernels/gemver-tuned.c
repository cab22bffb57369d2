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
                for (int64_t c1 = 0; c1 < N; c1++) {
                    if (failed_2 == 0) {
#pragma omp simd
                        for (int64_t c2 = 0; c2 < N; c2++) {
                            /* NR_x[i] += (A[j,i] + u1[j] * v1[i] + u2[j] * v2[i]) * y[j] */
                            own_sum_NR_x[c2] += (A[c1 * N + c2] + u1[c1] * v1[c2] + u2[c1] * v2[c2]) * y[c1];
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
    for (int64_t c1 = 0; c1 < N; c1++) {
        /* NR_w[i] = (A[i,j] + u1[i] * v1[j] + u2[i] * v2[j]) * x[j] */
        w[c1] = 0 + (A[c1 * N] + u1[c1] * v1[0] + u2[c1] * v2[0]) * x[0];
        if (1 < N) {
            double sum = w[c1];
#pragma omp simd reduction(+:sum)
            for (int64_t c2 = 1; c2 < N; c2++) {
                /* NR_w[i] += (A[i,j] + u1[i] * v1[j] + u2[i] * v2[j]) * x[j] */
                sum += (A[c1 * N + c2] + u1[c1] * v1[c2] + u2[c1] * v2[c2]) * x[c2];
            }
            w[c1] = sum;
        }
    }
#pragma omp simd
    for (int64_t c1 = 0; c1 < N; c1++) {
        /* w[i] = alpha * NR_w[i] */
        w[c1] = *alpha * w[c1];
    }
}
