"""Wrong C is never proved: the trap list, and what machines and people get wrong."""

from random import Random

import pytest

from tests.equivalence.asking import foreign, peer, verdict
from tests.equivalence.c_mutants import mutants
from tests.equivalence.orders import goes_wrong_somewhere
from tests.thinning import thinned

pytestmark = pytest.mark.slow

# Kernel, the text (a peer, or one of `foreign`), what is replaced, by what.
# ruff: noqa: E501 - the texts are what is replaced
WRONG = [
    ("lu", "", "k < i; k++", "k < i - 1; k++", "a part is never added"),
    ("lu", "", "k < j; k++", "k <= j; k++", "a part too many"),
    ("lu", "", "LU[i][j] /= LU[j][j]", "LU[i][j] /= LU[i][i]", "another divisor"),
    ("lu", "", "i < N; i++", "i < N - 1; i++", "the last row is forgotten"),
    ("jacobi-1d", "", "0.33333", "0.33334", "another constant"),
    ("jacobi-1d", "", "from[i + 1]", "from[i]", "a wrong neighbour"),
    ("jacobi-1d", "", "i = 1; i < N - 1", "i = 0; i < N - 1", "outside of the array"),
    ("jacobi-1d", "", "T % 2 == 1", "T % 2 == 0", "the steps of odd numbers"),
    ("jacobi-1d", "", "memcpy(other, A, sizeof(double[N]));", "", "a border that nobody has written"),
    ("jacobi-1d", "jacobi-1d--skewed", "w <= 2 * T + N - 2", "w < 2 * T + N - 2", "the last wavefront"),
    ("jacobi-1d", "jacobi-1d--skewed", "w - 2 * t", "w - t", "a wavefront that is too flat"),
    ("jacobi-2d", "jacobi-2d--region", "#pragma omp for\n            for (int64_t i = 1; i < N - 1; i++)\n                for"
     " (int64_t j = 1; j < N - 1; j++)\n                    next", "#pragma omp for nowait\n            for (int64_t i = 1;"
     " i < N - 1; i++)\n                for (int64_t j = 1; j < N - 1; j++)\n                    next", "no barrier"),
    ("trisolv", "trisolv--columns", "for (int64_t j", "#pragma omp parallel for\n    for (int64_t j", "a parallel outer loop"),
    ("atax", "", "for (int64_t i = 0; i < M; i++) {", "#pragma omp parallel for\n    for (int64_t i = 0; i < M; i++) {",
     "a race for y"),
    ("gemm", "gemm--threads", "reduction(+ : sum)", "", "lanes that share a sum"),
    ("gemm", "gemm--tiles", "kt += T", "kt += 3", "tiles that overlap"),
    ("gemm", "gemm--tiles", "kt += T", "kt += 5", "tiles with gaps"),
    ("gemm", "gemm--rows", "double sum[NJ]", "double sum[1]", "a buffer that is too short"),
    ("bicg", "bicg--transposed", "#pragma omp atomic\n", "", "sums that are not shared safely"),
    ("mvt", "mvt--unrolled", "j < N - 3", "j < N - 4", "four that nobody adds"),
    ("mvt", "mvt--unrolled", "j = N / 4 * 4", "j = (N - 1) / 4 * 4", "four that are added twice"),
    ("cholesky", "cholesky--columns", "double sum = 0.0", "double sum = 1.0", "a sum that starts elsewhere"),
    ("durbin", "durbin--scalars", "buffer[i] + alpha * buffer[k - i - 1]", "x[i] + alpha * x[k - i - 1]", "overwritten too soon"),
    ("longest-common-subsequence", "longest-common-subsequence--rows", "row[0] = 0;", "", "never written"),
    ("matrix-chain", "matrix-chain--diagonals", "(k + 1) * (N + 1)", "k * (N + 1)", "an index off by one row"),
    ("jacobi-2d", "jacobi-2d--region", "for (int64_t t = 0; t < T; t++) {", "for (int64_t t = 0; t < T; t++) {\n#pragma omp for"
     " nowait\n            for (int64_t i = 0; i < N; i++)\n                B[i][0] = A[i][0];", "an empty wait"),
    ("syrk", "syrk--rows", "double dot = 0;", "static double dot; dot = 0;", "one sum for all threads"),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "name", "old", "new", "why"), thinned(WRONG, 8), ids=[each[-1] for each in WRONG])
def test_wrong_programs_are_not_proved(kernel: str, name: str, old: str, new: str, why: str) -> None:
    text = foreign(name) if name else peer(kernel)
    assert old in text
    found = verdict(kernel, text.replace(old, new))
    assert found.verdict != "proved", why
    assert found.findings


@pytest.mark.parametrize(
    ("kernel", "name", "old", "new"), thinned([WRONG[0][:4], WRONG[6][:4], WRONG[17][:4], WRONG[20][:4]], 4)
)
def test_what_is_executed_and_goes_wrong_is_refuted(kernel: str, name: str, old: str, new: str) -> None:
    text = foreign(name) if name else peer(kernel)
    found = verdict(kernel, text.replace(old, new), executes=True)
    assert found.verdict == "refuted"
    (only,) = found.findings
    assert only.rule.code == "AZ836"
    assert only.witness is not None
    assert "executed" in only.witness.sentence


@pytest.mark.parametrize("seed", range(2))
def test_no_mutant_that_goes_wrong_is_proved(seed: int) -> None:
    random = Random(seed)
    proved = 0
    for kernel, name in (
        ("trisolv", "trisolv--columns"),
        ("lu", "lu--threads"),
        ("jacobi-1d", ""),
        ("atax", "atax--once"),
    ):
        text = foreign(name) if name else peer(kernel)
        for mutant, _ in zip(mutants(text, random), range(4), strict=False):
            found = verdict(kernel, mutant)
            if found.is_proved:
                proved += 1
                assert goes_wrong_somewhere(kernel, mutant, random) is None, mutant
    assert proved < 16
