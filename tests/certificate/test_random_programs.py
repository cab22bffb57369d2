"""On random programs and mappings: a certificate is complete, and both engines confirm it."""

from random import Random

import pytest

from alphaz.certificate import document, smt
from alphaz.certificate.document import Certificate
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.diagnostics import Rejected
from alphaz.legality.reporting.record import record
from alphaz.proof import isl_engine
from tests.legality.agreement import mapped
from tests.strategies.mapped_programs import sample

pytestmark = pytest.mark.slow

SEEDS = range(24)


@pytest.mark.parametrize("seed", SEEDS)
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
