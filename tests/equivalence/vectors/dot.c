#include <immintrin.h>

double s(long n, const double *x, const double *y)
{
    __m256d sum = _mm256_setzero_pd();
    long i = 0;
    for (; i + 4 <= n; i += 4)
        sum = _mm256_fmadd_pd(_mm256_loadu_pd(x + i), _mm256_loadu_pd(&y[i]), sum);
    __m128d low = _mm256_castpd256_pd128(sum);
    low = _mm_add_pd(low, _mm256_extractf128_pd(sum, 1));
    double all = _mm_cvtsd_f64(_mm_add_sd(low, _mm_unpackhi_pd(low, low)));
    for (; i < n; i++)
        all += x[i] * y[i];
    return all;
}
