/* System matrix_vector_prefix, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   n__inity: int[1], holds _inity
 *   n__addy: int[N - 1] from (1), holds _addy
 */

#include "matrix_vector_prefix.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void matrix_vector_prefix_loops(
    int64_t N, const int *restrict A, const int *restrict x, int *restrict y, int *restrict n__inity,
    int *restrict n__addy)
{
    /* _inity[i] = the identity of + */
    n__inity[0] = 0;
    {
        /* _inity[i] += A[j,k] * x[k] */
        int sum = n__inity[0];
        for (int64_t k = 0; k < N; k++) {
            sum = sum_int(sum, product_int(A[k], x[k]));
        }
        n__inity[0] = sum;
    }
    #pragma omp parallel for if((double)(N - 1) * (double)N > 10000)
    for (int64_t i = 1; i < N; i++) {
        /* _addy[i] = the identity of + */
        n__addy[i - 1] = 0;
        {
            /* _addy[i] += A[j,k] * x[k] */
            int sum = n__addy[i - 1];
            for (int64_t k = 0; k < N; k++) {
                sum = sum_int(sum, product_int(A[i * N + k], x[k]));
            }
            n__addy[i - 1] = sum;
        }
    }
    /* y[i] = _inity[i] */
    y[0] = n__inity[0];
    for (int64_t i = 1; i < N; i++) {
        /* y[i] = y[i-1] + _addy[i] */
        y[i] = sum_int(y[i - 1], n__addy[i - 1]);
    }
}

int matrix_vector_prefix_status(int64_t N, const int *restrict A, const int *restrict x, int *restrict y)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 2, (const int64_t[]){N, N}) < 0
        || bytes_of(sizeof(*x), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*y), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    int status = 0;
    int *n__inity = allocate(&status, sizeof(*n__inity), 1, (const int64_t[]){1});
    int *n__addy = allocate(&status, sizeof(*n__addy), 1, (const int64_t[]){N - 1});
    if (status == 0) {
        matrix_vector_prefix_loops(N, A, x, y, n__inity, n__addy);
    }
    free(n__addy);
    free(n__inity);
    return status;
}

void matrix_vector_prefix(int64_t N, const int *restrict A, const int *restrict x, int *restrict y)
{
    report("matrix_vector_prefix", matrix_vector_prefix_status(N, A, x, y));
}
