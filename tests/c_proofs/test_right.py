"""Right C is proved, whoever wrote it."""

import pytest

from alphaz.verify.c.inference import PLAIN
from alphaz.verify.c.prove import prove
from tests.c_proofs.asking import FOREIGN, foreign, generated, peer, verdict
from tests.c_proofs.test_questions import asked

TEXTBOOKS = [
    "atax",
    "cholesky",
    "durbin",
    "gemm",
    "jacobi-1d",
    "longest-common-subsequence",
    "lu",
    "matrix-chain",
    "trisolv",
]
GENERATED = [
    "atax",
    "bicg",
    "cholesky",
    "deriche",
    "durbin",
    "floyd-warshall",
    "gemm",
    "gesummv",
    "jacobi-1d",
    "lu",
    "nussinov",
    "optimal-search-tree",
    "smith-waterman",
    "syr2k",
    "trisolv",
]
# These take long because many instances are looked at.
_LONG = {
    "doitgen--buffer",
    "fdtd-2d--fused",
    "gemm--tiles",
    "jacobi-2d--region",
    "gemm--threads",
    "gramschmidt--columns",
}


@pytest.mark.parametrize("kernel", TEXTBOOKS)
def test_textbook_loops(kernel: str) -> None:
    found = verdict(kernel, peer(kernel))
    assert found.is_proved, found.findings
    assert found.obligations


@pytest.mark.parametrize("kernel", GENERATED)
def test_generated_code(kernel: str) -> None:
    found = verdict(kernel, generated(kernel))
    assert found.is_proved, found.findings


@pytest.mark.parametrize("name", sorted({path.stem for path in FOREIGN.glob("*.c")} - _LONG))
def test_kernels_in_other_styles(name: str) -> None:
    found = verdict(name.partition("--")[0], foreign(name))
    assert found.is_proved, found.findings


GREATEST = """affine most {N | N>=1}
input double A {i | 0<=i<N};
output double m;
let m[] = reduce(max, [i], A[i]);
."""
COPIED = """void most(long N, const double *A, double *m) {
    *m = A[0];
    if (N > 1) {
        double g = *m;
        for (long i = 1; i < N; i++) g = g > A[i] ? g : A[i];
        *m = g;
    }
}"""


def test_a_cell_is_a_sum_here_and_a_value_there() -> None:
    """For N = 1 what the sum is begun with is all of it, and otherwise what it was collected in is copied."""
    assert prove(asked(GREATEST, COPIED)).is_proved
    wrong = COPIED.replace("N > 1", "N > 2")
    assert not prove(asked(GREATEST, wrong)).is_proved


def test_without_laws_a_factor_inside_of_a_sum_is_another_value() -> None:
    found = verdict("gemm", peer("gemm"), laws=PLAIN)
    assert found.verdict == "undecided"
    assert found.findings[0].rule.code == "AZ821"
