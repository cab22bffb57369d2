/* What stores past the caches (`movnt`) would give: sums of vectors, half an outer product, and GEMVER, each as plain C and
 * with streaming stores for what is written once, alternately; medians of the ratios within a round.
 *
 *     cc -O3 -march=native -fopenmp streaming.c -o streaming -lm && OMP_NUM_THREADS=1 ./streaming 41
 *
 * For x86 with AVX alone: no generated code is like this. */
#define _GNU_SOURCE
#include <immintrin.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LENGTH = 10000000, ROWS = 6000, MOST = 1000 };

static int streams;

/* Four numbers to an aligned place. */
static inline void put(double *at, __m256d value)
{
    if (streams) {
        _mm256_stream_pd(at, value);
    } else {
        _mm256_store_pd(at, value);
    }
}

static double *w, *y, *z, *x, *A, *B;

static void vadd(void)
{
#pragma omp parallel for
    for (int64_t i = 0; i < LENGTH; i += 4)
        put(x + i, _mm256_add_pd(_mm256_add_pd(_mm256_load_pd(w + i), _mm256_load_pd(y + i)), _mm256_load_pd(z + i)));
}

static void waxpby(void)
{
    const __m256d a = _mm256_set1_pd(2.5), b = _mm256_set1_pd(1.5);
#pragma omp parallel for
    for (int64_t i = 0; i < LENGTH; i += 4)
        put(x + i, _mm256_add_pd(_mm256_mul_pd(a, _mm256_load_pd(w + i)), _mm256_mul_pd(b, _mm256_load_pd(y + i))));
}

static void outer(void)
{
#pragma omp parallel for schedule(dynamic, 16)
    for (int64_t i = 0; i < ROWS; i++) {
        const __m256d a = _mm256_set1_pd(w[i]);
        for (int64_t j = i / 4 * 4; j < ROWS; j += 4)
            put(B + i * ROWS + j, _mm256_mul_pd(a, _mm256_load_pd(w + j)));
    }
}

/* B = A + u v' + s t', x = B' y, then w = B x: on one thread. */
static void gemver(void)
{
    for (int64_t j = 0; j < ROWS; j++)
        x[j] = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        const __m256d u = _mm256_set1_pd(z[i]), s = _mm256_set1_pd(y[i]);
        for (int64_t j = 0; j < ROWS; j += 4) {
            __m256d b = _mm256_add_pd(_mm256_load_pd(A + i * ROWS + j), _mm256_mul_pd(u, _mm256_load_pd(z + j)));
            b = _mm256_add_pd(b, _mm256_mul_pd(s, _mm256_load_pd(y + j)));
            put(B + i * ROWS + j, b);
            _mm256_store_pd(x + j, _mm256_add_pd(_mm256_load_pd(x + j), _mm256_mul_pd(b, s)));
        }
    }
    for (int64_t i = 0; i < ROWS; i++) {
        __m256d sum = _mm256_setzero_pd(), more = sum;
        for (int64_t j = 0; j < ROWS; j += 8) {
            sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_load_pd(B + i * ROWS + j), _mm256_load_pd(x + j)));
            more = _mm256_add_pd(more, _mm256_mul_pd(_mm256_load_pd(B + i * ROWS + j + 4), _mm256_load_pd(x + j + 4)));
        }
        sum = _mm256_add_pd(sum, more);
        w[i] = sum[0] + sum[1] + sum[2] + sum[3];
    }
}

static double *array(size_t count)
{
    const size_t page = (size_t)2 << 20, bytes = (count * sizeof(double) / page + 1) * page;
    double *found = aligned_alloc(page, bytes);
    madvise(found, bytes, 14);
    for (size_t i = 0; i < count; i++)
        found[i] = 1;
    return found;
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double seconds(void (*kernel)(void), int with)
{
    streams = with;
    const double start = omp_get_wtime();
    kernel();
    _mm_sfence();
    return omp_get_wtime() - start;
}

static void compare(const char *name, void (*kernel)(void), int rounds)
{
    double ratios[MOST];
    seconds(kernel, 0);
    for (int k = 0; k < rounds; k++) {
        const double first = seconds(kernel, k & 1), second = seconds(kernel, !(k & 1));
        ratios[k] = k & 1 ? second / first : first / second;
    }
    qsort(ratios, rounds, sizeof(double), ascending);
    printf("%-8s plain takes %.2f times as long (%.2f to %.2f, the middle half)\n", name, ratios[rounds / 2],
           ratios[rounds / 4], ratios[rounds * 3 / 4]);
}

int main(int count, char **words)
{
    const int rounds = count > 1 ? atoi(words[1]) : 41;
    if (rounds < 1 || rounds > MOST)
        return 2;
    w = array(LENGTH), y = array(LENGTH), z = array(LENGTH), x = array(LENGTH);
    A = array((size_t)ROWS * ROWS), B = array((size_t)ROWS * ROWS);
    compare("vadd", vadd, rounds);
    compare("waxpby", waxpby, rounds);
    compare("outer", outer, rounds);
    compare("gemver", gemver, rounds);
    return 0;
}
