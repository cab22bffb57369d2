"""Parallel regions: as large as possible, one for consecutive loops, never nested."""

import re
from pathlib import Path

import numpy as np

from alphaz.codegen.scheduled.pipeline import ALL
from alphaz.codegen.scheduled.scheduled_c import scheduled_c, tree_text
from alphaz.run.kernel import compile_kernel
from tests.codegen.generated_kernels import proved

PROGRAM = """affine f {N,M | N>=1 && M>=1}
input double a {i,j,k | 0<=i<N && 0<=j<M && 0<=k<N};
output double b, d, e {i,j,k | 0<=i<N && 0<=j<M && 0<=k<N};
let b[i,j,k] = a[i,j,k] * 2.0; d[i,j,k] = a[i,j,k] + 1.0; e[i,j,k] = b[N-1-i,j,k] + d[i,j,k]; .
"""
DATES = """setSpaceTimeMap(prog, "f", "b", "(i,j,k->0,i,j,k)"); setSpaceTimeMap(prog, "f", "d", "(i,j,k->1,i,j,k)");
setSpaceTimeMap(prog, "f", "e", "(i,j,k->2,i,j,k)"); setOrderingDimensions(prog, "f", 0);
"""
_ENOUGH = re.compile(r" if\(.* > \d+\)")
BOTH = """setParallel(prog, "f", "0", "0,1"); setParallel(prog, "f", "1", "0,1"); setParallel(prog, "f", "2", "0,1");"""


def generated(folder: Path, program: str, commands: str) -> list[str]:
    lines = scheduled_c(proved(folder, program, commands), "f").files["f.c"].splitlines()
    return [line.strip() for line in lines if line.lstrip().startswith("#pragma")]


def pragmas(folder: Path, program: str, commands: str) -> list[str]:
    """Without the conditions that there is enough to do."""
    return [_ENOUGH.sub("", line) for line in generated(folder, program, commands)]


def threads(folder: Path, program: str, commands: str) -> list[str]:
    return [line.removeprefix("#pragma omp ") for line in pragmas(folder, program, commands) if "omp simd" not in line]


def test_loops_in_a_row_share_a_region_and_wait_where_one_needs_another(tmp_path: Path) -> None:
    """d needs nothing of b; e needs both."""
    found = threads(tmp_path, PROGRAM, DATES + BOTH)
    assert found == ["parallel", "for collapse(2) nowait", "for collapse(2)", "for collapse(2)"]


def test_a_loop_alone_and_one_that_is_sequential(tmp_path: Path) -> None:
    alone = 'setParallel(prog, "f", "0", "0"); setParallel(prog, "f", "2", "1");'
    assert threads(tmp_path, PROGRAM, DATES + alone) == ["parallel for", "parallel for"]


def test_loops_whose_bounds_hang_on_the_outer_one_are_not_collapsed(tmp_path: Path) -> None:
    triangle = PROGRAM.replace("0<=j<M", "0<=j<=i").replace("b[N-1-i,j,k]", "b[i,j,N-1-k]")
    assert threads(tmp_path, triangle, DATES + BOTH) == ["parallel", "for nowait", "for", "for"]


def test_rows_are_not_collapsed(tmp_path: Path) -> None:
    """The innermost loop stays one, for vectors."""
    three = BOTH.replace("0,1", "0,1,2")
    assert "for collapse(2) nowait" in threads(tmp_path, PROGRAM, DATES + three)


def test_waiting_spares_what_was_running_before(tmp_path: Path) -> None:
    """e needs b, which must have been waited for when d, between them, is free of both."""
    apart = PROGRAM.replace("+ d[i,j,k]", "")
    found = threads(tmp_path, apart, DATES + BOTH)
    assert found == ["parallel", "for collapse(2) nowait", "for collapse(2)", "for collapse(2)"]


def test_few_operations_are_those_of_one_thread(tmp_path: Path) -> None:
    """As long as it is known how many there are."""
    both = [line for line in generated(tmp_path, PROGRAM, DATES + BOTH) if "parallel" in line]
    assert both == ["#pragma omp parallel if((double)N * (double)M * (double)N > 3333)"]
    unknown = PROGRAM.replace("affine", "double f0(double);\naffine").replace("a[i,j,k] * 2.0", "f0(a[i,j,k])")
    assert "#pragma omp parallel" in generated(tmp_path, unknown, DATES + BOTH)


# --- chunks -----------------------------------------------------------------------------------------------------------

TRIANGLE = """affine f {N | N>=1}
input double a {i,j | 0<=i<=j<N};
output double y {i | 0<=i<N};
let y[i] = reduce(+, [j], a[i,j]); .
"""
ROWS = """setSpaceTimeMap(prog, "f", "y", "(i,j->i,j)", "(i->i,-1)"); setParallel(prog, "f", "", 0);
setChunks(prog, "f", "", 0, 16);
"""


def test_threads_take_chunks_where_the_script_says_so(tmp_path: Path) -> None:
    assert threads(tmp_path, TRIANGLE, ROWS) == ["parallel for schedule(dynamic, 16)"]
    assert threads(tmp_path, TRIANGLE, ROWS.replace("16", "1")) == ["parallel for schedule(dynamic)"]
    assert "[parallel, in chunks of 16]" in tree_text(proved(tmp_path, TRIANGLE, ROWS), "f", ALL)


def test_a_chunk_is_as_many_tiles_as_have_so_many_iterations(tmp_path: Path) -> None:
    for size, expected in ((8, "schedule(dynamic, 2)"), (16, "schedule(dynamic)"), (64, "schedule(dynamic)")):
        tiled = ROWS + f'setTiling(prog, "f", 0, {size});'
        assert threads(tmp_path, TRIANGLE, tiled) == [f"parallel for {expected}"]


def test_loops_in_chunks_are_not_collapsed_and_stand_in_regions(tmp_path: Path) -> None:
    chunks = 'setChunks(prog, "f", "0", 0, 4); setChunks(prog, "f", "2", 1, 4);'
    found = threads(tmp_path, PROGRAM, DATES + BOTH + chunks)
    assert found == ["parallel", "for schedule(dynamic, 4) nowait", "for collapse(2)", "for collapse(2)"]


def test_sums_of_threads_that_take_turns(tmp_path: Path) -> None:
    across = """setSpaceTimeMap(prog, "f", "y", "(i,j->j,i)", "(i->-1,i)"); setReductionDimension(prog, "f", "", 0);
    setChunks(prog, "f", "", 0, 3);"""
    verified = proved(tmp_path, TRIANGLE, across)
    kernel = compile_kernel(scheduled_c(verified, "f"), verified.design.checked, "f")
    for n in (1, 2, 7, 50):
        values = np.triu(np.arange(1.0, n * n + 1).reshape(n, n))
        found = kernel(N=n, a=values, threads=2)
        assert isinstance(found, np.ndarray)
        np.testing.assert_allclose(found, values.sum(axis=1))
