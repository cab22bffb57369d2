"""Strategies: which one is taken, what becomes of its steps, and that their code computes what the program says."""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.differential_run import agree, executables
from alphaz.legality.verify import certify, verify
from alphaz.machine import Cache, Machine
from alphaz.mapping.design import Design
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.scripting.interpreter.run import run_script
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.explanation import script_of
from alphaz.search.schedule.propose import Proposal
from alphaz.search.schedule.request import NONE, ScheduleRequest, shared_loops
from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.statement_accesses import contraction
from alphaz.search.schedule.strategy import Applied, Tactic, apply_steps
from tests.cli.command_line import ask
from tests.search.schedule.proposals import (
    KERNELS,
    SAMPLES,
    design_of,
    kernel,
    kernel_design,
    problem,
    program_of,
    proposed,
)
from tests.thinning import thinned

pytestmark = pytest.mark.slow

PRODUCTS = ["2mm", "3mm", "correlation", "covariance", "doitgen", "gemm", "symm", "syr2k", "syrk", "trmm"]
FACTORIZATIONS = ["cholesky", "lu", "ludcmp"]
STENCILS = ["fdtd-2d", "heat-3d", "jacobi-1d", "jacobi-2d", "seidel-2d"]
MATRIX_VECTOR = ["atax", "bicg", "gemver", "gesummv", "mvt"]
DYNAMIC_PROGRAMS = ["matrix-chain", "nussinov", "optimal-search-tree"]
OF_KINDS = {
    "product": PRODUCTS,
    "factorization": FACTORIZATIONS,
    "stencil": STENCILS,
    "matrix-vector": MATRIX_VECTOR,
    "dynamic": DYNAMIC_PROGRAMS,
    "substitution": ["trisolv"],
}


def _strategy(name: str) -> str:
    (taken,) = (a.tried.removeprefix("strategy ") for a in kernel(name).attempts if a.tried.startswith("strategy "))
    return taken


def _lines(name: str) -> list[str]:
    return [str(line) for line in kernel(name).lines]


@pytest.mark.parametrize(
    ("strategy", "name"), thinned(((strategy, name) for strategy, names in OF_KINDS.items() for name in names), 24)
)
def test_each_kind_of_kernel_has_its_strategy(strategy: str, name: str) -> None:
    assert _strategy(name) == strategy


@pytest.mark.long
def test_other_kernels_have_other_strategies() -> None:
    others = {_strategy(name) for name in set(KERNELS).difference(*OF_KINDS.values())}
    assert not others & OF_KINDS.keys()


def test_contractions_are_recognised_whatever_their_names() -> None:
    results = [name for name in KERNELS if any(contraction(problem(kernel_design(name)), s) for s in _statements(name))]
    assert results == sorted([*PRODUCTS, *FACTORIZATIONS, *DYNAMIC_PROGRAMS])


def _statements(name: str) -> list[str]:
    return list(problem(kernel_design(name)).statements)


def test_a_product_is_mapped_as_in_blas() -> None:
    assert _lines("gemm") == [
        'setSpaceTimeMap(prog, system, "C", "(i,j -> j,NK,i)");',
        'setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> j,k,i)");',
        'setParallel(prog, system, "", 2);',
        "setTiling(prog, system, 0, 2016);",
        "setTiling(prog, system, 1, 256);",
        "setTiling(prog, system, 2, 72);",
        'setRegisterTile(prog, system, 0, "auto");',
        'setRegisterTile(prog, system, 2, "auto");',
        'setPacking(prog, system, "NR_C", "A, B");',
        'setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");',
    ]


SINGLE = """
affine single {N | N>=1}
input
  float A, B {i,j | 0<=(i,j)<N};
output
  float C {i,j | 0<=(i,j)<N};
let
  C[i,j] = reduce(+, [k], A[i,k] * B[k,j]);
.
"""


@pytest.mark.parametrize(("factor", "columns", "rows"), [("float", '"auto"', '"auto"'), ("double", 8, 6)])
def test_as_many_columns_are_in_registers_as_these_hold(factor: str, columns: object, rows: object) -> None:
    """A wide factor decides, which the machine that generates the code does not see."""
    text = SINGLE.replace("float A", f"{factor} A")
    lines = [str(line) for line in proposed(Design(read_program(Source("single.ab", text)))).lines]
    assert f"setRegisterTile(prog, system, 0, {columns});" in lines
    assert f"setRegisterTile(prog, system, 2, {rows});" in lines


def test_sizes_follow_from_the_caches() -> None:
    assert (Blocking().inner(), Blocking().panel(), Blocking().block()) == (256, 72, 144)
    usual = Blocking()
    assert (usual.square(), usual.some_columns(), usual.triangle()) == (16, (32, 16, 8), (128, 2048))
    assert [usual.skewed(dimensions) for dimensions in (1, 2, 3)] == [(32, 1024), (16, 32, 128), (4, 8, 8, 32)]
    assert [usual.skewed_rows(dimensions) for dimensions in (1, 2)] == [(16, 16), (8, 32, 32)]
    small = Blocking(Machine("avx2", (Cache(16 * 1024, 4), Cache(256 * 1024, 8))))
    assert small.inner() < 256
    assert small.block() % 24 == 0
    for here, there in ((small.skewed(2), usual.skewed(2)), (small.triangle(), usual.triangle())):
        assert all(mine < other for mine, other in zip(here, there, strict=True))
    tiny = Blocking(Machine("sse2", (Cache(64, 1),)))
    assert min(*tiny.skewed(3), *tiny.skewed_rows(2), *tiny.triangle(), tiny.square()) > 0


def test_tiles_are_as_large_as_the_caches_that_are_named() -> None:
    """A quarter of the second cache: half the side, half the steps."""
    machine = Machine("avx2", (Cache(32 * 1024, 8), Cache(256 * 1024, 8), Cache(8 * 1024 * 1024, 16)))
    lines = [str(line) for line in kernel("seidel-2d", ScheduleRequest(machine=machine)).lines]
    tiles = [f"setTiling(prog, system, {at}, {size});" for at, size in enumerate((8, 16, 64), 1)]
    assert [line for line in lines if line.startswith("setTiling(")] == tiles


def test_stencils_keep_whole_rows_where_these_are_parallel() -> None:
    assert 'setSpaceTimeMap(prog, system, "X", "(t,i,j -> 0,t,i+t,j)");' in _lines("jacobi-2d")
    assert 'setSpaceTimeMap(prog, system, "X", "(t,i,j -> 0,t,i+t,i+j+2t)");' in _lines("seidel-2d")


def test_products_over_one_matrix_share_their_pass() -> None:
    assert _lines("bicg")[:2] == [
        'setSpaceTimeMap(prog, system, "q", "(i,j -> i,1,j)");',
        'setSpaceTimeMap(prog, system, "s", "(j,i -> i,1,j)");',
    ]
    assert 'setReductionDimension(prog, system, "", 0);' in _lines("bicg")


def test_wavefronts_are_in_vectors_and_memory_follows_them() -> None:
    assert _lines("needleman-wunsch")[-4:] == [
        'setDimensionType(prog, system, "P, Q, D", 2, "V");',
        'setMemoryMap(prog, system, "D", "(i,j -> i+j,i)", "3,0");',
        'setMemoryMap(prog, system, "P", "(i,j -> j)");',
        'setMemoryMap(prog, system, "Q", "(i,j -> i)");',
    ]


def test_what_is_computed_point_by_point_goes_with_its_last_producer() -> None:
    """The best score of a row of smith-waterman is found as its entries are computed: three lines are kept."""
    lines = _lines("smith-waterman")
    assert 'setSpaceTimeMap(prog, system, "best", "(i,j -> 0,i+j,i)");' in lines
    assert 'setStatementOrdering(prog, system, "H", "best");' in lines
    assert 'setMemoryMap(prog, system, "H", "(i,j -> i+j,i)", "3,0");' in lines


def test_columns_are_done_some_at_a_time_and_so_are_recursions() -> None:
    lines = _lines("deriche")
    assert [line for line in lines if line.startswith("setRegisterTile")] == [
        'setRegisterTile(prog, system, "9", 0, 4);',
        'setRegisterTile(prog, system, "12", 0, 32);',
    ]


def test_nests_share_their_outermost_parallel_loop() -> None:
    """Both passes over a row of deriche, and then both over a column, are one turn of a loop."""
    lines = _lines("deriche")
    assert 'setSpaceTimeMap(prog, system, "left", "(i,j -> 9,i,0,-j)");' in lines
    assert 'setSpaceTimeMap(prog, system, "right", "(i,j -> 9,i,1,j)");' in lines


def test_a_sum_is_collected_while_what_it_needs_is_computed() -> None:
    """That of step k of durbin in the loop of step k-1, where y[k-1,i] is at hand; who reads it stands behind."""
    lines = _lines("durbin")
    assert 'setSpaceTimeMap(prog, system, "NR_alpha", "(k,i -> 0,k-1,2,i,0)");' in lines
    assert 'setStatementOrdering(prog, system, "y", "NR_alpha");' in lines
    assert 'setSpaceTimeMap(prog, system, "alpha", "(k -> 0,k,1,1,0)");' in lines
    assert 'setDimensionType(prog, system, "NR_alpha, y", 3, "V");' in lines


@pytest.mark.parametrize(("factor", "collects"), [("A[i,j]", True), ("X[i+1,j]", False)])
def test_no_sum_is_collected_where_threads_would_lose_their_loop(factor: str, collects: bool) -> None:
    """Row by row in parallel: a sum may go with a row, but if it needs two of them, they are tied together."""
    lines = [str(line) for line in proposed(design_of(ROWS.replace("FACTOR", factor))).lines]
    assert any("setStatementOrdering" in line for line in lines) == collects
    assert any(line.startswith("setParallel") for line in lines)


ROWS = """
affine rows {N | N>1}
input
  double A {i,j | 0<=(i,j)<N};
output
  double S {i | 0<i<N-1};
local
  double X {i,j | 0<=(i,j)<N};
let
  X[i,j] = case {| j==0} : A[i,j]; {| j>0} : X[i,j-1] * A[i,j]; esac;
  S[i] = 2.0 * reduce(+, [j], {| 0<j<N} : X[i-1,j] * FACTOR);
.
"""


@pytest.mark.long
def test_dynamic_programs_are_split_where_squares_are_complete() -> None:
    """As in the script by hand, which was found in an afternoon."""
    for name in ("matrix-chain", "nussinov", "optimal-search-tree"):
        result = kernel(name)
        assert [line.command for line in result.rewriting] == ["SplitReductionBody"] * 2 + ["NormalizeReduction"]
        core = "1" if name == "optimal-search-tree" else "0"
        squares = [f'setRegisterTile(prog, system, "{core}", {at}, 16);' for at in (0, 1)]
        tiles = [str(line) for line in result.lines if line.command == "setRegisterTile"]
        assert [line for line in tiles if f'"{core}"' in line] == squares


BACKWARDS = """
affine upper {N | N>0}
input
  double U {i,j | 0<=i<=j<N};
  double b {i | 0<=i<N};
output
  double x {i | 0<=i<N};
let
  x[i] = (b[i] - reduce(+, [j], {| i<j<N} : U[i,j] * x[j])) / U[i,i];
.
"""


def test_triangular_systems_run_in_tiles_forwards_and_backwards() -> None:
    assert _lines("trisolv")[-2:] == [
        "setRegisterTile(prog, system, 0, 8);",
        'setVectorDimension(prog, system, "", 2);',
    ]
    proposal = proposed(Design(read_program(Source("upper.ab", BACKWARDS))))
    lines = [str(line) for line in proposal.lines]
    assert 'setSpaceTimeMap(prog, system, "NR_x", "(i,j -> -i,0,-j)");' in lines
    assert 'setTilingType(prog, system, "omp");' in lines
    assert 'setVectorDimension(prog, system, "", 2);' in lines


@pytest.mark.long
def test_the_solves_next_to_a_factorisation_have_their_sums_in_lanes() -> None:
    lines = _lines("ludcmp")
    assert 'setSpaceTimeMap(prog, system, "NR_x", "(i,j -> 2,0,0,0,-i,0,-j)");' in lines
    assert {f'setVectorDimension(prog, system, "{at}", 5);' for at in (1, 2)} < set(lines)


TRIANGLE = """
affine triangle {N | N>=1}
input
  double L {i,j | 0<=j<=i<N};
  double x {i | 0<=i<N};
output
  double y {i | 0<=i<N};
let
  y[i] = reduce(+, [j], %s);
.
"""


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        ("L[i,j] * x[j]", True),
        ("L[j,i] * x[j]", False),
        ("x[j] * case {| i<j} : L[j,i]; {| j<=i} : L[i,j]; esac", False),
    ],
)
def test_triangular_rows_run_at_once_where_vectors_can_sum_them(body: str, rows: bool) -> None:
    proposal = proposed(Design(read_program(Source("triangle.ab", TRIANGLE % body))))
    lines = [str(line) for line in proposal.lines]
    assert 'setVectorDimension(prog, system, "", 2);' in lines
    assert ("setRegisterTile(prog, system, 0, 8);" in lines) is rows


AROUND = """
affine band {N,B | N>=2 && 1<=B<N}
input
  double A {i,j | 0<=(i,j)<N && -B<=i-j<=B};
  double L {i,j | 0<=j<=i<N && i-j<=B};
  double x {i | 0<=i<N};
output
  double y, z {i | 0<=i<N};
let
  y[i] = reduce(+, [j], A[i,j] * x[j]);
  z[i] = (y[i] - reduce(+, [j], {| j<i} : L[i,j] * z[j])) / (L[i,i] + 4.0);
.
"""


def test_what_stands_beside_a_triangular_system_keeps_its_own_loops() -> None:
    """Behind the rows that are tiled: in parallel and in vectors."""
    proposal = proposed(Design(read_program(Source("band.ab", AROUND))))
    lines = [str(line) for line in proposal.lines]
    assert 'setSpaceTimeMap(prog, system, "y", "(i,j -> 0,0,0,0,i,j)");' in lines
    assert 'setParallel(prog, system, "0,0,0,0", 0);' in lines
    assert 'setDimensionType(prog, system, "y", 5, "V");' in lines
    assert 'setTilingType(prog, system, "omp");' in lines
    assert 'setRegisterTile(prog, system, "1", 0, 8);' in lines
    _execute("band.ab", AROUND, {"N": 300, "B": 40})


GAPS = """
affine gaps {N,M | N>=1 && M>=1}
input
  int a {i | 1<=i<=N};
  int b {j | 1<=j<=M};
output
  int score;
local
  int H, E, F {i,j | 0<=i<=N && 0<=j<=M};
let
  E[i,j] = case {| j==0} : -1000; {| j>0} : max(E[i,j-1] - 1, H[i,j-1] - 3); esac;
  F[i,j] = case {| i==0} : -1000; {| i>0} : max(F[i-1,j] - 1, H[i-1,j] - 3); esac;
  H[i,j] = case
    {| i==0} || {| j==0 && i>0} : 0;
    {| (i,j)>0} : max(H[i-1,j-1] + (if a[i] == b[j] then 2 else -1), E[i,j], F[i,j], 0);
  esac;
  score = reduce(max, [i,j], H[i,j]);
.
"""


def test_the_best_entry_of_a_table_is_found_while_it_is_filled() -> None:
    """So that three antidiagonals of it are enough, which are in vectors."""
    lines = [str(line) for line in proposed(Design(read_program(Source("gaps.ab", GAPS)))).lines]
    assert 'setSpaceTimeMap(prog, system, "score", "(i,j -> 0,i+j,i,3)");' in lines
    assert 'setDimensionType(prog, system, "E, F, H, score", 2, "V");' in lines
    assert 'setMemoryMap(prog, system, "H", "(i,j -> i+j,i)", "3,0");' in lines
    _execute("gaps.ab", GAPS, {"N": 35, "M": 43})


def test_no_reduction_goes_where_threads_would_lose_their_loop() -> None:
    text = GAPS.replace("max(F[i-1,j] - 1, H[i-1,j] - 3)", "F[i-1,j]").replace("H[i-1,j-1]", "H[i,j-1]")
    proposal = proposed(Design(read_program(Source("rows.ab", text.replace("E[i,j], F[i,j], 0", "E[i,j], 0")))))
    assert any(line.command == "setParallel" for line in proposal.lines)
    assert shared_loops(proposal.dates, "H", "score") == 0


WINDOWS = """
affine windows {H,W,P,Q,C | (P,Q,C)>=1 && H>=P && W>=Q}
input
  float x {c,i,j | 0<=c<C && 0<=i<H && 0<=j<W};
  float w {c,p,q | 0<=c<C && 0<=p<P && 0<=q<Q};
output
  float y {i,j | 0<=i<=H-P && 0<=j<=W-Q};
let
  y[i,j] = reduce(+, [c,p,q], x[c,i+p,j+q] * w[c,p,q]);
.
"""


def test_sums_of_neighbours_are_in_registers() -> None:
    """A convolution has neighbours along j, whatever is summed over, and windows are short."""
    lines = [str(line) for line in proposed(Design(read_program(Source("windows.ab", WINDOWS)))).lines]
    assert 'setParallel(prog, system, "", 0);' in lines
    assert "setRegisterTile(prog, system, 1, 16);" in lines
    assert not any('"V"' in line for line in lines)
    _execute("windows.ab", WINDOWS, {"H": 9, "W": 41, "P": 3, "Q": 4, "C": 2})


def test_what_lies_in_other_lines_is_in_no_register() -> None:
    text = WINDOWS.replace("x[c,i+p,j+q]", "x[c,j+q,i+p]").replace("x {c,i,j |", "x {c,j,i |")
    lines = [str(line) for line in proposed(Design(read_program(Source("windows.ab", text)))).lines]
    assert not any("setRegisterTile" in line for line in lines)


TWO_KINDS = """
affine two {N | N>0}
input
  int w {i | 0<=i<N};
  double A {i | 0<=i<N};
output
  double y {i | 0<=i<N};
let
  y[i] = reduce(+, [k], {| 0<=k<=i} : A[k]) * 2.0
    + reduce(+, [u], {| 0<=u<N} : if [u] == w[i] then A[u] else 0.0);
.
"""


def test_selections_stay_where_they_are() -> None:
    """Of the two reductions one becomes an equation; the other one goes to its point without a loop."""
    assert kernel("knapsack").rewriting == ()
    design = Design(read_program(Source("two.ab", TWO_KINDS)))
    proposal = proposed(design)
    assert [str(line) for line in proposal.rewriting] == ['NormalizeReduction(prog, "0,0,0,0,0");']
    assert set(proposal.problem.statements) == {"y", "NR_y"}


def test_a_step_that_is_not_legal_is_left_out_and_said() -> None:
    """One row for all steps of jacobi-1d: neighbours overwrite each other."""
    result = kernel("jacobi-1d", ScheduleRequest(strategy=NONE))
    one_row = Tactic(((Line("setMemoryMap", ("X", "(t,i -> i)")),),), "", "one row for X")
    applied = apply_steps(Applied(result.design, result.lines, result.report), result.system, [one_row], carry_out)
    ((purpose, reason),) = applied.dropped
    assert purpose == "one row for X"
    assert reason.startswith("AZ601")
    assert applied.report.is_proved


def test_memory_comes_last_and_is_as_small_as_the_order_lets_it_be() -> None:
    """The maps of deriche need one plane and two rows instead of five planes, those of adi one instead of four."""
    maps = {name: [line for line in _lines(name) if line.startswith("setMemoryMap")] for name in ("deriche", "adi")}
    assert all(_lines(name)[-len(value) :] == value for name, value in maps.items())
    assert 'setMemoryMap(prog, system, "down", "(i,j -> i,j)", "2,0");' in maps["deriche"]
    assert 'setMemoryMap(prog, system, "V", "q", "(t,i,j -> i,j)");' in maps["adi"]


WIDE = """
affine wide {N,T | N>8 && T>0}
input
  double A {i,j | 0<=(i,j)<N};
output
  double B {i,j | 0<=(i,j)<N};
local
  double X {t,i,j | 0<=t<=T && 0<=(i,j)<N};
let
  X[t,i,j] = case
    {| t==0} : A[i,j];
    {| t>0 && 2<=i<N-2 && 1<=j<N-1} : X[t-1,i-2,j] + X[t-1,i+2,j] + X[t-1,i,j-1] + X[t-1,i,j+1];
    {| t>0 && i<2} || {| t>0 && i>=N-2} || {| t>0 && 2<=i<N-2 && j<1} || {| t>0 && 2<=i<N-2 && j>=N-1} : X[t-1,i,j];
  esac;
  B[i,j] = X[T,i,j];
.
"""


def test_arrays_of_stencils_wander_as_far_as_their_tiles() -> None:
    assert 'setMemoryMap(prog, system, "X", "(t,i,j,k -> i-t,j-t,k)");' in _lines("heat-3d")
    lines = [str(line) for line in proposed(design_of(WIDE)).lines]
    assert 'setSpaceTimeMap(prog, system, "X", "(t,i,j -> 0,t,i+2t,j)");' in lines
    assert 'setMemoryMap(prog, system, "X", "(t,i,j -> i-2t,j)");' in lines


def test_updated_matrices_are_computed_where_they_are_read() -> None:
    """B of gemver is A and two products of vectors: A is read twice, and B is nowhere."""
    result = kernel("gemver")
    assert [str(line) for line in result.rewriting][:2] == [
        'InlineAll(prog, "gemver", "B");',
        "RemoveUnusedVariables(prog);",
    ]
    assert not any(v.name == "B" for v in result.problem.system.variables)


@pytest.mark.parametrize(
    "reader", ["x[i] = B[i,0] + reduce(+, [j], B[i,j] * y[j]);", "x[i] = reduce(+, [j], B[i,j] * y[j]) * exp(B[i,i]);"]
)
def test_matrices_that_are_read_for_something_else_are_kept(reader: str) -> None:
    proposal = proposed(Design(read_program(Source("update.ab", UPDATE.replace("READER", reader)))))
    assert not any(line.command == "InlineAll" for line in proposal.rewriting)


def test_matrices_that_cost_more_than_they_are_worth_are_kept() -> None:
    text = UPDATE.replace("READER", "x[i] = reduce(+, [j], B[i,j] * y[j]);")
    assert any(line.command == "InlineAll" for line in _found(text).rewriting)
    for instead in ("exp(A[i,j])", "A[i,j] + A[j,i]", "if [i] == [j] then A[i,j] else y[i]"):
        assert not any(line.command == "InlineAll" for line in _found(text.replace("A[i,j] + y[i]", instead)).rewriting)


def _found(text: str) -> Proposal:
    return proposed(Design(read_program(Source("update.ab", text))))


UPDATE = """
double exp(double);
affine update {N | N>0}
input
  double A {i,j | 0<=(i,j)<N};
  double y {i | 0<=i<N};
output
  double x {i | 0<=i<N};
local
  double B {i,j | 0<=(i,j)<N};
let
  B[i,j] = A[i,j] + y[i];
  READER
.
"""


@pytest.mark.parametrize("name", thinned(["cholesky", "floyd-warshall", "jacobi-1d", "lu", "ludcmp"], 4))
def test_what_is_faster_than_by_hand_is_the_sample(name: str) -> None:
    script = (SAMPLES / "kernels" / name / f"{name}-tuned.cs").read_text(encoding="utf-8")
    commands = [line for line in script.splitlines() if line.startswith("set")]
    assert commands == [str(line) for line in kernel(name).lines]


def test_a_strategy_that_is_named_has_to_fit() -> None:
    with pytest.raises(Rejected) as refused:
        kernel("jacobi-1d", ScheduleRequest(strategy="product"))
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == "AZ513"
    assert any(note.startswith("stencil: ") for note in finding.notes)


# One of each strategy, and others that have what these lack: sums that are collected, selections, lines of registers.
EXECUTED = ["doitgen", "lu", "fdtd-2d", "seidel-2d", "gemver", "trisolv", "nussinov", "durbin", "deriche", "knapsack"]
EXECUTED += ["smith-waterman"]
CLOSE_TO_EACH_OTHER = """
affine two {N | N>0}
input
  double A {i,j | 0<=(i,j)<N};
  double x {i | 0<=i<N};
output
  double y, z {i | 0<=i<N};
let
  y[i] = reduce(+, [j], A[i,j] * x[j]);
  z[i] = y[i] + reduce(+, [j], A[j,i] * y[j]);
.
"""


def test_what_needs_a_whole_result_has_a_pass_of_its_own() -> None:
    proposal = proposed(design_of(CLOSE_TO_EACH_OTHER))
    assert proposal.report.is_proved


@pytest.mark.parametrize("name", thinned(EXECUTED, 9))
def test_what_is_found_computes_what_the_program_says(name: str) -> None:
    """With two threads, at sizes of the script by hand: with tiles that are whole and tiles that are not."""
    tuned = (SAMPLES / "kernels" / name / f"{name}-tuned.cs").read_text(encoding="utf-8")
    sizes = re.search(r"^# sizes: (.+)$", tuned, re.MULTILINE)
    assert sizes is not None
    for group in sizes[1].split()[-2:-1]:
        parameters = {key: int(value) for key, value in (part.split("=") for part in group.split(","))}
        _execute_found(kernel(name), program_of(name), program_of(name).read_text(encoding="utf-8"), parameters)


def _execute(name: str, text: str, parameters: dict[str, int]) -> None:
    _execute_found(proposed(Design(read_program(Source(name, text)))), Path(name), text, parameters)


def _execute_found(proposal: Proposal, path: Path, text: str, parameters: dict[str, int]) -> None:
    """Executes the mapping that is found for a program, read again from its script, on two threads."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "program.ab").write_text(text, encoding="utf-8")
        script = script_of(f'"{Path(folder) / "program.ab"}"', "found", [proposal])
        session = run_script(Source("found.cs", script), Path())
    (read,) = session.designs
    (system,) = read.mapped_systems
    these = executables(certify(verify(read)), system, include=path.parent)
    agreement = agree(these, parameters, threads=(2,))
    assert agreement.findings == ()
    assert agreement.agrees


# --- other packages ---------------------------------------------------------------------------------------------------

PACKAGE = """from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.strategy import Strategy, StrategyPlan
from alphaz.search.schedule.strategy import Tactic
from tests.thinning import thinned

def strips(problem, dates, blocking):
    tiles = Tactic(((Line("setTiling", (0, 32)),),), "Strips of 32 rows.", "strips")
    yield StrategyPlan(dates, lines=(), steps=(tiles,))

def nothing(problem, dates, blocking):
    return iter(())

STRIPS = Strategy("strips", "strips of 32 rows", strips)
NOTHING = Strategy("nothing", "for no program", nothing)
OTHER = 7
"""
ENTRIES = """[alphaz.strategies]
strips = toy_strategies:STRIPS
nothing = toy_strategies:NOTHING
other = toy_strategies:OTHER
absent = toy_strategies_2:STRIPS
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with four entry points, and a program next to it."""
    (tmp_path / "toy_strategies.py").write_text(PACKAGE)
    about = tmp_path / "toy_strategies-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-strategies\nVersion: 1\n")
    (about / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "toy_strategies", raising=False)
    program = tmp_path / "copied.ab"
    program.write_text("affine f {N | N>=1} input double a {i,j | 0<=(i,j)<N}; output double b {i,j | 0<=(i,j)<N};\n"
                       "let b[i,j] = 2 * a[i,j]; .\n")  # fmt: skip
    return program


def test_a_package_provides_a_strategy(package: Path) -> None:
    outcome = ask("schedule", package, "--strategy", "strips")
    assert outcome.code == 0
    assert "# Strips of 32 rows.\nsetTiling(prog, system, 0, 32);" in outcome.out
    assert "strips" not in ask("schedule", package).out
    script = package.with_suffix(".cs")
    script.write_text('prog = ReadAlphabets("copied.ab");\nschedule(prog, "f", "TILE", "SMART", "strips");\n'
                      'VerifyTargetMapping(prog, "f", "MIN");\n')  # fmt: skip
    assert ask("verify", script).code == 0


@pytest.mark.parametrize(
    ("name", "code", "text"),
    [
        ("nothing", 1, "nothing: for no program"),
        ("other", 2, "no `Strategy` of the name `other`"),
        ("absent", 2, "ModuleNotFoundError"),
        ("unknown", 2, "unknown is no strategy; there are: auto, none, product"),
    ],
)
def test_a_strategy_that_cannot_be_used_is_refused(package: Path, name: str, code: int, text: str) -> None:
    outcome = ask("schedule", package, "--strategy", name)
    assert (outcome.code, text in outcome.out + outcome.err) == (code, True), outcome
