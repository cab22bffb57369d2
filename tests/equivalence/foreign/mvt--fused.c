/* Both products in one nest, each over its own rows. */
void mvt(long N, const double *a, const double *b, const double *y1, const double *y2, const double *A, double *x1,
         double *x2)
{
    for (long i = 0; i < N; i++) {
        x1[i] = a[i];
        x2[i] = b[i];
        for (long j = 0; j < N; j++) {
            x1[i] += A[i * N + j] * y1[j];
            x2[i] += A[j * N + i] * y2[j];
        }
    }
}
