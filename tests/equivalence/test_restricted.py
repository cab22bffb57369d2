"""What a local pointer promises that is declared `restrict`: it is kept, or nothing is proved."""

import pytest

from alphaz.equivalence.driver.proof import CVerdict
from tests.equivalence.asking import asked

PROGRAM = """\
affine s {N | N>=1}
input
    double A {i,j | 0<=i<N && 0<=j<=N};
output
    double B {i,j | 0<=(i,j)<N};
let
    B[i,j] = A[i,j] + A[i,j+1];
.
"""
HELPERS = """\
#include <immintrin.h>
static double G[4];
static __inline__ __attribute__((always_inline, unused)) void put(double *x, long i, double y) { x[i] = y; }
void s(long N, const double *A, double *B)
{
    for (long i = 0; i < N; i++) {
"""
TO, FROM = "double *restrict b = B + i * N;", "const double *restrict a = A + i * (N + 1);"
NEXT = "const double *restrict c = A + i * (N + 1) + 1;"
EACH = "for (long j = 0; j < N; j++)"


def rows(body: str) -> CVerdict:
    return asked(PROGRAM, f"{HELPERS}        {body}\n    }}\n}}\n")


RIGHT = {
    "rows": f"{TO} {FROM} {EACH} b[j] = a[j] + a[j + 1];",
    "two of what is only read": f"{TO} {FROM} {NEXT} {EACH} b[j] = a[j] + c[j];",
    "as GNU C spells it": f"double *__restrict__ b = B + i * N; {FROM.replace('restrict', '__restrict')} {EACH}"
    " b[j] = a[j] + a[j + 1];",
    "derived": f"{TO} double *d = b; {FROM} {EACH} d[j] = a[j] + a[j + 1];",
    "over before another begins": f"{{ {TO} {EACH} b[j] = A[i * (N + 1) + j]; }}"
    f" {EACH} B[i * N + j] += A[i * (N + 1) + j + 1];",
}
WRONG = {
    "by the array": f"{TO} {FROM} {EACH} {{ b[j] = a[j]; B[i * N + j] = b[j] + a[j + 1]; }}",
    "by another pointer": f"{TO} double *restrict d = B + i * N; {EACH}"
    " { b[j] = A[i * (N + 1) + j]; d[j] = b[j] + A[i * (N + 1) + j + 1]; }",
    "by what is derived": f"double *d = B + i * N; {TO} {EACH}"
    " { b[j] = A[i * (N + 1) + j]; d[j] = b[j] + A[i * (N + 1) + j + 1]; }",
    "by lanes": f"{TO} double *restrict d = B + i * N; for (long j = 0; j < N; j++) {{ _mm_storeu_pd(b + j,"
    " _mm_loadu_pd(A + i * (N + 1) + j)); _mm_storeu_pd(b + j, _mm_loadu_pd(d + j)); }",
    "by a function": f"{TO} {FROM} {EACH} {{ b[j] = a[j]; put(B, i * N + j, b[j] + a[j + 1]); }}",
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_kept_is_proved(name: str) -> None:
    assert rows(RIGHT[name]).verdict == "proved"


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_seen_to_be_kept_is_undecided(name: str) -> None:
    found = rows(WRONG[name])
    assert found.verdict == "undecided"
    assert "cannot show that no other name accesses the target of" in found.findings[0].message


def test_attributes_that_change_what_is_computed_are_not_read() -> None:
    found = rows(
        f'{TO} {FROM} {EACH} b[j] = a[j] + a[j + 1]; }} }} __attribute__((optimize("fast-math"))) void f(void) {{ {{'
    )
    assert found.verdict == "undecided"
    assert found.findings[0].rule.code == "AZ831"
