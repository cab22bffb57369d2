/* System matrix_vector_prefix, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   n__inity: int[1], holds _inity
 *   n__addy: int[N - 1] from (1), holds _addy
 */

#include "matrix_vector_prefix.h"

#include <stdio.h>
#include <stdlib.h>

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

/* a + b; wraps around. */
static inline int sum_int(int a, int b)
{
    return (int)((unsigned int)a + (unsigned int)b);
}

/* a * b; wraps around. */
static inline int product_int(int a, int b)
{
    return (int)((unsigned int)a * (unsigned int)b);
}

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
