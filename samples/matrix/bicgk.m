// The two products of a step of biconjugate gradients
BICGK
in  A : matrix, p, r : vector
out q, s : vector
{
  q = A*p
  s = A'*r
}
