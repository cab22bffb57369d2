"""Register tiles inside vector dimensions: several rows in one turn of a loop, against the interpreter."""

import re
from pathlib import Path

import pytest

from alphaz.codegen.scheduled.pipeline import Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c, tree_text
from tests.codegen.generated_kernels import proved, sample
from tests.codegen.test_merges import agrees, program
from tests.codegen.test_vector_dimensions import FUSED, TWO

SIZES = [{"N": n} for n in (1, 2, 3, 4, 7, 9)]
START = """setSpaceTimeMap(prog, "r", "y", "(i,j->i,1,j)", "(i->i,0,0)");
setSpaceTimeMap(prog, "r", "z", "(j,i->i,1,j)");"""
ROWS = 'setVectorDimension(prog, "r", "", 2); setRegisterTile(prog, "r", 0, 3);'


def test_rows_and_columns_in_one_pass(tmp_path: Path) -> None:
    """Each row has a sum of its own; what a column collects of the rows of a tile is written once, be the tile whole
    or not.
    """
    commands = START + 'setReductionDimension(prog, "r", "", 0);' + ROWS
    text = agrees(proved(tmp_path, TWO, commands), tmp_path, *SIZES)
    assert "simd reduction(+:sum, sum_2, sum_3)" in text
    assert text.count("own_greatest_z[j] = greatest;") == 2
    assert "y[ri + 2] = sum_3;" in text


def test_loops_over_the_points_of_a_register_tile_are_in_registers() -> None:
    """Where they are inside a vector dimension and are whole; nowhere without the pass."""
    verified = sample("kernels/bicg/bicg-tuned.cs")
    behind = tree_text(verified, "bicg", Pipeline(until="vector-dimensions"))
    assert behind.count("for i = ri; i < ri + 8  [register]:\n") == 1
    assert "register" not in tree_text(
        verified, "bicg", Pipeline(frozenset({"vector-dimensions"}), "vector-dimensions")
    )


def test_a_first_contribution_stays_in_front(tmp_path: Path) -> None:
    text = agrees(proved(tmp_path, TWO, FUSED + 'setRegisterTile(prog, "r", 0, 2);'), tmp_path, *SIZES)
    assert "simd reduction(+:sum, sum_2)" in text


@pytest.mark.parametrize(("operator", "type_"), [("max", "int"), ("*", "double")])
def test_rows_of_other_lengths(tmp_path: Path, operator: str, type_: str) -> None:
    commands = """setSpaceTimeMap(prog, "r", "b", "(i,j->i,1,j)", "(i->i,0,0)"); setParallel(prog, "r", "", 0);
setVectorDimension(prog, "r", "", 2); setRegisterTile(prog, "r", 0, 2);"""
    agrees(proved(tmp_path, program(operator, type_), commands), tmp_path, *SIZES)


def test_what_is_more_than_a_text_stays_a_loop(tmp_path: Path) -> None:
    commands = START + ROWS.replace("0, 3", "0, 17")
    text = agrees(proved(tmp_path, TWO, commands), tmp_path, {"N": 3}, {"N": 18})
    assert "ri + 1]" not in text


DIAGONALS = """affine r {N | N>=1}
input double a {i,j | 0<=(i,j)<N};
output double y {i,j | 0<=(i,j)<N};
let y[i,j] = case {| i==0} : a[i,j]; {| i>0 && j==0} : a[i,j]; {| i>0 && j>0} : y[i-1,j-1] * a[i,j]; esac; .
"""


def test_rows_that_wait_for_the_neighbours_of_others_stay_in_sequence(tmp_path: Path) -> None:
    """One row alone can be done at once, but not the turns of several rows."""
    commands = """setSpaceTimeMap(prog, "r", "y", "(i,j->i,j)"); setVectorDimension(prog, "r", "", 1);
setRegisterTile(prog, "r", 0, 2);"""
    code = agrees(proved(tmp_path, DIAGONALS, commands), tmp_path, *SIZES)
    assert "for (int64_t i = ri; i < ri + 2; i++)" in code
    assert "ri + 1" not in code


FACTORS = """affine s {N,M | N>=1 && M>=1}
input bool A {i,j | 0<=i<N && 0<=j<N+M};
output bool X {i,j | 0<=i<N && 0<=j<M};
local bool Z {i,j | 0<=i<N && 0<=j<M};
let Z[i,j] = reduce(and, [k], {| 0<=k<i} : A[i,k] and X[k,j]);
  X[i,j] = case {| i==0} : A[i,j]; {| i>0} : A[i,j] and Z[i,j]; esac; ."""


def test_what_is_set_first_is_not_read_before(tmp_path: Path) -> None:
    """No operation has written the cell yet; allocated memory may hold a value that is not a bool."""
    commands = """setSpaceTimeMap(prog, "s", "Z", "(i,j,k -> i,j,k)");
    setSpaceTimeMap(prog, "s", "X", "(i,j -> i,j,i)");
    setTiling(prog, "s", 0, 6); setTiling(prog, "s", 1, 24); setTiling(prog, "s", 2, 3);
    setTilingType(prog, "s", "recursive"); setPacking(prog, "s", "Z", "A", 0);
    setVectorDimension(prog, "s", "", 1);"""
    text = scheduled_c(proved(tmp_path, FACTORS, commands), "s").files["s.c"]
    assert "bool every = packed_A[(i - ti) * 3 - tk] && X[j];" in text
    assert not re.search(r"every = Z\[[^\n]*\n\s*/\* Z\[i,j\] = ", text)
