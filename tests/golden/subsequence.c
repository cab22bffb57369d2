/* System subsequence, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   F: int[3][N + 1], holds F
 */

#include "subsequence.h"

#include <stdio.h>
#include <stdlib.h>

static inline int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

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

static inline int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* a + b; wraps around. */
static inline int sum_int(int a, int b)
{
    return (int)((unsigned int)a + (unsigned int)b);
}

static void subsequence_loops(
    int64_t N, int64_t M, const int *restrict X, const int *restrict Y, int *restrict length, int *restrict F)
{
    /* F[i,j] = 0 */
    F[0] = 0;
    for (int64_t i = 1; i <= N; i++) {
        if (i <= M) {
            /* F[i,j] = 0 */
            F[i % 3 * (N + 1)] = 0;
        }
        #pragma omp parallel for simd if(i - 1 > 4000)
        for (int64_t j = max64(1, i - M); j < i; j++) {
            /* F[i,j] = if X[j] == Y[i-j] then F[i-2,j-1] + 1 else max(F[i-1,j-1], F[i-1,j]) */
            F[i % 3 * (N + 1) + j] = X[j - 1] == Y[i - j - 1]
                ? sum_int(F[(i - 2) % 3 * (N + 1) + j - 1], 1)
                : max_int(F[(i - 1) % 3 * (N + 1) + j - 1], F[(i - 1) % 3 * (N + 1) + j]);
        }
        /* F[i,j] = 0 */
        F[i % 3 * (N + 1) + i] = 0;
    }
    for (int64_t i = N + 1; i <= M; i++) {
        /* F[i,j] = 0 */
        F[i % 3 * (N + 1)] = 0;
        #pragma omp parallel for simd if(N > 4000)
        for (int64_t j = 1; j <= N; j++) {
            /* F[i,j] = if X[j] == Y[i-j] then F[i-2,j-1] + 1 else max(F[i-1,j-1], F[i-1,j]) */
            F[i % 3 * (N + 1) + j] = X[j - 1] == Y[i - j - 1]
                ? sum_int(F[(i - 2) % 3 * (N + 1) + j - 1], 1)
                : max_int(F[(i - 1) % 3 * (N + 1) + j - 1], F[(i - 1) % 3 * (N + 1) + j]);
        }
    }
    for (int64_t i = max64(N + 1, M + 1); i <= M + N; i++) {
        #pragma omp parallel for simd if(M + N - i + 1 > 4000)
        for (int64_t j = i - M; j <= N; j++) {
            /* F[i,j] = if X[j] == Y[i-j] then F[i-2,j-1] + 1 else max(F[i-1,j-1], F[i-1,j]) */
            F[i % 3 * (N + 1) + j] = X[j - 1] == Y[i - j - 1]
                ? sum_int(F[(i - 2) % 3 * (N + 1) + j - 1], 1)
                : max_int(F[(i - 1) % 3 * (N + 1) + j - 1], F[(i - 1) % 3 * (N + 1) + j]);
        }
    }
    /* length[] = F[M+N,N] */
    *length = F[(M + N) % 3 * (N + 1) + N];
}

int subsequence_status(
    int64_t N, int64_t M, const int *restrict X, const int *restrict Y, int *restrict length)
{
    if (too_large(N) || too_large(M)) {
        return 2;
    }
    if (N < 1 || M < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*X), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*Y), 1, (const int64_t[]){M}) < 0) {
        return 2;
    }
    int status = 0;
    int *F = allocate(&status, sizeof(*F), 2, (const int64_t[]){3, N + 1});
    if (status == 0) {
        subsequence_loops(N, M, X, Y, length, F);
    }
    free(F);
    return status;
}

void subsequence(int64_t N, int64_t M, const int *restrict X, const int *restrict Y, int *restrict length)
{
    report("subsequence", subsequence_status(N, M, X, Y, length));
}
