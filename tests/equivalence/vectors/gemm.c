#include <immintrin.h>

/* Rows i..i+3 and columns j..j+3 of C stay in registers. */
static void micro_4x4(long n, long kk, const double *a, const double *b, double *c)
{
    __m256d c0 = _mm256_setzero_pd(), c1 = _mm256_setzero_pd();
    __m256d c2 = _mm256_setzero_pd(), c3 = _mm256_setzero_pd();
    for (long k = 0; k < kk; k++) {
        __m256d row = _mm256_loadu_pd(b + k * n);
        c0 = _mm256_fmadd_pd(_mm256_set1_pd(a[0 * kk + k]), row, c0);
        c1 = _mm256_fmadd_pd(_mm256_set1_pd(a[1 * kk + k]), row, c1);
        c2 = _mm256_fmadd_pd(_mm256_broadcast_sd(a + 2 * kk + k), row, c2);
        c3 = _mm256_fmadd_pd(_mm256_broadcast_sd(&a[3 * kk + k]), row, c3);
    }
    _mm256_storeu_pd(c, c0);
    _mm256_storeu_pd(c + n, c1);
    _mm256_storeu_pd(c + 2 * n, c2);
    _mm256_storeu_pd(c + 3 * n, c3);
}

void s(long M, long N, long K, const double *A, const double *B, double *C)
{
    long i = 0;
    for (; i + 4 <= M; i += 4) {
        long j = 0;
        for (; j + 4 <= N; j += 4)
            micro_4x4(N, K, A + i * K, B + j, C + i * N + j);
        for (long r = i; r < i + 4; r++)
            for (long q = N - N % 4; q < N; q++) {
                double s = 0.0;
                for (long k = 0; k < K; k++)
                    s += A[r * K + k] * B[k * N + q];
                C[r * N + q] = s;
            }
    }
    for (; i < M; i++)
        for (long j = 0; j < N; j++) {
            double s = 0.0;
            for (long k = 0; k < K; k++)
                s += A[i * K + k] * B[k * N + j];
            C[i * N + j] = s;
        }
}
