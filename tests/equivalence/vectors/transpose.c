#include <immintrin.h>
void s(long M, long N, const double *A, double *B)
{
    long i = 0;
    for (; i + 4 <= M; i += 4) {
        long j = 0;
        for (; j + 4 <= N; j += 4) {
            __m256d r0 = _mm256_loadu_pd(&A[(i + 0) * N + j]);
            __m256d r1 = _mm256_loadu_pd(&A[(i + 1) * N + j]);
            __m256d r2 = _mm256_loadu_pd(&A[(i + 2) * N + j]);
            __m256d r3 = _mm256_loadu_pd(&A[(i + 3) * N + j]);
            __m256d t0 = _mm256_unpacklo_pd(r0, r1);
            __m256d t1 = _mm256_unpackhi_pd(r0, r1);
            __m256d t2 = _mm256_unpacklo_pd(r2, r3);
            __m256d t3 = _mm256_unpackhi_pd(r2, r3);
            _mm256_storeu_pd(&B[(j + 0) * M + i], _mm256_permute2f128_pd(t0, t2, 0x20));
            _mm256_storeu_pd(&B[(j + 1) * M + i], _mm256_permute2f128_pd(t1, t3, 0x20));
            _mm256_storeu_pd(&B[(j + 2) * M + i], _mm256_permute2f128_pd(t0, t2, 0x31));
            _mm256_storeu_pd(&B[(j + 3) * M + i], _mm256_permute2f128_pd(t1, t3, 0x31));
        }
        for (; j < N; j++)
            for (long r = i; r < i + 4; r++)
                B[j * M + r] = A[r * N + j];
    }
    for (; i < M; i++)
        for (long j = 0; j < N; j++)
            B[j * M + i] = A[i * N + j];
}
