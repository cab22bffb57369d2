// y = a A x + b B x
GESUMMV
in  A, B : matrix, x : vector, a, b : scalar
out y : vector
{
  y = a*(A*x) + b*(B*x)
}
