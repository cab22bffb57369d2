"""Tiled schedules that Bondhugula (2008) prints: those that are legal are proved, tiles in wavefronts as well; the one
that he shows to be illegal is refuted.
"""

import re

import pytest

from tests.legality.mapped import Mapped
from tests.search.schedule.proposals import SAMPLES, kernel

# Figure 3.9: b[i] = f(a[i-1..i+1]), then a[i] = b[i], in place. U[t] is a after so many steps.
JACOBI = """
affine jacobi {N,T | N>4 && T>0}
input
  double A {i | 1<=i<N};
output
  double R {i | 1<=i<N};
local
  double S {t,i | 0<=t<T && 2<=i<N-1};
  double U {t,i | 0<=t<=T && 1<=i<N};
let
  S[t,i] = U[t,i-1] + U[t,i] + U[t,i+1];
  U[t,i] = case
    {| t==0} : A[i];
    {| t>0 && i==1} || {| t>0 && i==N-1} : U[t-1,i];
    {| t>0 && 1<i<N-1} : S[t-1,i] * 0.3;
  esac;
  R[i] = U[T,i];
.
"""


def jacobi(skewed: str, update: str, in_place: bool) -> Mapped:
    kind = Mapped(JACOBI).time("S", f"(t,i -> 0,t,{skewed},0)").time("U", f"(t,i -> 0,t-1,{update},1)")
    kind = kind.time("R", "(i -> 1,i,0,0)").kind("0", "O")
    return kind.memory("S", "(t,i -> i)").memory("U", "(t,i -> i)") if in_place else kind


@pytest.mark.parametrize("wavefront", [False, True])
def test_jacobi_in_place_needs_a_skew_of_two(wavefront: bool) -> None:
    """T_S = (t, 2t+i, 0), T_U = (t, 2t+i+1, 1); for the flow of values alone a skew of one is enough."""
    assert jacobi("2t+i", "2t+i-1", in_place=True).band(1, 2, wavefront=wavefront).report().is_proved
    assert jacobi("t+i", "t-1+i", in_place=False).band(1, 2, wavefront=wavefront).report().is_proved
    assert "AZ601" in jacobi("t+i", "t-1+i", in_place=True).band(1, 2, wavefront=wavefront).refuted()


# Figure 5.7: P are the rows of U divided by the pivot, V what is left of the matrix after step k.
LU = """
affine lu {N | N>1}
input
  double A {i,j | 0<=(i,j)<N};
output
  double R {i,j | 0<=(i,j)<N};
local
  double P {k,j | 0<=k<j<N};
  double V {k,i,j | 0<=k<i<N && k<j<N};
let
  P[k,j] = case {| k==0} : A[k,j] / A[k,k]; {| k>0} : V[k-1,k,j] / V[k-1,k,k]; esac;
  V[k,i,j] = case
    {| k==0} : A[i,j] - A[i,k] * P[k,j];
    {| k>0} : V[k-1,i,j] - V[k-1,i,k] * P[k,j];
  esac;
  R[i,j] = case {| i<j} : P[i,j]; {| j<=i && j==0} : A[i,j]; {| 0<j<=i} : V[j-1,i,j]; esac;
.
"""


def lu(of_pivots: str, of_rest: str) -> Mapped:
    kind = Mapped(LU).time("P", f"(k,j -> 0,{of_pivots})").time("V", f"(k,i,j -> 0,{of_rest})")
    kind = kind.time("R", "(i,j -> 1,i,j,0)").kind("0", "O")
    return kind.memory("P", "(k,j -> k,j)", "R").memory("V", "(k,i,j -> i,j)", "R")


@pytest.mark.parametrize("waves", [(False, False, False), (True, True, False), (True, True, True)])
def test_lu_is_tiled_in_all_three_loops_in_one_array(waves: tuple[bool, ...]) -> None:
    """T_P = (k, j, k), T_V = (k, j, i): without wavefronts, in those of (1,1,0), and of (1,1,1)."""
    assert lu("k,j,k", "k,j,i").band(1, 3, wavefront=waves).report().is_proved


def test_lu_with_a_pivot_behind_its_rows_is_refuted() -> None:
    assert lu("k,j,N", "k,j,i").report().is_proved is False
    assert "AZ702" in lu("k,j,k", "k,-j,i").band(1, 3).refuted()


# Figure 5.8: a sum over s, then the copy of the row of sums, which is a multiple here so that it is an operation.
DOITGEN = """
affine doitgen {N | N>0}
input
  double A {r,q,s | 0<=(r,q,s)<N};
  double C {s,p | 0<=(s,p)<N};
output
  double B {r,q,p | 0<=(r,q,p)<N};
local
  double S {r,q,p | 0<=(r,q,p)<N};
let
  S[r,q,p] = reduce(+, [s], A[r,q,s] * C[s,p]);
  B[r,q,p] = 2.0 * S[r,q,p];
.
"""


def doitgen(scalar: int) -> Mapped:
    """(r,q,p,s), with the constant that orders the three statements at a place of its own."""

    def date(*parts: str) -> str:
        loops = list(parts[1:])
        return ",".join((*loops[:scalar], parts[0], *loops[scalar:]))

    sums = Mapped(DOITGEN).time("S", f"(r,q,p,s -> {date('1', *'rqps')})", f"(r,q,p -> {date('0', *'rqp', '0')})")
    return sums.time("B", f"(r,q,p -> {date('2', *'rqp', '0')})")


def test_doitgen_is_tiled_across_its_constant_where_that_stays_outside() -> None:
    """(rT, qT, c, pT, sT, ...) is legal, with c inside the tiles it is not: an entry is used before its sum is done."""
    assert doitgen(2).band(0, 4, sizes=(2, 2, 1, 2, 2)).report(exact_tiles=True).is_proved
    assert "AZ702" in doitgen(2).kind("2", "O").band(0, 4).refuted()
    assert doitgen(3).report().is_proved
    assert "AZ702" in doitgen(3).band(0, 4).refuted()
    assert "AZ702" in doitgen(2).band(0, 4, sizes=(2, 2, 3, 2, 2)).refuted(exact_tiles=True)


def test_the_strategy_for_gemm_is_the_mapping_by_hand() -> None:
    """Whatever order the lines stand in. The blocks by hand are measured."""
    by_hand = (SAMPLES / "kernels" / "gemm" / "gemm-tuned.cs").read_text(encoding="utf-8")
    by_hand = by_hand.replace("1, 512", "1, 256").replace("2, 36", "2, 72")
    assert set(re.findall(r"^set.+$", by_hand, re.MULTILINE)) == {str(line) for line in kernel("gemm").lines}
