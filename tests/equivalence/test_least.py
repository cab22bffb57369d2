"""The least of what is summed up apart: a value of its own where it is said to be, and that of nothing."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.c_proof import Effort, Proof
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.poly import Affine
from alphaz.scop.c_model import Annotation

THREE = """affine s {N | N>=1}
input double A, B, C {i,j | 0<=(i,j)<N};
output double z {i,j | 0<=(i,j)<N};
local double a, b, c {i,j | 0<=(i,j)<N};
let a[i,j] = reduce(min, [k], {| k<i} : A[i,k]);
    b[i,j] = reduce(min, [k], {| k>=i} : B[k,j]);
    c[i,j] = reduce(min, [k], {| k>=j} : C[k,j]);
    z[i,j] = a[i,j] min (b[i,j] min c[i,j]);
."""
LINE = 9
LEAST_OF_THREE = """#include <math.h>
void s(long N, const double A[N][N], const double B[N][N], const double C[N][N], double z[N][N]) {
    double b[N][N], c[N][N];
    for (long i = 0; i < N; i++) for (long j = 0; j < N; j++) {
        z[i][j] = INFINITY; b[i][j] = INFINITY; c[i][j] = INFINITY;
        for (long k = 0; k < i; k++) z[i][j] = fmin(A[i][k], z[i][j]);
        for (long k = i; k < N; k++) b[i][j] = fmin(B[k][j], b[i][j]);
        for (long k = j; k < N; k++) c[i][j] = fmin(C[k][j], c[i][j]);
        z[i][j] = fmin(z[i][j], fmin(b[i][j], c[i][j]));
    }
}"""
LARGE = """affine s {N | N>=1}
input long A {i | 0<=i<N};
output long z {i | 0<=i<N};
local long m {i,j | 0<=i<N && 0<=j<N+200};
let m[i,j] = reduce(min, [k], {| k<i && k<j && j<2} : A[k]); z[i] = m[i,0] + 1;
."""
FILLED = """void s(long N, const long A[N], long z[N]) {
    long m[N][N + 200];
    for (long i = 0; i < N; i++) for (long j = 0; j < N + 200; j++) m[i][j] = 9223372036854775807;
    for (long i = 0; i < N; i++) for (long j = 0; j < 2; j++)
        for (long k = 0; k < i && k < j; k++) m[i][j] = A[k] < m[i][j] ? A[k] : m[i][j];
    for (long i = 0; i < N; i++) z[i] = m[i][0] + 1;
}"""


def proof(program: str, kernel: str, told: dict[int, Annotation] | None = None) -> Proof:
    checked = read_program(Source("s.ab", program))
    effort = Effort(families=frozenset({"R5"}))
    found = prove_c(checked, Source("s.c", kernel), ProofTask(executes=False, annotations=told, effort=effort)).proof
    assert found is not None
    return found


def claimed(kernel: str) -> tuple[set[str], int]:
    """The values that the last line is claimed to write, and how many parts of sums there are."""
    told = {LINE: Annotation("z", (Affine.name("i"), Affine.name("j")), (), ())}
    about = proof(THREE, kernel, told).proof_context
    return {value.key for value in about.claims.values if str(value.statement) == f"line {LINE}"}, len(about.parts)


def test_what_is_said_to_be_a_value_adds_no_parts() -> None:
    assert claimed(LEAST_OF_THREE) == ({"z"}, 0)


def test_what_is_said_to_be_a_value_and_is_another_is_seen() -> None:
    assert proof(THREE, LEAST_OF_THREE.replace("fmin(b[i][j], c[i][j])", "fmin(b[i][j], b[i][j])")).disagreements


@pytest.mark.slow
def test_the_least_of_nothing_is_known_in_large_buffers() -> None:
    assert not proof(LARGE, FILLED).disagreements


def test_what_is_left_out_beside_large_buffers_is_seen() -> None:
    assert proof(LARGE, FILLED.replace("m[i][0] + 1", "m[i][1] + 1")).disagreements


REPEATED = """affine s {N | N>=1} input long x; output long z {i | 0<=i<N};
let z[i] = reduce(max, [j], {| 0<=j<=i}: x[]); .
"""
OF_ONE_VALUE = """void s(long N, const long *x, long z[N]) {
    for (long i = 0; i < N; i++) {
        z[i] = *x;
        for (long j = 1; j <= i; j++) z[i] = *x > z[i] ? *x : z[i];
    }
}"""


def test_the_greatest_of_one_value_is_that_value_however_often_it_is_repeated() -> None:
    assert not proof(REPEATED, OF_ONE_VALUE).disagreements
    assert proof(REPEATED, OF_ONE_VALUE.replace("z[i] = *x;", "z[i] = *x - 1;")).disagreements
