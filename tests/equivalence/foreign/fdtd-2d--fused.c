/* Both electric fields in one nest, with threads. */
#include <stdint.h>
#include <string.h>
static void update(int64_t NX, int64_t NY, double ex[NX][NY], double ey[NX][NY], const double hz[NX][NY])
{
#pragma omp parallel for
    for (int64_t i = 0; i < NX; i++)
        for (int64_t j = 0; j < NY; j++) {
            if (i > 0)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
            if (j > 0)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        }
}

void fdtd_x2d_2d(int64_t NX, int64_t NY, int64_t T, const double ex0[NX][NY], const double ey0[NX][NY],
                 const double hz0[NX][NY], const double source[T], double ex[NX][NY], double ey[NX][NY],
                 double hz[NX][NY])
{
    memcpy(ex, ex0, NX * NY * sizeof(double));
    memcpy(ey, ey0, NX * NY * sizeof(double));
    memcpy(hz, hz0, NX * NY * sizeof(double));
    for (int64_t t = 0; t < T; t++) {
        for (int64_t j = 0; j < NY; j++)
            ey[0][j] = source[t];
        update(NX, NY, ex, ey, hz);
#pragma omp parallel for
        for (int64_t i = 0; i < NX - 1; i++)
            for (int64_t j = 0; j < NY - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}
