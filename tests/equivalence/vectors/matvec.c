#include <immintrin.h>

static inline float total(__m128 v)
{
    v = _mm_add_ps(v, _mm_movehl_ps(v, v));
    return _mm_cvtss_f32(_mm_add_ss(v, _mm_movehdup_ps(v)));
}

void s(int m, int n, const float *A, const float *x, float *y)
{
    for (int i = 0; i < m; i++) {
        const float *row = A + (long)i * n;
        __m128 sum = _mm_setzero_ps();
        int j = 0;
        for (; j + 4 <= n; j += 4)
            sum = _mm_add_ps(sum, _mm_mul_ps(_mm_loadu_ps(row + j), _mm_loadu_ps(x + j)));
        float all = total(sum);
        for (; j < n; j++)
            all += row[j] * x[j];
        y[i] = all;
    }
}
