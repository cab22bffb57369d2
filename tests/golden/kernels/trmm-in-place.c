static void trmm_loops(
    int64_t M, int64_t N, const double *restrict alpha, const double *restrict A, const double *restrict B0,
    double *restrict B, double *restrict sums)
{
    for (int64_t k = 0; k < M; k++) {
        for (int64_t j = 0; j < N; j++) {
            /* input B0, into its memory space */
            B[k * N + j] = B0[k * N + j];
        }
    }

    #pragma omp parallel for if((double)N * (double)(M - 1) * (double)(M - 1) > 10000)
    for (int64_t j = 0; j < N; j++) {
        for (int64_t i = 0; i < M - 1; i++) {
            /* NR_B[i,j] = the identity of + */
            sums[j] = 0;
            {
                /* NR_B[i,j] += A[k,i] * B0[k,j] */
                double sum = sums[j];
                for (int64_t k = i + 1; k < M; k++) {
                    sum += A[(k - 1) * (M - 1) + i] * B[k * N + j];
                }
                sums[j] = sum;
            }
            /* B[i,j] = alpha * (B0[i,j] + NR_B[i,j]) */
            B[i * N + j] = *alpha * (B[i * N + j] + sums[j]);
        }
        const int64_t i = M - 1;
        /* B[i,j] = alpha * B0[i,j] */
        B[i * N + j] = *alpha * B[i * N + j];
    }
}
