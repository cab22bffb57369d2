/* The sums over observations are unrolled by 4, from the end; both triangles are written at once. */
#include <stdlib.h>
void covariance(long M, long N, const double data[N][M], double cov[M][M])
{
    double (*D)[M] = malloc(sizeof(double[N][M]));
    const double n = (double)N;
    for (long i = 0; i < M; i++) {
        double sum = 0.0;
        long k;
        for (k = 0; k < N % 4; k++)
            sum += data[k][i];
        for (k = N % 4; k < N; k += 4)
            sum += data[k][i] + data[k + 1][i] + data[k + 2][i] + data[k + 3][i];
        const double mean = sum / n;
        for (k = 0; k < N; k++)
            D[k][i] = data[k][i] - mean;
    }
    for (long j = 0; j < M; j++)
        for (long i = 0; i <= j; i++) {
            double sum = 0.0;
            for (long k = N - 1; k >= 0; k--)
                sum += D[k][i] * D[k][j];
            cov[i][j] = sum / (n - 1.0);
            cov[j][i] = cov[i][j];
        }
    free(D);
}
