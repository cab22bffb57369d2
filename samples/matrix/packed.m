// A packed symmetric matrix and the factor of another: nothing but what is stored is read.
PACKED
in  S : column symmetric(upper) packed matrix, T : triangular(lower) packed matrix, x : vector
out y : vector, C : symmetric(lower) packed matrix
{
  y = T'*(S*x)
  C = x*y' + y*x'
}
