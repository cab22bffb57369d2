// x = b A' y + z, and w = a A x
DGEMVT
in  A : matrix, y, z : vector, a, b : scalar
out x, w : vector
{
  x = b*(A'*y) + z
  w = a*(A*x)
}
