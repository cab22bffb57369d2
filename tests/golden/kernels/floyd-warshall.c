static void floyd_x2d_warshall_loops(
    int64_t N, const int *restrict w, int *restrict d, int *restrict D, int *restrict row,
    int *restrict column)
{
    for (int64_t i = 0; i < N; i++) {
        #pragma omp simd
        for (int64_t c3 = 0; c3 < N; c3++) {
            /* D[k,i,j] = w[i,j] */
            D[i * N + c3] = w[i * N + c3];
        }
    }
    for (int64_t i = 0; i < N; i++) {
        /* column[k,i] = D[k,i,k] */
        column[i] = D[i * N];
    }
    #pragma omp simd
    for (int64_t i = 0; i < N; i++) {
        /* row[k,j] = D[k,k,j] */
        row[i] = D[i];
    }
    for (int64_t k = 1; k < N; k++) {
        for (int64_t i = 0; i < N; i++) {
            #pragma omp simd
            for (int64_t c3 = 0; c3 < N; c3++) {
                /* D[k,i,j] = D[k-1,i,j] min (column[k-1,i] + row[k-1,j]) */
                D[(k * N + i) * N + c3]
                    = min_int(D[((k - 1) * N + i) * N + c3],
                    sum_int(column[(k - 1) * N + i], row[(k - 1) * N + c3]));
            }
        }
        for (int64_t i = 0; i < N; i++) {
            /* column[k,i] = D[k,i,k] */
            column[k * N + i] = D[(k * N + i) * N + k];
        }
        #pragma omp simd
        for (int64_t i = 0; i < N; i++) {
            /* row[k,j] = D[k,k,j] */
            row[k * N + i] = D[(k * N + k) * N + i];
        }
    }
    for (int64_t i = 0; i < N; i++) {
        #pragma omp simd
        for (int64_t c3 = 0; c3 < N; c3++) {
            /* D[k,i,j] = D[k-1,i,j] min (column[k-1,i] + row[k-1,j]) */
            D[(N * N + i) * N + c3]
                = min_int(D[((N - 1) * N + i) * N + c3],
                sum_int(column[(N - 1) * N + i], row[(N - 1) * N + c3]));
        }
    }
    for (int64_t i = 0; i < N; i++) {
        #pragma omp simd
        for (int64_t c3 = 0; c3 < N; c3++) {
            /* d[i,j] = D[N,i,j] */
            d[i * N + c3] = D[(N * N + i) * N + c3];
        }
    }
}
