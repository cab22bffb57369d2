/* System f, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>

#include <stdio.h>
#include <stdlib.h>

/* The greatest integer that is not above a / b, for b > 0. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static inline int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Index arithmetic never overflows for parameters within +-2^40. */
static inline bool too_large(int64_t parameter)
{
    return parameter > INT64_C(1) << 40 || parameter < -(INT64_C(1) << 40);
}

/* The size of an array in bytes: 0 when it is empty, -1 when it is too large to be addressed. */
static inline int64_t bytes_of(size_t element, int rank, const int64_t *extents)
{
    int64_t bytes = (int64_t)element;
    for (int d = 0; d < rank; d++) {
        if (extents[d] <= 0) {
            return 0;
        }
    }
    for (int d = 0; d < rank; d++) {
        if (bytes > INT64_MAX / 4 / extents[d]) {
            return -1;
        }
        bytes *= extents[d];
    }
    return bytes;
}

/* Says on stderr why a system failed. */
static void report(const char *system, int status)
{
    static const char *const reasons[] = {
        "success", "the parameter values are not valid", "a size is too large", "out of memory",
        "a value depends on itself", "division by zero", "a value does not fit into an integer type",
        "calls of systems nest too deeply", "a tile size is not positive"
    };
    if (status != 0) {
        fprintf(stderr, "%s: %s\n", system, reasons[status]);
    }
}

static void f_loops(int64_t N, int64_t M, const double *restrict a, double *restrict b, double *restrict c)
{
    for (int64_t j = 0; j < M; j++) {
        for (int64_t ri_2 = 0; ri_2 < N; ri_2 += 4) {
            if (ri_2 <= N - 4) {
                /* b[i,j] = a[i,j] + 1.0, 4 */
                for (int64_t r = 0; r < 4; r++) {
                    b[(r + ri_2) * M + j] = a[(r + ri_2) * M + j] + 1.0;
                }
            } else {
                for (int64_t i = ri_2; i < N; i++) {
                    /* b[i,j] = a[i,j] + 1.0 */
                    b[i * M + j] = a[i * M + j] + 1.0;
                }
            }
        }
    }
    for (int64_t rj = 0; rj < M; rj += 2) {
        for (int64_t ri = 0; ri < N; ri += 3) {
            if (rj >= 1) {
                if (ri <= N - 4) {
                    /* c[i] += b[i,j], 4 */
                    for (int64_t r = 0; r < 4; r++) {
                        c[r + ri] += b[(r + ri) * M + rj];
                    }
                    if (rj <= M - 2) {
                        for (int64_t ri_2 = 4 * max64(0, floor_div(ri, 4)); ri_2 <= ri + 2; ri_2 += 4) {
                            if (ri_2 <= N - 4) {
                                if (ri_2 < ri) {
                                    for (int64_t i = ri; i < ri_2 + 4; i++) {
                                        /* c[i] += b[i,j] */
                                        const int64_t j_2 = rj + 1;
                                        c[i] += b[i * M + j_2];
                                    }
                                } else {
                                    /* c[i] += b[i,j], 4 */
                                    const int64_t j_2 = rj + 1;
                                    for (int64_t r = 0; r < 4; r++) {
                                        c[r + ri_2] += b[(r + ri_2) * M + j_2];
                                    }
                                }
                            } else {
                                for (int64_t i = ri_2; i < ri + 3; i++) {
                                    /* c[i] += b[i,j] */
                                    const int64_t j_2 = rj + 1;
                                    c[i] += b[i * M + j_2];
                                }
                            }
                        }
                    }
                } else {
                    for (int64_t j = rj; j <= min64(M - 1, rj + 1); j++) {
                        for (int64_t ri_2 = 4 * max64(0, floor_div(ri, 4)); ri_2 < N; ri_2 += 4) {
                            for (int64_t i = max64(ri, ri_2); i < min64(N, ri_2 + 4); i++) {
                                /* c[i] += b[i,j] */
                                c[i] += b[i * M + j];
                            }
                        }
                    }
                }
            } else {
                if (N <= ri + 3) {
                    for (int64_t ri_2 = 4 * max64(0, floor_div(ri, 4)); ri_2 < N; ri_2 += 4) {
                        const int64_t j = 0;
                        if (M >= 2 && ri_2 <= N - 4) {
                            if (j == 1 && ri_2 < ri) {
                                for (int64_t i = ri; i < ri_2 + 4; i++) {
                                    /* c[i] += b[i,j] */
                                    c[i] += b[i * M + 1];
                                }
                            } else if (j == 1 && ri <= ri_2) {
                                /* c[i] += b[i,j], 4 */
                                for (int64_t r = 0; r < 4; r++) {
                                    c[r + ri_2] += b[(r + ri_2) * M + 1];
                                }
                            } else if (N <= ri + 3) {
                                for (int64_t i = ri; i < ri_2 + 4; i++) {
                                    /* c[i] = b[i,j] */
                                    c[i] = 0 + b[i * M];
                                }
                            }
                        } else if (M >= 2 && j == 1) {
                            for (int64_t i = max64(ri, ri_2); i < min64(min64(N, ri + 3), ri_2 + 4); i++) {
                                /* c[i] += b[i,j] */
                                c[i] += b[i * M + 1];
                            }
                        } else if (N <= ri + 3 && j == 0) {
                            for (int64_t i = max64(ri, ri_2); i < min64(N, ri_2 + 4); i++) {
                                /* c[i] = b[i,j] */
                                c[i] = 0 + b[i * M];
                            }
                        }
                    }
                } else {
                    for (int64_t ri_2 = 0; ri_2 <= ri + 2; ri_2 += 4) {
                        if (ri <= ri_2 + 3) {
                            const int64_t j = 0;
                            if (M >= 2 && ri_2 <= N - 4) {
                                if (j == 1 && ri_2 < ri) {
                                    for (int64_t i = ri; i < ri_2 + 4; i++) {
                                        /* c[i] += b[i,j] */
                                        c[i] += b[i * M + 1];
                                    }
                                } else if (j == 1 && ri <= ri_2) {
                                    /* c[i] += b[i,j], 4 */
                                    for (int64_t r = 0; r < 4; r++) {
                                        c[r + ri_2] += b[(r + ri_2) * M + 1];
                                    }
                                } else if (N <= ri + 3) {
                                    for (int64_t i = ri; i < ri_2 + 4; i++) {
                                        /* c[i] = b[i,j] */
                                        c[i] = 0 + b[i * M];
                                    }
                                }
                            } else if (M >= 2 && j == 1) {
                                for (int64_t i = max64(ri, ri_2); i < min64(min64(N, ri + 3), ri_2 + 4); i++) {
                                    /* c[i] += b[i,j] */
                                    c[i] += b[i * M + 1];
                                }
                            } else if (N <= ri + 3 && j == 0) {
                                for (int64_t i = max64(ri, ri_2); i < min64(N, ri_2 + 4); i++) {
                                    /* c[i] = b[i,j] */
                                    c[i] = 0 + b[i * M];
                                }
                            }
                        }
                        if (ri_2 == 0) {
                            /* c[i] = b[i,j], 4 */
                            for (int64_t r = 0; r < 4; r++) {
                                c[r + ri] = 0 + b[(r + ri) * M];
                            }
                        }
                    }
                }
                for (int64_t ri_2 = 4 * max64(0, floor_div(ri, 4)); ri_2 <= min64(N - 1, ri + 2); ri_2 += 4) {
                    const int64_t j = 1;
                    if (M >= 2 && ri_2 <= N - 4) {
                        if (j == 1 && ri_2 < ri) {
                            for (int64_t i = ri; i < ri_2 + 4; i++) {
                                /* c[i] += b[i,j] */
                                c[i] += b[i * M + 1];
                            }
                        } else if (j == 1 && ri <= ri_2) {
                            /* c[i] += b[i,j], 4 */
                            for (int64_t r = 0; r < 4; r++) {
                                c[r + ri_2] += b[(r + ri_2) * M + 1];
                            }
                        } else if (N <= ri + 3) {
                            for (int64_t i = ri; i < ri_2 + 4; i++) {
                                /* c[i] = b[i,j] */
                                c[i] = 0 + b[i * M];
                            }
                        }
                    } else if (M >= 2 && j == 1) {
                        for (int64_t i = max64(ri, ri_2); i < min64(min64(N, ri + 3), ri_2 + 4); i++) {
                            /* c[i] += b[i,j] */
                            c[i] += b[i * M + 1];
                        }
                    } else if (N <= ri + 3 && j == 0) {
                        for (int64_t i = max64(ri, ri_2); i < min64(N, ri_2 + 4); i++) {
                            /* c[i] = b[i,j] */
                            c[i] = 0 + b[i * M];
                        }
                    }
                }
            }
        }
    }
}

int f_status(int64_t N, int64_t M, const double *restrict a, double *restrict b, double *restrict c)
{
    if (too_large(N) || too_large(M)) {
        return 2;
    }
    if (N < 1 || M < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*a), 2, (const int64_t[]){N, M}) < 0
        || bytes_of(sizeof(*b), 2, (const int64_t[]){N, M}) < 0
        || bytes_of(sizeof(*c), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    f_loops(N, M, a, b, c);
    return 0;
}

void f(int64_t N, int64_t M, const double *restrict a, double *restrict b, double *restrict c)
{
    report("f", f_status(N, M, a, b, c));
}
