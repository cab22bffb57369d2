"""The OpenMP runtime of the tests does what OpenMP says, in orders that a seed says."""

from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from tests.thinning import thinned
from tools.differential.openmp.machine import CHANGED_INPUT, NOT_RUN, OUTSIDE, Look, Machine, Outcome, Run, Sample

pytestmark = pytest.mark.slow

INTS, LONGS = np.dtype(np.int32), np.dtype(np.int64)
THREADS = (1, 2, 3, 4, 13)
# As often as one likes: the shortest of blocks are interrupted too.
OFTEN = 1 << 13

# How many times each iteration was executed, and by whom, in the order of time.
LOOPS = """
#include <stdint.h>
#include <omp.h>
#define LOOP(name, clauses) \\
int name(int64_t n, int *done, int *who, int *place) { \\
    int next = 0; \\
    _Pragma("omp parallel") { \\
        _Pragma(clauses) \\
        for (int64_t i = 0; i < n; i += 1) { \\
            int mine; \\
            done[i] += 1; \\
            who[i] = omp_get_thread_num(); \\
            _Pragma("omp atomic capture") \\
            mine = next++; \\
            place[i] = mine; \\
        } \\
    } \\
    return 0; \\
}
LOOP(fixed, "omp for")
LOOP(chunks, "omp for schedule(static, 2)")
LOOP(dynamic, "omp for schedule(dynamic)")
LOOP(big, "omp for schedule(dynamic, 3) nowait")
LOOP(guided, "omp for schedule(guided)")
LOOP(monotonic, "omp for schedule(monotonic: dynamic)")
int at_once(int64_t n, int *done, int *who, int *place) {
    int next = 0;
#pragma omp parallel for schedule(dynamic) reduction(+:next)
    for (int64_t i = n - 1; i >= 0; i--) { done[i] += 1; who[i] = omp_get_thread_num(); place[i] = (int)i; next++; }
    return next == n ? 0 : 9;
}
int collapsed(int64_t n, int *done, int *who, int *place) {
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < 3; j++) {
#pragma omp atomic
            done[i] += j == 1;
            if (j == 1) { who[i] = omp_get_thread_num(); place[i] = (int)i; }
        }
    return 0;
}
"""
SHARED = """
#include <stdint.h>
#include <omp.h>
int steps(int64_t n, int64_t *sums) {
    int64_t rows[2][64] = {{0}};
    int singles = 0;
    for (int i = 0; i < 64; i++) rows[0][i] = i;
#pragma omp parallel
    for (int t = 0; t < 6; t++) {
#pragma omp for
        for (int64_t i = 0; i < n; i++) rows[(t + 1) % 2][i] = rows[t % 2][(i + 1) % n] + rows[t % 2][i];
#pragma omp single
        singles++;
    }
    for (int64_t i = 0; i < n; i++) sums[i] = rows[0][i];
    return singles == 6 ? 0 : 9;
}
int locked(int64_t n, int64_t *sums) {
    int64_t total = 0, product = 1, biggest = 0;
#pragma omp parallel
    {
        int64_t own = 0;
#pragma omp for nowait
        for (int64_t i = 0; i < n; i++) own += i;
#pragma omp critical
        total += own;
#pragma omp critical(named)
        for (int64_t i = 0; i < n; i++) sums[i] = sums[i] + 1;
    }
#pragma omp parallel for reduction(*:product) reduction(max:biggest)
    for (int64_t i = 1; i < n; i++) { product *= 1 + i % 2; biggest = biggest > i ? biggest : i; }
    int threads = 0;
#pragma omp parallel
    {
        int inner = 0;
#pragma omp parallel reduction(+:inner)
        inner += omp_get_num_threads();
#pragma omp atomic
        threads += inner;
    }
    return total == n * (n - 1) / 2 && biggest == n - 1 && threads == omp_get_max_threads() ? 0 : 9;
}
"""
WRONG = """
#include <stdint.h>
#include <stdlib.h>
int lost(int64_t n, int *count) {
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        int old = count[0];
        if (i >= 0) old += 1;
        count[0] = old;
    }
    return 0;
}
int unordered(int64_t n, int *last) {
#pragma omp parallel
    {
#pragma omp for nowait
        for (int64_t i = 0; i < n; i++) last[i] = 1;
#pragma omp for
        for (int64_t i = 0; i < n; i++) last[i] += last[n - 1 - i];
    }
    return 0;
}
int below(int64_t n, const int *given, int *made) { made[-1] = given[0]; return 0; }
int beyond(int64_t n, const int *given, int *made) { made[n] = given[0]; return 0; }
int changed(int64_t n, const int *given, int *made) { ((int *)given)[1] = 7; made[0] = 1; return 0; }
int dies(int64_t n, const int *given, int *made) { if (n == 3) abort(); made[0] = 1; return 0; }
int endless(int64_t n, const int *given, int *made) { for (volatile int x = 0;; x++) made[0] = x; }
int hungry(int64_t n, const int *given, int *made) {
    for (int at = 0; at < 64; at++) {
        char *block = malloc(64 << 20);
        if (!block) return 3;
        for (int byte = 0; byte < 64 << 20; byte += 4096) ((volatile char *)block)[byte] = 1;
    }
    return 0;
}
int undefined(int64_t n, const int *given, int *made) { made[0] = given[0] << (n + 30); return 0; }
int twice(int64_t n, const int *given, int *made) {
    int *block = malloc(sizeof(int) * (size_t)n);
    for (int64_t i = 0; i < n; i++) block[i] = 2;
    free(block);
    made[0] = block[1];
    return 0;
}
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return Machine(tmp_path_factory.mktemp("machine"))


def _built(machine: Machine, text: str, look: Look) -> Path:
    name = f"{look.value}-{crc32(text.encode())}"
    library = machine.folder / f"{name}.so"
    if not library.exists():
        unit = machine.folder / f"{name}.c"
        unit.write_text(text, encoding="utf-8")
        machine.library([unit], look, library)
    return library


def _all(machine: Machine, text: str, look: Look, runs: Sequence[Run]) -> Outcome:
    (outcome,) = machine.run([Sample(_built(machine, text, look), runs)], look)
    return outcome


@pytest.mark.parametrize("look", Look)
@pytest.mark.parametrize(
    "name", thinned(["fixed", "chunks", "dynamic", "big", "guided", "monotonic", "at_once", "collapsed"], 4)
)
def test_every_iteration_is_executed_once(machine: Machine, name: str, look: Look) -> None:
    runs = [
        Run(name, [n], [], [((n,), INTS)] * 3, threads, seed, OFTEN)
        for n in (0, 1, 7, 30)
        for threads in THREADS
        for seed in range(3)
    ]
    outcome = _all(machine, LOOPS, look, runs)
    assert outcome.death == ""
    for run, ran in zip(runs, outcome.runs, strict=True):
        done, who, place = ran.outputs
        assert ran.status == 0
        assert (done == 1).all()
        assert sorted(place) == list(range(run.integers[0]))
        assert set(who) <= set(range(run.threads))


def test_the_order_is_that_of_the_seed(machine: Machine) -> None:
    runs = [Run("fixed", [24], [], [((24,), INTS)] * 3, 4, seed, delays) for delays in (0, OFTEN) for seed in range(20)]
    once, again = (_all(machine, LOOPS, Look.VALUES, runs).runs for _ in range(2))
    assert [r.outputs[2].tolist() for r in once] == [r.outputs[2].tolist() for r in again]
    whole = [ran.outputs[2].reshape(4, 6) for ran in once[:20]]
    # Without delays each thread has its iterations one after the other, and the threads come in many orders.
    assert all((np.diff(item, axis=1) == 1).all() for item in whole)
    assert len({tuple(item[:, 0]) for item in whole}) > 8
    assert any((np.diff(ran.outputs[2].reshape(4, 6), axis=1) > 1).any() for ran in once[20:])


def test_iterations_come_in_any_order_where_they_may(machine: Machine) -> None:
    def places(name: str) -> list[list[int]]:
        runs = [Run(name, [9], [], [((9,), INTS)] * 3, 1 + seed % 2, seed) for seed in range(12)]
        return [ran.outputs[2].tolist() for ran in _all(machine, LOOPS, Look.VALUES, runs).runs]

    assert any(place != sorted(place) for place in places("dynamic")[::2])
    assert all(place == sorted(place) for place in places("monotonic")[::2])


@pytest.mark.parametrize("look", Look)
def test_barriers_locks_and_reductions_hold(machine: Machine, look: Look) -> None:
    runs = [
        Run(name, [64], [], [((64,), LONGS)], threads, seed, delays)
        for name in ("steps", "locked")
        for threads in THREADS
        for seed in range(4)
        for delays in (0, OFTEN)
    ]
    outcome = _all(machine, SHARED, look, runs)
    assert outcome.death == ""
    rows = np.arange(64)
    for _ in range(6):
        rows = np.roll(rows, -1) + rows
    for run, ran in zip(runs, outcome.runs, strict=True):
        assert ran.status == 0
        wanted = rows if run.symbol == "steps" else np.full(64, run.threads)
        assert (ran.outputs[0] == wanted).all()


@pytest.mark.parametrize(("name", "count"), [("lost", 1), ("unordered", 20)])
def test_races_are_seen(machine: Machine, name: str, count: int) -> None:
    runs = [Run(name, [20], [], [((count,), INTS)], threads, 3) for threads in (1, 4)]
    message = _all(machine, WRONG, Look.RACES, runs)
    assert "data race" in message.death
    assert [ran.status for ran in message.runs] == [0, NOT_RUN]


@pytest.mark.parametrize(("name", "wanted"), [("lost", [20]), ("unordered", [2] * 10 + [3] * 10)])
def test_races_make_wrong_values(machine: Machine, name: str, wanted: list[int]) -> None:
    runs = [Run(name, [20], [], [((len(wanted),), INTS)], 4, seed, OFTEN) for seed in range(10)]
    ran = _all(machine, WRONG, Look.VALUES, runs).runs
    assert any(item.outputs[0].tolist() != wanted for item in ran)


@pytest.mark.parametrize(
    ("name", "look", "status", "death"),
    thinned(
        [
            ("below", Look.VALUES, OUTSIDE, ""),
            ("beyond", Look.VALUES, OUTSIDE, ""),
            ("changed", Look.VALUES, CHANGED_INPUT, ""),
            ("hungry", Look.VALUES, 3, ""),
            ("hungry", Look.MEMORY, 3, ""),
            ("dies", Look.VALUES, NOT_RUN, "ended by SIGABRT"),
            ("endless", Look.VALUES, NOT_RUN, "ended by SIGXCPU|SIGKILL"),
            ("below", Look.MEMORY, NOT_RUN, "heap-buffer-overflow"),
            ("beyond", Look.MEMORY, NOT_RUN, "heap-buffer-overflow"),
            ("twice", Look.MEMORY, NOT_RUN, "heap-use-after-free"),
            ("undefined", Look.MEMORY, NOT_RUN, "shift exponent 33"),
        ],
        3,
    ),
)
def test_each_sample_has_a_process_of_its_own(machine: Machine, name: str, look: Look, status: int, death: str) -> None:
    value = np.arange(3, dtype=INTS)
    library = _built(machine, WRONG, look)
    wrong = Sample(library, [Run(name, [3], [value], [((3,), INTS)])], seconds=1, megabytes=256)
    right = Sample(library, [Run("dies", [2], [value], [((3,), INTS)])])
    first, bad, last = machine.run([right, wrong, right], look)
    assert (first.death, last.death) == ("", "")
    assert [first.runs[0].status, last.runs[0].status] == [0, 0]
    assert bad.runs[0].status == status
    assert any(word in bad.death for word in death.split("|"))
    assert bool(bad.death) == bool(death)
