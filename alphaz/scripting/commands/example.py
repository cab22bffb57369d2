"""The program, and the C, of the examples of the commands."""

EXAMPLE_FILE = "sums.ab"
EXAMPLE_PROGRAM = """\
affine sums {N | N > 0}
input
  int A {i | 0 <= i < N};
output
  int B {i | 0 <= i < N};
  int C {i | 0 <= i < N};
let
  B[i] = case
    {| i == 0} : A[i];
    {| i > 0} : B[i-1] + A[i];
  esac;
  C[i] = reduce(+, [k], {| 0 <= k <= i} : A[k]);
.
"""
# A system that calls it, for the examples about use equations.
EXAMPLE_CALLER = """\
affine table {N,M | N > 0 && M > 0}
input
  int X {r,i | 0 <= r < M && 0 <= i < N};
output
  int Y {r,i | 0 <= r < M && 0 <= i < N};
  int Z {r,i | 0 <= r < M && 0 <= i < N};
let
  use {r | 0 <= r < M} sums[N] (X) returns (Y, Z);
.
"""

# C for the examples about C.
EXAMPLE_C_FILE = "kernel.c"
EXAMPLE_C = """\
void sums(int N, const double A[N], double *total)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += A[i];
    *total = sum;
}
"""
