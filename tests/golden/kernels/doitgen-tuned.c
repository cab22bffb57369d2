static void doitgen_loops(
    int64_t R, int64_t Q, int64_t P, const double *restrict A, const double *restrict C4, double *restrict B,
    int *status)
{
    #pragma omp parallel
    {
        /* Buffers of each thread. */
        const int64_t packed_C4_size0 = min64(256, floor_div(P + 7, 8) * 8);
        const int64_t packed_A_size0 = min64(144, floor_div(Q + 5, 6) * 6);
        int failed = 0;
        double *packed_C4
            = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_C4_size0, 256});
        double *packed_A
            = allocate(&failed, sizeof(double), 2, (const int64_t[]){packed_A_size0, 256});
        if (failed == 0) {
            for (int64_t at_2 = 0; at_2 < packed_C4_size0 * 256; at_2++) {
                packed_C4[at_2] = 0;
            }
            for (int64_t at_2 = 0; at_2 < packed_A_size0 * 256; at_2++) {
                packed_A[at_2] = 0;
            }
        }
        #pragma omp for schedule(dynamic)
        for (int64_t r = 0; r < R; r++) {
            if (failed == 0) {
                for (int64_t tp = 0; tp < P; tp += 256) {
                    for (int64_t ts = 0; ts < P; ts += 256) {
                        /* packed_C4 = C4[s,p], as the tile reads it, 8 after 8 */
                        for (int64_t rp = tp; rp <= min64(P - 1, tp + 248); rp += 8) {
                            if (rp <= P - 8) {
                                for (int64_t s = ts; s <= min64(P - 1, ts + 255); s++) {
                                    for (int64_t p = rp; p < rp + 8; p++) {
                                        packed_C4[(rp - tp) * 256 + (s - ts) * 8 + p - rp] = C4[s * P + p];
                                    }
                                }
                            } else {
                                for (int64_t s = ts; s <= min64(P - 1, ts + 255); s++) {
                                    for (int64_t p = rp; p < min64(P, rp + 8); p++) {
                                        packed_C4[(rp - tp) * 256 + (s - ts) * 8 + p - rp] = C4[s * P + p];
                                    }
                                }
                            }
                        }
                        for (int64_t tq = 0; tq < Q; tq += 144) {
                            /* packed_A = A[r,q,s], as the tile reads it, 6 after 6 */
                            for (int64_t rq = tq; rq <= min64(Q - 1, tq + 138); rq += 6) {
                                if (rq <= Q - 6) {
                                    for (int64_t s = ts; s <= min64(P - 1, ts + 255); s++) {
                                        for (int64_t q = rq; q < rq + 6; q++) {
                                            packed_A[(rq - tq) * 256 + (s - ts) * 6 + q - rq]
                                                = A[(r * Q + q) * P + s];
                                        }
                                    }
                                } else {
                                    for (int64_t s = ts; s <= min64(P - 1, ts + 255); s++) {
                                        for (int64_t q = rq; q < min64(Q, rq + 6); q++) {
                                            packed_A[(rq - tq) * 256 + (s - ts) * 6 + q - rq]
                                                = A[(r * Q + q) * P + s];
                                        }
                                    }
                                }
                            }
                            for (int64_t rp = tp; rp <= min64(P - 1, tp + 248); rp += 8) {
                                for (int64_t rq = tq; rq <= min64(Q - 1, tq + 138); rq += 6) {
                                    if (rp <= P - 8 && rq <= Q - 6) {
                                        if (ts == 0) {
                                            /* sum[r,q,p] = A[r,q,s] * C4[s,p], 8 x 6 */
                                            for (int64_t r_2 = 0; r_2 < 6; r_2++) {
                                                for (int64_t s_2 = 0; s_2 < 2; s_2++) {
                                                    *(double4 *)&B[(r * Q + r_2 + rq) * P + rp + 4 * s_2]
                                                        = 0 + packed_A[(rq - tq) * 256 - ts * 6 + r_2]
                                                        * *(const double4 *)&packed_C4[(rp - tp) * 256
                                                        - ts * 8 + 4 * s_2];
                                                }
                                            }
                                        }
                                        {
                                            /* sum[r,q,p] += A[r,q,s] * C4[s,p], 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r_2 = 0; r_2 < 6; r_2++) {
                                                for (int64_t s_2 = 0; s_2 < 2; s_2++) {
                                                    sum[r_2][s_2] = (double4){0};
                                                    __builtin_prefetch(&B[(r * Q + r_2 + rq) * P + rp
                                                        + 4 * s_2], 1);
                                                }
                                            }
                                            for (int64_t s = max64(1, ts); s < min64(P, ts + 256); s++) {
                                                for (int64_t r_2 = 0; r_2 < 6; r_2++) {
                                                    for (int64_t s_2 = 0; s_2 < 2; s_2++) {
                                                        sum[r_2][s_2] += packed_A[(rq - tq) * 256
                                                            + (s - ts) * 6 + r_2]
                                                            * *(const double4 *)&packed_C4[(rp - tp) * 256
                                                            + (s - ts) * 8 + 4 * s_2];
                                                    }
                                                }
                                            }
                                            for (int64_t r_2 = 0; r_2 < 6; r_2++) {
                                                for (int64_t s_2 = 0; s_2 < 2; s_2++) {
                                                    *(double4 *)&B[(r * Q + r_2 + rq) * P + rp
                                                        + 4 * s_2] += sum[r_2][s_2];
                                                }
                                            }
                                        }
                                    } else {
                                        if (ts == 0) {
                                            /* sum[r,q,p] = A[r,q,s] * C4[s,p], some of 8 x 6 */
                                            for (int64_t r_2 = 0; r_2 < 6; r_2++) {
                                                for (int64_t s_2 = 0; s_2 < 8; s_2++) {
                                                    if (r_2 + rq < Q && rp + s_2 < P) {
                                                        B[(r * Q + r_2 + rq) * P + rp + s_2]
                                                            = 0 + packed_A[(rq - tq) * 256 - ts * 6 + r_2]
                                                            * packed_C4[(rp - tp) * 256 - ts * 8 + s_2];
                                                    }
                                                }
                                            }
                                        }
                                        if (max64(1, ts) < min64(P, ts + 256)) {
                                            /* sum[r,q,p] += A[r,q,s] * C4[s,p], some of 8 x 6 */
                                            double4 sum[6][2];
                                            for (int64_t r_2 = 0; r_2 < 6; r_2++) {
                                                for (int64_t s_2 = 0; s_2 < 2; s_2++) {
                                                    sum[r_2][s_2] = (double4){0};
                                                }
                                            }
                                            for (int64_t s = max64(1, ts); s < min64(P, ts + 256); s++) {
                                                for (int64_t r_2 = 0; r_2 < 6; r_2++) {
                                                    for (int64_t s_2 = 0; s_2 < 2; s_2++) {
                                                        sum[r_2][s_2] += packed_A[(rq - tq) * 256
                                                            + (s - ts) * 6 + r_2]
                                                            * *(const double4 *)&packed_C4[(rp - tp) * 256
                                                            + (s - ts) * 8 + 4 * s_2];
                                                    }
                                                }
                                            }
                                            double sums[6][8];
                                            for (int64_t r_2 = 0; r_2 < 6; r_2++) {
                                                for (int64_t s_2 = 0; s_2 < 2; s_2++) {
                                                    *(double4 *)&sums[r_2][4 * s_2] = sum[r_2][s_2];
                                                }
                                            }
                                            for (int64_t r_2 = 0; r_2 < 6; r_2++) {
                                                for (int64_t s_2 = 0; s_2 < 8; s_2++) {
                                                    if (r_2 + rq < Q && rp + s_2 < P) {
                                                        B[(r * Q + r_2 + rq) * P + rp
                                                            + s_2] += sums[r_2][s_2];
                                                    }
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        if (failed != 0) {
            set_status(status, failed);
        }
        free(packed_C4);
        free(packed_A);
    }
}
