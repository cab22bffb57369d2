"""C that is executed under sanitizers, against the interpreter."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask

pytestmark = pytest.mark.slow

ROOTS = """double sqrt(double);
affine roots {N | N>=0}
input
  double x {i | 0<=i<N};
output
  double y {i | 0<=i<N};
let
  y[i] = sqrt(x[i]);
.
"""
SUM = """affine total {N | N>=0}
input
  TYPE x {i | 0<=i<N};
output
  TYPE s;
let
  s = reduce(+, [i], x[i]);
.
"""
MATRIX = """affine twice {N,M | N>=1 && M>=1}
input
  double A {i,j | 0<=i<N && 0<=j<M};
output
  double B {i,j | 0<=i<N && 0<=j<M};
let
  B[i,j] = 2.0 * A[i,j];
.
"""
HEAD = "#include <math.h>\nvoid roots(long N, const double *x, double *y) { for (long i = 0; i < N; i++)"


def verdict(program: str, text: str, names: Mapping[str, str] | None = None) -> CVerdict:
    return prove_c(read_program(Source("p.ab", program)), Source("k.c", text), ProofTask(names=names))


@pytest.mark.parametrize(
    ("line", "said"),
    [("y[i] = 1.0 + sqrt(x[i]);", "N=1: y[0] is"), ("y[i] = sqrt(x[i + 1000000]);", "N=1: SEGV")],
)
def test_functions_of_mathematics_are_executed(line: str, said: str) -> None:
    answer = verdict(ROOTS, f"{HEAD} {line} }}")
    assert (answer.verdict, str(answer.findings[0].witness).count(said)) == ("refuted", 1)
    assert str(verdict(ROOTS, f"{HEAD} y[i] = sqrt(x[i]); }}").tried) == "executed for N=0, 1, 4, 10, 301: agrees"


def test_where_nothing_could_be_executed_the_finding_says_why() -> None:
    program, text = ROOTS.replace("sqrt", "own"), HEAD.replace("<math.h>", '"own.h"').replace("sqrt", "own")
    answer = verdict(program, f"{text} y[i] = 1.0 + own(x[i]); }}")
    reason = "it could not be executed: external function `own` has no implementation here"
    assert (answer.verdict, answer.findings[0].notes[-1]) == ("undecided", reason)


def test_the_witness_is_the_smallest() -> None:
    text = """void total(long N, const double *x, double *s) {
    double a[4] = {0}; long i;
    for (i = 0; i + 3 < N; i += 4) for (long l = 0; l < 4; l++) a[l] += x[i + l];
    for (; i < N; i++) a[0] += x[i];
    *s = (a[0] + a[1]) + (a[2] + a[2]);
}"""
    answer = verdict(SUM.replace("TYPE", "double"), text)
    assert answer.verdict == "refuted"
    assert str(answer.findings[0].witness).count("sentence='N=4: s is") == 1


def test_a_witness_is_made_smaller() -> None:
    """Here the proof fails, and the model goes wrong, at no small parameters."""
    text = """void twice(long N, long M, double A[N][M], double B[N][M]) {
    for (long i = 0; i < N; i++) for (long j = 0; j < M; j++) B[i][j] = i == 8 && j == 2 ? 0.0 : 2.0 * A[i][j];
}"""
    answer = verdict(MATRIX, text)
    witness = answer.findings[0].witness
    assert (answer.verdict, witness is not None and dict(witness.parameters)) == ("refuted", {"N": 9, "M": 3})


def test_short_floats_in_another_order_agree() -> None:
    text = """void total(long N, const float *x, float *s) {
    float even = 0, odd = 0;
    for (long i = 0; i < N; i++) { if (i % 2 == 0) even += x[i]; else odd += x[i]; }
    *s = even + odd;
}"""
    answer = verdict(SUM.replace("TYPE", "float"), text)
    assert (answer.verdict, str(answer.tried)) == ("proved", "executed for N=0, 1, 4, 10, 301: agrees")


def test_names_of_the_text_are_not_those_of_the_program_around(tmp_path: Path) -> None:
    text = """typedef long long index;
#define file rows
#define at passed
#define exchanged(x) nothing
static double given[4] = {1, 2, 3, 4};
int main(void) { return 1; }
void twice(long N, long M, const double **A, double **B) {
    for (index at = 0; at < N; at++) for (index file = 0; file < M; file++) B[at][file] = 2.0 * A[at][file];
}"""
    answer = verdict(MATRIX, text)
    assert (answer.verdict, str(answer.tried)[-6:]) == ("proved", "agrees"), answer.findings
