"""Calls whose arguments live at dates of their own, in a nest with register tiles inside tiles."""

from pathlib import Path

import pytest

from tests.cli.command_line import ask
from tests.strategies.mapped_calls import SHAPES

PROGRAM = """affine S3_0 {N | N > 0}
input
  short A {i | 0 <= i <= N};
output
  short B {i | 0 <= i < N};
let
  B[i] = A[i] + [i];
.
affine S3 {N | N > 0}
input
  short X {r,i | 0 <= r < N && 0 <= i <= N};
output
  short Y {r,i | 0 <= r < N && 0 <= i < N};
local
  short T {r,i | 0 <= r < N && 0 <= i <= N};
let
  T[r,i] = X[r,i] + 1;
  use {r | 0 <= r < N} S3_0[N] (T) returns (Y);
.
"""
SCRIPT = """prog = ReadAlphabets("p.ab");
setSpaceTimeMap(prog, "S3", "T", "(r,i -> 0,r,i)");
setSpaceTimeMap(prog, "S3", "UseEquation_Y", "(r -> 2,r,2)");
setSpaceTimeMapForMemoryAllocation(prog, "S3", "UseEquation_Y", 0, 0, "(r -> 1,0,0)");
setSpaceTimeMapForValueCopy(prog, "S3", "UseEquation_Y", 0, 0, "(r -> 2,r,1)");
setSpaceTimeMapForMemoryFree(prog, "S3", "UseEquation_Y", 0, 0, "(r -> 3,0,4)");
setSpaceTimeMapForMemoryAllocation(prog, "S3", "UseEquation_Y", 1, 0, "(r -> 2,r,0)");
setSpaceTimeMapForValueCopy(prog, "S3", "UseEquation_Y", 1, 0, "(r -> 2,r,3)");
setSpaceTimeMapForMemoryFree(prog, "S3", "UseEquation_Y", 1, 0, "(r -> 2,r,4)");
setOrderingDimensions(prog, "S3", "0");
setRegisterTile(prog, "S3", 2, 4);
setTiling(prog, "S3", 0);
setTiling(prog, "S3", 1, 2);
generateScheduledCode(prog, "S3");
"""


def _check(program: str, script: str, size: int) -> None:
    """Checks that the scheduled code agrees with the interpreter."""
    Path("p.ab").write_text(program, encoding="utf-8")
    Path("p.cs").write_text(script, encoding="utf-8")
    answer = ask("test", "p.cs", "-p", f"N={size}")
    assert answer.code == 0, answer.err
    assert "1 run agrees" in answer.out


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 5])
def test_loops_that_run_through_multiples_already_are_left_as_they_are(size: int) -> None:
    _check(PROGRAM, SCRIPT, size)


ONE_ARRAY = """prog = ReadAlphabets("p.ab");
setSpaceTimeMap(prog, "main", "UseEquation_Y", "(r -> 2,r,2)");
setSpaceTimeMapForValueCopy(prog, "main", "UseEquation_Y", 0, 0, "(r -> 2,r,1)");
setSpaceTimeMapForMemoryFree(prog, "main", "UseEquation_Y", 0, 0, "(r -> 3,0,4)");
setSpaceTimeMapForMemoryAllocation(prog, "main", "UseEquation_Y", 1, 0, "(r -> 1,0,0)");
setOrderingDimensions(prog, "main", "0");
setTiling(prog, "main", 1, 8);
setRegisterTile(prog, "main", 0, 3);
setRegisterTile(prog, "main", 1, 4);
generateScheduledCode(prog, "main");
"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 3, 13])
def test_one_array_for_all_calls_is_made_before_nests_that_constants_separate(size: int) -> None:
    _check(SHAPES, ONE_ARRAY, size)
