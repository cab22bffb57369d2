#include <immintrin.h>
void s(long M, long N, long K, const double *A, const double *B, double *C)
{
    for (long i = 0; i < M; i++)
        for (long j = 0; j < N; j++)
            C[i * N + j] = 0.0;
    for (long i = 0; i < M; i++) {
        long j = 0;
        for (; j + 4 <= N; j += 4) {
            __m256d c = _mm256_loadu_pd(&C[i * N + j]);
            for (long k = 0; k < K; k++) {
                __m256d a = _mm256_set1_pd(A[i * K + k]);
                __m256d b = _mm256_loadu_pd(&B[k * N + j]);
                c = _mm256_fmadd_pd(a, b, c);
            }
            _mm256_storeu_pd(&C[i * N + j], c);
        }
        for (; j < N; j++)
            for (long k = 0; k < K; k++)
                C[i * N + j] += A[i * K + k] * B[k * N + j];
    }
}
