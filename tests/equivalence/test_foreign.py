"""Kernels in other styles: three mutants of each are there, and those that are quickly looked at are not proved.

`scripts/prove-foreign` looks at all of them, and executes them.
"""

import pytest

from tests.equivalence.asking import FOREIGN, verdict
from tests.equivalence.foreign_mutants import MUTANTS, mutants
from tests.thinning import thinned

# A tenth of a second each.
QUICK = (
    "2mm--pointers", "atax--once", "bicg--unrolled", "covariance--unrolled", "durbin--scalars", "gesummv--split",
    "symm--gathered", "syr2k--tiles", "trmm--upwards", "atax--sections", "bicg--collected", "gemm--rest",
    "jacobi-1d--in-place", "longest-common-subsequence--parity", "mvt--dot",
    "mvt--stepping", "gesummv--region",
)  # fmt: skip


def test_there_are_thirty_kernels_with_three_mutants_each() -> None:
    assert sorted(MUTANTS) == sorted(path.stem for path in FOREIGN.glob("*.c"))
    assert len(MUTANTS) >= 30
    assert all(len(set(mutants(name))) == 3 for name in MUTANTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(QUICK, 8))
def test_mutants_are_not_proved(name: str) -> None:
    for text in mutants(name):
        assert not verdict(name.partition("--")[0], text).is_proved
