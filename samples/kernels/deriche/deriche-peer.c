/* The loops of the textbooks, with the signature of the generated function. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

void deriche(
    int64_t W, int64_t H, const double *restrict alpha, const double image[restrict W][H], double out[restrict W][H])
{
    double(*restrict forth)[H] = malloc(sizeof(double[W][H]));
    double(*restrict back)[H] = malloc(sizeof(double[W][H]));
    const double e = exp(-*alpha);
    const double k = (1.0 - e) * (1.0 - e) / (1.0 + 2.0 * *alpha * e - e * e);
    const double a1 = k, a2 = k * e * (*alpha - 1.0), a3 = k * e * (*alpha + 1.0), a4 = -k * e * e;
    const double b1 = 2.0 * e, b2 = -e * e;
    for (int64_t i = 0; i < W; i++) {
        double y1 = 0.0, y2 = 0.0, x1 = 0.0;
        for (int64_t j = 0; j < H; j++) {
            forth[i][j] = a1 * image[i][j] + a2 * x1 + b1 * y1 + b2 * y2;
            x1 = image[i][j];
            y2 = y1;
            y1 = forth[i][j];
        }
    }
    for (int64_t i = 0; i < W; i++) {
        double y1 = 0.0, y2 = 0.0, x1 = 0.0, x2 = 0.0;
        for (int64_t j = H - 1; j >= 0; j--) {
            back[i][j] = a3 * x1 + a4 * x2 + b1 * y1 + b2 * y2;
            x2 = x1;
            x1 = image[i][j];
            y2 = y1;
            y1 = back[i][j];
        }
    }
    for (int64_t i = 0; i < W; i++)
        for (int64_t j = 0; j < H; j++)
            out[i][j] = forth[i][j] + back[i][j];
    for (int64_t j = 0; j < H; j++) {
        double y1 = 0.0, y2 = 0.0, x1 = 0.0;
        for (int64_t i = 0; i < W; i++) {
            forth[i][j] = a1 * out[i][j] + a2 * x1 + b1 * y1 + b2 * y2;
            x1 = out[i][j];
            y2 = y1;
            y1 = forth[i][j];
        }
    }
    for (int64_t j = 0; j < H; j++) {
        double y1 = 0.0, y2 = 0.0, x1 = 0.0, x2 = 0.0;
        for (int64_t i = W - 1; i >= 0; i--) {
            back[i][j] = a3 * x1 + a4 * x2 + b1 * y1 + b2 * y2;
            x2 = x1;
            x1 = out[i][j];
            y2 = y1;
            y1 = back[i][j];
        }
    }
    for (int64_t i = 0; i < W; i++)
        for (int64_t j = 0; j < H; j++)
            out[i][j] = forth[i][j] + back[i][j];
    free(forth);
    free(back);
}
