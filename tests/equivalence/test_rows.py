"""`double **A`: elements of rows that lie anywhere, and nothing else of it."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import from_c
from alphaz.equivalence.driver.proof import CVerdict, prove_c

pytestmark = pytest.mark.slow

PRODUCT = (
    "affine mm {N,M | N>=1 && M>=1}\ninput\n double A {i,j | 0<=i<N && 0<=j<M};\n double B {i,j | 0<=i<M && 0<=j<N};\n"
    "output\n double C {i,j | 0<=(i,j)<N};\nlet\n C[i,j] = reduce(+, [k], A[i,k]*B[k,j]);\n.\n"
)
LOOPS = (
    "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { double s = 0; for (int k = 0; k < M; k++)"
    " s += A[i][k] * B[k][j]; C[i][j] = s; }"
)
HEAD = "void mm(int N, int M, double **A, double *const B[], double **restrict C)"
RIGHT = f"{HEAD} {{ {LOOPS} }}"

MUTANTS = {
    "another element": RIGHT.replace("B[k][j]", "B[k][i]"),
    "a row too many": RIGHT.replace("k < M", "k <= M"),
    "behind the end of a row": RIGHT.replace("C[i][j] = s", "C[0][i + j] = s"),
    "indices the other way round": RIGHT.replace("A[i][k]", "A[k][i]"),
}

# Each is right if the rows lie one behind the other, or not at all what a two-dimensional array would do.
OTHERS = {
    "a pointer that goes from row to row": f"{HEAD} {{ double *p = &C[0][0]; {LOOPS.replace('C[i][j]', 'p[j]')} }}",
    "rows that change places": f"{HEAD} {{ double *p = A[0]; A[0] = A[1]; A[1] = p; {LOOPS} }}",
    "a row that becomes another": f"{HEAD} {{ C[0] = A[0]; {LOOPS} }}",
    "zeros over pointers": f"{HEAD} {{ memset(C, 0, N * N * sizeof(double)); {LOOPS} }}",
    "the size of a pointer": f"{HEAD} {{ memset(C[0], 0, sizeof(*C)); {LOOPS} }}",
    "another object of the name": f"{HEAD} {{ {LOOPS} {{ double C[2][2]; C[0][0] = 1; }} }}",
    "the next row by arithmetic": RIGHT.replace("A[i][k]", "(*(A + i))[k]"),
    "three levels": RIGHT.replace("double **A", "double ***A").replace("A[i][k]", "A[i][k][0]"),
}


def asked(text: str) -> CVerdict:
    return prove_c(read_program(Source("p.ab", PRODUCT)), Source("k.c", text))


def test_elements_of_rows_are_proved() -> None:
    proved = asked(RIGHT)
    assert proved.is_proved
    assert "the rows of `C` lie apart from each other and from all else" in proved.assumed


@pytest.mark.parametrize("name", MUTANTS)
def test_what_is_wrong_is_refuted_by_execution(name: str) -> None:
    assert asked(MUTANTS[name]).verdict == "refuted"


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_more_than_elements_is_not_understood(name: str) -> None:
    assert asked(OTHERS[name]).verdict == "undecided"


def test_equations_of_rows() -> None:
    found = from_c(Source("k.c", RIGHT))
    assert found.verdict.is_proved
    assert "double A {i,j | 0<=i<N && 0<=j<M};" in found.program.replace("\n    ", " ")
