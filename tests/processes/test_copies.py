"""Work in a process that can be ended: its answer comes back, and nothing of it is left, whatever it does."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from alphaz.processes.copies import bounded


def _children() -> str:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="utf-8").strip()


def _forever() -> int:
    while True:
        pass


def test_an_answer_or_an_exception_comes_back() -> None:
    assert bounded(os.getpid, 5) != os.getpid()
    with pytest.raises(ValueError, match="nothing"):
        bounded(lambda: int("nothing"), 5)


def test_what_takes_too_long_is_ended() -> None:
    before = _children()
    with pytest.raises(TimeoutError, match="more than 0"):
        bounded(_forever, 0.1)
    assert _children() == before


def test_a_process_that_dies_is_noticed() -> None:
    with pytest.raises(ChildProcessError, match="signal SIGKILL"):
        bounded(lambda: os.kill(os.getpid(), signal.SIGKILL), 5)


# What starts in the background ignores interruptions.
SEARCH = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from alphaz.processes.copies import bounded
def forever():
    print(os.getpid(), flush=True)
    while True: pass
bounded(forever, 60)
"""


def test_an_interruption_leaves_nothing_behind() -> None:
    asked = subprocess.Popen([sys.executable, "-c", SEARCH], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert asked.stdout is not None
    child = int(asked.stdout.readline())
    asked.send_signal(signal.SIGINT)
    _, text = asked.communicate(timeout=60)
    assert "KeyboardInterrupt" in text
    until = time.monotonic() + 20
    while Path(f"/proc/{child}").exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert not Path(f"/proc/{child}").exists()
