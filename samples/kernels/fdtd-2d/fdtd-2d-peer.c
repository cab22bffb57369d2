/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <string.h>

void fdtd_x2d_2d(
    int64_t NX, int64_t NY, int64_t T, const double ex0[restrict NX][NY], const double ey0[restrict NX][NY],
    const double hz0[restrict NX][NY], const double source[restrict T], double ex[restrict NX][NY],
    double ey[restrict NX][NY], double hz[restrict NX][NY])
{
    memcpy(ex, ex0, sizeof(double[NX][NY]));
    memcpy(ey, ey0, sizeof(double[NX][NY]));
    memcpy(hz, hz0, sizeof(double[NX][NY]));
    for (int64_t t = 0; t < T; t++) {
        for (int64_t j = 0; j < NY; j++)
            ey[0][j] = source[t];
        for (int64_t i = 1; i < NX; i++)
            for (int64_t j = 0; j < NY; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int64_t i = 0; i < NX; i++)
            for (int64_t j = 1; j < NY; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int64_t i = 0; i < NX - 1; i++)
            for (int64_t j = 0; j < NY - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}
