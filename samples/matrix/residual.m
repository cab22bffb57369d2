// A residual, and its norm
RESIDUAL
in  A : matrix, b, x : vector
out r : vector, s : scalar
{
  r = b - A*x
  s = norm2(r)
}
