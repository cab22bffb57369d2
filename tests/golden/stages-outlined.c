/* System steepest, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   calm: int[B][N], holds calm
 *   rise: int[B][N - 1] from (0, 1), holds rise
 */

#include "steepest.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

#include "smoothed.h"
#include "slope.h"
#include "steepest_most.h"

static void steepest_loops(
    int64_t N, int64_t B, const int *restrict signal_, int *restrict most, int *restrict calm,
    int *restrict rise, int *status)
{
    #pragma omp parallel
    {
        #pragma omp for
        for (int64_t b = 0; b < B; b++) {
            /* calm = smoothed[N](...) */
            {
                int failed = 0;
                int *const x = allocate(&failed, sizeof(int), 1, (const int64_t[]){N});
                int *const y = allocate(&failed, sizeof(int), 1, (const int64_t[]){N});
                if (failed == 0) {
                    for (int64_t i = 0; i < N; i++) {
                        x[i] = signal_[b * N + i];
                    }
                    failed = smoothed_status(N, x, y);
                    if (failed == 0) {
                        for (int64_t i = 0; i < N; i++) {
                            calm[b * N + i] = y[i];
                        }
                    }
                }
                free(y);
                free(x);
                if (failed != 0) {
                    set_status(status, failed);
                }
            }
        }
        #pragma omp for
        for (int64_t b = 0; b < B; b++) {
            /* rise = slope[N](...) */
            {
                int failed = 0;
                int *const x = allocate(&failed, sizeof(int), 1, (const int64_t[]){N});
                int *const d = allocate(&failed, sizeof(int), 1, (const int64_t[]){N - 1});
                if (failed == 0) {
                    for (int64_t i = 0; i < N; i++) {
                        x[i] = calm[b * N + i];
                    }
                    failed = slope_status(N, x, d);
                    if (failed == 0) {
                        for (int64_t i = 1; i < N; i++) {
                            rise[b * (N - 1) + i - 1] = d[i - 1];
                        }
                    }
                }
                free(d);
                free(x);
                if (failed != 0) {
                    set_status(status, failed);
                }
            }
        }
    }
    /* most = steepest_most[N, B](...) */
    {
        int failed = 0;
        int *const rise_2 = allocate(&failed, sizeof(int), 2, (const int64_t[]){B, N - 1});
        int *const most_2 = allocate(&failed, sizeof(int), 1, (const int64_t[]){B});
        if (failed == 0) {
            for (int64_t b = 0; b < B; b++) {
                for (int64_t i = 1; i < N; i++) {
                    rise_2[b * (N - 1) + i - 1] = rise[b * (N - 1) + i - 1];
                }
            }
            failed = steepest_most_status(N, B, rise_2, most_2);
            if (failed == 0) {
                for (int64_t b = 0; b < B; b++) {
                    most[b] = most_2[b];
                }
            }
        }
        free(most_2);
        free(rise_2);
        if (failed != 0) {
            set_status(status, failed);
        }
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
    int *calm = allocate(&status, sizeof(*calm), 2, (const int64_t[]){B, N});
    int *rise = allocate(&status, sizeof(*rise), 2, (const int64_t[]){B, N - 1});
    if (status == 0) {
        steepest_loops(N, B, signal_, most, calm, rise, &status);
    }
    free(rise);
    free(calm);
    return status;
}

void steepest(int64_t N, int64_t B, const int *restrict signal_, int *restrict most)
{
    report("steepest", steepest_status(N, B, signal_, most));
}
