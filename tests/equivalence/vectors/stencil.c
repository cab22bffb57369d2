#include <immintrin.h>
void s(long N, const double *A, double *B)
{
    const __m256d quarter = _mm256_set1_pd(0.25), two = _mm256_set1_pd(2.0);
    B[0] = A[0];
    long i = 1;
    for (; i + 4 <= N - 1; i += 4) {
        __m256d left = _mm256_loadu_pd(A + i - 1);
        __m256d here = _mm256_loadu_pd(A + i);
        __m256d right = _mm256_loadu_pd(A + i + 1);
        __m256d sum = _mm256_add_pd(left, _mm256_mul_pd(two, here));
        _mm256_storeu_pd(B + i, _mm256_mul_pd(quarter, _mm256_add_pd(sum, right)));
    }
    for (; i < N - 1; i++)
        B[i] = 0.25 * (A[i - 1] + 2.0 * A[i] + A[i + 1]);
    B[N - 1] = A[N - 1];
}
