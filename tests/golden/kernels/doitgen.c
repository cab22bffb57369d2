static void doitgen_loops(
    int64_t R, int64_t Q, int64_t P, const double *restrict A, const double *restrict C4, double *restrict B)
{
    for (int64_t r = 0; r < R; r++) {
        for (int64_t q = 0; q < Q; q++) {
            for (int64_t p = 0; p < P; p++) {
                /* sum[r,q,p] = reduce(+, [s], A[r,q,s] * C4[s,p]) */
                double sum = 0;
                for (int64_t s = 0; s < P; s++) {
                    sum += A[(r * Q + q) * P + s] * C4[s * P + p];
                }
                B[(r * Q + q) * P + p] = sum;
            }
        }
    }
}
