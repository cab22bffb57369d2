"""A refuted mapping goes wrong: for what S2, S3 and M1 to M3 refute there is an order of execution that ≺ allows and in
which a value is read wrongly. The order is made, not hoped for (tests/legality/wrong_orders.py).
"""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.legality.verdicts import SystemVerdict
from alphaz.proof import Proved, Refuted
from tests.legality.agreement import judged
from tests.legality.features import features
from tests.legality.plain_order import PLAIN, TILED
from tests.legality.wrong_orders import SHOWN, wrongly_read
from tests.strategies.mapped_programs import Sample
from tools.fuzz_verifier import drawn

pytestmark = pytest.mark.slow

LARGEST = 4


def shown(case: Sample, random: Random) -> Counter[str]:
    """Returns the number of violations of each rule that an execution confirms, at the parameters of the witness.

    A call that works in place is not atomic, and the executions here are of operations that are.
    """
    counts: Counter[str] = Counter()
    verdict = judged(case)
    if verdict is None or "in place" in features(verdict.mapping):
        return counts
    for code, values in _smallest(verdict.report).items():
        world = verdict.world(values)
        mode = TILED if code == "AZ702" else PLAIN
        for rule in SHOWN & world.violations(mode).keys() if code == "AZ702" else {code} & SHOWN:
            for wrong in wrongly_read(world, mode, rule, random):
                assert wrong, (code, rule, values, case.program, case.script("program.ab"))
                counts[code] += 1
    return counts


def _smallest(report: SystemVerdict) -> dict[str, dict[str, int]]:
    """The parameters of the first witness of each rule, where they are small. Tiling is shown where nothing else is."""
    results: dict[str, dict[str, int]] = {}
    if report.mapping is None:
        return results
    parameters = report.mapping.system.parameters
    for result in report.results:
        if (
            isinstance(result.verdict, Refuted)
            and max((result.verdict.point[p] for p in parameters), default=0) <= LARGEST
        ):
            code = result.rule.code
            results.setdefault(code, {name: result.verdict.point[name] for name in parameters})
    only_tiling = all(isinstance(r.verdict, Proved) or r.rule.code == "AZ702" for r in report.results)
    return {code: values for code, values in results.items() if code != "AZ702" or only_tiling}


@given(st.integers(0, 10**9))
@settings(max_examples=40, deadline=None)
def test_what_is_refuted_goes_wrong_in_some_order(seed: int) -> None:
    shown(drawn("shown", seed), Random(seed))


def test_every_rule_is_shown_to_go_wrong() -> None:
    """Otherwise the test above would say little."""
    counts: Counter[str] = Counter()
    for at in range(60):
        counts += shown(drawn("every", at), Random(at))
    assert {*SHOWN, "AZ702"} <= set(counts)
