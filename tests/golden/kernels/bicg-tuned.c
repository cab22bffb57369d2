static void bicg_loops(
    int64_t M, int64_t N, const double *restrict A, const double *restrict p, const double *restrict r,
    double *restrict s, double *restrict q, int *status)
{
    {
        int failed = 0;
        double *sum_s = allocate(&failed, sizeof(double), 1, (const int64_t[]){M});
        if (failed == 0) {
            for (int64_t at = 0; at < M; at++) {
                sum_s[at] = 0;
            }
        }
        if (failed == 0) {
#pragma omp parallel
            {
                int failed_2 = 0;
                double *own_sum_s = allocate(&failed_2, sizeof(double), 1, (const int64_t[]){M});
                if (failed_2 == 0) {
                    for (int64_t at = 0; at < M; at++) {
                        own_sum_s[at] = 0;
                    }
                }
#pragma omp for nowait
                for (int64_t i = 0; i < N; i++) {
                    if (failed_2 == 0) {
                        /* s[j] += r[i] * A[i,j] */
                        own_sum_s[0] += r[i] * A[i * M];
                        /* q[i] = A[i,j] * p[j] */
                        q[i] = 0 + A[i * M] * p[0];
                        if (1 < M) {
                            double sum = q[i];
#pragma omp simd reduction(+:sum)
                            for (int64_t j = 1; j < M; j++) {
                                /* s[j] += r[i] * A[i,j] */
                                own_sum_s[j] += r[i] * A[i * M + j];
                                /* q[i] += A[i,j] * p[j] */
                                sum += A[i * M + j] * p[j];
                            }
                            q[i] = sum;
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
}
