"""Mappings that were proved, and computed something else: now each is refused, or agrees with the interpreter."""

from dataclasses import replace

import pytest

from alphaz.codegen.scheduled.pipeline import ALL, PLAIN
from tests.differential.execution import STRICT, disagreements, sanitized
from tests.thinning import thinned
from tools.differential.proved_mappings import proved, stated

pytestmark = pytest.mark.slow

WAY = replace(sanitized().with_flags(*STRICT), values=tuple(range(1, 13)), threads=(1, 2, 4, 13))

# What is said of the end of a nest was taken for granted by what was generated inside it, and tested by nobody: where
# statements of other dates share the loops, or buffers are filled for tiles in which there is nothing.
UNGUARDED = {
    "sums below other dates": (
        """affine S {N | N>=1}
input int x {i | 0<=i<=N+1};
output int t;
local int s {i | 0<=i<N}; int r;
let
  s[i] = x[i]+1;
  r = reduce(+, [k], {| 0<=k<=N} : x[k]);
  t = s[N-1]+r;
.""",
        """setSpaceTimeMap("s", "(i -> i,1,0)");
setSpaceTimeMap("r", "(k -> N,0,k)");
setSpaceTimeMap("t", "( -> N+1,2,0)");
setMemoryMap("s", "(i -> )");
setReductionDimension("", 2);""",
    ),
    "sums that are merged behind the last of others": (
        """affine S {N | N>=1}
input int x {i | 0<=i<=N+1};
output int y {i | 0<=i<N}; int r;
let
  y[i] = x[i]+1;
  r = reduce(+, [k], {| 0<=k<=N} : x[k]);
.""",
        """setSpaceTimeMap("y", "(i -> i,1,0)");
setSpaceTimeMap("r", "(k -> N+2,0,k)");
setReductionDimension("", 2);""",
    ),
    "packed for tiles that are empty": (
        """affine S {N | N>=1}
input int a {i,j | 0<=i<=j<N};
output int S {i,j | 0<=i<=j<N}; int r;
let
  S[i,j] = case {| i==j} : a[i,j]; {| i<j} : a[i,j]+S[i+1,j]; esac;
  r = S[0,N-1];
.""",
        """setSpaceTimeMap("S", "(i,j -> -i,j)");
setSpaceTimeMap("r", "( -> 1,N)");
setTiling(1, 2);
setPacking("S", "a");""",
    ),
}

_PRODUCT = """affine S {M,N | N>=1 && M>=1}
input double A {i,j | 0<=i<N && 0<=j<M}; double x {i | 0<=i<N};
output double y {j | 0<=j<M};
let y[j] = reduce(+, [i], A[i,j]*x[i]);
."""

# Vectors had a lowering of their own, which knew the cells of results, and not the accumulators that stand for them.
SHARED = {
    "register tiles below a reduction dimension": (
        _PRODUCT,
        """setSpaceTimeMap("y", "(j,i -> i,j)");
setReductionDimension("", 0);
setRegisterTile(1, 8);""",
    ),
    "vectors below a reduction dimension": (
        _PRODUCT,
        """setSpaceTimeMap("y", "(j,i -> i,j)");
setReductionDimension("", 0);
setVectorDimension("", 1, 8);""",
    ),
    "floats, vectors of several rows": (
        """affine S {N,M | N>=1 && M>=1}
input float A {i,k | 0<=i<N && 0<=k<M}; float B {k,j | 0<=k<M && 0<=j<N};
output float C {i,j | 0<=(i,j)<N};
let C[i,j] = reduce(+, [k], A[i,k]*B[k,j]);
.""",
        """setSpaceTimeMap("C", "(i,j,k -> k,i,j)");
setReductionDimension("", 0);
setRegisterTile(1, 2);
setRegisterTile(2, 8);""",
    ),
    "vectors that go backwards": (
        _PRODUCT,
        """setSpaceTimeMap("y", "(j,i -> i,-j)");
setReductionDimension("", 0);
setRegisterTile(1, 8);""",
    ),
}

# The variable that says whether memory is missing was looked for by what its declaration looks like.
CONFUSED = {
    "an accumulator beside an array of them": (
        """//@ identity mix_int = 0
int mix_int(int, int);
affine S {N | N>=1}
input int x {i,j | 0<=(i,j)<N};
output int g; int e {j | 0<=j<N};
let
  g = reduce(mix_int, [i], x[i,i]);
  e[j] = reduce(+, [i], x[i,j]);
.""",
        """setSpaceTimeMap("g", "(i -> i,0)");
setSpaceTimeMap("e", "(j,i -> i,j)");
setReductionDimension("", 0);""",
    ),
}

# A name of a loop was used outside of it: isl has no loop for what has one value, and calls with the value instead; and
# what is collected in a turn was fetched in front of the indices of its cell.
UNDECLARED = {
    "wavefronts below a loop of one turn": (
        """affine S {N,M | N>=2 && M>=1}
input int x {i,j | 0<=i<N && 0<=j<=M};
output int y {i | 0<=i<N}; int z {d | -M<=d<N};
let
  y[i] = reduce(+, [j,k], {i,j,k | i<=j<N && 0<=k<=M && k%2==0} : x[j,k]*x[i,k]);
  z[d] = reduce(+, (i,j -> i-j), x[i,j]);
.""",
        """setSpaceTimeMap("y", "(i,j,k -> j,k,7,i)");
setSpaceTimeMap("z", "(i,j -> i,0,8,j)");
setTiling(2, 4);
setTiling(3);
setTilingType("omp");""",
    ),
    "vectors around rows of a tile": (
        """affine S {N,M | N>=1 && M>=1}
input int A {i,k | 0<=(i,k)<N}; int B {k,j | 0<=k<N && 0<=j<M};
output int C {i,j | 0<=i<N && 0<=j<M};
let C[i,j] = reduce(+, [k], {| i<=k<N} : A[i,k] * B[k,j]);
.""",
        """setSpaceTimeMap("C", "(i,j,k -> 1,2j+1,k,i+1)");
setRegisterTile(2, 3);
setRegisterTile(0, 2);
setVectorDimension("1", 2);""",
    ),
    "a triangular solve": (
        """affine S {N,M | N>=1 && M>=1}
input double L {i,k | 0<=k<=i<N}; double B {i,r | 0<=i<N && 0<=r<M};
output double X {i,r | 0<=i<N && 0<=r<M};
local double Z {i,r | 0<=i<N && 0<=r<M};
let
  Z[i,r] = reduce(+, [k], {| 0<=k<i} : L[i,k] * X[k,r]);
  X[i,r] = case {| i==0} : B[i,r]; {| i>0} : B[i,r] - Z[i,r]; esac;
.""",
        """setSpaceTimeMap("Z", "(i,r,k -> k,2i,r)");
setSpaceTimeMap("X", "(i,r -> i,2i,r)");
setStatementOrdering("Z", "X");
setTiling(0, 24);
setTiling(1, 4);
setRegisterTile(0, 6);
setVectorDimension("", 2, 2);""",
    ),
}

# A vector loop that register tiles have moved outwards was taken to have around it what the dates have in front of it.
MOVED = {
    "vectors of sums, around the rows of a tile": (
        """affine S {N | N>=1}
input int A {i,j | 0<=(i,j)<N};
output int c {j | 0<=j<N}; int m;
let
  c[j] = reduce(+, [i], A[i,j]);
  m = reduce(+, [i], A[i,i]);
.""",
        """setSpaceTimeMap("c", "(j,i -> 0,i,j)");
setSpaceTimeMap("m", "(i -> 0,i,2i)");
setVectorDimension("", 2);
setRegisterTile(1, 2);""",
    ),
}

_CUBE = """affine S {N,M | N>=1 && M>=1}
input int A {i,k,j | 0<=i<N && 0<=k<M && 0<=j<N};
output int y {i | 0<=i<N};
let y[i] = reduce(+, [k,j], A[i,k,j]);
."""

_ROWS = """affine S {N | N>=1}
input int A {i,k | 0<=(i,k)<N};
output int y {i | 0<=i<N};
let y[i] = reduce(+, [k], A[i,k]);
."""

# Register tiles have the loop of a reduction dimension inside. Behind each of these loops is merged, and the first
# merge was taken to be that of the dates; and the outermost reduction dimension that of the dates, too.
INSIDE = {
    "sums inside pieces of a dimension behind": (
        _CUBE,
        """setSpaceTimeMap("y", "(i,k,j -> i,k,j)");
setReductionDimension("", 1);
setRegisterTile(0, 2);
setRegisterTile(2, 3);""",
    ),
    "sums inside pieces that go backwards": (
        _ROWS,
        """setSpaceTimeMap("y", "(i,k -> i,k,-k)");
setReductionDimension("", 1);
setRegisterTile(0, 2);
setRegisterTile(2, 3);""",
    ),
    "sums inside vectors that go backwards": (
        _ROWS,
        """setSpaceTimeMap("y", "(i,k -> i,k,-k)");
setReductionDimension("", 1);
setRegisterTile(0, 2);
setVectorDimension("", 2, 3);""",
    ),
    "pieces of one reduction dimension around another": (
        _CUBE,
        """setSpaceTimeMap("y", "(i,k,j -> i,k,j)");
setReductionDimension("", 1);
setReductionDimension("", 2);
setRegisterTile(0, 2);
setRegisterTile(2, 3);""",
    ),
    "pieces of one reduction dimension inside another": (
        _CUBE,
        """setSpaceTimeMap("y", "(i,k,j -> k,i,j)");
setReductionDimension("", 0);
setReductionDimension("", 2);
setRegisterTile(1, 2);
setRegisterTile(2, 3);""",
    ),
}

# The greatest of values of which some do not fit into the accumulator: it depended on which came first.
LOST = {
    "the greatest of what wraps": (
        """affine S {N | N>=1}
input unsigned char x {i | 0<=i<=2N}; short z {i | 0<=i<=2N};
output unsigned char s; char least; int t {k | 0<=k<N};
let
  s = reduce(max, [j], {| 0<=j<N} : x[2j] - x[2N-j] - 1);
  least = reduce(min, [j], {| 0<=j<N} : z[2j] + 100);
  t[k] = case {| k==0} : s + least; {| k>0} : t[k-1] + s; esac;
.""",
        """setSpaceTimeMap("s", "(j -> 0,-j)");
setSpaceTimeMap("least", "(j -> 0,j)");
setSpaceTimeMap("t", "(k -> N+1,2k+1)");""",
    ),
    "sums of what is cut off at each step": (
        """affine S {N | N>=1}
input double x {i | 0<=i<=2N}; int z {i | 0<=i<=2N};
output int s; bool b; int p;
let
  s = reduce(+, [j], {| 0<=j<N} : 3 * x[j]);
  p = reduce(*, [j], {| 0<=j<N} : 2 * x[j] - 3);
  b = reduce(+, [j], {| 0<=j<N} : z[j]);
.""",
        """setSpaceTimeMap("s", "(j -> 0,-j)");
setSpaceTimeMap("p", "(j -> 0,-j)");
setSpaceTimeMap("b", "(j -> 0,-j)");
setStatementOrdering("s", "p");
setStatementOrdering("p", "b");""",
    ),
}

# What a wavefront adds up was taken from the first part of the loops over tiles, and was another one in the next part.
PARTS = {
    "tiles below dates of which one part has a single tile": (
        """affine S {N,M | N>=1 && M>=1}
input int x {i | 0<=i<=2N+M}; int A {k,j | 0<=k<M && 0<=j<N};
output int t {i,k | 0<=i<N && 0<=k<M};
local int s;
let
  s = reduce(min, [k,j], {| 0<=k<M && 0<=j<N} : A[k,j] + x[j+k]);
  t[i,k] = reduce(+, [j], {| 0<=j<N} : s + x[i+1]);
.""",
        """setSpaceTimeMap("s", "(k,j -> 2j+1,k,0,0)");
setSpaceTimeMap("t", "(i,k,j -> 2N+M+1,j,i+1,k)");
setTiling(1, 6);
setTiling(2, 8);
setTiling(3, 3);
setTilingType("omp");""",
    ),
}


_BESIDE = """affine S {N | N>=1}
input int A {i,j | 0<=(i,j)<N};
output int c {i | 0<=i<N}; int y {i | -1<=i<N};
local int r {i | 0<=i<N};
let
  c[i] = reduce(+, [j], A[i,j]);
  r[i] = reduce(+, [k], A[i,k]*y[i-1]);
  y[i] = case {| i<0} : 1; {| i>=0} : r[i]; esac;
."""
_NESTS = """setSpaceTimeMap("r", "(i,k -> 1,i,0,k)");
setSpaceTimeMap("y", "(i -> 1,i,1,0)");
setOrderingDimensions(0);
setReductionDimension("0", 2);
setReductionDimension("1", 2);
"""

# What one nest accumulates was merged behind all loops that the tiles of another nest had taken in.
BESIDE = {
    "sums beside a nest in which results decide the dimension": (
        _BESIDE,
        f"""{_NESTS}setSpaceTimeMap("c", "(i,j -> 0,j,0,i)");
setBandForTiling("b", 1, "0", 0, 2);
setSubTilingWithinBand("b", 1, "recursive");""",
    ),
    "sums beside a nest whose sums are tiled": (
        _BESIDE,
        f"""{_NESTS}setSpaceTimeMap("c", "(i,j -> 0,i,0,j)");
setBandForTiling("b", 1, "0", 0, 2);""",
    ),
}

# isl failed while it merged the parts of what is collected in a tile.
MERGED = {
    "parts that isl cannot merge": (
        """affine S {N,M | N>=2 && M>=1}
input bool A {i,j | -N-M-3<=i<=2N+2M+3 && -N-M-3<=j<=2N+2M+3};
output bool y {i | 0<=i<N}; bool z {d | -M<=d<2N-1};
let
  y[i] = reduce(xor, [j,k], {i,j,k | 0<=j<=i && 0<=k<M && (j+k)%3==0} : A[j,k]);
  z[d] = reduce(xor, (i,j -> 2i-j), {i,j | 0<=i<N && 0<=j<=M} : A[i,j]);
.""",
        """setSpaceTimeMap("y", "(i,j,k -> -j,j+k,7,i)");
setSpaceTimeMap("z", "(i,j -> -i,i+j,0,1)");
setReductionDimension("", "1");
setBandForTiling("b1", 2, "", 0, 1);
setVectorDimension("", 3, 3);
setRegisterTile(3, 2);""",
    ),
}

# Tiles of a size that is a parameter were left out of the order in which loops merge: the last tile assigned.
ASSIGNED = {
    "register tiles of a reduction dimension inside tiles of any size": (
        """affine S {N | N>=1}
input int A {i,j | 0<=(i,j)<N};
output int g; int y {d | -N<d<N};
let
  g = reduce(min, [i,j], {| 0<=(i,j)<N} : A[i,j]);
  y[d] = reduce(+, (i,j -> i-j), A[i,j]);
.""",
        """setSpaceTimeMap("g", "(i,j -> i,j)");
setSpaceTimeMap("y", "(i,j -> i,j)");
setReductionDimension("", 1);
setTiling(0);
setTiling(1, 8);
setRegisterTile(1, 2);""",
    ),
}

CASES = {
    "unguarded": UNGUARDED,
    "shared": SHARED,
    "confused": CONFUSED,
    "undeclared": UNDECLARED,
    "moved": MOVED,
    "inside": INSIDE,
    "lost": LOST,
    "parts": PARTS,
    "beside": BESIDE,
    "merged": MERGED,
    "assigned": ASSIGNED,
}


@pytest.mark.parametrize("cases", thinned(CASES.values(), 4), ids=CASES)
def test_what_is_proved_is_computed(cases: dict[str, tuple[str, str]]) -> None:
    """By all passes, and by those alone that are not optional."""
    by_all = [proved(stated(f"S{at}", *texts), ALL) for at, texts in enumerate(cases.values())]
    by_few = [proved(stated(f"P{at}", *texts), PLAIN) for at, texts in enumerate(cases.values())]
    assert None not in (*by_all, *by_few)
    assert disagreements([case for case in (*by_all, *by_few) if case], way=WAY) == []
