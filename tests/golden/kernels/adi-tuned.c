static void adi_loops(
    int64_t N, int64_t T, const double *restrict a, const double *restrict d, const double *restrict u0,
    double *restrict u, double *restrict f, double *restrict g, double *restrict elimination,
    double *restrict V)
{
    for (int64_t t = -1; t <= T + 1; t++) {
        #pragma omp parallel for
        for (int64_t rc3 = 0; rc3 < N; rc3 += 16) {
            if (rc3 >= 1) {
                if (t >= 1 && t <= T && rc3 <= N - 17) {
                    /* q[t,i,j] = 1.0, 16 */
                    for (int64_t r = 0; r < 4; r++) {
                        *(double4 *)&elimination[4 * r + rc3] = (double4){0} + 1.0;
                    }
                    for (int64_t c2 = 1; c2 < N - 1; c2++) {
                        /* q[t,i,j] = (d * U[t-1,i,j-1] + (1.0 - 2.0 * d) * U[t-1,i,j] + d * U[t-1,i,j+1] + a
                         *     * q[t,i-1,j]) ..., 16
                         */
                        for (int64_t r = 0; r < 4; r++) {
                            *(double4 *)&elimination[c2 * (N - 1) + 4 * r + rc3]
                                = (*d * *(double4 *)&u[c2 * N + 4 * r + rc3 - 1]
                                + (1.0 - 2.0 * *d) * *(double4 *)&u[c2 * N + 4 * r + rc3]
                                + *d * *(double4 *)&u[c2 * N + 4 * r + rc3 + 1]
                                + *a * *(double4 *)&elimination[(c2 - 1) * (N - 1) + 4 * r + rc3])
                                / (1.0 + 2.0 * *a - *a * f[c2 - 1]);
                        }
                    }
                } else if (t >= 1 && t <= T && N <= rc3 + 16) {
                    #pragma omp simd
                    for (int64_t c3 = rc3; c3 < N - 1; c3++) {
                        /* q[t,i,j] = 1.0 */
                        elimination[c3] = 1.0;
                    }
                    for (int64_t c2 = 1; c2 < N - 1; c2++) {
                        #pragma omp simd
                        for (int64_t c3 = rc3; c3 < N - 1; c3++) {
                            /* q[t,i,j] = (d * U[t-1,i,j-1] + (1.0 - 2.0 * d) * U[t-1,i,j] + d * U[t-1,i,j+1]
                             *     + a * q[t,i-1,j]) ...
                             */
                            elimination[c2 * (N - 1) + c3]
                                = (*d * u[c2 * N + c3 - 1] + (1.0 - 2.0 * *d) * u[c2 * N + c3]
                                + *d * u[c2 * N + c3 + 1] + *a * elimination[(c2 - 1) * (N - 1) + c3])
                                / (1.0 + 2.0 * *a - *a * f[c2 - 1]);
                        }
                    }
                } else if (t == T + 1 && N <= rc3 + 16) {
                    #pragma omp simd
                    for (int64_t c2 = 0; c2 < N; c2++) {
                        /* u[i,j] = u0[i,j] */
                        const int64_t i = N - 1;
                        u[i * N + c2] = u0[i * N + c2];
                    }
                }
            } else if (t >= 1 && t <= T) {
                #pragma omp simd
                for (int64_t c3 = 1; c3 <= min64(15, N - 2); c3++) {
                    /* q[t,i,j] = 1.0 */
                    elimination[c3] = 1.0;
                }
                for (int64_t c2 = 1; c2 < N - 1; c2++) {
                    #pragma omp simd
                    for (int64_t c3 = 1; c3 <= min64(15, N - 2); c3++) {
                        /* q[t,i,j] = (d * U[t-1,i,j-1] + (1.0 - 2.0 * d) * U[t-1,i,j] + d * U[t-1,i,j+1] + a
                         *     * q[t,i-1,j]) ...
                         */
                        elimination[c2 * (N - 1) + c3]
                            = (*d * u[c2 * N + c3 - 1] + (1.0 - 2.0 * *d) * u[c2 * N + c3]
                            + *d * u[c2 * N + c3 + 1] + *a * elimination[(c2 - 1) * (N - 1) + c3])
                            / (1.0 + 2.0 * *a - *a * f[c2 - 1]);
                    }
                }
            } else if (t == -1) {
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
            } else if (t == T + 1) {
                for (int64_t c2 = 0; c2 < N; c2++) {
                    /* u[i,j] = u0[i,j] */
                    u[c2] = u0[c2];
                    if (N <= 16) {
                        /* u[i,j] = u0[i,j] */
                        const int64_t i = N - 1;
                        u[i * N + c2] = u0[i * N + c2];
                    }
                }
            }
        }
        if (t >= 1 && t <= T) {
            #pragma omp parallel
            {
                #pragma omp for
                for (int64_t rc3 = 0; rc3 < N - 1; rc3 += 16) {
                    if (rc3 <= N - 17 && rc3 >= 1) {
                        {
                            /* V[t,i,j] = 1.0, 16 */
                            const int64_t i = N - 1;
                            for (int64_t r = 0; r < 4; r++) {
                                *(double4 *)&V[i * (N - 2) + 4 * r + rc3 - 1] = (double4){0} + 1.0;
                            }
                        }
                        for (int64_t c2 = -N + 2; c2 < 0; c2++) {
                            /* V[t,i,j] = f[i] * V[t,i+1,j] + q[t,i,j], 16 */
                            const int64_t i = -c2;
                            for (int64_t r = 0; r < 4; r++) {
                                *(double4 *)&V[i * (N - 2) + 4 * r + rc3 - 1]
                                    = f[i] * *(double4 *)&V[(i + 1) * (N - 2) + 4 * r + rc3 - 1]
                                    + *(double4 *)&elimination[i * (N - 1) + 4 * r + rc3];
                            }
                        }
                        /* V[t,i,j] = 1.0, 16 */
                        for (int64_t r = 0; r < 4; r++) {
                            *(double4 *)&V[4 * r + rc3 - 1] = (double4){0} + 1.0;
                        }
                    } else {
                        #pragma omp simd
                        for (int64_t c3 = max64(1, rc3); c3 < min64(N - 1, rc3 + 16); c3++) {
                            /* V[t,i,j] = 1.0 */
                            const int64_t i = N - 1;
                            V[i * (N - 2) + c3 - 1] = 1.0;
                        }
                        for (int64_t c2 = -N + 2; c2 < 0; c2++) {
                            #pragma omp simd
                            for (int64_t c3 = max64(1, rc3); c3 < min64(N - 1, rc3 + 16); c3++) {
                                /* V[t,i,j] = f[i] * V[t,i+1,j] + q[t,i,j] */
                                const int64_t i = -c2;
                                V[i * (N - 2) + c3 - 1] = f[i] * V[(i + 1) * (N - 2) + c3 - 1]
                                    + elimination[i * (N - 1) + c3];
                            }
                        }
                        #pragma omp simd
                        for (int64_t c3 = max64(1, rc3); c3 < min64(N - 1, rc3 + 16); c3++) {
                            /* V[t,i,j] = 1.0 */
                            V[c3 - 1] = 1.0;
                        }
                    }
                }
                #pragma omp for
                for (int64_t rc3 = 0; rc3 < N - 1; rc3 += 16) {
                    if (rc3 <= N - 17 && rc3 >= 1) {
                        /* r[t,i,j] = 1.0, 16 */
                        for (int64_t r = 0; r < 16; r++) {
                            elimination[(r + rc3) * (N - 1)] = 1.0;
                        }
                        for (int64_t c2 = 1; c2 < N - 1; c2++) {
                            /* r[t,i,j] = (a * V[t,i-1,j] + (1.0 - 2.0 * a) * V[t,i,j] + a * V[t,i+1,j] + d *
                             *     r[t,i,j-1]) / (1. ..., 16
                             */
                            for (int64_t r = 0; r < 16; r++) {
                                elimination[(r + rc3) * (N - 1) + c2]
                                    = (*a * V[(r + rc3 - 1) * (N - 2) + c2 - 1]
                                    + (1.0 - 2.0 * *a) * V[(r + rc3) * (N - 2) + c2 - 1]
                                    + *a * V[(r + rc3 + 1) * (N - 2) + c2 - 1]
                                    + *d * elimination[(r + rc3) * (N - 1) + c2 - 1])
                                    / (1.0 + 2.0 * *d - *d * g[c2 - 1]);
                            }
                        }
                    } else {
                        for (int64_t c3 = max64(1, rc3); c3 < min64(N - 1, rc3 + 16); c3++) {
                            /* r[t,i,j] = 1.0 */
                            elimination[c3 * (N - 1)] = 1.0;
                        }
                        for (int64_t c2 = 1; c2 < N - 1; c2++) {
                            for (int64_t c3 = max64(1, rc3); c3 < min64(N - 1, rc3 + 16); c3++) {
                                /* r[t,i,j] = (a * V[t,i-1,j] + (1.0 - 2.0 * a) * V[t,i,j] + a * V[t,i+1,j] +
                                 *     d * r[t,i,j-1]) / (1. ...
                                 */
                                elimination[c3 * (N - 1) + c2]
                                    = (*a * V[(c3 - 1) * (N - 2) + c2 - 1]
                                    + (1.0 - 2.0 * *a) * V[c3 * (N - 2) + c2 - 1]
                                    + *a * V[(c3 + 1) * (N - 2) + c2 - 1]
                                    + *d * elimination[c3 * (N - 1) + c2 - 1])
                                    / (1.0 + 2.0 * *d - *d * g[c2 - 1]);
                            }
                        }
                    }
                }
            }
        }
        if (t >= 0 && t <= T) {
            #pragma omp parallel for
            for (int64_t rc3 = 0; rc3 < N - 1; rc3 += 16) {
                if (rc3 <= N - 17 && rc3 >= 1) {
                    if (t >= 1) {
                        {
                            /* U[t,i,j] = 1.0, 16 */
                            const int64_t j = N - 1;
                            for (int64_t r = 0; r < 16; r++) {
                                u[(r + rc3) * N + j] = 1.0;
                            }
                        }
                        for (int64_t c2 = -N + 2; c2 < 0; c2++) {
                            /* U[t,i,j] = g[j] * U[t,i,j+1] + r[t,i,j], 16 */
                            const int64_t j = -c2;
                            for (int64_t r = 0; r < 16; r++) {
                                u[(r + rc3) * N + j] = g[j] * u[(r + rc3) * N + j + 1]
                                    + elimination[(r + rc3) * (N - 1) + j];
                            }
                        }
                        /* U[t,i,j] = 1.0, 16 */
                        for (int64_t r = 0; r < 16; r++) {
                            u[(r + rc3) * N] = 1.0;
                        }
                    } else {
                        for (int64_t c2 = -N + 1; c2 <= 0; c2++) {
                            /* U[t,i,j] = u0[i,j], 16 */
                            const int64_t j = -c2;
                            for (int64_t r = 0; r < 16; r++) {
                                u[(r + rc3) * N + j] = u0[(r + rc3) * N + j];
                            }
                        }
                    }
                } else if (t >= 1) {
                    for (int64_t c3 = max64(1, rc3); c3 < min64(N - 1, rc3 + 16); c3++) {
                        /* U[t,i,j] = 1.0 */
                        const int64_t j = N - 1;
                        u[c3 * N + j] = 1.0;
                    }
                    for (int64_t c2 = -N + 2; c2 < 0; c2++) {
                        for (int64_t c3 = max64(1, rc3); c3 < min64(N - 1, rc3 + 16); c3++) {
                            /* U[t,i,j] = g[j] * U[t,i,j+1] + r[t,i,j] */
                            const int64_t j = -c2;
                            u[c3 * N + j] = g[j] * u[c3 * N + j + 1] + elimination[c3 * (N - 1) + j];
                        }
                    }
                    for (int64_t c3 = max64(1, rc3); c3 < min64(N - 1, rc3 + 16); c3++) {
                        /* U[t,i,j] = 1.0 */
                        u[c3 * N] = 1.0;
                    }
                } else {
                    for (int64_t c2 = -N + 1; c2 <= 0; c2++) {
                        for (int64_t c3 = max64(1, rc3); c3 < min64(N - 1, rc3 + 16); c3++) {
                            /* U[t,i,j] = u0[i,j] */
                            const int64_t j = -c2;
                            u[c3 * N + j] = u0[c3 * N + j];
                        }
                    }
                }
            }
        }
    }
}
