"""Schedules that Reddy (2019) prints in 5.9: those that are legal are proved, in place as in the loops that they were
written for; the one that is not is refuted, and statements at equal dates need an order.
"""

import pytest

from tests.legality.mapped import Mapped

# tmp = alpha A B, then D = beta D + tmp C: Z and E are where the sums begin.
PRODUCTS = """
affine products {N | N>1}
input
  double alpha, beta;
  double A, B, C, D {i,j | 0<=(i,j)<N};
output
  double R {i,j | 0<=(i,j)<N};
local
  double Z, E {i,j | 0<=(i,j)<N};
  double S, T {i,j,k | 0<=(i,j,k)<N};
let
  Z[i,j] = 0.0;
  S[i,j,k] = case {| k==0} : Z[i,j]; {| k>0} : S[i,j,k-1]; esac + alpha[] * A[i,k] * B[k,j];
  E[i,j] = beta[] * D[i,j];
  T[i,j,k] = case {| k==0} : E[i,j]; {| k>0} : T[i,j,k-1]; esac + S[i,k,N-1] * C[k,j];
  R[i,j] = T[i,j,N-1];
.
"""
SUM, TWO = "(i,j,k -> {})", "(i,j -> {})"
OF_PRODUCTS = {
    "spatial": ("0,i,0,j,0", "0,i,k,j,0", "1,i,0,j,0", "1,i,k,j,0"),
    "trunk": ("0,i,j,0,0", "0,i,j,k,0", "1,i,j,0,0", "1,i,j,k,0"),
    "Pluto": ("0,i,j,1,0", "1,i,j,0,k", "0,i,j,0,0", "1,i,k,1,j"),
    "PolyAST": ("i,0,j,0,0", "i,1,k,j,0", "i,2,j,0,0", "i,3,k,j,0"),
}


def products(dates: tuple[str, ...]) -> Mapped:
    seconds = Mapped(PRODUCTS).time("R", "(i,j -> N+1,i,j,0,0)")
    for name, shape, date in zip("ZSET", (TWO, SUM, TWO, SUM), dates, strict=True):
        seconds = seconds.time(name, shape.format(date))
    for name, shape, space in (("Z", TWO, "S"), ("S", SUM, "S"), ("E", TWO, "R"), ("T", SUM, "R")):
        seconds = seconds.memory(name, shape.format("i,j"), space)
    return seconds


@pytest.mark.parametrize("name", OF_PRODUCTS)
def test_two_products_need_an_order_of_statements_at_ties(name: str) -> None:
    """Of the two that keep the innermost loop in lines, and of isl's, a sum begins at the date of its first term."""
    has_ties = name in ("spatial", "trunk")
    mapped = products(OF_PRODUCTS[name])
    assert mapped.report().is_proved is not has_ties
    assert mapped.order("Z", "S").order("E", "T").report().is_proved


# S below the diagonal, divided by the pivot in L; U above it and on it.
FACTORS = """
affine factors {N | N>2}
input
  double A {i,j | 0<=(i,j)<N};
output
  double R {i,j | 0<=(i,j)<N};
local
  double S {i,j,k | 0<=k<j && j<i<N};
  double L {i,j | 0<=j<i<N};
  double U {i,j,k | 0<=k<i && i<=j<N};
let
  S[i,j,k] = case
    {| k==0} : A[i,j] - L[i,k] * A[k,j];
    {| k>0} : S[i,j,k-1] - L[i,k] * U[k,j,k-1];
  esac;
  L[i,j] = case {| j==0} : A[i,j] / A[j,j]; {| j>0} : S[i,j,j-1] / U[j,j,j-1]; esac;
  U[i,j,k] = case
    {| k==0} : A[i,j] - L[i,k] * A[k,j];
    {| k>0} : U[i,j,k-1] - L[i,k] * U[k,j,k-1];
  esac;
  R[i,j] = case {| i==0} : A[i,j]; {| 0<i<=j} : U[i,j,i-1]; {| j<i} : L[i,j]; esac;
.
"""


def factors(below: str, divided: str, above: str) -> Mapped:
    seconds = Mapped(FACTORS).time("S", SUM.format(below)).time("L", TWO.format(divided)).time("U", SUM.format(above))
    seconds = seconds.time("R", f"(i,j -> {'N,i,j' if below.count(',') == 2 else 'N,3,i,j'})")
    seconds = seconds.memory("S", SUM.format("i,j"), "R").memory("U", SUM.format("i,j"), "R")
    return seconds.memory("L", TWO.format("i,j"), "R")


@pytest.mark.parametrize("dates", [("i,j,k", "i,j,j", "i,j,k"), ("i,k,j", "i,j,j", "i,k,j")])
@pytest.mark.parametrize("wavefront", [False, True])
def test_lu_of_pluto_and_with_lines_inside_is_tiled(dates: tuple[str, str, str], wavefront: bool) -> None:
    """The second is that of PolyAST too."""
    assert factors(*dates).report().is_proved
    assert factors(*dates).band(0, 2, wavefront=wavefront).report().is_proved


def test_lu_step_by_step_divides_first() -> None:
    """The schedule of isl in the thesis, (k,0,i,j) and (j,1,i,j), divides a column after its readers."""
    assert factors("k,1,j,i", "j,0,j,i", "k,1,j,i").kind("1", "O").report().is_proved
    assert factors("k,1,i,j", "j,0,i,j", "k,2,i,j").kind("1", "O").report().is_proved
    refuted = factors("k,0,i,j", "j,1,i,j", "k,2,i,j").kind("1", "O").refuted()
    assert any("S[2,1,0], at (0,0,2,1), reads L[2,0]" in witness for witness in refuted["AZ502"])


# B := alpha A^T B, in place: S collects, of rows below that are still as they were.
TRIANGULAR = """
affine triangular {N,M | N>0 && M>1}
input
  double alpha;
  double A {i,j | 0<=(i,j)<M};
  double B {i,j | 0<=i<M && 0<=j<N};
output
  double R {i,j | 0<=i<M && 0<=j<N};
local
  double X {i,j | 0<=i<M && 0<=j<N};
  double S {i,j,k | 0<=i<k<M && 0<=j<N};
let
  X[i,j] = B[i,j];
  S[i,j,k] = case {| k==i+1} : X[i,j]; {| k>i+1} : S[i,j,k-1]; esac + A[k,i] * X[k,j];
  R[i,j] = alpha[] * case {| i==M-1} : X[i,j]; {| i<M-1} : S[i,j,M-1]; esac;
.
"""


@pytest.mark.parametrize("sums", ["1,j,i,k", "1,k,i,j"])
def test_a_triangular_product_in_place(sums: str) -> None:
    """Of Pluto, and of PolyAST with lines inside."""
    memory = Mapped(TRIANGULAR).time("X", "(i,j -> 0,i,j,0)").time("S", f"(i,j,k -> {sums})")
    memory = memory.time("R", "(i,j -> 2,i,j,0)").kind("0", "O")
    memory = memory.memory("X", "(i,j -> i,j)", "R").memory("S", "(i,j,k -> i,j)", "R")
    assert memory.report().is_proved
    last = memory.time("S", "(i,j,k -> 1,j,-i,k)")
    assert "AZ602" in last.refuted() or "AZ601" in last.refuted()
