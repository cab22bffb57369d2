// Two vectors added
TWO_VADD
in  y, z : vector
out x : vector
{
  x = z + y
}
