/* System matrix_vector, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "matrix_vector.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

#include "scalar_product.h"

static void matrix_vector_loops(
    int64_t N, int64_t M, const double *restrict A, const double *restrict X, double *restrict Y, int *status)
{
    #pragma omp parallel for
    for (int64_t r = 0; r < M; r++) {
        /* Y = scalar_product[N](...) */
        {
            int failed = 0;
            failed = scalar_product_status(N, &A[r * N], &X[0], &Y[r]);
            if (failed != 0) {
                set_status(status, failed);
            }
        }
    }
}

int matrix_vector_status(
    int64_t N, int64_t M, const double *restrict A, const double *restrict X, double *restrict Y)
{
    if (too_large(N) || too_large(M)) {
        return 2;
    }
    if (N < 1 || M < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 2, (const int64_t[]){M, N}) < 0
        || bytes_of(sizeof(*X), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*Y), 1, (const int64_t[]){M}) < 0) {
        return 2;
    }
    int status = 0;
    matrix_vector_loops(N, M, A, X, Y, &status);
    return status;
}

void matrix_vector(
    int64_t N, int64_t M, const double *restrict A, const double *restrict X, double *restrict Y)
{
    report("matrix_vector", matrix_vector_status(N, M, A, X, Y));
}
