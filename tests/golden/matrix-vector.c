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

#ifdef __linux__
int madvise(void *address, size_t length, int advice);
#endif

/* An array aligned to 64 bytes; a large one to pages of 2 MiB, for which Linux is asked: small ones are slow.
 * Does nothing once *status is not 0; sets it to 2 (too large) or 3 (out of memory). */
static void *allocate(int *status, size_t element, int rank, const int64_t *extents)
{
    if (*status != 0) {
        return NULL;
    }
    const int64_t bytes = bytes_of(element, rank, extents);
    if (bytes < 0) {
        *status = 2;
        return NULL;
    }
    const size_t page = bytes < INT64_C(4) << 20 ? 64 : (size_t)2 << 20;
    const size_t whole = ((size_t)bytes / page + 1) * page;
    void *array = aligned_alloc(page, whole);
    if (array == NULL) {
        *status = 3;
    }
#ifdef __linux__
    else if (page > 64) {
        madvise(array, whole, 14); /* MADV_HUGEPAGE */
    }
#endif
    return array;
}

/* An array of zeros. Does nothing once *status is not 0; sets it to 2 (too large) or 3 (out of memory). */
static void *allocate_zero(int *status, size_t element, int rank, const int64_t *extents)
{
    if (*status != 0) {
        return NULL;
    }
    const int64_t bytes = bytes_of(element, rank, extents);
    if (bytes < 0) {
        *status = 2;
        return NULL;
    }
    void *array = calloc((size_t)bytes + 1, 1);
    if (array == NULL) {
        *status = 3;
    }
    return array;
}

/* Frees a table of arrays, and the arrays that are still in it. */
static void free_table(void **table, int rank, const int64_t *extents)
{
    const int64_t count = table == NULL ? 0 : bytes_of(1, rank, extents);
    for (int64_t at = 0; at < count; at++) {
        free(table[at]);
    }
    free(table);
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
    int64_t N, int64_t M, const double *restrict A, const double *restrict X, double *restrict Y,
    void **restrict UseEquation_Y_in0, void **restrict UseEquation_Y_in1, void **restrict UseEquation_Y_out0,
    int *status)
{
    /* the array of input A of UseEquation_Y */
    {
        int failed = 0;
        UseEquation_Y_in0[0] = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* the array of input B of UseEquation_Y */
    {
        int failed = 0;
        UseEquation_Y_in1[0] = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* the array of output P of UseEquation_Y */
    {
        int failed = 0;
        UseEquation_Y_out0[0] = allocate(&failed, sizeof(double), 0, NULL);
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    for (int64_t r = 0; r < M; r++) {
        /* input A of UseEquation_Y, into its array */
        {
            double *const A_2 = UseEquation_Y_in0[0];
            if (A_2 != NULL) {
                for (int64_t i = 0; i < N; i++) {
                    A_2[i] = A[r * N + i];
                }
            }
        }
        /* input B of UseEquation_Y, into its array */
        {
            double *const B = UseEquation_Y_in1[0];
            if (B != NULL) {
                for (int64_t i = 0; i < N; i++) {
                    B[i] = X[i];
                }
            }
        }
        /* Y = scalar_product[N](...) */
        {
            int failed = 0;
            double *const A_2 = UseEquation_Y_in0[0];
            double *const B = UseEquation_Y_in1[0];
            double *const P = UseEquation_Y_out0[0];
            if (failed == 0 && A_2 != NULL && B != NULL && P != NULL) {
                failed = scalar_product_status(N, A_2, B, P);
            }
            if (failed != 0) {
                set_status(status, failed);
            }
        }
        /* output P of UseEquation_Y, from its array */
        {
            double *const P = UseEquation_Y_out0[0];
            if (P != NULL) {
                Y[r] = *P;
            }
        }
    }
    /* the array of input A of UseEquation_Y, no more */
    free(UseEquation_Y_in0[0]);
    UseEquation_Y_in0[0] = NULL;
    /* the array of input B of UseEquation_Y, no more */
    free(UseEquation_Y_in1[0]);
    UseEquation_Y_in1[0] = NULL;
    /* the array of output P of UseEquation_Y, no more */
    free(UseEquation_Y_out0[0]);
    UseEquation_Y_out0[0] = NULL;
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
    void **UseEquation_Y_in0
        = allocate_zero(&status, sizeof(*UseEquation_Y_in0), 3, (const int64_t[]){1, 1, 1});
    void **UseEquation_Y_in1
        = allocate_zero(&status, sizeof(*UseEquation_Y_in1), 3, (const int64_t[]){1, 1, 1});
    void **UseEquation_Y_out0
        = allocate_zero(&status, sizeof(*UseEquation_Y_out0), 3, (const int64_t[]){1, 1, 1});
    if (status == 0) {
        matrix_vector_loops(N, M, A, X, Y, UseEquation_Y_in0, UseEquation_Y_in1, UseEquation_Y_out0,
            &status);
    }
    free_table(UseEquation_Y_out0, 3, (const int64_t[]){1, 1, 1});
    free_table(UseEquation_Y_in1, 3, (const int64_t[]){1, 1, 1});
    free_table(UseEquation_Y_in0, 3, (const int64_t[]){1, 1, 1});
    return status;
}

void matrix_vector(
    int64_t N, int64_t M, const double *restrict A, const double *restrict X, double *restrict Y)
{
    report("matrix_vector", matrix_vector_status(N, M, A, X, Y));
}
