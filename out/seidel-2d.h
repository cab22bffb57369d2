/* System seidel-2d. Parameters: N, T, with { | N>=3 && T>=0}.
 *
 * Arrays are flat and row-major over the bounding box of their variable's domain; the element of the point
 * z is that of z minus the origin. They must not overlap.
 *   A            input A {i,j | i>=0 && i<N && j>=0 && j<N && N>=3 && T>=0}, double[N][N]
 *   B            output B {i,j | i>=0 && i<N && j>=0 && j<N && N>=3 && T>=0}, double[N][N]
 *
 * seidel_x2d_2d_status returns 0, or 1: the parameters are not valid, 2: a size is too large, 3: out of
 *     memory,
 * 4: a value depends on itself, 5: an integer is divided by zero, 6: a float does not fit into an integer
 *     type,
 * 7: calls of systems nest too deeply.
 * seidel_x2d_2d does the same and reports a failure on stderr.
 */
#ifndef SEIDEL_X2D_2D_H
#define SEIDEL_X2D_2D_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int seidel_x2d_2d_status(int64_t N, int64_t T, const double *A, double *B);

void seidel_x2d_2d(int64_t N, int64_t T, const double *A, double *B);

#ifdef __cplusplus
}
#endif

#endif
