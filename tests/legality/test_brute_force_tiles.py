"""Tiles that recompute values of their neighbours: the verifier and brute force agree about S4, M5 and all others."""

from collections import Counter
from random import Random

import pytest

from tests.legality.agreement import Agreement, compare
from tools.fuzz_tiles import overlapped_tiles, own_tiles

pytestmark = pytest.mark.slow


def _compared(seed: int, *, is_own: bool) -> Agreement:
    draw = own_tiles if is_own else overlapped_tiles
    case = draw(Random(f"tiles/{seed}"), is_cuda=False)
    agreement = compare(case, 5)
    assert not agreement.complaints, (agreement.complaints, case.program, case.script("program.ab"))
    return agreement


def test_tiles_of_a_program_itself() -> None:
    results = [_compared(seed, is_own=True) for seed in range(24)]
    codes = {code for agreement in results for code in agreement.codes}
    assert {"AZ504", "AZ601", "AZ605"} <= codes
    assert Counter(agreement.kind for agreement in results)["proved"] >= 3


def test_overlapped_tiles() -> None:
    assert Counter(_compared(seed, is_own=False).kind for seed in range(3))["undecided"] == 0
