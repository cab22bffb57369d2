/* The loops of the textbooks, with the signature of the generated function. */
#include <stdint.h>
#include <string.h>

void floyd_x2d_warshall(int64_t N, const int w[restrict N][N], int d[restrict N][N])
{
    memcpy(d, w, sizeof(int[N][N]));
    for (int64_t k = 0; k < N; k++)
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++)
                d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}
