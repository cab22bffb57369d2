"""Right C is proved, whoever wrote it."""

import pytest

import alphaz
from alphaz.diagnostics import Source
from alphaz.equivalence.c_proof import prove
from alphaz.equivalence.claim_inference import PLAIN
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.equivalence.asking import FOREIGN, KERNELS, foreign, generated, peer, verdict, with_claims
from tests.equivalence.test_questions import asked
from tests.thinning import thinned

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize("kernel", thinned(TEXTBOOKS, 3))
def test_textbook_loops(kernel: str) -> None:
    found = verdict(kernel, peer(kernel))
    assert found.is_proved, found.findings
    assert found.obligations


@pytest.mark.parametrize("kernel", thinned(GENERATED, 4))
def test_generated_code(kernel: str) -> None:
    found = verdict(kernel, generated(kernel))
    assert found.is_proved, found.findings


# Their subscripts are data.
_OF_DATA = {"knapsack", "knapsack-in-place", "knapsack-tuned"}
# Tiles in tiles: these take two seconds and more, all together some minutes (`benchmarks.prove`). What is left has one
# of each strategy.
_TILED = {
    "2mm-tuned", "3mm-tuned", "adi-tuned", "cholesky-tuned", "correlation-tuned", "covariance-tuned", "deriche-tuned",
    "doitgen-tuned", "fdtd-2d-tuned", "gramschmidt-tuned", "heat-3d-tuned", "jacobi-2d-tuned", "lu-tuned",
    "ludcmp-tuned", "matrix-chain-tuned", "nussinov-tuned", "optimal-search-tree-tuned", "seidel-2d-tuned",
    "smith-waterman-tuned", "symm-tuned", "syr2k-tuned", "syrk-tuned", "trmm-tuned",
}  # fmt: skip


@pytest.mark.parametrize(
    "script", thinned(sorted({path.stem for path in KERNELS.glob("*/*.cs")} - _OF_DATA - _TILED), 36)
)
def test_generated_code_with_its_claims(script: str) -> None:
    """Each script of the samples, in both stages."""
    (path,) = KERNELS.glob(f"*/{script}.cs")
    text, told = with_claims(path.parent.name, script)
    checked = alphaz.run(path).checked
    found = prove_c(checked, Source(f"{script}.c", text), ProofTask(executes=False, annotations=told))
    assert found.is_proved, found.findings


@pytest.mark.parametrize("name", thinned(sorted({path.stem for path in FOREIGN.glob("*.c")} - _LONG), 12))
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
    assert found.findings[0].rule.code == "AZ837"
