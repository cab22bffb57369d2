"""Arrays of three dimensions that are gone through as one row of elements: two subscripts are quotients."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.proof import prove_c

pytestmark = pytest.mark.slow

COPY = (
    "affine copy {N | N>=1}\ninput\n int A {i,j,k | 0<=i<N && 0<=j<2 && 0<=k<3};\n"
    "output\n int B {i,j,k | 0<=i<N && 0<=j<2 && 0<=k<3};\nlet\n B[i,j,k] = A[i,j,k];\n.\n"
)


@pytest.mark.parametrize(
    ("element", "verdict"),
    [("n", "proved"), ("6 * N - 1 - n", "refuted"), ("n / 3 * 3", "refuted")],
)
def test_an_array_is_copied_element_by_element(element: str, verdict: str) -> None:
    text = f"void copy(long N, const int *A, int *B)\n{{ for (long n = 0; n < 6 * N; n++) B[n] = A[{element}]; }}"
    assert prove_c(read_program(Source("p.ab", COPY)), Source("k.c", text)).verdict == verdict
