"""How sums that go on in tiles are proved (`prove/sums-in-tiles.md` has the verdicts)."""

import sys

import pytest

from alphaz.equivalence.expression_matching import Matching
from tests.cases.proofs import proof_of, verdict_of
from tests.equivalence.asking import verdict, with_claims
from tests.equivalence.test_questions import asked


def test_a_sum_that_goes_on_in_tiles_is_proved_in_its_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    case = proof_of("sums-in-tiles", "sums that go on in each tile")
    assert verdict_of(case).is_proved
    monkeypatch.setattr(sys.modules["alphaz.equivalence.driver.prove_c"], "in_their_cells", lambda kernel: kernel)
    assert not verdict_of(case).is_proved


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
