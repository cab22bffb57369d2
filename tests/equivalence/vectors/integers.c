#include <emmintrin.h>

int s(long n, const int *x)
{
    __m128i sum = _mm_setzero_si128();
    long i = 0;
    for (; i + 4 <= n; i += 4)
        sum = _mm_add_epi32(sum, _mm_loadu_si128((const __m128i *)(x + i)));
    int t[4];
    _mm_storeu_si128((__m128i *)t, sum);
    int all = t[0] + t[1] + t[2] + t[3];
    for (; i < n; i++)
        all += x[i];
    return all;
}
