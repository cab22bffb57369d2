// z = a A x + b y
DGEMV
in  A : matrix, x, y : vector, a, b : scalar
out z : vector
{
  z = a*(A*x) + b*y
}
