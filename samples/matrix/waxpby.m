// w = a x + b y
WAXPBY
in  x, y : vector, a, b : scalar
out w : vector
{
  w = a*x + b*y
}
