/* System filtered, scheduled.
 * The mapping is proved legal for all parameter values.
 * Allocated:
 *   Once: double[N], holds Once
 */

#include "filtered.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

#include "smooth.h"
#include "distance.h"

static void filtered_loops(
    int64_t N, const double *restrict Signal, double *restrict Smooth, double *restrict Change,
    double *restrict Once, int *status)
{
    /* Once = smooth[N](...) */
    {
        int failed = 0;
        double *const X = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        double *const Y = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed == 0) {
            for (int64_t i = 0; i < N; i++) {
                X[i] = Signal[i];
            }
            failed = smooth_status(N, X, Y);
            if (failed == 0) {
                for (int64_t i = 0; i < N; i++) {
                    Once[i] = Y[i];
                }
            }
        }
        free(Y);
        free(X);
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* Smooth = smooth[N](...) */
    {
        int failed = 0;
        double *const X = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        double *const Y = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed == 0) {
            for (int64_t i = 0; i < N; i++) {
                X[i] = 2.0 * Once[i];
            }
            failed = smooth_status(N, X, Y);
            if (failed == 0) {
                for (int64_t i = 0; i < N; i++) {
                    Smooth[i] = Y[i];
                }
            }
        }
        free(Y);
        free(X);
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* Change = distance[N](...) */
    {
        int failed = 0;
        double *const A = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        double *const B = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        double *const Most = allocate(&failed, sizeof(double), 0, NULL);
        if (failed == 0) {
            for (int64_t i = 0; i < N; i++) {
                A[i] = Signal[i];
            }
            for (int64_t i = 0; i < N; i++) {
                B[i] = Smooth[i];
            }
            failed = distance_status(N, A, B, Most);
            if (failed == 0) {
                *Change = *Most;
            }
        }
        free(Most);
        free(B);
        free(A);
        if (failed != 0) {
            set_status(status, failed);
        }
    }
}

int filtered_status(
    int64_t N, const double *restrict Signal, double *restrict Smooth, double *restrict Change)
{
    if (too_large(N)) {
        return 2;
    }
    if (N < 3) {
        return 1;
    }
    if (bytes_of(sizeof(*Signal), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*Smooth), 1, (const int64_t[]){N}) < 0) {
        return 2;
    }
    int status = 0;
    double *Once = allocate(&status, sizeof(*Once), 1, (const int64_t[]){N});
    if (status == 0) {
        filtered_loops(N, Signal, Smooth, Change, Once, &status);
    }
    free(Once);
    return status;
}

void filtered(int64_t N, const double *restrict Signal, double *restrict Smooth, double *restrict Change)
{
    report("filtered", filtered_status(N, Signal, Smooth, Change));
}
