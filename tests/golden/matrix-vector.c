/* System matrix_vector, scheduled.
 * The mapping is proved legal for all parameter values.
 */

#include "matrix_vector.h"
#include "alphaz.h"

#include <stdio.h>
#include <stdlib.h>

#include "scalar_product.h"

static void matrix_vector_loops(
    int64_t N, int64_t M, const double *restrict A, const double *restrict X, double *restrict Y,
    void **restrict UseEquation_Y_in0, void **restrict UseEquation_Y_in1, void **restrict UseEquation_Y_out0,
    int *status)
{
    /* the array of input A of UseEquation_Y */
    {
        int failed = 0;
        UseEquation_Y_in0[0] = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* the array of input B of UseEquation_Y */
    {
        int failed = 0;
        UseEquation_Y_in1[0] = allocate(&failed, sizeof(double), 1, (const int64_t[]){N});
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    /* the array of output P of UseEquation_Y */
    {
        int failed = 0;
        UseEquation_Y_out0[0] = allocate(&failed, sizeof(double), 0, NULL);
        if (failed != 0) {
            set_status(status, failed);
        }
    }
    for (int64_t r = 0; r < M; r++) {
        /* input A of UseEquation_Y, into its array */
        {
            double *const A_2 = UseEquation_Y_in0[0];
            if (A_2 != NULL) {
                for (int64_t i = 0; i < N; i++) {
                    A_2[i] = A[r * N + i];
                }
            }
        }
        /* input B of UseEquation_Y, into its array */
        {
            double *const B = UseEquation_Y_in1[0];
            if (B != NULL) {
                for (int64_t i = 0; i < N; i++) {
                    B[i] = X[i];
                }
            }
        }
        /* Y = scalar_product[N](...) */
        {
            int failed = 0;
            double *const A_2 = UseEquation_Y_in0[0];
            double *const B = UseEquation_Y_in1[0];
            double *const P = UseEquation_Y_out0[0];
            if (failed == 0 && A_2 != NULL && B != NULL && P != NULL) {
                failed = scalar_product_status(N, A_2, B, P);
            }
            if (failed != 0) {
                set_status(status, failed);
            }
        }
        /* output P of UseEquation_Y, from its array */
        {
            double *const P = UseEquation_Y_out0[0];
            if (P != NULL) {
                Y[r] = *P;
            }
        }
    }
    /* the array of input A of UseEquation_Y, no more */
    free(UseEquation_Y_in0[0]);
    UseEquation_Y_in0[0] = NULL;
    /* the array of input B of UseEquation_Y, no more */
    free(UseEquation_Y_in1[0]);
    UseEquation_Y_in1[0] = NULL;
    /* the array of output P of UseEquation_Y, no more */
    free(UseEquation_Y_out0[0]);
    UseEquation_Y_out0[0] = NULL;
}

int matrix_vector_status(
    int64_t N, int64_t M, const double *restrict A, const double *restrict X, double *restrict Y)
{
    if (too_large(N) || too_large(M)) {
        return 2;
    }
    if (N < 1 || M < 1) {
        return 1;
    }
    if (bytes_of(sizeof(*A), 2, (const int64_t[]){M, N}) < 0
        || bytes_of(sizeof(*X), 1, (const int64_t[]){N}) < 0
        || bytes_of(sizeof(*Y), 1, (const int64_t[]){M}) < 0) {
        return 2;
    }
    int status = 0;
    void **UseEquation_Y_in0
        = allocate_zero(&status, sizeof(*UseEquation_Y_in0), 3, (const int64_t[]){1, 1, 1});
    void **UseEquation_Y_in1
        = allocate_zero(&status, sizeof(*UseEquation_Y_in1), 3, (const int64_t[]){1, 1, 1});
    void **UseEquation_Y_out0
        = allocate_zero(&status, sizeof(*UseEquation_Y_out0), 3, (const int64_t[]){1, 1, 1});
    if (status == 0) {
        matrix_vector_loops(N, M, A, X, Y, UseEquation_Y_in0, UseEquation_Y_in1, UseEquation_Y_out0,
            &status);
    }
    free_table(UseEquation_Y_out0, 3, (const int64_t[]){1, 1, 1});
    free_table(UseEquation_Y_in1, 3, (const int64_t[]){1, 1, 1});
    free_table(UseEquation_Y_in0, 3, (const int64_t[]){1, 1, 1});
    return status;
}

void matrix_vector(
    int64_t N, int64_t M, const double *restrict A, const double *restrict X, double *restrict Y)
{
    report("matrix_vector", matrix_vector_status(N, M, A, X, Y));
}
