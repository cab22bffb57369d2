/* System steepest, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   calm: int[2], holds calm
 *   rise: int, one value, holds rise
 */

#include "steepest.h"
#include "alphaz.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void steepest_loops(
    int64_t N, int64_t B, const int *restrict signal_, int *restrict most, int *restrict calm,
    int *restrict rise)
{
    for (int64_t b = 0; b < B; b++) {
        /* most[b] = the identity of max */
        most[b] = INT_MIN;
        /* calm[b,i] = 4 * signal[b,i] */
        calm[0] = product_int(4, signal_[b * N]);
        {
            /* most[b] max= rise[b,i] */
            int greatest = most[b];
            for (int64_t i = 1; i < N - 1; i++) {
                /* calm[b,i] = signal[b,i-1] + 2 * signal[b,i] + signal[b,i+1] */
                calm[i % 2]
                    = sum_int(sum_int(signal_[b * N + i - 1], product_int(2, signal_[b * N + i])),
                    signal_[b * N + i + 1]);
                /* rise[b,i] = calm[b,i] - calm[b,i-1] */
                *rise = difference_int(calm[i % 2], calm[(i - 1) % 2]);
                greatest = max_int(greatest, *rise);
            }
            most[b] = greatest;
        }
        const int64_t i = N - 1;
        /* calm[b,i] = 4 * signal[b,i] */
        calm[i % 2] = product_int(4, signal_[b * N + i]);
        /* rise[b,i] = calm[b,i] - calm[b,i-1] */
        *rise = difference_int(calm[i % 2], calm[(i - 1) % 2]);
        /* most[b] max= rise[b,i] */
        most[b] = max_int(most[b], *rise);
    }
}

int steepest_status(int64_t N, int64_t B, const int *restrict signal_, int *restrict most)
{
    if (too_large(N) || too_large(B)) {
        return 2;
    }
    if (N < 3 || B < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*signal_), 2, (const int64_t[]){B, N}) < 0
        || bytes_of(sizeof(*most), 1, (const int64_t[]){B}) < 0) {
        return 2;
    }
    int status = 0;
    int *calm = allocate(&status, sizeof(*calm), 1, (const int64_t[]){2});
    int *rise = allocate(&status, sizeof(*rise), 0, NULL);
    if (status == 0) {
        steepest_loops(N, B, signal_, most, calm, rise);
    }
    free(rise);
    free(calm);
    return status;
}

void steepest(int64_t N, int64_t B, const int *restrict signal_, int *restrict most)
{
    report("steepest", steepest_status(N, B, signal_, most));
}
