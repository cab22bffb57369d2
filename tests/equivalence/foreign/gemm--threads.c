/* OpenMP over two loops, the sum in a scalar. */
void gemm(long NI, long NJ, long NK, double alpha, double beta, const double C0[NI][NJ], const double A[NI][NK],
          const double B[NK][NJ], double C[NI][NJ])
{
#pragma omp parallel for collapse(2) schedule(static)
    for (long i = 0; i < NI; i++)
        for (long j = 0; j < NJ; j++) {
            double sum = 0.0;
#pragma omp simd reduction(+ : sum)
            for (long k = 0; k < NK; k++)
                sum += A[i][k] * B[k][j];
            C[i][j] = beta * C0[i][j] + alpha * sum;
        }
}
