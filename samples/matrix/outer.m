// A = x x', of which one half is stored
OUTER
in  x : vector
out A : symmetric(upper) matrix
{
  A = x*x'
}
