"""Work shared out among copies of this process: all of it is done, and nothing is left of them, whatever happens."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from alphaz.processes.copies import can_fork, cores
from alphaz.processes.pool import shared_out

pytestmark = pytest.mark.skipif(not can_fork(), reason="this process cannot be copied")


def _lost(reason: str) -> str:
    return f"lost: {reason}"


def _children() -> str:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="utf-8").strip()


def _is_gone(process: int) -> bool:
    until = time.monotonic() + 20
    while Path(f"/proc/{process}").exists() and time.monotonic() < until:
        time.sleep(0.01)
    return not Path(f"/proc/{process}").exists()


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_each_task_is_done_once_and_elsewhere(jobs: int) -> None:
    before = _children()
    results = dict(shared_out(lambda task, _: (task * task, os.getpid()), range(20), lambda _: (-1, -1), jobs=jobs))
    assert {task: square for task, (square, _) in results.items()} == {task: task * task for task in range(20)}
    assert os.getpid() not in {process for _, process in results.values()}
    assert len({process for _, process in results.values()}) <= jobs
    assert _children() == before


def test_little_is_done_by_few_processes() -> None:
    results = dict(shared_out(lambda _, __: os.getpid(), range(8), int, jobs=8))
    assert len(set(results.values())) < 8


def test_who_works_long_is_helped() -> None:
    def work(task: int, _: Sequence[int]) -> int:
        time.sleep(0.5)
        return os.getpid()

    assert len({process for _, process in shared_out(work, range(3), int, jobs=3)}) == 3


def test_nothing_to_do_is_done_at_once() -> None:
    assert list(shared_out(lambda task, _: task, [], lambda _: -1, jobs=3)) == []


def test_what_others_have_found_is_told_once() -> None:
    known: list[tuple[int, ...]] = []

    def work(task: int, others: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        known.extend(others)
        return (task, *(first for first, *_ in known))

    *_, (_, last) = shared_out(work, range(6), lambda _: (), jobs=1)
    assert last == (5, 0, 1, 2, 3, 4)
    assert known == []


def _deadly(task: int, _: Sequence[str]) -> str:
    if task % 3 == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if task % 3 == 2:
        os._exit(7)
    return "done"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_process_that_dies_loses_one_task_and_says_why(jobs: int) -> None:
    before = _children()
    results = dict(shared_out(_deadly, range(9), _lost, jobs=jobs))
    killed, ended = "lost: its process ended with signal SIGKILL", "lost: its process ended with exit code 7"
    assert [results[task] for task in range(9)] == ["done", killed, ended] * 3
    assert _children() == before


def _slowly(task: int, _: Sequence[int]) -> int:
    if task == 0:
        raise ValueError("nothing")
    time.sleep(60)
    return task


def test_an_exception_is_one_of_this_process() -> None:
    before = _children()
    with pytest.raises(ValueError, match="nothing"):
        list(shared_out(_slowly, range(3), int, jobs=3))
    assert _children() == before


def _only_the_first(task: int, _: Sequence[int]) -> int:
    if task > 0:
        time.sleep(60)
    return task


def test_who_wants_no_more_answers_ends_everything() -> None:
    before = _children()
    with closing(shared_out(_only_the_first, range(3), int, jobs=3)) as answers:
        assert next(answers) == (0, 0)
    assert _children() == before


# What starts in the background ignores interruptions.
SEARCH = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from alphaz.processes.pool import shared_out
def forever(task, _):
    os.write(1, f"{os.getpid()}\\n".encode())
    while True: pass
list(shared_out(forever, range(3), str, jobs=2))
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_ends_this_process_leaves_nothing_behind(number: signal.Signals) -> None:
    if number is not signal.SIGINT and sys.platform != "linux":
        pytest.skip("there, a process is not told at once that its parent has ended")
    asked = subprocess.Popen([sys.executable, "-c", SEARCH], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert asked.stdout is not None
    children = [int(asked.stdout.readline()), int(asked.stdout.readline())]
    asked.send_signal(number)
    _, text = asked.communicate(timeout=60)
    assert ("KeyboardInterrupt" in text) == (number is signal.SIGINT)
    assert all(map(_is_gone, children))


def test_at_least_one_core_is_counted() -> None:
    assert cores() >= 1


def test_beside_other_threads_nothing_is_copied() -> None:
    results: list[bool] = []
    thread = threading.Thread(target=lambda: results.append(can_fork()))
    thread.start()
    thread.join()
    assert results == [False]
