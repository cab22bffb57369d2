/* Tiles by hand, of 4, and the scaling in a nest of its own. */
#define T 4
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void gemm(long NI, long NJ, long NK, const double *alpha, const double *beta, const double C0[NI][NJ],
          const double A[NI][NK], const double B[NK][NJ], double C[NI][NJ])
{
    for (long i = 0; i < NI; i++)
        for (long j = 0; j < NJ; j++)
            C[i][j] = 0.0;
    for (long it = 0; it < NI; it += T)
        for (long kt = 0; kt < NK; kt += T)
            for (long i = it; i < MIN(it + T, NI); i++)
                for (long k = kt; k < MIN(kt + T, NK); k++)
                    for (long j = 0; j < NJ; j++)
                        C[i][j] += A[i][k] * B[k][j];
    for (long i = 0; i < NI; i++)
        for (long j = 0; j < NJ; j++)
            C[i][j] = *beta * C0[i][j] + *alpha * C[i][j];
}
