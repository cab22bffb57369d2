static void doitgen_loops(
    int64_t R, int64_t Q, int64_t P, const double *restrict A, const double *restrict C4, double *restrict B,
    double *restrict sums)
{
    for (int64_t r = 0; r < R; r++) {
        for (int64_t q = 0; q < Q; q++) {
            for (int64_t p = 0; p < P; p++) {
                /* input A, into its memory space */
                B[(r * Q + q) * P + p] = A[(r * Q + q) * P + p];
            }
        }
    }

    #pragma omp parallel for
    for (int64_t r = 0; r < R; r++) {
        for (int64_t q = 0; q < Q; q++) {
            for (int64_t p = 0; p < P; p++) {
                /* sum[r,q,p] = the identity of + */
                sums[r * P + p] = 0;
            }
            for (int64_t s = 0; s < P; s++) {
                #pragma omp simd
                for (int64_t p = 0; p < P; p++) {
                    /* sum[r,q,p] += A[r,q,s] * C4[s,p] */
                    sums[r * P + p] += B[(r * Q + q) * P + s] * C4[s * P + p];
                }
            }
            #pragma omp simd
            for (int64_t p = 0; p < P; p++) {
                /* B[r,q,p] = sum[r,q,p] */
                B[(r * Q + q) * P + p] = sums[r * P + p];
            }
        }
    }
}
