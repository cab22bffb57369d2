"""Arrays whose number of rows is the lesser of two parameters."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.proof import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask, assumed_parameters

pytestmark = pytest.mark.slow

VECTOR, ROWS = "{i | 0<=i<N && i<M}", "{i,j | 0<=i<N && i<M && 0<=j<N}"
LATER, TRIANGLE = "{i | 1<=i<N && i<M-2}", "{i,j | 0<=j<=i && i<N && i<M}"
HEAD = """\
#include <stdlib.h>
#include <string.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
"""
LOOP, EACH = "for (long i = 0; i < L; i++)", "B[i] = 2.0 * A[i];"
THERE, BACK = "t[i] = 2.0 * A[i];", f"{LOOP} B[i] = t[i]; free(t);"


def asked(domain: str, body: str, assumed: str = "") -> CVerdict:
    names = "i,j" if "j" in domain else "i"
    text = f"affine s {{N,M | N>=2 && M>=2}}\ninput\n double A {domain};\noutput\n double B {domain};\n"
    checked = read_program(Source("s.ab", f"{text}let\n B[{names}] = 2.0 * A[{names}];\n.\n"))
    c = f"{HEAD}void s(long N, long M, const double *A, double *B) {{ long L = MIN(N, M);\n{body} }}\n"
    task = ProofTask(executes=False, assumed=assumed_parameters([assumed] if assumed else [], ("N", "M")))
    return prove_c(checked, Source("s.c", c), task)


RIGHT = [
    (VECTOR, f"{LOOP} {EACH}"),
    (VECTOR, f"for (long i = 0; i < N; i++) if (i < M) {EACH}"),
    (VECTOR, f"if (N < M) for (long i = 0; i < N; i++) {EACH} else for (long i = 0; i < M; i++) {EACH}"),
    (
        VECTOR,
        f"#pragma omp parallel for\nfor (long t = 0; t < L; t += 32) for (long i = t; i < MIN(t + 32, L); i++) {EACH}",
    ),
    (LATER, "for (long i = 1; i < MIN(N, M - 2); i++) B[i - 1] = 2.0 * A[i - 1];"),
    (ROWS, f"{LOOP} for (long j = 0; j < N; j++) B[i * N + j] = 2.0 * A[i * N + j];"),
    (VECTOR, f"double *t = malloc(L * sizeof(double)); {LOOP} {THERE} {BACK}"),
    (VECTOR, f"double *t = malloc(MAX(N, M) * sizeof *t); {LOOP} {THERE} {BACK}"),
    (VECTOR, f"double *t = malloc(M * L * sizeof *t); {LOOP} t[i * M + 1] = 2.0 * A[i]; {LOOP} B[i] = t[i * M + 1];"),
    (VECTOR, f"double *t = calloc(L, sizeof(double)); t[0] = t[0]; {LOOP} {THERE} {BACK}"),
]
WRONG = [
    (VECTOR, f"for (long i = 0; i < N; i++) {EACH}"),
    (VECTOR, f"for (long i = 0; i < L - 1; i++) {EACH}"),
    (VECTOR, f"for (long i = 0; i <= L; i++) {EACH}"),
    (VECTOR, f"memset(B, 0, N * sizeof(double)); {LOOP} {EACH}"),
    (LATER, "for (long i = 1; i < MIN(N, M); i++) B[i - 1] = 2.0 * A[i - 1];"),
    (ROWS, f"{LOOP} for (long j = 0; j < M; j++) B[i * N + j] = 2.0 * A[i * N + j];"),
    (VECTOR, f"double *t = malloc(L * sizeof *t); for (long i = 0; i <= L; i++) t[i] = 2.0; {LOOP} {THERE} {BACK}"),
    (VECTOR, f"double *t = malloc(MIN(N, M - 1) * sizeof *t); {LOOP} {THERE} {BACK}"),
    (VECTOR, f"double *t = calloc(L, sizeof *t); {LOOP} {THERE} t[MAX(N, M) - 1] += 1.0; {BACK}"),
    (VECTOR, f"double *t = calloc(L - 1, sizeof *t); {LOOP} t[i] += 1.0; {LOOP} {EACH}"),
]


@pytest.mark.parametrize(("domain", "body"), RIGHT)
def test_arrays_with_the_lesser_number_of_rows_are_proved(domain: str, body: str) -> None:
    found = asked(domain, body)
    assert found.is_proved, found.findings


@pytest.mark.parametrize(("domain", "body"), WRONG)
def test_no_row_is_too_far_or_missing(domain: str, body: str) -> None:
    found = asked(domain, body)
    assert {finding.rule.code for finding in found.findings} == {"AZ837"}


def test_two_numbers_are_not_both_the_rows() -> None:
    body = f"double *t = malloc(L * MIN(N, 2 * M) * sizeof *t); {LOOP} {THERE} {BACK}"
    assert [finding.rule.code for finding in asked(VECTOR, body).findings] == ["AZ832"]


@pytest.mark.parametrize("assumed", ["N<=M", "N>=M"])
def test_rows_have_such_a_length_case_by_case(assumed: str) -> None:
    body = f"{LOOP} for (long j = 0; j <= i; j++) B[i * %s + j] = 2.0 * A[i * L + j];"
    assert asked(TRIANGLE, body % "L", assumed).is_proved
    assert not asked(TRIANGLE, body % "MAX(N, M)", assumed).is_proved
    (only,) = asked(TRIANGLE, body % "L").findings
    assert (only.rule.code, "--assume" in str(only.help)) == ("AZ835", True)


def test_cells_outside_the_domain_are_reported() -> None:
    """In each row there is more room than points."""
    smaller = "{i,j | 0<=i<N && i<M && i<=j<N}"
    whole = f"{LOOP} for (long j = 0; j < N; j++) B[i * N + j] = 0.0; "
    body = f"{LOOP} for (long j = i; j < N; j++) B[i * N + j] = 2.0 * A[i * N + j];"
    assert not any("outside the domain" in each for each in asked(smaller, body).assumed)
    found = asked(smaller, whole + body)
    assert found.is_proved
    assert any("outside the domain" in each for each in found.assumed)
