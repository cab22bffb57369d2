/* A row at a time, through a buffer of the thread. */
void doitgen(int R, int Q, int P, const double A[R][Q][P], const double C4[P][P], double B[R][Q][P])
{
#pragma omp parallel for
    for (int r = 0; r < R; r++)
        for (int q = 0; q < Q; q++) {
            double sum[P];
            for (int p = 0; p < P; p++)
                sum[p] = 0.0;
            for (int s = 0; s < P; s++)
                for (int p = 0; p < P; p++)
                    sum[p] += A[r][q][s] * C4[s][p];
            for (int p = 0; p < P; p++)
                B[r][q][p] = sum[p];
        }
}
