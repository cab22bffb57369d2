"""`omp simd` stands where no turn of a loop touches what another one writes, and nowhere else."""

from pathlib import Path

import pytest

from alphaz.codegen.scheduled.pipeline import ALL, Pipeline
from alphaz.codegen.scheduled.scheduled_c import explained, scheduled_c
from tests.codegen.generated_kernels import proved

GRID = """affine f {T,N | T>=1 && N>=3}
input double a {i | 0<=i<N};
output double b {i | 0<=i<N};
local double s {t,i | 0<=t<=T && 0<=i<N};
let
s[t,i] = case {| t==0} : a[i]; {| t>0 && 0<i<N-1} : EXPRESSION;
  {| t>0 && i==0} : s[t-1,i]; {| t>0 && i==N-1} : s[t-1,i]; esac;
b[i] = s[T,i]; .
"""
JACOBI = GRID.replace("EXPRESSION", "s[t-1,i-1] + s[t-1,i] + s[t-1,i+1]")
SEIDEL = GRID.replace("EXPRESSION", "s[t,i-1] + s[t-1,i] + s[t-1,i+1]")
DATES = 'setSpaceTimeMap(prog, "f", "s", "(t,i->t,i)"); setSpaceTimeMap(prog, "f", "b", "(i->T+1,i)");'
SKEWED = 'setSpaceTimeMap(prog, "f", "s", "(t,i->t,t+i)"); setSpaceTimeMap(prog, "f", "b", "(i->T+1,T+1+i)");'
TILES = 'setTiling(prog, "f", 0, 4); setTiling(prog, "f", 1, 8);'
TWO = 'setMemoryMap(prog, "f", "s", "s", "(t,i->t,i)", "2,0");'
ONE = 'setMemoryMap(prog, "f", "s", "s", "(t,i->i)");'


def vectors(folder: Path, program: str, commands: str, variable: str = "s") -> int:
    """Returns the number of `omp simd` loops that compute sums of the variable."""
    lines = scheduled_c(proved(folder, program, commands), "f").files["f.c"].splitlines()
    marked = [at for at, line in enumerate(lines) if line.strip() == "#pragma omp simd"]
    return sum(f"/* {variable}[t,i] = " in lines[at + 2] and " + " in lines[at + 2] for at in marked)


@pytest.mark.parametrize("commands", [DATES, DATES + TWO, SKEWED + TWO + TILES])
def test_what_is_read_from_the_step_before(tmp_path: Path, commands: str) -> None:
    assert vectors(tmp_path, JACOBI, commands) > 0


@pytest.mark.parametrize("commands", [DATES, DATES + TWO, DATES + ONE])
def test_what_is_read_from_the_point_before(tmp_path: Path, commands: str) -> None:
    assert vectors(tmp_path, SEIDEL, commands) == 0


def test_points_that_are_far_apart_in_memory(tmp_path: Path) -> None:
    """Its turns are independent, and each is in a row of its own."""
    program = (
        "affine f {N | N>=1} input int a {i,j | 0<=(i,j)<N}; output int b {i,j | 0<=(i,j)<N}; let b[i,j] = a[i,j]; ."
    )
    verified = proved(tmp_path, program, 'setSpaceTimeMap(prog, "f", "b", "(i,j->j,i)");')
    assert "simd" not in scheduled_c(verified, "f").files["f.c"]
    verified = proved(tmp_path, program, 'setSpaceTimeMap(prog, "f", "b", "(i,j->i,j)");')
    assert "#pragma omp simd" in scheduled_c(verified, "f").files["f.c"]


def test_a_division_that_may_fail_is_not_done_at_once(tmp_path: Path) -> None:
    program = "affine f {N | N>=1} input int a {i | 0<=i<N}; output int b {i | 0<=i<N}; let b[i] = 7 / a[i]; ."
    verified = proved(tmp_path, program, 'setSpaceTimeMap(prog, "f", "b", "(i->i)");')
    assert "simd" not in scheduled_c(verified, "f").files["f.c"]


def test_a_number_that_may_not_be_whole_is_not_done_at_once(tmp_path: Path) -> None:
    program = "affine f {N | N>=1} input double a {i | 0<=i<N}; output TYPE b {i | 0<=i<N}; let b[i] = a[i] * a[i]; ."
    dates = 'setSpaceTimeMap(prog, "f", "b", "(i->i)");'
    assert "simd" not in scheduled_c(proved(tmp_path, program.replace("TYPE", "int"), dates), "f").files["f.c"]
    assert "simd" in scheduled_c(proved(tmp_path, program.replace("TYPE", "double"), dates), "f").files["f.c"]


def test_partial_tiles_have_their_borders_apart(tmp_path: Path) -> None:
    assert vectors(tmp_path, JACOBI, SKEWED + TWO + TILES) == 2


SUMS = """affine f {N | N>=3}
input double A {i,j | 0<=i<N && 0<=j<N};
output double b {i | 0<=i<N};
double T {i,j | 0<=i<N && 0<=j<N};
let b[i] = reduce(+, [j], A[i,j]); T[i,j] = A[j,i]; .
"""
ACROSS = 'setSpaceTimeMap(prog, "f", "b", "(i->i,0)"); setSpaceTimeMap(prog, "f", "T", "(i,j->N+i,j)");'


@pytest.mark.parametrize(
    ("program", "commands", "said"),
    [
        (SEIDEL, DATES, "loop over i of s: its iterations are not proved to be independent"),
        (SUMS, ACROSS, "loop over c0 of b: it has loops inside, over the points of reductions"),
        (SUMS, ACROSS, "loop over j of T: it does not go along rows of memory"),
    ],
)
def test_why_a_loop_is_not_done_in_vectors_is_said(tmp_path: Path, program: str, commands: str, said: str) -> None:
    assert said in explained(proved(tmp_path, program, commands), "f", ALL).obstacles


def test_nothing_is_said_of_what_is_done_in_vectors(tmp_path: Path) -> None:
    verified = proved(tmp_path, JACOBI, DATES + TWO)
    assert not any("of s:" in said for said in explained(verified, "f", ALL).obstacles)
    assert explained(verified, "f", Pipeline(frozenset({"vectorise"}))).obstacles == ()
