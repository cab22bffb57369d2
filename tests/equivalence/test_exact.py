"""`--exact`: the same tree of operations, and sums in the order of the equations (R6)."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import PLAIN, Laws
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.equivalence.asking import generated, peer, verdict
from tests.thinning import thinned

pytestmark = pytest.mark.slow

EXACT = Laws(is_exact=True)
HEAD = """affine s {N | N>=2}
input
 double A {i,k | 0<=i<N && 0<=k<N};
 double D {i | 0<=i<N};
output
 double B {i | 0<=i<N};
let
"""
SUM = "B[i] = reduce(+, [k], {| 0<=k<N} : A[i,k] * D[k])"
BEHIND = "B[i] = D[i] + reduce(+, [k], {| 0<=k<N} : A[i,k])"
OF_SUMS = "B[i] = 2.0 * reduce(+, [k], {| 0<=k<N} : A[i,k] + D[k])"
TWICE = "B[i] = reduce(+, [k,l], {| 0<=k<N && 0<=l<N} : A[k,l] * D[i])"
GREATEST = "B[i] = reduce(max, [k], {| 0<=k<N} : A[i,k])"
CASES = "B[i] = reduce(+, [k], case {| 0<=k<i} : A[i,k]; {| i<=k<N} : D[k]; esac)"

LOOP, ADD = "for (long k = 0; k < N; k++)", "+= A[i][k] * D[k]"
TILES = "for (long t = 0; t < N; t += 32)"
TILE = "for (long k = t; k < (t + 32 < N ? t + 32 : N); k++)"
PAIRS, REST = "for (; k + 1 < N; k += 2)", f"for (; k < N; k++) s {ADD};"
NEXT = "A[i][k + 1] * D[k + 1]"

RIGHT = [
    (SUM, f"B[i] = 0; {LOOP} B[i] {ADD};"),
    (SUM, f"double s = 0; {LOOP} s = s + A[i][k] * D[k]; B[i] = s;"),
    (SUM, f"B[i] = A[i][0] * D[0]; for (long k = 1; k < N; k++) B[i] {ADD};"),
    (SUM, f"B[i] = 0; {TILES} {TILE} B[i] {ADD};"),
    (SUM, f"double s = 0; long k = 0; {PAIRS} {{ s {ADD}; s += {NEXT}; }} {REST} B[i] = s;"),
    (SUM, f"double s = 0; long k = 0; {PAIRS} s = s + A[i][k] * D[k] + {NEXT}; {REST} B[i] = s;"),
    (BEHIND, f"double s = 0; {LOOP} s += A[i][k]; B[i] = D[i] + s;"),
    (OF_SUMS, f"B[i] = 0; {LOOP} B[i] += A[i][k] + D[k]; B[i] = 2.0 * B[i];"),
    (TWICE, f"B[i] = 0; {LOOP} for (long l = 0; l < N; l++) B[i] += A[k][l] * D[i];"),
    (GREATEST, "B[i] = A[i][0]; for (long k = 1; k < N; k++) B[i] = B[i] < A[i][k] ? A[i][k] : B[i];"),
    (CASES, f"B[i] = 0; {LOOP} if (k < i) B[i] += A[i][k]; else B[i] += D[k];"),
]
# In another order.
DISORDERED = [
    (SUM, f"B[i] = 0; for (long k = N - 1; k >= 0; k--) B[i] {ADD};"),
    (SUM, f"B[i] = A[i][N - 1] * D[N - 1]; for (long k = 0; k < N - 1; k++) B[i] {ADD};"),
    (SUM, f"double s = 0; long k = 0; {PAIRS} {{ s += {NEXT}; s {ADD}; }} {REST} B[i] = s;"),
    (SUM, f"double s = 0; long k = 0; {PAIRS} s = s + {NEXT} + A[i][k] * D[k]; {REST} B[i] = s;"),
    (SUM, f"double s = 0;\n#pragma omp parallel for reduction(+:s)\n{LOOP} s {ADD}; B[i] = s;"),
    (SUM, f"double s = 0;\n#pragma omp simd reduction(+:s)\n{LOOP} s {ADD}; B[i] = s;"),
    (SUM, f"double s = 0;\n#pragma omp parallel for\n{LOOP} {{\n#pragma omp atomic\n s {ADD}; }} B[i] = s;"),
    (
        # The thread starts from 0 again.
        SUM,
        "double s = A[i][0] * D[0];\n#pragma omp parallel for reduction(+:s)\nfor (long t = 0; t < 1; t++)"
        f" for (long k = 1; k < N; k++) s {ADD}; B[i] = s;",
    ),
    (TWICE, f"B[i] = 0; for (long l = 0; l < N; l++) {LOOP} B[i] += A[k][l] * D[i];"),
    (GREATEST, "B[i] = A[i][N - 1]; for (long k = N - 2; k >= 0; k--) B[i] = B[i] < A[i][k] ? A[i][k] : B[i];"),
    (CASES, f"B[i] = 0; for (long k = i; k < N; k++) B[i] += D[k]; {LOOP} if (k < i) B[i] += A[i][k];"),
]
# In other parentheses.
REGROUPED = [
    (SUM, f"B[i] = 0; {LOOP} B[i] = A[i][k] * D[k] + B[i];"),
    (SUM, f"double s = 0; long k = 0; {PAIRS} s += A[i][k] * D[k] + {NEXT}; {REST} B[i] = s;"),
    (SUM, f"double s = 0, t = 0; long k = 0; {PAIRS} {{ s {ADD}; t += {NEXT}; }} {REST} B[i] = s + t;"),
    (BEHIND, f"B[i] = D[i]; {LOOP} B[i] += A[i][k];"),
    (BEHIND, f"double s = 0; {LOOP} s += A[i][k]; B[i] = s + D[i];"),
    (OF_SUMS, f"B[i] = 0; {LOOP} B[i] += D[k] + A[i][k]; B[i] = 2.0 * B[i];"),
    (OF_SUMS, f"B[i] = 0; {LOOP} B[i] = B[i] + A[i][k] + D[k]; B[i] = 2.0 * B[i];"),
]


def asked(equation: str, body: str, laws: Laws = EXACT) -> CVerdict:
    text = "void s(long N, const double A[N][N], const double D[N], double B[N])\n"
    text += f"{{ for (long i = 0; i < N; i++) {{ {body} }} }}\n"
    checked = read_program(Source("s.ab", f"{HEAD} {equation};\n.\n"))
    return prove_c(checked, Source("s.c", text), ProofTask(laws=laws, executes=False))


def violated(found: CVerdict) -> set[str]:
    return {obligation.question.family for obligation in found.obligations if not obligation.is_proved}


@pytest.mark.parametrize(("equation", "body"), thinned(RIGHT))
def test_the_order_of_the_equations_is_proved(equation: str, body: str) -> None:
    found = asked(equation, body)
    assert found.is_proved, found.findings
    assert "R6" in {obligation.question.family for obligation in found.obligations}


@pytest.mark.parametrize(("equation", "body"), thinned(DISORDERED, 3))
def test_another_order_of_a_sum_violates_r6(equation: str, body: str) -> None:
    found = asked(equation, body)
    assert violated(found) == {"R6"}
    (*_, last) = found.findings
    assert last.witness is not None


@pytest.mark.parametrize(("equation", "body"), REGROUPED)
def test_other_parentheses_are_not(equation: str, body: str) -> None:
    assert not asked(equation, body).is_proved


@pytest.mark.parametrize(("equation", "body"), [DISORDERED[0], DISORDERED[4], REGROUPED[2], REGROUPED[3]])
def test_without_it_sums_have_any_order(equation: str, body: str) -> None:
    assert asked(equation, body, PLAIN).is_proved


def test_one_term_has_no_order() -> None:
    """A clause gives the thread a number of its own, which is added to the identity."""
    once = "B[i] = reduce(+, [k], {| k==i} : A[i,k] * D[k])"
    body = "double s = 0;\n#pragma omp parallel for reduction(+:s)\nfor (long k = i; k <= i; k++)"
    body += " s += A[i][k] * D[k]; B[i] = s;"
    assert asked(once, body).is_proved


def test_what_threads_collect_is_in_no_order() -> None:
    body = """B[i] = 0;
#pragma omp parallel
{ double own = 0;
#pragma omp for nowait
for (long k = 0; k < N; k++) own += A[i][k] * D[k];
#pragma omp critical
B[i] += own; }"""
    assert asked(SUM, body, PLAIN).is_proved
    assert [finding.rule.code for finding in asked(SUM, body).findings] == ["AZ832"]


def test_what_is_generated_for_the_order_of_the_equations_is_proved() -> None:
    assert verdict("lu", generated("lu"), laws=EXACT).is_proved
    assert not verdict("lu", peer("lu"), laws=EXACT).is_proved
