static void gramschmidt_loops(
    int64_t M, int64_t N, const double *restrict A, double *restrict R, double *restrict Q,
    double *restrict V, double *restrict norm)
{
    for (int64_t i = 0; i < M; i++) {
        #pragma omp simd
        for (int64_t c3 = 0; c3 < N; c3++) {
            /* V[k,i,j] = A[i,j] */
            V[i * N + c3] = A[i * N + c3];
        }
    }
    {
        /* norm[k] = sqrt(reduce(+, [i], V[k,i,k] * V[k,i,k])) */
        double sum = 0;
        for (int64_t i = 0; i < M; i++) {
            sum += V[i * N] * V[i * N];
        }
        norm[0] = sqrt(sum);
    }
    for (int64_t i = 0; i < M; i++) {
        /* Q[i,k] = V[k,i,k] / norm[k] */
        Q[i * N] = V[i * N] / norm[0];
    }
    /* R[k,j] = norm[k] */
    R[0] = norm[0];
    for (int64_t i = 1; i < N; i++) {
        /* R[k,j] = reduce(+, [i], Q[i,k] * V[k,i,j]) */
        double sum = 0;
        for (int64_t i_2 = 0; i_2 < M; i_2++) {
            sum += Q[i_2 * N] * V[i_2 * N + i];
        }
        R[i] = sum;
    }
    for (int64_t k = 1; k < N; k++) {
        for (int64_t i = 0; i < M; i++) {
            #pragma omp simd
            for (int64_t c3 = k; c3 < N; c3++) {
                /* V[k,i,j] = V[k-1,i,j] - Q[i,k-1] * R[k-1,j] */
                V[(k * M + i) * N + c3] = V[((k - 1) * M + i) * N + c3]
                    - Q[i * N + k - 1] * R[(k - 1) * N + c3];
            }
        }
        {
            /* norm[k] = sqrt(reduce(+, [i], V[k,i,k] * V[k,i,k])) */
            double sum = 0;
            for (int64_t i = 0; i < M; i++) {
                sum += V[(k * M + i) * N + k] * V[(k * M + i) * N + k];
            }
            norm[k] = sqrt(sum);
        }
        for (int64_t i = 0; i < M; i++) {
            /* Q[i,k] = V[k,i,k] / norm[k] */
            Q[i * N + k] = V[(k * M + i) * N + k] / norm[k];
        }
        /* R[k,j] = norm[k] */
        R[k * N + k] = norm[k];
        for (int64_t i = k + 1; i < N; i++) {
            /* R[k,j] = reduce(+, [i], Q[i,k] * V[k,i,j]) */
            double sum = 0;
            for (int64_t i_2 = 0; i_2 < M; i_2++) {
                sum += Q[i_2 * N + k] * V[(k * M + i_2) * N + i];
            }
            R[k * N + i] = sum;
        }
    }
}
