/* System matrix_vector, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "matrix_vector.h"

#include <stdio.h>
#include <stdlib.h>

#include "scalar_product.h"

/* Index arithmetic never overflows for parameters within +-2^40. */
static inline bool too_large(int64_t parameter)
{
    return parameter > INT64_C(1) << 40 || parameter < -(INT64_C(1) << 40);
}

/* The size of an array in bytes: 0 when it is empty, -1 when it is too large to be addressed. */
static inline int64_t bytes_of(size_t element, int rank, const int64_t *extents)
{
    int64_t bytes = (int64_t)element;
    for (int d = 0; d < rank; d++) {
        if (extents[d] <= 0) {
            return 0;
        }
    }
    for (int d = 0; d < rank; d++) {
        if (bytes > INT64_MAX / 4 / extents[d]) {
            return -1;
        }
        bytes *= extents[d];
    }
    return bytes;
}

/* Says on stderr why a system failed. */
static void report(const char *system, int status)
{
    static const char *const reasons[] = {
        "success", "the parameter values are not valid", "a size is too large", "out of memory",
        "a value depends on itself", "division by zero", "a value does not fit into an integer type",
        "calls of systems nest too deeply", "a tile size is not positive"
    };
    if (status != 0) {
        fprintf(stderr, "%s: %s\n", system, reasons[status]);
    }
}

/* Keeps what went wrong for the end of the run. */
static inline void set_status(int *status, int problem)
{
    (void)problem; /* some compilers do not see its use below */
#ifdef _OPENMP
    #pragma omp atomic write
#endif
    *status = problem;
}

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
