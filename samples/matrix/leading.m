// A part of a larger array, and vectors whose elements lie apart: arguments as the BLAS takes them
LEADING
in  A : column leading(lda) matrix, x : increment(incx) vector, a : scalar
inout y : increment(incy) vector
{
  y = a*(A*x) + y
}
