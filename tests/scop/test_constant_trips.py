"""Loops whose iterator is multiplied or divided are unrolled; others are left as they are."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask

PROGRAM = read_program(
    Source(
        "f.ab",
        """affine f {N | N>=5}
input double A {i | 0<=i<N};
output double B {i | 0<=i<N};
let B[i] = case
  {| i==0} : A[i];
  {| 1<=i<=2} : 2.0 * A[i];
  {| i==3} : A[i];
  {| i==4} : 2.0 * A[i];
  {| i>4} : A[i];
esac;
.
""",
    )
)
PLAIN = "for (int i = 0; i < N; i++) B[i] = A[i];"


def verdict(loop: str, executes: bool = False) -> CVerdict:
    text = f"void f(int N, const double *A, double *B)\n{{ {PLAIN}\n{loop} }}\n"
    return prove_c(PROGRAM, Source("f.c", text), ProofTask(executes=executes))


@pytest.mark.parametrize(
    "head",
    [
        "int d = 1; d < 5; d *= 2",
        "int d = 1; d <= 4; d = d * 2",
        "long d = 1; d != 8; d <<= 1",
        "int d = 4; d > 0; d /= 2",
        "int d = 4; d >= 1; d = d / 2",
        "int d = 4; d != 0; d = d >> 1",
        "int d = 4; d > 0; d >>= 1",
    ],
)
def test_it_is_unrolled(head: str) -> None:
    assert verdict(f"for ({head}) B[d] = 2.0 * A[d];").is_proved
    assert verdict(f"for ({head}) {{ int e = d; B[e] = 2.0 * A[d]; }}").is_proved


@pytest.mark.slow
@pytest.mark.parametrize(
    "head",
    [
        "int d = 1; d < 4; d *= 2",
        "int d = 2; d < 5; d *= 2",
        "int d = 1; d < 5; d *= 3",
        "int d = 1; d < 5; d += 2",
        "int d = 4; d > 1; d /= 2",
        "int d = 4; d > 0; d /= 3",
    ],
)
def test_other_trips_are_wrong(head: str) -> None:
    assert verdict(f"for ({head}) B[d] = 2.0 * A[d];", executes=True).verdict == "refuted"


@pytest.mark.parametrize(
    "loop",
    [
        "for (int d = 1; d < N; d *= 2) B[d] = 2.0 * A[d];",
        "for (int d = 0; d < 5; d *= 2) B[d] = 2.0 * A[d];",
        "for (int d = 1; d > 0; d *= 2) B[d] = 2.0 * A[d];",
        "for (int d = 4; d >= 0; d /= 2) B[d] = 2.0 * A[d];",
        "for (int d = 4; d > 0; d /= 2) { B[d] = 2.0 * A[d]; if (d == 4) d = 2; }",
        "for (int d = 4; d > 0; d /= 2) { B[d] = 2.0 * A[d]; if (d == 4) break; }",
        "for (short d = 4; d > 0; d /= 2) B[d] = 2.0 * A[d];",
        "for (int d = 010; d > 0; d /= 2) B[d] = 2.0 * A[d];",
        "for (int d = 4; d > 0; d /= 0) B[d] = 2.0 * A[d];",
    ],
)
def test_others_are_not(loop: str) -> None:
    found = verdict(loop)
    assert found.verdict == "undecided"
    assert found.findings[0].rule.code == "AZ832"


def test_iterations_of_threads_are_not_unrolled() -> None:
    assert verdict("#pragma omp parallel for\nfor (int d = 4; d > 0; d /= 2) B[d] = 2.0 * A[d];").verdict == "undecided"
