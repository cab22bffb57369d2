#include <immintrin.h>

double s(long n, const double *x, const double *y)
{
    __m512d sum = _mm512_setzero_pd();
    long i = 0;
    for (; i + 8 <= n; i += 8)
        sum = _mm512_fmadd_pd(_mm512_loadu_pd(x + i), _mm512_loadu_pd(y + i), sum);
    double all = _mm512_reduce_add_pd(sum);
    for (; i < n; i++)
        all += x[i] * y[i];
    return all;
}
