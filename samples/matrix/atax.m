// y = A' A x, read once by rows
ATAX
in  A : row matrix, x : vector
out y : vector
{
  y = A'*(A*x)
}
