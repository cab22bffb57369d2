static void floyd_x2d_warshall_loops(
    int64_t N, const int *restrict w, int *restrict d, int *restrict row, int *restrict column)
{
    #pragma omp parallel
    {
        #pragma omp for
        for (int64_t i = 0; i < N; i++) {
            #pragma omp simd
            for (int64_t c3 = 0; c3 < N; c3++) {
                /* D[k,i,j] = w[i,j] */
                d[i * N + c3] = w[i * N + c3];
            }
        }
        #pragma omp for nowait
        for (int64_t i = 0; i < N; i++) {
            /* column[k,i] = D[k,i,k] */
            column[i] = d[i * N];
        }
        #pragma omp for simd
        for (int64_t i = 0; i < N; i++) {
            /* row[k,j] = D[k,k,j] */
            row[i] = d[i];
        }
    }
    for (int64_t k = 1; k < N; k++) {
        #pragma omp parallel
        {
            #pragma omp for
            for (int64_t i = 0; i < N; i++) {
                #pragma omp simd
                for (int64_t c3 = 0; c3 < N; c3++) {
                    /* D[k,i,j] = D[k-1,i,j] min (column[k-1,i] + row[k-1,j]) */
                    d[i * N + c3] = min_int(d[i * N + c3], column[i] + row[c3]);
                }
            }
            #pragma omp for nowait
            for (int64_t i = 0; i < N; i++) {
                /* column[k,i] = D[k,i,k] */
                column[i] = d[i * N + k];
            }
            #pragma omp for simd
            for (int64_t i = 0; i < N; i++) {
                /* row[k,j] = D[k,k,j] */
                row[i] = d[k * N + i];
            }
        }
    }
    #pragma omp parallel for
    for (int64_t i = 0; i < N; i++) {
        #pragma omp simd
        for (int64_t c3 = 0; c3 < N; c3++) {
            /* D[k,i,j] = D[k-1,i,j] min (column[k-1,i] + row[k-1,j]) */
            d[i * N + c3] = min_int(d[i * N + c3], column[i] + row[c3]);
        }
    }
}
