"""Programs that work in place: some of their branches copy a value onto the cell that holds it."""

LU = """affine LU {N | N > 0}
input
  int M {i,j | 0<=(i,j)<N};
output
  int F {i,j | 0<=(i,j)<N};
local
  int A {k,i,j | 0<=k<=N && 0<=(i,j)<N};
let
  A[k,i,j] = case
    {| k==0} : M[i,j];
    {| k>0 && i<k} : A[k-1,i,j];
    {| k>0 && i>=k && j<k-1} : A[k-1,i,j];
    {| k>0 && i>=k && j==k-1} : A[k-1,i,j] * A[k-1,k-1,k-1];
    {| k>0 && i>=k && j>=k} : A[k-1,i,j] - A[k,i,k-1] * A[k-1,k-1,j];
  esac;
  F[i,j] = A[N,i,j];
.
"""

# The upper half is a copy of the lower one; the diagonal is fixed.
MIRROR = """affine mirror {N | N > 0}
input
  int A {i,j | 0<=j<=i<N};
output
  int C {i,j | 0<=(i,j)<N};
local
  int L {i,j | 0<=j<i<N};
let
  L[i,j] = A[i,j] + 1;
  C[i,j] = case
    {| i==j} : 1;
    {| j<i} : L[i,j];
    {| i<j} : L[j,i];
  esac;
.
"""

STEPS = """affine steps {T,N | T >= 0 && N > 2}
input
  int A {i | 0<=i<N};
output
  int B {i | 0<=i<N};
local
  int X {t,i | 0<=t<=T && 0<=i<N};
let
  X[t,i] = case
    {| t==0} : A[i];
    {| t>0 && i==0} : X[t-1,0];
    {| t>0 && i==N-1} : X[t-1,N-1];
    {| t>0 && 0<i<N-1} : X[t,i-1] + X[t-1,i] + X[t-1,i+1];
  esac;
  B[i] = X[T,i];
.
"""

# Two variables that copy one point of each other in turns.
TURNS = """affine turns {T,N | T >= 0 && N > 2}
input
  int A {i | 0<=i<N};
output
  int B {i | 0<=i<N};
local
  int X {t,i | 0<=t<=T && 0<=i<N};
  int Y {t,i | 0<=t<T && 0<=i<N};
let
  X[t,i] = case
    {| t==0} : A[i];
    {| t>0 && i==0} : Y[t-1,0];
    {| t>0 && i>0} : Y[t-1,i] + Y[t-1,i-1];
  esac;
  Y[t,i] = case
    {| i==0} : X[t,0];
    {| i>0} : X[t,i] * 2;
  esac;
  B[i] = X[T,i];
.
"""
