"""Other programs end in time, and so does what they have started."""

import os
import time
from pathlib import Path

import pytest

from alphaz.processes.external import run


def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    busy = "while :; do :; done"
    outcome = run(["sh", "-c", f"({busy}) & echo $! > started; wait"], tmp_path, 1)
    assert outcome.status is None
    assert "did not end within 1 seconds of processor time" in outcome.errors
    assert _ends(int((tmp_path / "started").read_text()))


def test_a_program_that_waits_does_not_use_its_time(tmp_path: Path) -> None:
    """As where a machine does much else: by the clock it takes longer than its limit."""
    assert run(["sleep", "1"], tmp_path, 0.2).succeeded


@pytest.mark.slow
def test_a_program_that_never_wakes_is_ended_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alphaz.usage._PATIENCE", 1)
    outcome = run(["sleep", "60"], tmp_path, 0.2)
    assert outcome.status is None
    assert "did not end" in outcome.errors


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    assert "cannot be started" in run(["no-such-program"], tmp_path, 1).errors


def _ends(number: int) -> bool:
    """Returns True if the process ends soon; a zombie process has ended."""
    for _ in range(50):
        try:
            os.kill(number, 0)
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":
            return True
        time.sleep(0.1)
    return False
