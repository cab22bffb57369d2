"""Findings of open proofs: values that agree in executions are not said to differ."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask

PROGRAM = """affine s {N | N>=1} input double A {i | 0<=i<N}; double b, c; output double B {i | 0<=i<N};
let B[i] = A[i] * b * c; .
"""
REGROUPED = """void s(long N, const double *A, double b, double c, double *B)
{
    for (long i = 0; i < N; i++)
        B[i] = A[i] * (b * c);
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("executes", "message"),
    [
        (False, "B[0] differs from its value in the equations, according to a symbolic run"),
        (True, "B[0] is computed by other operations than in the equations"),
    ],
)
def test_values_that_agree_are_not_said_to_differ(executes: bool, message: str) -> None:
    task = ProofTask(system="s", jobs=1, executes=executes)
    verdict = prove_c(read_program(Source("p.ab", PROGRAM)), Source("k.c", REGROUPED), task)
    assert verdict.verdict == "undecided"
    assert verdict.findings[0].message == f"not proved: for N=1, {message}"
