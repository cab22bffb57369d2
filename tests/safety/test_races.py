"""The race checker reports a race that was put there, and reports none in proved code."""

from pathlib import Path

import pytest

from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import assume_legal, certify, verify
from alphaz.scripting.interpreter.python_api import run
from tests.safety.sanitizers import RACES, is_parallel, largest_sizes, race_checker, run_generated

SAMPLES = Path(__file__).parents[2] / "samples"

needs_checker = pytest.mark.skipif(
    race_checker() is None, reason="no clang with ThreadSanitizer and LLVM's OpenMP runtime reports a race here"
)


def proved(script: str) -> Verified:
    return certify(verify(run(SAMPLES / script)))


@needs_checker
@pytest.mark.parametrize(
    ("script", "system"),
    [("prefix-sum/wrong-parallel.cs", "prefix_sum"), ("matrix-chain/wrong-race.cs", "MCM")],
)
def test_a_race_that_was_put_there_is_reported(script: str, system: str, tmp_path: Path) -> None:
    refuted = verify(run(SAMPLES / script))
    assert not refuted.is_proved
    assert run_generated(assume_legal(refuted), system, {"N": 50}, RACES, tmp_path).reports_a_race


@needs_checker
@pytest.mark.parametrize(
    "script",
    ["matrix-chain/mcm-parallel.cs", "kernels/jacobi-1d/jacobi-1d-tuned.cs", "kernels/lu/lu-tuned.cs"],
)
def test_proved_code_has_no_races(script: str, tmp_path: Path) -> None:
    verified = proved(script)
    (system,) = verified.mappings
    assert is_parallel(verified, system)
    names = verified.design.program.system(system).parameters
    sizes = largest_sizes((SAMPLES / script).read_text(encoding="utf-8"), names)
    ran = run_generated(verified, system, sizes, RACES, tmp_path)
    assert (ran.code, ran.errors) == (0, "")
