static void symm_loops(
    int64_t M, int64_t N, const double *restrict alpha, const double *restrict beta,
    const double *restrict C0, const double *restrict A, const double *restrict B, double *restrict C)
{
    for (int64_t i = 0; i < M; i++) {
        for (int64_t j = 0; j < N; j++) {
            /* C[i,j] = beta * C0[i,j] + alpha * reduce(+, [k], case {| k<=i}: A[i,k]; {| i<k}: A[k,i]; esac *
             *     B[k,j])
             */
            double sum = 0;
            for (int64_t k = 0; k < M; k++) {
                sum += (k <= i ? A[i * M + k] : A[k * M + i]) * B[k * N + j];
            }
            C[i * N + j] = *beta * C0[i * N + j] + *alpha * sum;
        }
    }
}
