// y = A x
GEMV
in  A : matrix, x : vector
out y : vector
{
  y = A*x
}
