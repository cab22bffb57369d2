static void deriche_loops(
    int64_t W, int64_t H, const double *restrict alpha, const double *restrict image, double *restrict out,
    double *restrict e, double *restrict k, double *restrict a1, double *restrict a2, double *restrict a3,
    double *restrict a4, double *restrict b1, double *restrict b2, double *restrict right,
    double *restrict left, double *restrict rows, double *restrict down, double *restrict up)
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
    for (int64_t c1 = 0; c1 < W; c1++) {
        /* right[i,j] = a1 * image[i,j] */
        right[c1 * H] = *a1 * image[c1 * H];
        /* right[i,j] = a1 * image[i,j] + a2 * image[i,j-1] + b1 * right[i,j-1] */
        right[c1 * H + 1] = *a1 * image[c1 * H + 1] + *a2 * image[c1 * H] + *b1 * right[c1 * H];
        for (int64_t c2 = 2; c2 < H; c2++) {
            /* right[i,j] = a1 * image[i,j] + a2 * image[i,j-1] + b1 * right[i,j-1] + b2 * right[i,j-2] */
            right[c1 * H + c2] = *a1 * image[c1 * H + c2] + *a2 * image[c1 * H + c2 - 1]
                + *b1 * right[c1 * H + c2 - 1] + *b2 * right[c1 * H + c2 - 2];
        }
    }
    for (int64_t c1 = 0; c1 < W; c1++) {
        {
            /* left[i,j] = 0.0 */
            const int64_t j = H - 1;
            left[c1 * H + j] = 0.0;
        }
        {
            /* left[i,j] = a3 * image[i,j+1] + b1 * left[i,j+1] */
            const int64_t j = H - 2;
            left[c1 * H + j] = *a3 * image[c1 * H + j + 1] + *b1 * left[c1 * H + j + 1];
        }
        for (int64_t c2 = -H + 3; c2 <= 0; c2++) {
            /* left[i,j] = a3 * image[i,j+1] + a4 * image[i,j+2] + b1 * left[i,j+1] + b2 * left[i,j+2] */
            const int64_t j = -c2;
            left[c1 * H + j] = *a3 * image[c1 * H + j + 1] + *a4 * image[c1 * H + j + 2]
                + *b1 * left[c1 * H + j + 1] + *b2 * left[c1 * H + j + 2];
        }
    }
    for (int64_t c1 = 0; c1 < W; c1++) {
        #pragma omp simd
        for (int64_t c2 = 0; c2 < H; c2++) {
            /* rows[i,j] = right[i,j] + left[i,j] */
            rows[c1 * H + c2] = right[c1 * H + c2] + left[c1 * H + c2];
        }
    }
    #pragma omp simd
    for (int64_t c2 = 0; c2 < H; c2++) {
        /* down[i,j] = a1 * rows[i,j] */
        down[c2] = *a1 * rows[c2];
    }
    #pragma omp simd
    for (int64_t c2 = 0; c2 < H; c2++) {
        /* down[i,j] = a1 * rows[i,j] + a2 * rows[i-1,j] + b1 * down[i-1,j] */
        down[H + c2] = *a1 * rows[H + c2] + *a2 * rows[c2] + *b1 * down[c2];
    }
    for (int64_t c1 = 2; c1 < W; c1++) {
        #pragma omp simd
        for (int64_t c2 = 0; c2 < H; c2++) {
            /* down[i,j] = a1 * rows[i,j] + a2 * rows[i-1,j] + b1 * down[i-1,j] + b2 * down[i-2,j] */
            down[c1 * H + c2] = *a1 * rows[c1 * H + c2] + *a2 * rows[(c1 - 1) * H + c2]
                + *b1 * down[(c1 - 1) * H + c2] + *b2 * down[(c1 - 2) * H + c2];
        }
    }
    #pragma omp simd
    for (int64_t c2 = 0; c2 < H; c2++) {
        /* up[i,j] = 0.0 */
        const int64_t i = W - 1;
        up[i * H + c2] = 0.0;
    }
    #pragma omp simd
    for (int64_t c2 = 0; c2 < H; c2++) {
        /* up[i,j] = a3 * rows[i+1,j] + b1 * up[i+1,j] */
        const int64_t i = W - 2;
        up[i * H + c2] = *a3 * rows[(i + 1) * H + c2] + *b1 * up[(i + 1) * H + c2];
    }
    for (int64_t c1 = -W + 3; c1 <= 0; c1++) {
        #pragma omp simd
        for (int64_t c2 = 0; c2 < H; c2++) {
            /* up[i,j] = a3 * rows[i+1,j] + a4 * rows[i+2,j] + b1 * up[i+1,j] + b2 * up[i+2,j] */
            const int64_t i = -c1;
            up[i * H + c2] = *a3 * rows[(i + 1) * H + c2] + *a4 * rows[(i + 2) * H + c2]
                + *b1 * up[(i + 1) * H + c2] + *b2 * up[(i + 2) * H + c2];
        }
    }
    for (int64_t c1 = 0; c1 < W; c1++) {
        #pragma omp simd
        for (int64_t c2 = 0; c2 < H; c2++) {
            /* out[i,j] = down[i,j] + up[i,j] */
            out[c1 * H + c2] = down[c1 * H + c2] + up[c1 * H + c2];
        }
    }
}
