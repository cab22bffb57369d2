static void deriche_loops(
    int64_t W, int64_t H, const double *restrict alpha, const double *restrict image, double *restrict out,
    double *restrict e, double *restrict k, double *restrict a1, double *restrict a2, double *restrict a3,
    double *restrict a4, double *restrict b1, double *restrict b2, double *restrict rows,
    double *restrict left, double *restrict up)
{
    /* e[] = exp(-alpha) */
    *e = exp(-*alpha);
    /* k[] = (1.0 - e) * (1.0 - e) / (1.0 + 2.0 * alpha * e - e * e) */
    *k = (1.0 - *e) * (1.0 - *e) / (1.0 + 2.0 * *alpha * *e - *e * *e);
    /* a1[] = k */
    *a1 = *k;
    /* a2[] = k * e * (alpha - 1.0) */
    *a2 = *k * *e * (*alpha - 1.0);
    /* a3[] = k * e * (alpha + 1.0) */
    *a3 = *k * *e * (*alpha + 1.0);
    /* a4[] = -k * e * e */
    *a4 = -*k * *e * *e;
    /* b1[] = 2.0 * e */
    *b1 = 2.0 * *e;
    /* b2[] = -e * e */
    *b2 = -*e * *e;
#pragma omp parallel
    {
#pragma omp for
        for (int64_t c1 = 0; c1 < W; c1++) {
            /* right[i,j] = a1 * image[i,j] */
            rows[c1 * H] = *a1 * image[c1 * H];
            /* right[i,j] = a1 * image[i,j] + a2 * image[i,j-1] + b1 * right[i,j-1] */
            rows[c1 * H + 1] = *a1 * image[c1 * H + 1] + *a2 * image[c1 * H] + *b1 * rows[c1 * H];
            for (int64_t c3 = 2; c3 < H; c3++) {
                /* right[i,j] = a1 * image[i,j] + a2 * image[i,j-1] + b1 * right[i,j-1] + b2 * right[i,j-2] */
                rows[c1 * H + c3] = *a1 * image[c1 * H + c3] + *a2 * image[c1 * H + c3 - 1]
                    + *b1 * rows[c1 * H + c3 - 1] + *b2 * rows[c1 * H + c3 - 2];
            }
            {
                /* left[i,j] = 0.0 */
                const int64_t j = H - 1;
                left[c1 * 2 + j % 2] = 0.0;
            }
            {
                /* rows[i,j] = right[i,j] + left[i,j] */
                const int64_t j = H - 1;
                rows[c1 * H + j] = rows[c1 * H + j] + left[c1 * 2 + j % 2];
            }
            {
                /* left[i,j] = a3 * image[i,j+1] + b1 * left[i,j+1] */
                const int64_t j = H - 2;
                left[c1 * 2 + j % 2] = *a3 * image[c1 * H + j + 1] + *b1 * left[c1 * 2 + (j + 1) % 2];
            }
            {
                /* rows[i,j] = right[i,j] + left[i,j] */
                const int64_t j = H - 2;
                rows[c1 * H + j] = rows[c1 * H + j] + left[c1 * 2 + j % 2];
            }
            for (int64_t c3 = -H + 3; c3 <= 0; c3++) {
                {
                    /* left[i,j] = a3 * image[i,j+1] + a4 * image[i,j+2] + b1 * left[i,j+1] + b2 * left[i,j+2] */
                    const int64_t j = -c3;
                    left[c1 * 2 + j % 2] = *a3 * image[c1 * H + j + 1] + *a4 * image[c1 * H + j + 2]
                        + *b1 * left[c1 * 2 + (j + 1) % 2] + *b2 * left[c1 * 2 + (j + 2) % 2];
                }
                {
                    /* rows[i,j] = right[i,j] + left[i,j] */
                    const int64_t j = -c3;
                    rows[c1 * H + j] = rows[c1 * H + j] + left[c1 * 2 + j % 2];
                }
            }
        }
#pragma omp for
        for (int64_t c1 = 0; c1 < H; c1++) {
            /* down[i,j] = a1 * rows[i,j] */
            out[c1] = *a1 * rows[c1];
            /* down[i,j] = a1 * rows[i,j] + a2 * rows[i-1,j] + b1 * down[i-1,j] */
            out[H + c1] = *a1 * rows[H + c1] + *a2 * rows[c1] + *b1 * out[c1];
            for (int64_t c3 = 2; c3 < W; c3++) {
                /* down[i,j] = a1 * rows[i,j] + a2 * rows[i-1,j] + b1 * down[i-1,j] + b2 * down[i-2,j] */
                out[c3 * H + c1] = *a1 * rows[c3 * H + c1] + *a2 * rows[(c3 - 1) * H + c1]
                    + *b1 * out[(c3 - 1) * H + c1] + *b2 * out[(c3 - 2) * H + c1];
            }
            {
                /* up[i,j] = 0.0 */
                const int64_t i = W - 1;
                up[i % 2 * H + c1] = 0.0;
            }
            {
                /* out[i,j] = down[i,j] + up[i,j] */
                const int64_t i = W - 1;
                out[i * H + c1] = out[i * H + c1] + up[i % 2 * H + c1];
            }
            {
                /* up[i,j] = a3 * rows[i+1,j] + b1 * up[i+1,j] */
                const int64_t i = W - 2;
                up[i % 2 * H + c1] = *a3 * rows[(i + 1) * H + c1] + *b1 * up[(i + 1) % 2 * H + c1];
            }
            {
                /* out[i,j] = down[i,j] + up[i,j] */
                const int64_t i = W - 2;
                out[i * H + c1] = out[i * H + c1] + up[i % 2 * H + c1];
            }
            for (int64_t c3 = -W + 3; c3 <= 0; c3++) {
                {
                    /* up[i,j] = a3 * rows[i+1,j] + a4 * rows[i+2,j] + b1 * up[i+1,j] + b2 * up[i+2,j] */
                    const int64_t i = -c3;
                    up[i % 2 * H + c1] = *a3 * rows[(i + 1) * H + c1] + *a4 * rows[(i + 2) * H + c1]
                        + *b1 * up[(i + 1) % 2 * H + c1] + *b2 * up[(i + 2) % 2 * H + c1];
                }
                {
                    /* out[i,j] = down[i,j] + up[i,j] */
                    const int64_t i = -c3;
                    out[i * H + c1] = out[i * H + c1] + up[i % 2 * H + c1];
                }
            }
        }
    }
}
