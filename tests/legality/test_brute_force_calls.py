"""Mappings of systems with use equations: the verifier and brute force agree, rule by rule and in the smallest size."""

from collections import Counter
from random import Random

import pytest

from tests.legality.agreement import Agreement, compare
from tests.strategies.mapped_calls import sample
from tests.thinning import thinned

pytestmark = pytest.mark.slow

LARGEST = 4


def compared(seed: str) -> Agreement:
    case = sample(Random(seed))
    agreement = compare(case, LARGEST)
    assert not agreement.complaints, (agreement.complaints, case.program, case.script("program.ab"))
    assert agreement.kind != "undecided"
    return agreement


@pytest.mark.parametrize("seed", thinned(range(8), 8))
def test_the_verifier_and_brute_force_agree_on_calls(seed: int) -> None:
    kinds = Counter(compared(f"{seed}/{case}").kind for case in range(16))
    assert kinds["invalid"] <= 6


@pytest.mark.long
def test_every_rule_is_met() -> None:
    results = [compared(f"all/{case}") for case in range(70)]
    codes = {code for agreement in results for code in agreement.codes}
    assert {"AZ501", "AZ502", "AZ601", "AZ602", "AZ603", "AZ604", "AZ701", "AZ702"} <= codes
    assert {"proved", "refuted"} <= {agreement.kind for agreement in results}
