static void fdtd_x2d_2d_loops(
    int64_t NX, int64_t NY, int64_t T, const double *restrict ex0, const double *restrict ey0,
    const double *restrict hz0, const double *restrict source_, double *restrict ex, double *restrict ey,
    double *restrict hz, double *restrict EX, double *restrict EY, double *restrict HZ)
{
    for (int64_t i = 0; i < NX; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < NY; j++) {
            /* EY[t,i,j] = ey0[i,j] */
            EY[i * NY + j] = ey0[i * NY + j];
        }
    }
    for (int64_t i = 0; i < NX; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < NY; j++) {
            /* EX[t,i,j] = ex0[i,j] */
            EX[i * NY + j] = ex0[i * NY + j];
        }
    }
    for (int64_t i = 0; i < NX; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < NY; j++) {
            /* HZ[t,i,j] = hz0[i,j] */
            HZ[i * NY + j] = hz0[i * NY + j];
        }
    }
    for (int64_t t = 1; t <= T; t++) {
        #pragma omp simd
        for (int64_t j = 0; j < NY; j++) {
            /* EY[t,i,j] = source[t] */
            EY[t * NX * NY + j] = source_[t - 1];
        }
        for (int64_t i = 1; i < NX; i++) {
            #pragma omp simd
            for (int64_t j = 0; j < NY; j++) {
                /* EY[t,i,j] = EY[t-1,i,j] - 0.5 * (HZ[t-1,i,j] - HZ[t-1,i-1,j]) */
                EY[(t * NX + i) * NY + j] = EY[((t - 1) * NX + i) * NY + j]
                    - 0.5 * (HZ[((t - 1) * NX + i) * NY + j] - HZ[((t - 1) * NX + i - 1) * NY + j]);
            }
        }
        for (int64_t i = 0; i < NX; i++) {
            /* EX[t,i,j] = EX[t-1,i,j] */
            EX[(t * NX + i) * NY] = EX[((t - 1) * NX + i) * NY];
            #pragma omp simd
            for (int64_t j = 1; j < NY; j++) {
                /* EX[t,i,j] = EX[t-1,i,j] - 0.5 * (HZ[t-1,i,j] - HZ[t-1,i,j-1]) */
                EX[(t * NX + i) * NY + j] = EX[((t - 1) * NX + i) * NY + j]
                    - 0.5 * (HZ[((t - 1) * NX + i) * NY + j] - HZ[((t - 1) * NX + i) * NY + j - 1]);
            }
        }
        for (int64_t i = 0; i < NX - 1; i++) {
            #pragma omp simd
            for (int64_t j = 0; j < NY - 1; j++) {
                /* HZ[t,i,j] = HZ[t-1,i,j] - 0.7 * (EX[t,i,j+1] - EX[t,i,j] + EY[t,i+1,j] - EY[t,i,j]) */
                HZ[(t * NX + i) * NY + j] = HZ[((t - 1) * NX + i) * NY + j]
                    - 0.7
                    * (EX[(t * NX + i) * NY + j + 1] - EX[(t * NX + i) * NY + j]
                    + EY[(t * NX + i + 1) * NY + j] - EY[(t * NX + i) * NY + j]);
            }
            const int64_t j = NY - 1;
            /* HZ[t,i,j] = HZ[t-1,i,j] */
            HZ[(t * NX + i) * NY + j] = HZ[((t - 1) * NX + i) * NY + j];
        }
        #pragma omp simd
        for (int64_t j = 0; j < NY; j++) {
            /* HZ[t,i,j] = HZ[t-1,i,j] */
            const int64_t i = NX - 1;
            HZ[(t * NX + i) * NY + j] = HZ[((t - 1) * NX + i) * NY + j];
        }
    }
    for (int64_t i = 0; i < NX; i++) {
        #pragma omp simd
        for (int64_t j = 0; j < NY; j++) {
            /* ex[i,j] = EX[T,i,j] */
            ex[i * NY + j] = EX[(T * NX + i) * NY + j];
            /* ey[i,j] = EY[T,i,j] */
            ey[i * NY + j] = EY[(T * NX + i) * NY + j];
            /* hz[i,j] = HZ[T,i,j] */
            hz[i * NY + j] = HZ[(T * NX + i) * NY + j];
        }
    }
}
