// A band matrix of kl diagonals below the main one, and ku above it
BAND
in  A : band(kl, ku) matrix, x : vector
out y : vector
{
  y = A*x
}
