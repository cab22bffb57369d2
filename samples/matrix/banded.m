// A band matrix along its diagonals, as in dgbmv.
BANDED
in  A : column band(kl, ku) banded matrix, x : vector
out y : vector
{
  y = A*x
}
