/* Two rows that are used in turn, by the parity of the step. */
#include <stdlib.h>
void jacobi_x2d_1d(long N, long T, const double *A, double *B)
{
    double *even = malloc(N * sizeof(double)), *odd = malloc(N * sizeof(double));
    for (long i = 0; i < N; i++) {
        even[i] = A[i];
        odd[i] = A[i];
    }
    for (long t = 1; t <= T; t++) {
        if (t % 2 == 1)
            for (long i = 1; i < N - 1; i++)
                odd[i] = 0.33333 * (even[i - 1] + even[i] + even[i + 1]);
        else
            for (long i = 1; i < N - 1; i++)
                even[i] = 0.33333 * (odd[i - 1] + odd[i] + odd[i + 1]);
    }
    for (long i = 0; i < N; i++)
        B[i] = T % 2 == 1 ? odd[i] : even[i];
    free(odd);
    free(even);
}
