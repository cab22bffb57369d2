"""Every case of `prove/*.md`: C is proved, refuted or undecided as its document says (`-k "results and early"`)."""

import pytest

from tests.cases.proofs import DOCUMENTS, Proof, failure, proofs_of
from tests.thinning import thinned

CASES = {
    f"{path.stem}: {proof.name}": proof for path in DOCUMENTS for proof in proofs_of(path.read_text(encoding="utf-8"))
}


_SHORT = [pytest.param(proof, id=name) for name, proof in CASES.items() if not proof.is_long]
_LONG = [pytest.param(proof, marks=pytest.mark.long, id=name) for name, proof in CASES.items() if proof.is_long]


@pytest.mark.slow
@pytest.mark.parametrize("proof", [*thinned(_SHORT, 3), *_LONG])
def test_the_verdict_is_the_one_expected(proof: Proof) -> None:
    assert failure(proof) == ""


def test_every_heading_is_a_case() -> None:
    assert len(CASES) == sum(path.read_text(encoding="utf-8").count("\n## ") for path in DOCUMENTS) >= 620
