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
        for (int64_t rc3_2 = 0; rc3_2 < W; rc3_2 += 4) {
            if (rc3_2 <= W - 4) {
                /* right[i,j] = a1 * image[i,j], 4 */
                for (int64_t r = 0; r < 4; r++) {
                    rows[(r + rc3_2) * H] = *a1 * image[(r + rc3_2) * H];
                }
                /* right[i,j] = a1 * image[i,j] + a2 * image[i,j-1] + b1 * right[i,j-1], 4 */
                for (int64_t r = 0; r < 4; r++) {
                    rows[(r + rc3_2) * H + 1] = *a1 * image[(r + rc3_2) * H + 1]
                        + *a2 * image[(r + rc3_2) * H] + *b1 * rows[(r + rc3_2) * H];
                }
                for (int64_t c2 = 2; c2 < H; c2++) {
                    /* right[i,j] = a1 * image[i,j] + a2 * image[i,j-1] + b1 * right[i,j-1] + b2 *
                     *     right[i,j-2], 4
                     */
                    for (int64_t r = 0; r < 4; r++) {
                        rows[(r + rc3_2) * H + c2] = *a1 * image[(r + rc3_2) * H + c2]
                            + *a2 * image[(r + rc3_2) * H + c2 - 1] + *b1 * rows[(r + rc3_2) * H + c2 - 1]
                            + *b2 * rows[(r + rc3_2) * H + c2 - 2];
                    }
                }
            } else {
                for (int64_t c3 = rc3_2; c3 < W; c3++) {
                    /* right[i,j] = a1 * image[i,j] */
                    rows[c3 * H] = *a1 * image[c3 * H];
                }
                for (int64_t c3 = rc3_2; c3 < W; c3++) {
                    /* right[i,j] = a1 * image[i,j] + a2 * image[i,j-1] + b1 * right[i,j-1] */
                    rows[c3 * H + 1] = *a1 * image[c3 * H + 1] + *a2 * image[c3 * H] + *b1 * rows[c3 * H];
                }
                for (int64_t c2 = 2; c2 < H; c2++) {
                    for (int64_t c3 = rc3_2; c3 < W; c3++) {
                        /* right[i,j] = a1 * image[i,j] + a2 * image[i,j-1] + b1 * right[i,j-1] + b2 *
                         *     right[i,j-2]
                         */
                        rows[c3 * H + c2] = *a1 * image[c3 * H + c2] + *a2 * image[c3 * H + c2 - 1]
                            + *b1 * rows[c3 * H + c2 - 1] + *b2 * rows[c3 * H + c2 - 2];
                    }
                }
            }
            for (int64_t c3 = rc3_2; c3 < min64(W, rc3_2 + 4); c3++) {
                const int64_t j = H - 1;
                /* left[i,j] = 0.0 */
                left[c3 * 2 + j % 2] = 0.0;
                /* rows[i,j] = right[i,j] + left[i,j] */
                rows[c3 * H + j] = rows[c3 * H + j] + left[c3 * 2 + j % 2];
            }
            for (int64_t c3 = rc3_2; c3 < min64(W, rc3_2 + 4); c3++) {
                const int64_t j = H - 2;
                /* left[i,j] = a3 * image[i,j+1] + b1 * left[i,j+1] */
                left[c3 * 2 + j % 2] = *a3 * image[c3 * H + j + 1] + *b1 * left[c3 * 2 + (j + 1) % 2];
                /* rows[i,j] = right[i,j] + left[i,j] */
                rows[c3 * H + j] = rows[c3 * H + j] + left[c3 * 2 + j % 2];
            }
            for (int64_t c2 = H + 3; c2 <= 2 * H; c2++) {
                for (int64_t c3 = rc3_2; c3 < min64(W, rc3_2 + 4); c3++) {
                    const int64_t j = 2 * H - c2;
                    /* left[i,j] = a3 * image[i,j+1] + a4 * image[i,j+2] + b1 * left[i,j+1] + b2 * left[i,j+2]
                     */
                    left[c3 * 2 + j % 2] = *a3 * image[c3 * H + j + 1] + *a4 * image[c3 * H + j + 2]
                        + *b1 * left[c3 * 2 + (j + 1) % 2] + *b2 * left[c3 * 2 + (j + 2) % 2];
                    /* rows[i,j] = right[i,j] + left[i,j] */
                    rows[c3 * H + j] = rows[c3 * H + j] + left[c3 * 2 + j % 2];
                }
            }
        }
        #pragma omp for
        for (int64_t rc3 = 0; rc3 < H; rc3 += 32) {
            if (rc3 <= H - 32) {
                /* down[i,j] = a1 * rows[i,j], 32 */
                for (int64_t r = 0; r < 8; r++) {
                    *(double4 *)&out[4 * r + rc3] = *a1 * *(double4 *)&rows[4 * r + rc3];
                }
                /* down[i,j] = a1 * rows[i,j] + a2 * rows[i-1,j] + b1 * down[i-1,j], 32 */
                for (int64_t r = 0; r < 8; r++) {
                    *(double4 *)&out[H + 4 * r + rc3]
                        = *a1 * *(double4 *)&rows[H + 4 * r + rc3] + *a2 * *(double4 *)&rows[4 * r + rc3]
                        + *b1 * *(double4 *)&out[4 * r + rc3];
                }
                for (int64_t c2 = 2; c2 < W; c2++) {
                    /* down[i,j] = a1 * rows[i,j] + a2 * rows[i-1,j] + b1 * down[i-1,j] + b2 * down[i-2,j], 32
                     */
                    for (int64_t r = 0; r < 8; r++) {
                        *(double4 *)&out[c2 * H + 4 * r + rc3]
                            = *a1 * *(double4 *)&rows[c2 * H + 4 * r + rc3]
                            + *a2 * *(double4 *)&rows[(c2 - 1) * H + 4 * r + rc3]
                            + *b1 * *(double4 *)&out[(c2 - 1) * H + 4 * r + rc3]
                            + *b2 * *(double4 *)&out[(c2 - 2) * H + 4 * r + rc3];
                    }
                }
            } else {
                #pragma omp simd
                for (int64_t c3 = rc3; c3 < H; c3++) {
                    /* down[i,j] = a1 * rows[i,j] */
                    out[c3] = *a1 * rows[c3];
                }
                #pragma omp simd
                for (int64_t c3 = rc3; c3 < H; c3++) {
                    /* down[i,j] = a1 * rows[i,j] + a2 * rows[i-1,j] + b1 * down[i-1,j] */
                    out[H + c3] = *a1 * rows[H + c3] + *a2 * rows[c3] + *b1 * out[c3];
                }
                for (int64_t c2 = 2; c2 < W; c2++) {
                    #pragma omp simd
                    for (int64_t c3 = rc3; c3 < H; c3++) {
                        /* down[i,j] = a1 * rows[i,j] + a2 * rows[i-1,j] + b1 * down[i-1,j] + b2 * down[i-2,j]
                         */
                        out[c2 * H + c3] = *a1 * rows[c2 * H + c3] + *a2 * rows[(c2 - 1) * H + c3]
                            + *b1 * out[(c2 - 1) * H + c3] + *b2 * out[(c2 - 2) * H + c3];
                    }
                }
            }
            #pragma omp simd
            for (int64_t c3 = rc3; c3 < min64(H, rc3 + 32); c3++) {
                const int64_t i = W - 1;
                /* up[i,j] = 0.0 */
                up[i % 2 * H + c3] = 0.0;
                /* out[i,j] = down[i,j] + up[i,j] */
                out[i * H + c3] = out[i * H + c3] + up[i % 2 * H + c3];
            }
            #pragma omp simd
            for (int64_t c3 = rc3; c3 < min64(H, rc3 + 32); c3++) {
                const int64_t i = W - 2;
                /* up[i,j] = a3 * rows[i+1,j] + b1 * up[i+1,j] */
                up[i % 2 * H + c3] = *a3 * rows[(i + 1) * H + c3] + *b1 * up[(i + 1) % 2 * H + c3];
                /* out[i,j] = down[i,j] + up[i,j] */
                out[i * H + c3] = out[i * H + c3] + up[i % 2 * H + c3];
            }
            for (int64_t c2 = W + 3; c2 <= 2 * W; c2++) {
                #pragma omp simd
                for (int64_t c3 = rc3; c3 < min64(H, rc3 + 32); c3++) {
                    const int64_t i = 2 * W - c2;
                    /* up[i,j] = a3 * rows[i+1,j] + a4 * rows[i+2,j] + b1 * up[i+1,j] + b2 * up[i+2,j] */
                    up[i % 2 * H + c3] = *a3 * rows[(i + 1) * H + c3] + *a4 * rows[(i + 2) * H + c3]
                        + *b1 * up[(i + 1) % 2 * H + c3] + *b2 * up[(i + 2) % 2 * H + c3];
                    /* out[i,j] = down[i,j] + up[i,j] */
                    out[i * H + c3] = out[i * H + c3] + up[i % 2 * H + c3];
                }
            }
        }
    }
}
