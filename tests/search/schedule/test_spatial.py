"""Neighbours in memory are innermost where that costs no parallel loop outside and no band; the examples of Reddy
(2019), chapter 5.
"""

from dataclasses import replace
from itertools import product

import pytest

from alphaz.diagnostics import Source, Span
from alphaz.search.schedule.ilp.cost import SPATIAL, Cost, read_cost
from alphaz.search.schedule.locality import along_lines, groups_of, reuse_lost, steps_of, vector_worth, weights_of
from alphaz.search.schedule.request import NONE, ScheduleEngine, ScheduleRequest
from tests.search.schedule.proposals import design_of, kernel, kernel_design, problem, proposed, rows
from tests.thinning import thinned

ASKED = ScheduleRequest(strategy=NONE, engine=ScheduleEngine.ILP, cost=SPATIAL)


def test_how_often_accesses_run_along_lines() -> None:
    """S[i,j,k] += L[i,k] * U[k,j]: none with i, two with j (the result among them), one with k."""
    assert along_lines(problem(kernel_design("lu")), "S") == (0, 2, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "statement", "order"),
    thinned(
        [
            ("lu", "S", ["i", "k", "j"]),
            ("lu", "L", ["i", "j", "j"]),
            ("gemm", "NR_C", ["i", "k", "j"]),
            ("2mm", "NR_tmp", ["i", "k", "j"]),
            ("2mm", "NR_D", ["i", "j", "l"]),
            ("syrk", "NR_C", ["i", "k", "j"]),
            ("trmm", "NR_B", ["i", "k", "j"]),
            ("covariance", "NR_C", ["i", "k", "j"]),
            ("atax", "y", ["i", "j"]),
            ("seidel-2d", "X", ["t", "i+t", "i+j+2t"]),
            ("jacobi-2d", "X", ["t", "i+t", "j+t"]),
        ],
        3,
    ),
)
def test_lines_are_innermost(name: str, statement: str, order: list[str]) -> None:
    """Of lu as PolyAST and Reddy (2019), 5.9 have it."""
    result = kernel(name, ASKED)
    assert result.report.is_proved
    assert [value for value, _ in rows(result, statement)] == order


@pytest.mark.slow
def test_bands_of_too_many_accesses_are_steps_of_time() -> None:
    """14 accesses of three dimensions in fdtd-2d, six in jacobi-2d: more than 32 are too many for registers."""
    assert sum(weights_of(problem(kernel_design("fdtd-2d"))).values()) == 42
    assert weights_of(problem(kernel_design("jacobi-2d"))) == {"X": 18}
    assert weights_of(problem(kernel_design("gemm"))) == {}
    kinds = [kind for _, kind in rows(kernel("fdtd-2d", ASKED), "EX")]
    assert kinds == ["sequential", "parallel", "parallel"]


PATTERNS = """
affine patterns {N | N>1}
input
  double B, D {i,j | 0<=(i,j)<N};
output
  double A, C {i,j | 0<(i,j)<N};
let
  A[i,j] = B[i,j] + B[i-1,j];
  C[i,j] = reduce(+, [k], {| 0<=k<N} : D[i,k] * D[i,j]);
.
"""


def test_neighbours_are_those_of_one_access() -> None:
    """None of B[i] and B[i-1], or of D[i,k] and D[i,j]. C, to which is added, occurs twice, and so does B."""
    asked = problem(design_of(PATTERNS))
    steps = [[reference.steps for reference in group] for group in groups_of(asked)]
    assert steps == [
        [(("A", (0, 1)),), (("C", (0, 1, 0)),)],
        [(("A", (0, 1)),), (("C", (0, 0, 1)),), (("C", (0, 1, 0)),)],
    ]
    assert proposed(design_of(PATTERNS), ASKED).report.is_proved


def test_steps_go_along_a_line_and_nowhere_else() -> None:
    """A[i+j,j], A[4i,j] and all others with two subscripts, against every short vector."""
    for entries in product((-1, 0, 1, 4), repeat=4):
        matrix = (entries[:2], entries[2:])
        along = {
            step
            for step in product((-1, 0, 1), repeat=2)
            if not _dot(matrix[0], step) and 0 < abs(_dot(matrix[1], step)) <= 3
        }
        results = set(steps_of(matrix))
        assert results <= along
        assert bool(results) == bool(along)
        assert {step for step in along if sorted(step) == [0, 1]} <= results


def test_what_no_subscript_moves_is_no_neighbour() -> None:
    """B[k,j] of a product: its neighbour is at j+1, for the same i (Reddy completes the access with i)."""
    assert steps_of(((0, 0, 1), (0, 1, 0))) == ((0, 1, 0),)
    assert steps_of(((0, 4),)) == ()


LINES = """
affine lines {N | N>50}
input
  double A {i,j | 0<=(i,j)<N};
  double B {i | 0<=i<N};
output
  double X {i,j | 0<=(i,j)<N-42};
let
  X[i,j] = A[i,j] + A[i,j+42] + B[i];
.
"""


def test_references_of_more_dimensions_and_more_accesses_come_first() -> None:
    """A is read twice in a row, at a constant distance: two of one reference; then X, then B in a single dimension."""
    groups = groups_of(problem(design_of(LINES)))
    assert [[reference.steps for reference in group] for group in groups] == [
        [(("X", (0, 1)),)],
        [(("X", (0, 1)),)],
        [(("X", (1, 0)),)],
    ]
    assert len(groups[0][0].edges) > 0


def _dot(one: tuple[int, ...], two: tuple[int, ...]) -> int:
    return sum(a * b for a, b in zip(one, two, strict=True))


SUMS = """
affine sums {N | N>1}
input
  double B {i | 0<=i<%d};
  double C {j | 0<=j<%d};
output
  double A {i,j | 0<=i<%d && 0<=j<%d};
let
  A[i,j] = B[i] + C[j];
.
"""


@pytest.mark.parametrize(("sizes", "order"), [((5, 9), ["i", "j"]), ((9, 5), ["j", "i"])])
def test_what_is_touched_again_most_often_is_kept(sizes: tuple[int, int], order: list[str]) -> None:
    """A[i,j] = B[i] + C[j] of 5 x 9: i outside, so that B[i] is used nine times (example 6.5)."""
    asked = design_of(SUMS % (*sizes, *sizes))
    cost = "slope; distance; reversals; parameters; coefficients; reuse; order + shifts"
    assert reuse_lost(problem(asked), "A") == sizes
    proposal = proposed(asked, replace(ASKED, cost=cost_of(cost)))
    assert [value for value, _ in rows(proposal, "A")] == order
    assert proposal.report.is_proved


def test_the_loop_of_vectors_is_left_for_the_last_row() -> None:
    """Of a product: neighbours with j (C and B), one element of A for all; along i and k, lines are left."""
    design = kernel_design("gemm")
    assert vector_worth(problem(design), "NR_C") == (20, 64, 38)
    cost = cost_of("reversals; vectors; parameters; coefficients; order + shifts")
    assert [value for value, _ in rows(proposed(design, replace(ASKED, cost=cost)), "NR_C")] == ["i", "k", "j"]


def cost_of(text: str) -> Cost:
    return read_cost(Span(Source("mine.cost", text), 0, len(text)), "mine.cost")
