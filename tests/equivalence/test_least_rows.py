"""Arrays whose number of rows is the lesser of two parameters, and what is assumed of it (`prove/least-rows.md`)."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask, assumed_parameters

pytestmark = pytest.mark.slow

TRIANGLE = "{i,j | 0<=j<=i && i<N && i<M}"
HEAD = """\
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
"""
LOOP = "for (long i = 0; i < L; i++)"


def asked(domain: str, body: str, assumed: str = "") -> CVerdict:
    text = f"affine s {{N,M | N>=2 && M>=2}}\ninput\n double A {domain};\noutput\n double B {domain};\n"
    checked = read_program(Source("s.ab", f"{text}let\n B[i,j] = 2.0 * A[i,j];\n.\n"))
    c = f"{HEAD}void s(long N, long M, const double *A, double *B) {{ long L = MIN(N, M);\n{body} }}\n"
    task = ProofTask(executes=False, assumed=assumed_parameters([assumed] if assumed else [], ("N", "M")))
    return prove_c(checked, Source("s.c", c), task)


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
