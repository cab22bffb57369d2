static void trisolv_loops(int64_t N, const double *restrict L, const double *restrict b, double *restrict x)
{
    for (int64_t i = 0; i < N; i++) {
        /* x[i] = (b[i] - reduce(+, [j], {| 0<=j<i}: L[i,j] * x[j])) / L[i,i] */
        double sum = 0;
        for (int64_t j = 0; j < i; j++) {
            sum += L[i * N + j] * x[j];
        }
        x[i] = (b[i] - sum) / L[i * N + i];
    }
}
