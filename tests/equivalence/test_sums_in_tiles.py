"""Sums that go on in each tile, and are kept in a local variable there."""

import sys

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.proof import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.tree_matching import Matching
from tests.equivalence.asking import verdict, with_claims
from tests.equivalence.test_questions import ROWS, asked

C = """void s(long N, const double A[N][N], double *B)
{
    for (long i = 0; i < N; i++) B[i] = 0;
    for (long t = 0; 2 * t < N; t++) {
        for (long i = 0; i < N; i++) {
            double sum = B[i];
            for (long k = 2 * t; k < (2 * t + 2 < N ? 2 * t + 2 : N); k++) sum += A[i][k];
            B[i] = sum;
        }
    }
}
"""


def is_proved(text: str) -> bool:
    return prove_c(read_program(Source("s.ab", ROWS)), Source("s.c", text), ProofTask(executes=False)).is_proved


def test_a_sum_that_goes_on_in_tiles_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_proved(C)
    monkeypatch.setattr(sys.modules["alphaz.equivalence.driver.proof"], "in_their_cells", lambda kernel: kernel)
    assert not is_proved(C)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("sum = B[i]", "sum = 0"),
        ("sum = B[i]", "sum = B[N - 1 - i]"),
        ("B[i] = sum;", "if (t < 4) B[i] = sum;"),
        ("2 * t + 2", "2 * t + 3"),
        ("k = 2 * t;", "k = 2 * t + 1;"),
        ("for (long t", "\n#pragma omp parallel for\nfor (long t"),
    ],
)
def test_one_that_does_not_is_not(right: str, wrong: str) -> None:
    assert not is_proved(C.replace(right, wrong))


SUBSTITUTION = """affine s {N | N>=1}
input
	double L {i,j | 0<=(i,j)<N};
	double b {i | 0<=i<N};
output
	double y {i | 0<=i<N};
let
	y[i] = b[i] - reduce(+, [j], {| 0<=j<i} : L[i,j] * y[j]);
.
"""
TILES = """void s(long N, const double L[N][N], const double *b, double *y)
{
    for (long i = 0; i < N; i++) y[i] = 0;
    for (long t = 0; 2 * t < N; t++) {
        for (long i = 2 * t; i < N; i++) {
            if (i > 2 * t) {
                double sum = y[i];
                for (long j = 2 * t; j < (2 * t + 2 < i ? 2 * t + 2 : i); j++) sum += L[i][j] * y[j];
                y[i] = sum;
            }
            if (i < 2 * t + 2) y[i] = b[i] - y[i];
        }
    }
}
"""


def is_substitution(text: str) -> bool:
    return prove_c(read_program(Source("s.ab", SUBSTITUTION)), Source("s.c", text), ProofTask(executes=False)).is_proved


def test_a_sum_of_other_cells_of_the_array_goes_on() -> None:
    assert is_substitution(TILES)
    assert is_substitution(TILES.replace("for (long j", "\n#pragma omp simd reduction(+ : sum)\nfor (long j"))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("i < 2 * t + 2)", "i < 2 * t + 1)"),
        ("j < (2 * t + 2 < i ? 2 * t + 2 : i)", "j <= (2 * t + 2 < i ? 2 * t + 2 : i)"),
        ("* y[j]", "* y[i - 1]"),
        ("for (long j", "\n#pragma omp simd\nfor (long j"),
        ("for (long i = 2 * t", "\n#pragma omp parallel for\nfor (long i = 2 * t"),
    ],
)
def test_one_that_finds_it_incomplete_does_not(right: str, wrong: str) -> None:
    assert TILES.count(right) == 1
    assert not is_substitution(TILES.replace(right, wrong))


@pytest.mark.slow
def test_tiles_that_no_run_comes_to() -> None:
    text, told = with_claims("smith-waterman", "smith-waterman-tiled")
    assert verdict("smith-waterman", text, told=told).is_proved


def test_operands_are_taken_in_their_order_where_nothing_was_seen() -> None:
    text = "double A[N][N], double *B) { for (long i = 0; i < N; i++) B[i] = fmax(fmax(A[i][0], A[0][i]), A[1][i]); }"
    equations = (
        "affine s {N | N>=3}\ninput\n double A {i,k | 0<=i<N && 0<=k<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
        " B[i] = max(max(A[i,0], A[0,i]), A[1,i]);\n.\n"
    )
    about = asked(equations, f"void s(long N, const {text}")
    (statement,) = about.kernel.statements
    regrouped = Matching(about.values, lambda *_: True, regroups=frozenset({"max"}))
    ((_, needs),) = regrouped.value(statement.value, "B", about.claims.values[0].point, statement.domain)
    for need in needs:
        assert need.point == statement.reads[need.number].subscripts


def test_operations_are_opened_before_variables_are() -> None:
    text = (
        "void s(long N, const double A[N][N], double *D, double *B) { for (long i = 0; i < N; i++) {"
        " D[i] = fmax(A[i][0], A[0][i]); B[i] = fmax(fmax(D[i], A[0][i]), fmax(A[1][i], A[i][1])); } }"
    )
    equations = (
        "affine s {N | N>=3}\ninput\n double A {i,k | 0<=i<N && 0<=k<N};\noutput\n double D {i | 0<=i<N};\n"
        " double B {i | 0<=i<N};\nlet\n D[i] = max(A[i,0], A[0,i]);\n"
        " B[i] = max(max(D[i], A[0,i]), max(A[1,i], A[i,1]));\n.\n"
    )
    about = asked(equations, text)
    statement = about.kernel.statements[-1]
    regrouped = Matching(about.values, lambda *_: True, regroups=frozenset({"max"}))
    point = next(value.point for value in about.claims.values if value.key == "B")
    ((_, needs),) = regrouped.value(statement.value, "B", point, statement.domain)
    assert [need.key for need in needs] == ["D", "A", "A", "A"]
    assert all(need.point == statement.reads[need.number].subscripts for need in needs)
