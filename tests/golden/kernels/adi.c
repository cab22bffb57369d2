static void adi_loops(
    int64_t N, int64_t T, const double *restrict a, const double *restrict d, const double *restrict u0,
    double *restrict u, double *restrict f, double *restrict g, double *restrict q, double *restrict V,
    double *restrict r, double *restrict U)
{
    /* f[i] = 0.0 */
    f[0] = 0.0;
    /* g[j] = 0.0 */
    g[0] = 0.0;
    for (int64_t c2 = 1; c2 < N - 1; c2++) {
        /* f[i] = a / (1.0 + 2.0 * a - a * f[i-1]) */
        f[c2] = *a / (1.0 + 2.0 * *a - *a * f[c2 - 1]);
        /* g[j] = d / (1.0 + 2.0 * d - d * g[j-1]) */
        g[c2] = *d / (1.0 + 2.0 * *d - *d * g[c2 - 1]);
    }
    for (int64_t c2 = 1; c2 < N - 1; c2++) {
        #pragma omp simd
        for (int64_t c3 = -N + 1; c3 <= 0; c3++) {
            /* U[t,i,j] = u0[i,j] */
            const int64_t j = -c3;
            U[(c2 - 1) * N + j] = u0[c2 * N + j];
        }
    }
    for (int64_t t = 1; t <= T; t++) {
        #pragma omp simd
        for (int64_t c3 = 1; c3 < N - 1; c3++) {
            /* q[t,i,j] = 1.0 */
            q[(t - 1) * (N - 1) * (N - 2) + c3 - 1] = 1.0;
        }
        for (int64_t c2 = 1; c2 < N - 1; c2++) {
            #pragma omp simd
            for (int64_t c3 = 1; c3 < N - 1; c3++) {
                /* q[t,i,j] = (d * U[t-1,i,j-1] + (1.0 - 2.0 * d) * U[t-1,i,j] + d * U[t-1,i,j+1] + a *
                 *     q[t,i-1,j]) / (1.0 + 2.0 * a - a * f[i-1])
                 */
                q[((t - 1) * (N - 1) + c2) * (N - 2) + c3 - 1]
                    = (*d * U[((t - 1) * (N - 2) + c2 - 1) * N + c3 - 1]
                    + (1.0 - 2.0 * *d) * U[((t - 1) * (N - 2) + c2 - 1) * N + c3]
                    + *d * U[((t - 1) * (N - 2) + c2 - 1) * N + c3 + 1]
                    + *a * q[((t - 1) * (N - 1) + c2 - 1) * (N - 2) + c3 - 1])
                    / (1.0 + 2.0 * *a - *a * f[c2 - 1]);
            }
        }
        #pragma omp simd
        for (int64_t c3 = 1; c3 < N - 1; c3++) {
            /* V[t,i,j] = 1.0 */
            const int64_t i = N - 1;
            V[((t - 1) * N + i) * (N - 2) + c3 - 1] = 1.0;
        }
        for (int64_t c2 = -N + 2; c2 < 0; c2++) {
            #pragma omp simd
            for (int64_t c3 = 1; c3 < N - 1; c3++) {
                /* V[t,i,j] = f[i] * V[t,i+1,j] + q[t,i,j] */
                const int64_t i = -c2;
                V[((t - 1) * N + i) * (N - 2) + c3 - 1]
                    = f[i] * V[((t - 1) * N + i + 1) * (N - 2) + c3 - 1]
                    + q[((t - 1) * (N - 1) + i) * (N - 2) + c3 - 1];
            }
        }
        #pragma omp simd
        for (int64_t c3 = 1; c3 < N - 1; c3++) {
            /* V[t,i,j] = 1.0 */
            V[(t - 1) * N * (N - 2) + c3 - 1] = 1.0;
        }
        for (int64_t c2 = 1; c2 < N - 1; c2++) {
            /* r[t,i,j] = 1.0 */
            r[((t - 1) * (N - 2) + c2 - 1) * (N - 1)] = 1.0;
            for (int64_t c3 = 1; c3 < N - 1; c3++) {
                /* r[t,i,j] = (a * V[t,i-1,j] + (1.0 - 2.0 * a) * V[t,i,j] + a * V[t,i+1,j] + d * r[t,i,j-1])
                 *     / (1.0 + 2.0 * d - d * g[j-1])
                 */
                r[((t - 1) * (N - 2) + c2 - 1) * (N - 1) + c3]
                    = (*a * V[((t - 1) * N + c2 - 1) * (N - 2) + c3 - 1]
                    + (1.0 - 2.0 * *a) * V[((t - 1) * N + c2) * (N - 2) + c3 - 1]
                    + *a * V[((t - 1) * N + c2 + 1) * (N - 2) + c3 - 1]
                    + *d * r[((t - 1) * (N - 2) + c2 - 1) * (N - 1) + c3 - 1])
                    / (1.0 + 2.0 * *d - *d * g[c3 - 1]);
            }
        }
        for (int64_t c2 = 1; c2 < N - 1; c2++) {
            {
                /* U[t,i,j] = 1.0 */
                const int64_t j = N - 1;
                U[(t * (N - 2) + c2 - 1) * N + j] = 1.0;
            }
            for (int64_t c3 = -N + 2; c3 < 0; c3++) {
                /* U[t,i,j] = g[j] * U[t,i,j+1] + r[t,i,j] */
                const int64_t j = -c3;
                U[(t * (N - 2) + c2 - 1) * N + j]
                    = g[j] * U[(t * (N - 2) + c2 - 1) * N + j + 1]
                    + r[((t - 1) * (N - 2) + c2 - 1) * (N - 1) + j];
            }
            /* U[t,i,j] = 1.0 */
            U[(t * (N - 2) + c2 - 1) * N] = 1.0;
        }
    }
    #pragma omp simd
    for (int64_t c3 = 0; c3 < N; c3++) {
        /* u[i,j] = u0[i,j] */
        u[c3] = u0[c3];
    }
    for (int64_t c2 = 1; c2 < N - 1; c2++) {
        #pragma omp simd
        for (int64_t c3 = 0; c3 < N; c3++) {
            /* u[i,j] = U[T,i,j] */
            u[c2 * N + c3] = U[(T * (N - 2) + c2 - 1) * N + c3];
        }
    }
    #pragma omp simd
    for (int64_t c3 = 0; c3 < N; c3++) {
        /* u[i,j] = u0[i,j] */
        const int64_t i = N - 1;
        u[i * N + c3] = u0[i * N + c3];
    }
}
