// Three vectors added
VADD
in  w, y, z : vector
out x : vector
{
  x = w + y + z
}
