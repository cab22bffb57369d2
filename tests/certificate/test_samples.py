"""isl and z3 agree on every obligation of every sample, proved and refuted, settled ones included."""

from pathlib import Path

import pytest

from alphaz.certificate import document, smt
from alphaz.certificate.mapping_inventory import PROVED, REFUTED
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.cli.files import read_source
from alphaz.cli.measured_mappings import interpret
from alphaz.legality.mapping_obligations import order_obligations, orders
from alphaz.order.operation_table import operations
from alphaz.proof import isl_engine
from tests.certificate.sample_certificates import SCRIPTS, certificate
from tests.thinning import thinned

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("script", thinned(SCRIPTS, 12), ids=lambda path: path.stem)
def test_both_engines_agree_with_the_verifier(script: Path) -> None:
    made = certificate(script)
    text = document.write(made)
    read, intact = document.read(text)
    assert intact
    assert read == made
    assert document.write(read) == text
    assert read.systems
    for record in read.systems:
        assert record.obligations
        for _, decide in (isl_engine.engine(), smt.engine()):
            checks = list(recheck(record, decide))
            assert [check for check in checks if check.outcome is not RecheckOutcome.AGREES] == []
            assert [check.entry for check in checks] == list(record.stated)


@pytest.mark.long
def test_the_samples_have_both_verdicts_and_every_kind_of_obligation() -> None:
    entries = [entry for script in SCRIPTS for record in certificate(script).systems for entry in record.obligations]
    assert {entry.verdict for entry in entries} == {PROVED, REFUTED}
    assert {entry.key.kind for entry in entries} == {"S1", "S2", "S3", "S4", "M", "M4", "M5", "C", "C1", "I", "D"}
    assert any(entry.key.tiled for entry in entries)
    assert any(entry.how != "isl" for entry in entries)


def test_the_formula_of_an_obligation_is_the_set_that_was_decided() -> None:
    """The formula in a certificate and the set that the verifier discharged are equal."""
    compared = 0
    for script in SCRIPTS[::4]:
        for design_verdict in interpret(read_source(str(script), ".cs")).design_verdicts:
            assert design_verdict.first.mapping is not None
            for matter in order_obligations(operations(design_verdict.first.mapping)):
                for order in () if matter.exemption else orders(design_verdict.first.mapping).values():
                    question = matter.ask()
                    obligation = question.under(order)
                    if obligation is not None:
                        assert question.stated(order).domain().equals(obligation.violations())
                        compared += 1
    assert compared > 20
