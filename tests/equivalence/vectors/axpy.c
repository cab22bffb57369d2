#include <immintrin.h>

void s(long n, const double *x, const double *y, double *z)
{
    const __m256d two = _mm256_set1_pd(2.0);
    long i;
    for (i = 0; i < n - 3; i += 4) {
        __m256d v = _mm256_loadu_pd(&x[i]);
        __m256d w = _mm256_loadu_pd(&y[i]);
        _mm256_storeu_pd(&z[i], _mm256_add_pd(w, _mm256_mul_pd(two, v)));
    }
    for (; i < n; i++)
        z[i] = y[i] + 2.0 * x[i];
}
