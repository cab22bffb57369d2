// A triangular matrix, of which the other half is neither stored nor read
TRIANGULAR
in  T : triangular(upper) row matrix, x : vector
out y : vector
{
  y = T*x
}
