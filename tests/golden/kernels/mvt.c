static void mvt_loops(
    int64_t N, const double *restrict a, const double *restrict b, const double *restrict y1_,
    const double *restrict y2, const double *restrict A, double *restrict x1, double *restrict x2)
{
    for (int64_t i = 0; i < N; i++) {
        /* x1[i] = a[i] + reduce(+, [j], A[i,j] * y1[j]) */
        double sum = 0;
        for (int64_t j = 0; j < N; j++) {
            sum += A[i * N + j] * y1_[j];
        }
        x1[i] = a[i] + sum;
    }
    for (int64_t i = 0; i < N; i++) {
        /* x2[i] = b[i] + reduce(+, [j], A[j,i] * y2[j]) */
        double sum = 0;
        for (int64_t j = 0; j < N; j++) {
            sum += A[j * N + i] * y2[j];
        }
        x2[i] = b[i] + sum;
    }
}
