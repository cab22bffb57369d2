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
    double *restrict Once, void **restrict UseEquation_Smooth_in0, int *status)
{
    /* Once = smooth[N](...) */
    {
        int failed = 0;
        failed = smooth_status(N, &Signal[0], &Once[0]);
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* the array of input X of UseEquation_Smooth */
    {
        int failed = 0;
        *UseEquation_Smooth_in0 = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* input X of UseEquation_Smooth, into its array */
    {
        double *const X = *UseEquation_Smooth_in0;
        if (X != NULL) {
            for (int64_t i = 0; i < N; i++) {
                X[i] = 2.0 * Once[i];
            }
        }
    }
    /* Smooth = smooth[N](...) */
    {
        int failed = 0;
        double *const X = *UseEquation_Smooth_in0;
        if (failed == 0 && X != NULL) {
            failed = smooth_status(N, X, &Smooth[0]);
        }
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* the array of input X of UseEquation_Smooth, no more */
    free(*UseEquation_Smooth_in0);
    *UseEquation_Smooth_in0 = NULL;
    /* Change = distance[N](...) */
    {
        int failed = 0;
        double *const Most = allocate(&failed, sizeof(double), 0, NULL);
        if (failed == 0) {
            failed = distance_status(N, &Signal[0], &Smooth[0], Most);
            if (failed == 0) {
                *Change = *Most;
            }
        }
        free(Most);
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
    void **UseEquation_Smooth_in0
        = allocate_zero(&status, sizeof(*UseEquation_Smooth_in0), 0, NULL);
    if (status == 0) {
        filtered_loops(N, Signal, Smooth, Change, Once, UseEquation_Smooth_in0, &status);
    }
    free_table(UseEquation_Smooth_in0, 0, NULL);
    free(Once);
    return status;
}

void filtered(int64_t N, const double *restrict Signal, double *restrict Smooth, double *restrict Change)
{
    report("filtered", filtered_status(N, Signal, Smooth, Change));
}
