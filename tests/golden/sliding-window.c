/* System sliding_window, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   n__inity: int[1], holds _inity
 *   n__addy: int[N - M] from (1), holds _addy
 *   n__suby: int[N - M] from (1), holds _suby
 */

#include "sliding_window.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void sliding_window_loops(
    int64_t N, int64_t M, const int *restrict x, int *restrict y, int *restrict n__inity,
    int *restrict n__addy, int *restrict n__suby)
{
    /* _inity[i] = the identity of + */
    n__inity[0] = 0;
    {
        /* _inity[i] += x[j] */
        int sum = n__inity[0];
        for (int64_t c1 = 1; c1 <= M; c1++) {
            const int64_t j = c1 - 1;
            sum = sum_int(sum, x[j]);
        }
        n__inity[0] = sum;
    }
    #pragma omp simd
    for (int64_t c1 = 1; c1 <= N - M; c1++) {
        /* _addy[i] = x[M+i-1] */
        n__addy[c1 - 1] = x[M + c1 - 1];
        /* _suby[i] = x[i-1] */
        n__suby[c1 - 1] = x[c1 - 1];
    }
    /* y[i] = _inity[i] */
    y[0] = n__inity[0];
    for (int64_t c1 = 1; c1 <= N - M; c1++) {
        /* y[i] = y[i-1] - _suby[i] + _addy[i] */
        y[c1] = sum_int(difference_int(y[c1 - 1], n__suby[c1 - 1]), n__addy[c1 - 1]);
    }
}

int sliding_window_status(int64_t N, int64_t M, const int *restrict x, int *restrict y)
{
    if (too_large(N) || too_large(M)) {
        return 2;
    }
    if (M < 1 || M > N) {
        return 1;
    }
    if (bytes_of(sizeof(*x), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*y), 1, (const int64_t[]){N - M + 1}) < 0) {
        return 2;
    }
    int status = 0;
    int *n__inity = allocate(&status, sizeof(*n__inity), 1, (const int64_t[]){1});
    int *n__addy = allocate(&status, sizeof(*n__addy), 1, (const int64_t[]){N - M});
    int *n__suby = allocate(&status, sizeof(*n__suby), 1, (const int64_t[]){N - M});
    if (status == 0) {
        sliding_window_loops(N, M, x, y, n__inity, n__addy, n__suby);
    }
    free(n__suby);
    free(n__addy);
    free(n__inity);
    return status;
}

void sliding_window(int64_t N, int64_t M, const int *restrict x, int *restrict y)
{
    report("sliding_window", sliding_window_status(N, M, x, y));
}
