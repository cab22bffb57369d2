"""The loops of the textbooks as equations; `scripts/import-peers` has all of them, and more questions."""

from pathlib import Path

import pytest

from tests.frontends.from_c.equations import imported
from tests.thinning import thinned
from tools.import_peers import KERNELS, faults, peers

pytestmark = pytest.mark.slow

# Those that take half a second.
QUICK = ("atax", "bicg", "durbin", "gemm", "gemver", "gesummv", "lu", "ludcmp", "mvt", "syrk", "trisolv", "trmm")


@pytest.mark.parametrize("kernel", thinned(QUICK, 9))
def test_textbook_loops_are_proved_to_be_their_equations(kernel: str) -> None:
    made = imported((KERNELS / kernel / f"{kernel}-peer.c").read_text(encoding="utf-8"))
    assert made.is_proved, made.verdict.findings
    assert made.checked.warnings == ()


@pytest.mark.long
def test_what_is_generated_from_them_agrees_with_the_interpreter(tmp_path: Path) -> None:
    assert faults("gramschmidt", tmp_path) == []


def test_there_are_thirty_of_them() -> None:
    assert len(peers()) >= 30
