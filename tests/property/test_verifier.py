"""The verifier against enumeration: random programs, random and mutated legal mappings (verifier.md 5.1).

Proved: no violation at any size that is tried, and every execution that ≺ allows reads what it should. Refuted: brute
force finds the same rules violated, at the same smallest size. `scripts/fuzz-verifier` does the same for long.
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.legality.agreement import compare, judged
from tests.legality.execution import Execution
from tests.legality.plain_order import PLAIN, TILED
from tests.strategies.mapped_programs import sample
from tools.fuzz_verifier import drawn

pytestmark = pytest.mark.slow

LARGEST = 4


@given(st.integers(0, 10**9))
@settings(max_examples=80, deadline=None)
def test_verdicts_agree_with_brute_force(seed: int) -> None:
    case = sample(Random(seed))
    agreement = compare(case, LARGEST)
    assert not agreement.complaints, (agreement.complaints, case.program, case.script("program.ab"))
    assert agreement.kind != "undecided"


@given(st.integers(0, 10**9))
@settings(max_examples=25, deadline=None)
def test_a_proved_mapping_reads_what_it_should_in_every_order(seed: int) -> None:
    random, case = Random(seed), drawn("order", seed)
    verdict = judged(case)
    if verdict is None or not verdict.report.is_proved:
        return
    for size in (2, 3):
        world = verdict.world(dict.fromkeys(verdict.mapping.system.parameters, size))
        execution = Execution(world, TILED if verdict.mapping.bands else PLAIN)
        assert not execution.wrong_reads(random), (case.program, case.script("program.ab"))


def test_most_samples_are_programs_and_all_verdicts_occur() -> None:
    """Otherwise the tests above would say little."""
    seen = [compare(sample(Random(f"all/{at}")), 2) for at in range(60)]
    kinds = [agreement.kind for agreement in seen]
    assert kinds.count("invalid") < 12
    assert kinds.count("proved") > 10
    assert kinds.count("refuted") > 10
    codes = {code for agreement in seen for code in agreement.codes}
    assert {"AZ501", "AZ502", "AZ503", "AZ601", "AZ602", "AZ603", "AZ701", "AZ702"} <= codes
