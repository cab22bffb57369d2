"""The sizes of proofs: at most 15 % of the certificate, and multipliers of 32 bits; the finder refuses greater ones."""

from collections.abc import Callable

import pytest

from alphaz.kernel.checker import ProofGoal
from alphaz.proof.refute import document
from alphaz.proof.refute.document import greatest_multiplier, proofs_of
from alphaz.proof.refute.proof_tree import Step
from tests.kernel.test_c_sets import certificate_of_c
from tests.kernel.test_derive import MCM, texts

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("find", [lambda: texts(MCM)[0], certificate_of_c])
def test_proofs_are_small(find: Callable[[], str]) -> None:
    text = find()
    proofs = proofs_of(text, lambda place: None)
    assert not proofs.missing
    assert len(proofs.text) <= 0.15 * len(text)
    assert 0 < max(map(greatest_multiplier, (*proofs.proofs.values(), *proofs.derived.values()))) < 2**31


def test_a_great_multiplier_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(goal: ProofGoal, *_: object, **__: object) -> list[Step]:
        return [["sum", 0, 2**31]]

    monkeypatch.setattr(document, "proof_of", found)
    proofs = proofs_of(certificate_of_c(), lambda place: None)
    assert proofs.proofs == {}
    assert {reason.split("(")[-1] for reason in proofs.missing.values()} == {
        "a multiplier of the proof needs more than 32 bits)"
    }
