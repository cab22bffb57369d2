"""Numbers that are computed once for many are parts of what is added; and only what they are."""

from dataclasses import replace

import pytest

from alphaz.equivalence.driver.prove_c import CVerdict
from alphaz.poly import Affine, Domain, at_least
from alphaz.scop.promoted_scalars import forward_substituted
from tests.equivalence.asking import ALL_LAWS, asked
from tests.thinning import thinned

pytestmark = pytest.mark.slow

PROGRAM = """\
affine s {N,M,K | N>=1 && M>=1 && K>=1}
input
    double alpha;
    double C0 {i,j | 0<=i<N && 0<=j<M};
    double A {i,k | 0<=i<N && 0<=k<K};
    double B {k,j | 0<=k<K && 0<=j<M};
output
    double C {i,j | 0<=i<N && 0<=j<M};
let
    C[i,j] = C0[i,j] + alpha * reduce(+, [k], A[i,k] * B[k,j]);
.
"""
HEAD = """\
void s(long N, long M, long K, double alpha, const double *C0, const double *A, const double *B, double *C)
{
    for (long i = 0; i < N; i++)
        for (long j = 0; j < M; j++)
            C[i * M + j] = C0[i * M + j];
"""
ROWS, PARTS = "for (long i = 0; i < N; i++)", "for (long k = 0; k < K; k++)"
ADD = "for (long j = 0; j < M; j++) C[i * M + j] += a * B[k * M + j];"
MADE = "alpha * A[i * K + k]"


def summed(body: str) -> CVerdict:
    return asked(PROGRAM, f"{HEAD}    {body}\n}}\n", ALL_LAWS)


RIGHT = {
    "a factor of a row": f"{ROWS} {PARTS} {{ double a = {MADE}; {ADD} }}",
    "in parallel": f"#pragma omp parallel for\n{ROWS} {PARTS} {{ double a = {MADE}; {ADD} }}",
    "in a region": f"#pragma omp parallel\n{{\n#pragma omp for\n{ROWS} {PARTS} {{ double a = {MADE}; {ADD} }}\n}}",
    "one after the other": f"{ROWS} {PARTS} {{ double x = A[i * K + k]; double y = 2.0 * x;"
    f" double z = 0.5 * y; double a = alpha * z; {ADD} }}",
    "in blocks": f"for (long t = 0; t < K; t += 4) {ROWS} for (long k = t; k < (t + 4 < K ? t + 4 : K); k++)"
    f" {{ const double a = {MADE}; {ADD} }}",
    "where it is needed": f"{ROWS} for (long k = 0; k <= K; k++) if (k < K) {{ double a = {MADE}; {ADD} }}",
}
WRONG = {
    "not for the first": f"{ROWS} {PARTS} {{ double a; if (k > 0) a = {MADE}; {ADD} }}",
    "too late": f"{ROWS} {PARTS} {{ double a; {ADD} a = {MADE}; }}",
    "changed": f"{ROWS} {PARTS} {{ double a = {MADE}; if (k == 3) a = 0; {ADD} }}",
    "of what changes": f"double T[1]; {ROWS} {PARTS} {{ T[0] = 1.0; double a = alpha * T[0]; T[0] = A[i * K + k];"
    f" double u = T[0]; {ADD} }}",
    "of what changes further down": f"double T[1]; {ROWS} {PARTS} {{ T[0] = 1.0; double a = alpha * T[0];"
    f" T[0] = A[i * K + k]; {ADD} }}",
    "out of bounds": f"{ROWS} for (long k = 0; k <= K; k++) {{ double a = {MADE}; if (k < K) {ADD} }}",
    "by another thread": f"double a;\n#pragma omp parallel\n{{\n#pragma omp single nowait\na = alpha * A[0];\n"
    f"#pragma omp for\n{ROWS} {PARTS} {ADD} }}",
}


@pytest.mark.parametrize("name", thinned(RIGHT, 6))
def test_numbers_computed_once_for_many_are_proved(name: str) -> None:
    assert summed(RIGHT[name]).verdict == "proved"


@pytest.mark.parametrize("name", WRONG)
def test_numbers_that_may_differ_are_not_proved(name: str) -> None:
    """Of two threads, one may read what the other one writes: a data race."""
    assert summed(WRONG[name]).verdict == ("refuted" if name == "by another thread" else "undecided")


@pytest.mark.parametrize("name", [each for each in WRONG if each != "out of bounds"])
def test_what_may_be_something_else_is_not_put_in_its_place(name: str) -> None:
    proof = summed(WRONG[name]).proof
    assert proof is not None
    assert forward_substituted(proof.kernel) is None


def test_what_is_read_for_it_is_still_read() -> None:
    proof = summed(WRONG["out of bounds"]).proof
    assert proof is not None
    found = forward_substituted(proof.kernel)
    assert found is not None
    before, after = (
        [statement.target.array.name for statement in kernel.statements] for kernel in (proof.kernel, found)
    )
    assert before == after
    assert [read.array.name for read in found.statements[-1].reads] == ["C", "B", "alpha", "A"]


def test_a_definition_of_fewer_iterations_is_not_substituted() -> None:
    proof = summed(WRONG["out of bounds"]).proof
    assert proof is not None
    assert forward_substituted(proof.kernel) is not None
    (definition,) = (statement for statement in proof.kernel.statements if statement.target.array.label == "a")
    later = definition.domain & Domain.where(definition.domain.space, [at_least(Affine.name("k"), 1)])
    statements = [replace(one, domain=later) if one is definition else one for one in proof.kernel.statements]
    assert forward_substituted(replace(proof.kernel, statements=tuple(statements))) is None
