"""Measuring: what is compared with what, and which peers take part. No test looks at how long anything took."""

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.sources import Sources
from alphaz.run.bench.contest import SPINNING, Contestant, NoPeer, Timing, alternately, slower_with_threads
from alphaz.run.bench.fork_server import ForkedFunction
from alphaz.run.bench.peers import PeerStatement, gcc_peer, peer_symbol, polly_peer
from tests.model.programs import checked
from tests.thinning import thinned

PROGRAM = """
affine twice {N | N>0} input double A {i | 0<=i<N}; output double B {i | 0<=i<N}; let B[i] = 2 * A[i]; .
"""
SYSTEM = checked(PROGRAM).program.systems[0]
N = {"N": 4}
INPUTS = {"A": np.arange(4.0)}
C = """
#include <stdint.h>
void twice(int64_t N, const double *restrict A, double *restrict B)
{
    for (int64_t i = 0; i < N; i++) B[i] = 2 * A[i];
}
"""


def contestant(name: str, values: list[Callable[[], float]], seconds: float = 1.0) -> Contestant:
    """Its values, round after round; the last one stays."""
    array, left = np.zeros(4), list(values)

    def run() -> float:
        value = left.pop(0) if len(left) > 1 else left[0]
        if value() >= 0:
            array[:] = value()
        return seconds

    return Contestant(name, 1, run, lambda: {"B": array})


def at(value: float) -> Callable[[], float]:
    return lambda: value


NOTHING = at(-1.0)


def timings(*contestants: Contestant, rounds: int = 3) -> tuple[Timing, ...]:
    result, failures = alternately(SYSTEM, N, contestants, rounds, lambda text: None)
    assert failures == ()
    return result


def failing() -> float:
    raise NoPeer("it fell over")


@pytest.mark.parametrize("rounds_before", [0, 2])
def test_a_peer_that_fails_is_left_out_and_the_others_go_on(rounds_before: int) -> None:
    values = [*[at(1)] * rounds_before, failing]
    entered = [contestant("reference", [at(1)]), contestant("frail", values), contestant("other", [at(1)])]
    result, failures = alternately(SYSTEM, N, entered, 3, lambda text: None)
    assert [(item.contestant.name, len(item.seconds)) for item in result] == [("reference", 3), ("other", 3)]
    assert failures == (("frail with 1 thread", "left out: it fell over"),)


def test_all_run_in_every_round_in_turn_and_the_first_is_not_timed() -> None:
    messages: list[str] = []
    alternately(SYSTEM, N, [contestant("a", [at(1)]), contestant("b", [at(1)])], 2, messages.append)
    assert messages == [
        "first round, not timed: a with 1 thread", "first round, not timed: b with 1 thread",
        "round 1 of 2: a with 1 thread", "round 1 of 2: b with 1 thread",
        "round 2 of 2: a with 1 thread", "round 2 of 2: b with 1 thread", "",
    ]  # fmt: skip


def test_the_next_one_begins_when_the_threads_of_the_last_one_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    long = replace(contestant("b", [at(1)]), spinning=0.5)
    alternately(SYSTEM, N, [contestant("a", [at(1)]), long, contestant("c", [at(1)])], 1, lambda text: None)
    assert slept == [SPINNING, SPINNING, 0.5] * 2


def test_ratios_are_those_of_the_rounds() -> None:
    ours, theirs = contestant("a", [at(1)]), contestant("b", [at(1)])
    assert Timing(ours, (1.0, 10.0, 3.0)).faster_than(Timing(theirs, (2.0, 20.0, 3.0))) == 2.0
    assert Timing(ours, (1.0, 10.0, 3.0)).median == 3.0


@pytest.mark.parametrize(
    ("seconds", "load", "reason"),
    [(2.0, 0.3, ""), (0.5, 1.9, ""), (2.0, 1.9, "other processes keep 1.9 of 2 processors busy")],
)
def test_threads_that_are_slower_on_a_busy_machine(seconds: float, load: float, reason: str) -> None:
    one, two = (Contestant(name="ours", threads=n, run=lambda: 1.0, outputs=dict) for n in (1, 2))
    remarks = list(slower_with_threads([Timing(one, (1.0,)), Timing(two, (seconds,))], load, 2))
    assert [title for title, _ in remarks] == (["ours with 2 threads"] if reason else [])
    assert all(reason in text for _, text in remarks)


def test_results_are_compared_in_the_first_and_in_the_last_round() -> None:
    _, same, near, first, last = timings(
        contestant("reference", [at(1)]),
        contestant("same", [at(1)]),
        contestant("near", [at(1 + 1e-12)]),
        contestant("first", [at(2), at(1)]),
        contestant("last", [at(1), at(1), at(1), at(2)]),
    )
    assert (same.differences, near.differences) == ((), ())
    assert [d.count for d in first.differences] == [4]
    assert [d.count for d in last.differences] == [4]


def test_what_is_not_written_differs() -> None:
    """Although the array of a contestant may still hold the right values."""
    assert timings(contestant("reference", [at(1)]), contestant("idle", [NOTHING, NOTHING, at(1)]))[1].differences


def test_when_enough_is_known_one_more_round_is_the_last() -> None:
    """In which results are compared."""
    seen: list[list[int]] = []

    def is_told(seconds: Sequence[Sequence[float]]) -> bool:
        seen.append([len(second) for second in seconds])
        return len(seconds[0]) == 2

    entered = contestant("reference", [at(1)]), contestant("last", [at(1), at(1), at(1), at(2)])
    result, _ = alternately(SYSTEM, N, entered, 9, lambda text: None, is_told=is_told)
    assert seen == [[1, 1], [2, 2]]
    assert [len(item.seconds) for item in result] == [3, 3]
    assert [d.count for d in result[1].differences] == [4]


@pytest.mark.parametrize(("noisy_rounds", "expected"), [(0, 4), (4, 9), (99, 12)])
def test_noisy_rounds_are_followed_by_more(noisy_rounds: int, expected: int) -> None:
    """Until the middle half of the times lies close together, at most three times as many."""
    times = iter([0.0, *([1.0, 2.0] * 99)[:noisy_rounds], *[1.0] * 99])
    noisy = replace(contestant("noisy", [at(1)]), run=lambda: next(times))
    last = contestant("last", [*[at(1)] * expected, at(2)])
    entered = [replace(contestant("reference", [at(1)]), run=lambda: 1.0), noisy]
    result, _ = alternately(SYSTEM, N, [*entered, last], 4, lambda text: None, repeats=True)
    assert {len(timing.seconds) for timing in result} == {expected}
    assert result[2].differences, "results of the last round are compared"


def task() -> PeerStatement:
    return PeerStatement(SYSTEM, N, INPUTS)


@pytest.mark.slow
def test_a_peer_compiled_by_gcc(tmp_path: Path) -> None:
    prepared = gcc_peer(task(), Sources({"twice.c": C}), peer_symbol(SYSTEM), tmp_path)
    assert prepared() >= 0
    assert prepared.outputs["B"].tolist() == [0, 2, 4, 6]


def test_a_peer_compiled_by_polly(tmp_path: Path) -> None:
    try:
        prepared = polly_peer(task(), Sources({"twice.c": C}), peer_symbol(SYSTEM), tmp_path)
    except NoPeer as reason:
        pytest.skip(str(reason))
    assert prepared(2) >= 0
    assert prepared.outputs["B"].tolist() == [0, 2, 4, 6]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("does", "said"),
    thinned(
        [
            ("__builtin_trap();", r"it crashed \(SIG\w+\)"),
            ("*(volatile int *)8 = 1;", r"it crashed \(SIGSEGV\)"),
            ("exit(3);", r"it ended by itself \(exit status 3\)"),
        ],
        3,
    ),
)
def test_a_compiled_peer_that_crashes_takes_nobody_along(does: str, said: str, tmp_path: Path) -> None:
    text = "#include <stdlib.h>\n" + C.replace("for (", f"if (A[1] == 1 && N == 4) {{ {does} }}\n    for (")
    peer = gcc_peer(task(), Sources({"twice.c": text}), peer_symbol(SYSTEM), tmp_path)
    for _ in range(2):
        with pytest.raises(NoPeer, match=said):
            peer(1)


@pytest.mark.slow
def test_contestants_find_the_inputs_as_they_were(tmp_path: Path) -> None:
    """All processes are split off from the one that has them, and what one does to them the others do not see."""
    value = task()
    spoiling = C.replace("for (", "((double *)A)[1] = 7;\n    for (")
    spoiled, clean = (
        gcc_peer(value, Sources({"twice.c": text}), peer_symbol(SYSTEM), tmp_path) for text in (spoiling, C)
    )
    for peer, expected in ((spoiled, [0, 14, 4, 6]), (clean, [0, 2, 4, 6])):
        assert peer() >= 0
        assert peer.outputs["B"].tolist() == expected
    assert spoiled.server is clean.server


@pytest.mark.slow
def test_what_is_short_runs_for_a_while(tmp_path: Path) -> None:
    """Inputs that it overwrites are as they were each time; the answer is that of one time."""
    text = C.replace("for (", "static int times; ((double *)A)[1] += 1; A[0] = ++times;\n    for (").replace(
        "const double *restrict A", "double *restrict A"
    )
    peer = gcc_peer(task(), Sources({"twice.c": text}, overwritten=frozenset({"A"})), peer_symbol(SYSTEM), tmp_path)
    assert 0 <= peer(1, 0.02) < 0.01
    _, one, two, three = peer.outputs["B"].tolist()
    assert (one, two, three) == (4, 4, 6)
    assert peer.outputs["B"][0] > 2 * 5
    before = peer.outputs["B"][0]
    peer(1)
    assert peer.outputs["B"][0] == before + 2


@pytest.mark.slow
def test_a_process_that_is_gone_is_started_again(tmp_path: Path) -> None:
    peer = gcc_peer(task(), Sources({"twice.c": C}), peer_symbol(SYSTEM), tmp_path)
    assert peer() >= 0
    number = peer.server.number
    assert number is not None
    os.kill(number, signal.SIGKILL)
    assert peer() >= 0, "the one that was split off goes on"
    for _ in range(2):
        peer = ForkedFunction(peer.job, peer.server, lambda arrays: arrays)
        with suppress(NoPeer):
            peer()
    assert peer.outputs["B"].tolist() == [0, 2, 4, 6]
    assert peer.server.number != number


@pytest.mark.slow
def test_what_a_peer_prints_is_not_ours(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = "#include <stdio.h>\n" + C.replace("for (", 'puts("here"); fflush(stdout);\n    for (')
    peer = gcc_peer(task(), Sources({"twice.c": text}), peer_symbol(SYSTEM), tmp_path)
    assert peer() >= 0
    assert peer.outputs["B"].tolist() == [0, 2, 4, 6]
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (C.replace("twice", "thrice"), "no function `twice`"),
        ("void twice(void) {", "expected"),
        ("int x = y;", "undeclared"),
    ],
)
def test_a_peer_that_is_none_is_told(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(NoPeer, match=said):
        gcc_peer(task(), Sources({"twice.c": text}), peer_symbol(SYSTEM), tmp_path)


@pytest.mark.parametrize("make", [gcc_peer, polly_peer])
def test_a_compiler_that_is_missing_is_told(
    make: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoPeer, match=r"there is no (gcc|clang)"):
        make(task(), Sources({"twice.c": C}), peer_symbol(SYSTEM), tmp_path)


def test_the_members_of_a_mapping_have_their_name() -> None:
    ours = Contestant(name="ours", threads=2, run=lambda: 1.0, outputs=dict, member="rank")
    assert ours.title == "ours with 2 ranks"
