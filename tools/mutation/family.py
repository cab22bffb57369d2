"""Small programs with mappings that use much of what the generator can do; each is proved in about a second."""

from tests.strategies.mapped_programs import Sample
from tools.differential.proved_mappings import stated

PRODUCT = """affine S {N,M | N>=1 && M>=1}
input
  double A {i,k | 0<=i<N && 0<=k<M};
  double B {k,j | 0<=k<M && 0<=j<N};
output
  double C {i,j | 0<=i<N && 0<=j<N};
let
  C[i,j] = reduce(+, [k], A[i,k] * B[k,j]);
.
"""
TRIANGLE = """affine S {N | N>=1}
input
  double A {i,k | 0<=k<=i && i<N};
output
  double Y {i | 0<=i<N};
let
  Y[i] = reduce(+, [k], {| 0<=k<=i} : A[i,k]);
.
"""
STENCIL = """affine S {N,T | N>=3 && T>=1}
input
  double A {i | 0<=i<N};
output
  double Y {i | 0<=i<N};
local
  double X {t,i | 0<=t<=T && 0<=i<N};
let
  X[t,i] = case {| t==0} : A[i]; {| t>0 && 0<i<N-1} : X[t-1,i-1] + X[t-1,i+1]; {| t>0 && i==0} : X[t-1,i];
    {| t>0 && i==N-1} : X[t-1,i]; esac;
  Y[i] = X[T,i];
.
"""
CHAIN = """affine S {N | N>=2}
input
  double A {i | 0<=i<N};
output
  double Y {i | 0<=i<N};
local
  double P {i | 0<=i<N};
let
  P[i] = case {| i==0} : A[i]; {| i>0} : P[i-1] + A[i]; esac;
  Y[i] = P[i] * 2.0;
.
"""
MAP = """affine S {N,M | N>=1 && M>=1}
input
  double A {i,j | 0<=i<N && 0<=j<M};
output
  double Y {i,j | 0<=i<N && 0<=j<M};
let
  Y[i,j] = A[i,j] * 3.0;
.
"""

CORNER = """affine S {N | N>=1}
input
  double A {i,j | 0<=j<=i && i<N};
output
  double Y {i,j | 0<=j<=i && i<N};
let
  Y[i,j] = case {| j==0} : A[i,j]; {| j>0} : A[i,j-1] + A[i,j]; esac;
.
"""
_PRODUCT = 'setSpaceTimeMap("C", "(i,j,k -> i,j,k)");\n'
_TRIANGLE = 'setSpaceTimeMap("Y", "(i,k -> i,k)");\n'
_STENCIL = 'setSpaceTimeMap("X", "(t,i -> 0,t,i)");\nsetSpaceTimeMap("Y", "(i -> 1,0,i)");\nsetOrderingDimensions(0);\n'
_MAP = 'setSpaceTimeMap("Y", "(i,j -> i,j)");\n'

FAMILY: dict[str, Sample] = {
    "product": stated("S", PRODUCT, _PRODUCT),
    "product, parallel": stated("S", PRODUCT, f'{_PRODUCT}setParallel("", "0");'),
    "product, register tiles": stated("S", PRODUCT, f"{_PRODUCT}setRegisterTile(0, 2);\nsetRegisterTile(1, 3);"),
    "product, vectors": stated("S", PRODUCT, 'setSpaceTimeMap("C", "(i,j,k -> i,k,j)");\nsetVectorDimension("", "2");'),
    "triangle": stated("S", TRIANGLE, _TRIANGLE),
    "triangle, vectors": stated("S", TRIANGLE, f'{_TRIANGLE}setVectorDimension("", "1");'),
    "triangle, parallel sum": stated("S", TRIANGLE, f'{_TRIANGLE}setReductionDimension("", "1");'),
    "stencil": stated("S", STENCIL, f'{_STENCIL}setParallel("", "2");'),
    "stencil, two rows": stated(
        "S", STENCIL, f'{_STENCIL}setMemoryMap("X", "X", "(t,i -> t,i)", "2,0");\nsetParallel("", "2");'
    ),
    "chain, one cell": stated(
        "S",
        CHAIN,
        'setSpaceTimeMap("P", "(i -> i,0)");\nsetSpaceTimeMap("Y", "(i -> i,1)");\nsetMemoryMap("P", "P", "(i -> )");\n'
        "setOrderingDimensions(1);",
    ),
    "map, vectors": stated("S", MAP, f'{_MAP}setVectorDimension("", "1");\nsetParallel("", "0");'),
    "map, collapsed": stated("S", MAP, f'{_MAP}setParallel("", "0,1");'),
    "map, tiles": stated("S", MAP, f"{_MAP}setTiling(0, 4);\nsetTiling(1, 3);"),
    "corner": stated("S", CORNER, _MAP),
    "corner, tiles": stated("S", CORNER, f'{_MAP}setTiling(0, 4);\nsetTiling(1, 3);\nsetParallel("", "0");'),
    "corner, vectors": stated("S", CORNER, f'{_MAP}setVectorDimension("", "1");'),
    "product, tiles of columns": stated(
        "S", PRODUCT, 'setSpaceTimeMap("C", "(i,j,k -> j,i,k)");\nsetTiling(0, 3);\nsetPacking("C", "B");'
    ),
}
