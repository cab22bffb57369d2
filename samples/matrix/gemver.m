// A matrix updated by two outer products, and multiplied from both sides
GEMVER
in  A : matrix, u1, v1, u2, v2 : vector, a, b : scalar, y, z : vector
out B : matrix, x, w : vector
{
  B = A + u1*v1' + u2*v2'
  x = b*(B'*y) + z
  w = a*(B*x)
}
