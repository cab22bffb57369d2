/* System total, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   Left: long[1] from (N / 2), holds Left
 *   Right: long[1] from (N / 2), holds Right
 */

#include "total.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void total_loops(
    int64_t N, const long *restrict X, long *restrict Sum, long *restrict Left, long *restrict Right,
    int *status)
{
    if (N >= 2) {
        const int64_t h = N / 2;
        /* Left = total[h](...) */
        {
            int failed = 0;
            long *const Sum_2 = allocate(&failed, sizeof(long), 0, NULL);
            if (failed == 0) {
                failed = total_status(h, &X[0], Sum_2);
                if (failed == 0) {
                    Left[0] = *Sum_2;
                }
            }
            free(Sum_2);
            if (failed != 0) {
                set_status(status, failed);
            }
        }
        /* Right = total[N-h](...) */
        {
            int failed = 0;
            long *const Sum_2 = allocate(&failed, sizeof(long), 0, NULL);
            if (failed == 0) {
                failed = total_status(N - h, &X[h], Sum_2);
                if (failed == 0) {
                    Right[0] = *Sum_2;
                }
            }
            free(Sum_2);
            if (failed != 0) {
                set_status(status, failed);
            }
        }
        {
            /* Sum[] = reduce(+, [h], Left[h] + Right[h]) */
            long sum = 0L;
            sum = sum_long(sum, sum_long(Left[0], Right[0]));
            *Sum = sum;
        }
    } else {
        /* Sum[] = X[0] */
        *Sum = X[0];
    }
}

int total_status(int64_t N, const long *restrict X, long *restrict Sum)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*X), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    int status = 0;
    long *Left = allocate(&status, sizeof(*Left), 1, (const int64_t[]){1});
    long *Right = allocate(&status, sizeof(*Right), 1, (const int64_t[]){1});
    if (status == 0) {
        total_loops(N, X, Sum, Left, Right, &status);
    }
    free(Right);
    free(Left);
    return status;
}

void total(int64_t N, const long *restrict X, long *restrict Sum)
{
    report("total", total_status(N, X, Sum));
}
