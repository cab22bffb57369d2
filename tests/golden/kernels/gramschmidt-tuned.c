static void gramschmidt_loops(
    int64_t M, int64_t N, const double *restrict A, double *restrict R, double *restrict Q,
    double *restrict norm)
{
    for (int64_t c0 = -1; c0 < N; c0++) {
        if (c0 >= 0) {
            /* NR_norm[k] = V[k,i,k] * V[k,i,k] */
            norm[0] = 0 + Q[c0] * Q[c0];
            if (1 < M) {
                /* NR_norm[k] += V[k,i,k] * V[k,i,k] */
                double sum = norm[0];
                for (int64_t i = 1; i < M; i++) {
                    sum += Q[i * N + c0] * Q[i * N + c0];
                }
                norm[0] = sum;
            }
            /* norm[k] = sqrt(NR_norm[k]) */
            norm[0] = sqrt(norm[0]);
            for (int64_t i = 0; i < M; i++) {
                /* Q[i,k] = V[k,i,k] / norm[k] */
                Q[i * N + c0] = Q[i * N + c0] / norm[0];
            }
        }
        if (c0 <= N - 2 && c0 >= 0) {
#pragma omp parallel for
            for (int64_t rj = 16 * max64(0, floor_div(c0 + 1, 16)); rj < N; rj += 16) {
                if (rj <= c0) {
#pragma omp simd
                    for (int64_t j = c0 + 1; j < min64(N, rj + 16); j++) {
                        /* NR_R[k,j] = Q[i,k] * V[k,i,j] */
                        R[c0 * N + j] = 0 + Q[c0] * Q[j];
                    }
                    for (int64_t i = 1; i < M; i++) {
#pragma omp simd
                        for (int64_t j = c0 + 1; j < min64(N, rj + 16); j++) {
                            /* NR_R[k,j] += Q[i,k] * V[k,i,j] */
                            R[c0 * N + j] += Q[i * N + c0] * Q[i * N + j];
                        }
                    }
                } else if (rj <= N - 16) {
                    /* NR_R[k,j] = Q[i,k] * V[k,i,j], 16 */
                    for (int64_t r = 0; r < 4; r++) {
                        *(double4 *)&R[c0 * N + 4 * r + rj] = 0 + Q[c0] * *(double4 *)&Q[4 * r + rj];
                    }
                    {
                        /* NR_R[k,j] += Q[i,k] * V[k,i,j], 16 */
                        double4 sum[4];
                        for (int64_t r = 0; r < 4; r++) {
                            sum[r] = *(double4 *)&R[c0 * N + 4 * r + rj];
                        }
                        for (int64_t i = 1; i < M; i++) {
                            for (int64_t r = 0; r < 4; r++) {
                                sum[r] += Q[i * N + c0] * *(double4 *)&Q[i * N + 4 * r + rj];
                            }
                        }
                        for (int64_t r = 0; r < 4; r++) {
                            *(double4 *)&R[c0 * N + 4 * r + rj] = sum[r];
                        }
                    }
                } else {
#pragma omp simd
                    for (int64_t j = rj; j < N; j++) {
                        /* NR_R[k,j] = Q[i,k] * V[k,i,j] */
                        R[c0 * N + j] = 0 + Q[c0] * Q[j];
                    }
                    for (int64_t i = 1; i < M; i++) {
#pragma omp simd
                        for (int64_t j = rj; j < N; j++) {
                            /* NR_R[k,j] += Q[i,k] * V[k,i,j] */
                            R[c0 * N + j] += Q[i * N + c0] * Q[i * N + j];
                        }
                    }
                }
            }
        }
#pragma omp parallel for
        for (int64_t rj = 16 * max64(0, floor_div(c0, 16)); rj <= c0; rj += 16) {
            /* R[k,j] = norm[k] */
            R[c0 * N + c0] = norm[0];
        }
        if (c0 <= N - 2) {
#pragma omp parallel for
            for (int64_t rj = 16 * max64(0, floor_div(c0 + 1, 16)); rj < N; rj += 16) {
                if (c0 >= 0 && rj <= N - 16 && c0 < rj) {
                    for (int64_t i = 0; i < M; i++) {
                        /* V[k,i,j] = V[k-1,i,j] - Q[i,k-1] * R[k-1,j], 16 */
                        const int64_t k = c0 + 1;
                        for (int64_t r = 0; r < 4; r++) {
                            *(double4 *)&Q[i * N + 4 * r + rj]
                                = *(double4 *)&Q[i * N + 4 * r + rj]
                                - Q[i * N + k - 1] * *(double4 *)&R[(k - 1) * N + 4 * r + rj];
                        }
                    }
                } else if (c0 == -1 && rj <= N - 16) {
                    for (int64_t i = 0; i < M; i++) {
                        /* V[k,i,j] = A[i,j], 16 */
                        for (int64_t r = 0; r < 4; r++) {
                            *(double4 *)&Q[i * N + 4 * r + rj] = *(const double4 *)&A[i * N + 4 * r + rj];
                        }
                    }
                } else if (c0 == -1 && N <= rj + 15) {
                    for (int64_t i = 0; i < M; i++) {
#pragma omp simd
                        for (int64_t j = rj; j < N; j++) {
                            /* V[k,i,j] = A[i,j] */
                            Q[i * N + j] = A[i * N + j];
                        }
                    }
                } else if (rj <= c0) {
                    for (int64_t i = 0; i < M; i++) {
#pragma omp simd
                        for (int64_t j = c0 + 1; j < min64(N, rj + 16); j++) {
                            /* V[k,i,j] = V[k-1,i,j] - Q[i,k-1] * R[k-1,j] */
                            const int64_t k = c0 + 1;
                            Q[i * N + j] = Q[i * N + j] - Q[i * N + k - 1] * R[(k - 1) * N + j];
                        }
                    }
                } else {
                    for (int64_t i = 0; i < M; i++) {
#pragma omp simd
                        for (int64_t j = rj; j < N; j++) {
                            /* V[k,i,j] = V[k-1,i,j] - Q[i,k-1] * R[k-1,j] */
                            const int64_t k = c0 + 1;
                            Q[i * N + j] = Q[i * N + j] - Q[i * N + k - 1] * R[(k - 1) * N + j];
                        }
                    }
                }
            }
        }
    }
}
