"""Inputs that are overwritten, and values that are computed once for many: equations as people write them first, with
sums from 0 on, against loops that begin with what is there.
"""

import json
from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.cli.command_line import ask
from tests.thinning import thinned

pytestmark = pytest.mark.slow

LU = (
    "affine lu {N | N>=1}\ninput double A0 {i,j | 0<=(i,j)<N};\noutput double A {i,j | 0<=(i,j)<N};\nlet\n"
    " A[i,j] = case {| i<=j} : A0[i,j] - reduce(+, [k], {| 0<=k<i} : A[i,k]*A[k,j]);\n"
    " {| i>j} : (A0[i,j] - reduce(+, [k], {| 0<=k<j} : A[i,k]*A[k,j])) / A[j,j]; esac;\n.\n"
)
LU_C = """void lu(int N, double A[N][N])
{
    for (int k = 0; k < N; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < N; i++) {
            A[i][k] /= A[k][k];
            for (int j = k + 1; j < N; j++)
                A[i][j] -= A[i][k] * A[k][j];
        }
    }
}
"""
CHOLESKY = (
    "double sqrt(double);\naffine ch {N | N>=1}\ninput double A_in {i,j | 0<=j<=i<N};\n"
    "output double A {i,j | 0<=j<=i<N};\nlet\n A[i,j] = case"
    " {| i==j} : sqrt(A_in[i,i] - reduce(+, [k], {| 0<=k<i} : A[i,k]*A[i,k]));\n"
    " {| i>j} : (A_in[i,j] - reduce(+, [k], {| 0<=k<j} : A[i,k]*A[j,k])) / A[j,j]; esac;\n.\n"
)
CHOLESKY_C = """#include <math.h>
void ch(int N, double A[N][N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++)
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
}
"""
PRODUCT = (
    "affine mm {N | N>=0}\ninput double alpha, beta; double A, B, C0 {i,j | 0<=(i,j)<N};\n"
    "output double C {i,j | 0<=(i,j)<N};\nlet\n C[i,j] = beta*C0[i,j] + reduce(+, [k], alpha*A[i,k]*B[k,j]);\n.\n"
)
PRODUCT_C = """void mm(int N, double alpha, double beta, double A[N][N], double B[N][N], double C[N][N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            C[i][j] *= beta;
        for (int k = 0; k < N; k++) {
            double t = alpha * A[i][k];
            for (int j = 0; j < N; j++)
                C[i][j] += t * B[k][j];
        }
    }
}
"""
GAUSS = (
    "affine ge {N | N>=1}\ninput double A0 {i,j | 0<=i<N && 0<=j<=N};\noutput double x {i | 0<=i<N};\n"
    "local double A {k,i,j | 0<=k<N && k<=i<N && k<=j<=N};\nlet\n A[k,i,j] = case {| k==0} : A0[i,j];\n"
    " {| k>0} : A[k-1,i,j] - A[k-1,i,k-1]/A[k-1,k-1,k-1]*A[k-1,k-1,j]; esac;\n"
    " x[i] = (A[i,i,N] - reduce(+, [j], {| i<j<N} : A[i,i,j]*x[j]))/A[i,i,i];\n.\n"
)
GAUSS_C = """void ge(int N, double A0[N][N + 1], double *x)
{
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            double f = A0[i][k] / A0[k][k];
            for (int j = k + 1; j <= N; j++)
                A0[i][j] -= f * A0[k][j];
        }
    for (int i = N - 1; i >= 0; i--) {
        double s = A0[i][N];
        for (int j = i + 1; j < N; j++)
            s -= A0[i][j] * x[j];
        x[i] = s / A0[i][i];
    }
}
"""
ROWS = (
    "affine s {N,M | N>=1 && M>=0}\ninput double y0 {i | 0<=i<N}; double x {i,j | 0<=i<N && 0<=j<M};\n"
    "output double y {i | 0<=i<N};\nlet\n y[i] = y0[i] - reduce(+, [j], x[i,j]);\n.\n"
)
ROWS_C = """void s(int N, int M, const double x[N][M], double *y)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            y[i] -= x[i][j];
}
"""
TWO = (
    "affine two {N,M | N>=1 && M>=0}\ninput double y0, z0 {i | 0<=i<N}; double x {i,j | 0<=i<N && 0<=j<M};\n"
    "output double y, z {i | 0<=i<N};\nlet\n y[i] = y0[i] - reduce(+, [j], x[i,j]);\n"
    " z[i] = z0[i] + reduce(+, [j], y[i]*x[i,j]);\n.\n"
)
TWO_C = """void two(int N, int M, const double x[N][M], double *y, double *z)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++)
            y[i] -= x[i][j];
        for (int j = 0; j < M; j++)
            z[i] += y[i] * x[i][j];
    }
}
"""
RIGHT = {
    "lu": (LU, LU_C),
    "cholesky": (CHOLESKY, CHOLESKY_C),
    "a product of a matrix that is scaled": (PRODUCT, PRODUCT_C),
    "elimination": (GAUSS, GAUSS_C),
    "sums of rows, which may have no elements": (ROWS, ROWS_C),
    "two arrays that hold inputs at first": (TWO, TWO_C),
}
MUTANTS = {
    "lu": (
        ("j = k + 1", "j = k"),
        ("A[i][k] * A[k][j]", "A[i][k] * A[j][k]"),
        ("    for (int k = 0", "#pragma omp parallel for\n    for (int k = 0"),
        ("A[i][k] /= A[k][k];", "A[k][i] /= A[k][k];"),
    ),
    "cholesky": (
        ("k < j", "k <= j"),
        ("            A[i][j] /= A[j][j];\n", ""),
        ("A[j][k];", "A[k][j];"),
        ("    for (int i = 0", "#pragma omp parallel for\n    for (int i = 0"),
    ),
    "a product of a matrix that is scaled": (
        ("            C[i][j] *= beta;", "            C[i][j] = beta;"),
        ("double t = alpha * A[i][k];", "double t = alpha * A[k][i];"),
        ("            double t = alpha * A[i][k];", "#pragma omp parallel for\n            double t = A[i][k];"),
        ("C[i][j] += t", "C[j][i] += t"),
        ("k = 0; k < N", "k = 1; k < N"),
    ),
    "elimination": (
        ("j = k + 1; j <= N", "j = k; j < N"),
        ("j = k + 1; j <= N", "j = k + 1; j < N"),
        ("f * A0[k][j]", "A0[i][k] * A0[k][j]"),
        ("double s = A0[i][N]", "double s = A0[N - 1][N]"),
        ("    for (int k = 0", "#pragma omp parallel for\n    for (int k = 0"),
    ),
    "sums of rows, which may have no elements": (
        ("y[i] -= x", "y[i] = x"),
        ("y[i] -= x", "y[i] += x"),
        ("int j = 0", "int j = 1"),
        ("        for (int j", "#pragma omp parallel for\n        for (int j"),
    ),
    "two arrays that hold inputs at first": (
        ("z[i] += y[i]", "z[i] -= y[i]"),
        ("        for (int j", "#pragma omp parallel for\n        for (int j"),
    ),
}
# What is computed once is of another index, changes in between, or is of one thread only.
ONCE = (
    "affine f {N | N>=2}\ninput double c, d, b {i | 0<=i<N};\noutput double y {i,j | 0<=(i,j)<N};\n"
    "let\n y[i,j] = b[j] - c[i]/d[i]*b[i];\n.\n"
)
ONCE_C = """void f(int N, double *c, double *d, double *b, double y[N][N])
{
    for (int i = 0; i < N; i++) {
        double f = c[i] / d[i];
        for (int j = 0; j < N; j++)
            y[i][j] = b[j] - f * b[i];
    }
}
"""
ONCE_MUTANTS = (
    ("c[i] / d[i]", "c[i] / d[0]"),
    ("y[i][j] = b[j]", "y[j][i] = b[j]"),
    ("double f = c[i] / d[i];", "double f = c[0] / d[0]; if (i > 1) f = c[i] / d[i];"),
    ("    for (int i", "    double f;\n#pragma omp parallel for\n    for (int i"),
    ("c[i] / d[i]", "(float)c[i] / (float)d[i]"),
)


def asked(program: str, text: str) -> CVerdict:
    return prove_c(read_program(Source("p.ab", program)), Source("k.c", text), ProofTask(executes=False))


@pytest.mark.parametrize("name", thinned(RIGHT, 3))
def test_what_begins_with_what_is_there_is_proved(name: str) -> None:
    assert asked(*RIGHT[name]).is_proved


def test_names_in_lower_case_hold_their_inputs_too() -> None:
    """The right code was refuted while `a` was A and nothing was A0."""
    proved = asked(LU, LU_C.replace("N", "n").replace("A", "a"))
    assert proved.is_proved
    assert "`a` holds A0 at first, and A at the end" in proved.assumed


@pytest.mark.parametrize(
    ("name", "old", "new"), thinned(((name, *mutant) for name, mutants in MUTANTS.items() for mutant in mutants), 8)
)
def test_what_is_wrong_is_not_proved(name: str, old: str, new: str) -> None:
    program, text = RIGHT[name]
    assert old in text
    assert not asked(program, text.replace(old, new)).is_proved


def test_a_value_that_does_not_depend_on_an_index_is_computed_once_for_all() -> None:
    assert asked(ONCE, ONCE_C).is_proved


@pytest.mark.parametrize(("old", "new"), ONCE_MUTANTS)
def test_a_value_that_does_is_not(old: str, new: str) -> None:
    assert old in ONCE_C
    text = ONCE_C.replace(old, new)
    if "double f;" in new:
        text = text.replace("        double f = ", "        f = ")
    assert not asked(ONCE, text).is_proved


def test_the_copy_is_in_the_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lu.ab").write_text(LU, encoding="utf-8")
    (tmp_path / "lu.c").write_text(LU_C, encoding="utf-8")
    assert ask("prove", "lu.ab", "lu.c", "--certificate", "lu.json").code == 0
    record = json.loads((tmp_path / "lu.json").read_text(encoding="utf-8"))
    held = [entry for program in record["programs"] for entry in program["inventory"]["inputs"]]
    assert [(entry["array"], entry["variable"]) for entry in held] == [("A.in0", "A0")]
    assert ask("recheck", "lu.json").code == 0
