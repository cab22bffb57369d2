// z = w - a v, and its product with u
AXPYDOT
in  w, v, u : vector, a : scalar
out z : vector, r : scalar
{
  z = w - a*v
  r = z'*u
}
