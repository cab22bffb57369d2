/* System filter_bank, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "filter_bank.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

static void filter_bank_loops(
    int64_t N, int64_t M, const double *restrict x, const double *restrict h, double *restrict y)
{
    #pragma omp parallel for if((double)(N - M + 1) * (double)(M - 1) > 6666)
    for (int64_t n = M - 1; n < N; n++) {
        const int64_t m_2 = -M + 1;
        /* partial[n,m] = h[-m] * x[m+n] */
        y[n - M + 1] = h[-m_2] * x[m_2 + n];
        for (int64_t m = -M + 2; m <= 0; m++) {
            /* partial[n,m] = partial[n,m-1] + h[-m] * x[m+n] */
            y[n - M + 1] = y[n - M + 1] + h[-m] * x[m + n];
        }
    }
}

int filter_bank_status(
    int64_t N, int64_t M, const double *restrict x, const double *restrict h, double *restrict y)
{
    if (too_large(N) || too_large(M)) {
        return 2;
    }
    if (M < 2 || M > N) {
        return 1;
    }
    if (bytes_of(sizeof(*x), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*h), 1, (const int64_t[]){M}) < 0
        || bytes_of(sizeof(*y), 1, (const int64_t[]){N - M + 1}) < 0) {
        return 2;
    }
    filter_bank_loops(N, M, x, h, y);
    return 0;
}

void filter_bank(int64_t N, int64_t M, const double *restrict x, const double *restrict h, double *restrict y)
{
    report("filter_bank", filter_bank_status(N, M, x, h, y));
}
