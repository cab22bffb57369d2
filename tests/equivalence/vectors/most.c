#include <immintrin.h>
double s(long n, const double *x)
{
    __m256d best = _mm256_loadu_pd(x);
    long i = 4;
    for (; i + 4 <= n; i += 4)
        best = _mm256_max_pd(best, _mm256_loadu_pd(&x[i]));
    __m128d two = _mm_max_pd(_mm256_castpd256_pd128(best), _mm256_extractf128_pd(best, 1));
    __m128d one = _mm_max_sd(two, _mm_unpackhi_pd(two, two));
    double m = _mm_cvtsd_f64(one);
    for (; i < n; i++)
        m = x[i] > m ? x[i] : m;
    return m;
}
