/* System filtered, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   Once: double[N], holds Once
 */

#include "filtered.h"

#include <stdio.h>
#include <stdlib.h>

#include "smooth.h"
#include "distance.h"

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

/* Keeps what went wrong for the end of the run. */
static inline void set_status(int *status, int problem)
{
    (void)problem; /* some compilers do not see its use below */
#ifdef _OPENMP
    #pragma omp atomic write
#endif
    *status = problem;
}

static void filtered_loops(
    int64_t N, const double *restrict Signal, double *restrict Smooth, double *restrict Change,
    double *restrict Once, int *status)
{
    /* Once = smooth[N](...) */
    {
        int failed = 0;
        double *const X = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        double *const Y = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed == 0) {
            for (int64_t i = 0; i < N; i++) {
                X[i] = Signal[i];
            }
            failed = smooth_status(N, X, Y);
            if (failed == 0) {
                for (int64_t i = 0; i < N; i++) {
                    Once[i] = Y[i];
                }
            }
        }
        free(Y);
        free(X);
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* Smooth = smooth[N](...) */
    {
        int failed = 0;
        double *const X = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        double *const Y = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed == 0) {
            for (int64_t i = 0; i < N; i++) {
                X[i] = 2.0 * Once[i];
            }
            failed = smooth_status(N, X, Y);
            if (failed == 0) {
                for (int64_t i = 0; i < N; i++) {
                    Smooth[i] = Y[i];
                }
            }
        }
        free(Y);
        free(X);
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* Change = distance[N](...) */
    {
        int failed = 0;
        double *const A = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        double *const B = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        double *const Most = allocate(&failed, sizeof(double), 0, NULL);
        if (failed == 0) {
            for (int64_t i = 0; i < N; i++) {
                A[i] = Signal[i];
            }
            for (int64_t i = 0; i < N; i++) {
                B[i] = Smooth[i];
            }
            failed = distance_status(N, A, B, Most);
            if (failed == 0) {
                *Change = *Most;
            }
        }
        free(Most);
        free(B);
        free(A);
        if (failed != 0) {
            set_status(status, failed);
        }
    }
}

int filtered_status(
    int64_t N, const double *restrict Signal, double *restrict Smooth, double *restrict Change)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 3) {
        return 1;
    }
    if (bytes_of(sizeof(*Signal), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*Smooth), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    int status = 0;
    double *Once = allocate(&status, sizeof(*Once), 1, (const int64_t[]){N});
    if (status == 0) {
        filtered_loops(N, Signal, Smooth, Change, Once, &status);
    }
    free(Once);
    return status;
}

void filtered(int64_t N, const double *restrict Signal, double *restrict Smooth, double *restrict Change)
{
    report("filtered", filtered_status(N, Signal, Smooth, Change));
}
