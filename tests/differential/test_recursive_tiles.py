"""Recursive tiles among all else that a mapping may have: what is proved is computed, in every order of threads."""

from random import Random

import pytest

from alphaz.codegen.scheduled.pipeline import ALL, PLAIN
from tests.differential.execution import STRICT, Way, disagreements
from tools.differential.batch import Case, values_wanted, verifications
from tools.differential.batch import Way as Looks
from tools.differential.proved_mappings import Proved, proved, stated

pytestmark = pytest.mark.slow

WAY = Way(values=tuple(range(1, 13)), threads=(1, 2, 4, 13)).with_flags(*STRICT)

STENCIL = """affine S {N | N>=1}
input int A {i | 0<=i<=N};
output int B {i | 0<=i<=N};
local int X {t,i | 0<=t<=N && 0<=i<=N};
let
  X[t,i] = case
    {| t==0} : A[i];
    {| t>0 && i==0} || {| t>0 && i==N} : X[t-1,i];
    {| t>0 && 0<i<N} : X[t-1,i-1]+2*X[t-1,i]-X[t-1,i+1];
  esac;
  B[i] = X[N,i];
.
"""
PRODUCT = """affine S {N | N>=1}
input int A {i,j | 0<=(i,j)<N}; int B {i,j | 0<=(i,j)<N};
output int C {i,j | 0<=(i,j)<N}; int s {i | 0<=i<N};
let
  C[i,j] = reduce(+, [k], A[i,k]*B[k,j]);
  s[i] = reduce(+, [j], C[i,j]);
.
"""
ELIMINATION = """affine S {N | N>=1}
input int A {i,j | 0<=(i,j)<N};
output int U {i,j | 0<=(i,j)<N};
local int W {k,i,j | 0<=k<N && k<=(i,j)<N};
let
  W[k,i,j] = case
    {| k==0} : A[i,j];
    {| k>0} : W[k-1,i,j] - W[k-1,i,k-1]*W[k-1,k-1,j];
  esac;
  U[i,j] = case {| i<=j} : W[i,i,j]; {| i>j} : W[j,i,j]; esac;
.
"""
CHAIN = """affine S {N | N>=1}
input int A {i | 0<=i<N};
output int y;
local int M {i,j | 0<=i<=j<N}; int best {i,j | 0<=i<j<N};
let
  best[i,j] = reduce(max, [k], {| i<=k<j} : M[i,k]+M[k+1,j]);
  M[i,j] = case {| i==j} : A[i]; {| i<j} : best[i,j]-A[i]*A[j]; esac;
  y = M[0,N-1];
.
"""
CALLING = """affine row {N | N>=1}
input int a {i | 0<=i<N};
output int r;
let
  r = reduce(+, [i], a[i]*a[i]+a[0]);
.
affine S {N | N>=1}
input int A {i,j | 0<=(i,j)<N};
output int y {i,j | 0<=(i,j)<N};
local int t {i,j | 0<=(i,j)<N};
let
  use {i,j | 0<=(i,j)<N} row[N] ((i,j,k -> i,k)@A) returns (t);
  y[i,j] = case {| i==0} : t[i,j]; {| i>0} : t[i,j]-y[i-1,j]; esac;
.
"""

_STENCIL = """setSpaceTimeMap("X", "(t,i -> t,t+i)");
setSpaceTimeMap("B", "(i -> N+1,N+1+i)");
setMemoryMap("X", "X", "(t,i -> t,i)", "2,0");
"""
_PRODUCT = """setSpaceTimeMap("C", "(i,j,k -> 0,i,j,k)");
setSpaceTimeMap("s", "(i,j -> 1,i,j,0)");
"""
_ELIMINATION = """setSpaceTimeMap("W", "(k,i,j -> k,i,j)");
setSpaceTimeMap("U", "(i,j -> N,i,j)");
setMemoryMap("W", "U", "(k,i,j -> i,j)");
"""
_CHAIN = """setSpaceTimeMap("best", "(i,j,k -> -i,j,k)");
setSpaceTimeMap("M", "(i,j -> -i,j,j)");
setSpaceTimeMap("y", "( -> 1,N,N)");
"""
_CALLING = """setSpaceTimeMap("UseEquation_t", "(i,j -> i,j,0)");
setSpaceTimeMap("y", "(i,j -> i,j,1)");
"""


def _tiles(*sizes: int | None, start: int = 0) -> str:
    return "".join(f"setTiling({at}{'' if s is None else f', {s}'});\n" for at, s in enumerate(sizes, start))


RECURSIVE = 'setTilingType("recursive");'
CASES = {
    "steps of one point": (STENCIL, _STENCIL + _tiles(1, 1) + RECURSIVE),
    "steps of any sizes": (STENCIL, _STENCIL + RECURSIVE),
    "steps in two levels, the inner ones recursive": (
        STENCIL,
        f'{_STENCIL}setBandForTiling("b", 2, "", 0, 1);\nsetSubTilingWithinBand("b", 1, "openmp");\n'
        'setSubTilingWithinBand("b", 2, "recursive");',
    ),
    "steps in two levels, the outer ones recursive": (
        STENCIL,
        f'{_STENCIL}setBandForTiling("b", 2, "", 0, 1);\nsetSubTilingWithinBand("b", 1, "recursive");\n'
        'setSubTilingWithinBand("b", 2, "openmp");',
    ),
    "sums of parallel tiles in registers, packed": (
        PRODUCT,
        f"""{_PRODUCT}setOrderingDimensions(0);
setParallel("0", "0,1");
{_tiles(4, 4, 2, start=1)}{RECURSIVE}
setRegisterTile("0", 0, 2);
setRegisterTile("0", 1, 2);
setPacking("C", "A, B");""",
    ),
    "sums in vectors": (
        PRODUCT,
        f'{_PRODUCT}setOrderingDimensions(0);\nsetVectorDimension("0", 1);\n{_tiles(3, 2, start=1)}{RECURSIVE}',
    ),
    "sums inside and below": (
        PRODUCT,
        f"""setSpaceTimeMap("C", "(i,j,k -> 0,i,j,k)");
setSpaceTimeMap("s", "(i,j -> 1,0,i,j)");
setOrderingDimensions(0);
setReductionDimension("0", 2);
{_tiles(2, 1, start=1)}{RECURSIVE}""",
    ),
    "everything parallel": (
        PRODUCT,
        f'{_PRODUCT}setOrderingDimensions(0);\nsetParallel("0", "0,1");\n{_tiles(2, 3, start=1)}{RECURSIVE}',
    ),
    "one cell for all steps": (ELIMINATION, _ELIMINATION + _tiles(2, 1, 3) + RECURSIVE),
    "one cell for all steps, any sizes": (ELIMINATION, _ELIMINATION + RECURSIVE),
    "below an outer loop": (ELIMINATION, _ELIMINATION + _tiles(1, 2, start=1) + RECURSIVE),
    "triangles backwards": (CHAIN, _CHAIN + _tiles(2, 2) + RECURSIVE),
    "calls": (CALLING, _CALLING + _tiles(1, 2) + RECURSIVE),
}


def _proved(name: str, at: int) -> Proved:
    samples = proved(stated(f"S{at}", *CASES[name]), PLAIN if at % 3 == 0 else ALL)
    assert samples is not None, name
    assert "recursive tiles" in samples.features
    return samples


def test_what_is_proved_is_computed() -> None:
    texts = [_proved(name, at) for at, name in enumerate(CASES)]
    for pipeline in (ALL, PLAIN):
        assert disagreements([case for case in texts if case.pipeline == pipeline], way=WAY) == []


@pytest.mark.long
def test_threads_may_go_on_in_every_order() -> None:
    """They are permuted, and races are looked for."""
    random = Random("recursive")
    texts = [_proved(name, at) for at, name in enumerate(CASES)]
    cases = [Case(at, case, values_wanted(case, random)) for at, case in enumerate(texts)]
    verifications(cases, Looks(is_sanitized=True), random)
    assert [case.complaints for case in cases if case.complaints] == []
    assert sum(case.is_parallel for case in cases) > len(cases) // 2
