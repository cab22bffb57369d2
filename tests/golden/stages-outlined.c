/* System steepest, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   calm: int[B][N], holds calm
 *   rise: int[B][N - 1] from (0, 1), holds rise
 */

#include "steepest.h"

#include <stdio.h>
#include <stdlib.h>

#include "smoothed.h"
#include "slope.h"
#include "steepest_most.h"

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

static void steepest_loops(
    int64_t N, int64_t B, const int *restrict signal_, int *restrict most, int *restrict calm,
    int *restrict rise, int *status)
{
    #pragma omp parallel
    {
        #pragma omp for
        for (int64_t b = 0; b < B; b++) {
            /* calm = smoothed[N](...) */
            {
                int failed = 0;
                int *const x = allocate(&failed, sizeof(int), 1, (const int64_t[]){N});
                int *const y = allocate(&failed, sizeof(int), 1, (const int64_t[]){N});
                if (failed == 0) {
                    for (int64_t i = 0; i < N; i++) {
                        x[i] = signal_[b * N + i];
                    }
                    failed = smoothed_status(N, x, y);
                    if (failed == 0) {
                        for (int64_t i = 0; i < N; i++) {
                            calm[b * N + i] = y[i];
                        }
                    }
                }
                free(y);
                free(x);
                if (failed != 0) {
                    set_status(status, failed);
                }
            }
        }
        #pragma omp for
        for (int64_t b = 0; b < B; b++) {
            /* rise = slope[N](...) */
            {
                int failed = 0;
                int *const x = allocate(&failed, sizeof(int), 1, (const int64_t[]){N});
                int *const d = allocate(&failed, sizeof(int), 1, (const int64_t[]){N - 1});
                if (failed == 0) {
                    for (int64_t i = 0; i < N; i++) {
                        x[i] = calm[b * N + i];
                    }
                    failed = slope_status(N, x, d);
                    if (failed == 0) {
                        for (int64_t i = 1; i < N; i++) {
                            rise[b * (N - 1) + i - 1] = d[i - 1];
                        }
                    }
                }
                free(d);
                free(x);
                if (failed != 0) {
                    set_status(status, failed);
                }
            }
        }
    }
    /* most = steepest_most[N, B](...) */
    {
        int failed = 0;
        int *const rise_2 = allocate(&failed, sizeof(int), 2, (const int64_t[]){B, N - 1});
        int *const most_2 = allocate(&failed, sizeof(int), 1, (const int64_t[]){B});
        if (failed == 0) {
            for (int64_t b = 0; b < B; b++) {
                for (int64_t i = 1; i < N; i++) {
                    rise_2[b * (N - 1) + i - 1] = rise[b * (N - 1) + i - 1];
                }
            }
            failed = steepest_most_status(N, B, rise_2, most_2);
            if (failed == 0) {
                for (int64_t b = 0; b < B; b++) {
                    most[b] = most_2[b];
                }
            }
        }
        free(most_2);
        free(rise_2);
        if (failed != 0) {
            set_status(status, failed);
        }
    }
}

int steepest_status(int64_t N, int64_t B, const int *restrict signal_, int *restrict most)
{
    if (too_large(N) || too_large(B)) {
        return 2;
    }
    if (N < 3 || B < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*signal_), 2, (const int64_t[]){B, N}) < 0
        || bytes_of(sizeof(*most), 1, (const int64_t[]){B}) < 0) {
        return 2;
    }
    int status = 0;
    int *calm = allocate(&status, sizeof(*calm), 2, (const int64_t[]){B, N});
    int *rise = allocate(&status, sizeof(*rise), 2, (const int64_t[]){B, N - 1});
    if (status == 0) {
        steepest_loops(N, B, signal_, most, calm, rise, &status);
    }
    free(rise);
    free(calm);
    return status;
}

void steepest(int64_t N, int64_t B, const int *restrict signal_, int *restrict most)
{
    report("steepest", steepest_status(N, B, signal_, most));
}
