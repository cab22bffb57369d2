"""On random programs and mappings: a certificate is complete, both engines confirm it, and integers its refutations."""

from random import Random

import pytest

from alphaz.certificate import document, proof_kernel_engine, smt
from alphaz.certificate.document import Certificate
from alphaz.certificate.engine_answer import Decision
from alphaz.certificate.mapping_inventory import REFUTED
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.diagnostics import Rejected
from alphaz.legality.reporting.certificate_record import record
from alphaz.proof import isl_engine
from tests.legality.agreement import mapped
from tests.legality.mapped import Mapped
from tests.strategies.mapped_programs import sample
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SEEDS = range(24)


@pytest.mark.parametrize("seed", thinned(SEEDS, 4))
def test_both_engines_confirm_random_verdicts(seed: int) -> None:
    try:
        report = mapped(sample(Random(seed))).report()
    except Rejected:
        pytest.skip("no right program, or no mapping of it")
    if report.mapping is None:
        pytest.skip("a mapping that is not well formed")
    made = record("script.cs", report)
    (read,) = document.read(document.write(Certificate({}, (), (made,))))[0].systems
    for _, decide in (isl_engine.engine(), smt.engine()):
        assert [check for check in recheck(read, decide) if check.outcome is not RecheckOutcome.AGREES] == []
    refuted = [entry for entry in read.obligations if entry.verdict == REFUTED]
    plain = proof_kernel_engine.engine([(entry, "") for entry in refuted], {})
    assert {plain(entry, None).empty for entry in refuted} <= {False}


def test_witnesses_have_the_numbers_of_tiles_and_of_turns() -> None:
    """Two writes whose cells agree modulo a factor, in the wrong order."""
    mapping = Mapped("affine s {N | N>=9} input int a {i | 0<=i<N}; output int b {i | 0<=i<N}; let b[i] = a[i]; .")
    report = mapping.time("b", "(i -> i)").memory("b", "(i -> i)", "b", [3]).report()
    (entry,) = (entry for entry in record("script.cs", report).obligations if entry.verdict == REFUTED)
    assert entry.witness is not None
    assert set(entry.violations.auxiliary) < set(entry.witness)
    assert proof_kernel_engine.engine([(entry, "")], {})(entry, None) == Decision(False)
