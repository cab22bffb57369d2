// Two products with one matrix
TWO_PRODUCTS
in  A : matrix, x, z : vector
out w, y : vector
{
  w = A*z
  y = A*x
}
