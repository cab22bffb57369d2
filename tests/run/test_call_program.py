"""The main program of executions: many calls at once are the calls one by one."""

from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.targets.registry import DEFAULT
from alphaz.processes.external import ProcessOutcome, run
from alphaz.run import call_program
from alphaz.run.call_program import HarnessArray, HarnessRun, PassedArray, run_each, run_harness
from alphaz.run.compiler import find_compiler

# Each call sees the memory of a program that has just begun. A negative number ends it, without an output or after it.
CALL = """#include <stdlib.h>
static int calls, ended;
static void late(void) { if (ended) _Exit(7); }
int call__(const long long *numbers, void **arrays);
int call__(const long long *numbers, void **arrays)
{
    const double *x = arrays[0];
    if (x[0] == -1.0) abort();
    if (x[0] == -2.0) exit(0);
    ended = x[0] == -3.0;
    atexit(late);
    ((double *)arrays[1])[0] = 2.0 * x[0] + numbers[0] + calls++;
    return 0;
}
"""


def _said(done: HarnessRun) -> tuple[object, ...]:
    return done.outcome.status, done.report and done.report.status, [array.tolist() for array in done.outputs]


@pytest.mark.slow
def test_calls_at_once_are_the_calls_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [HarnessArray(True, False), HarnessArray(False, True)]
    main = call_program.harness(DEFAULT.harness, 1, kinds, unset=0, is_repeated=True)
    for name, text in {"main.c": main, "call.c": CALL}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = (*find_compiler().command, "-std=gnu11", "main.c", "call.c", "-o", "main")
    assert run(command, tmp_path, 60).succeeded
    started = []

    def counted(command: list[str], folder: Path, seconds: float) -> ProcessOutcome:
        started.append(command)
        return run(command, folder, seconds)

    monkeypatch.setattr(call_program, "run", counted)
    for values, programs in (
        ([1, 2, 3], 1),
        ([1, 2, -1, 4], 1 + 3),
        ([1, -2, 3], 1 + 2),
        ([1, 2, -3, 4], 1 + 2),
        ([5], 1),
    ):
        calls = [
            [PassedArray((1,), "float64", np.array([value], float)), PassedArray((1,), "float64", None, True)]
            for value in values
        ]
        started.clear()
        at_once = list(run_each(DEFAULT.harness, tmp_path / "main", tmp_path, [10], calls, 1, 10))
        assert len(started) == programs
        alone = [run_harness(DEFAULT.harness, tmp_path / "main", tmp_path, [10], arrays, 1, 10) for arrays in calls]
        assert [*map(_said, at_once)] == [*map(_said, alone)]
        assert [done.outputs[0][0] for done in at_once if done.outputs] == [2 * v + 10 for v in values if v > 0]
