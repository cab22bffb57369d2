/* In place: what was on the left is kept. */
void jacobi_1d(long N, long T, const double A[N], double B[N])
{
    for (long i = 0; i < N; i++)
        B[i] = A[i];
    for (long t = 0; t < T; t++) {
        double left = B[0];
        for (long i = 1; i < N - 1; i++) {
            double mid = B[i];
            B[i] = 0.33333 * (left + mid + B[i + 1]);
            left = mid;
        }
    }
}
