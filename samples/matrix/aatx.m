// y = A A' x
AATX
in  A : matrix, x : vector
out y : vector
{
  y = A*(A'*x)
}
