// A symmetric matrix, of which the lower half is stored
SYMMETRIC
in  S : symmetric(lower) row matrix, x, y : vector, a : scalar
out z : vector
{
  z = a*(S*x) + y
}
