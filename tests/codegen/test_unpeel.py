"""Sums that begin with 0 in front of their loop, where the scan has the first contribution in front of the others."""

from pathlib import Path

from tests.codegen.generated_kernels import proved
from tests.codegen.test_merges import agrees

ROWS = """affine r {N | N>=1}
input double a {i,j | 0<=(i,j)<N}; TYPE x {i | 0<=i<N};
output TYPE y {i | 0<=i<N};
let y[i] = reduce(OP, [j], {| GUARD} : WHAT); .
"""
DATES = 'setSpaceTimeMap(prog, "r", "y", "(i,j->i,j)");'
SIZES = [{"N": n} for n in (1, 2, 5)]


def program(kind: str = "double", operator: str = "+", guard: str = "0<=j<N", what: str = "a[i,j] * x[j]") -> str:
    made = ROWS.replace("TYPE", kind).replace("OP", operator).replace("GUARD", guard)
    return made.replace("WHAT", what)


def test_a_row(tmp_path: Path) -> None:
    text = agrees(proved(tmp_path, program(), DATES), tmp_path, *SIZES)
    assert "y[i] = 0;" in text
    assert "for (int64_t j = 0; j < N; j++)" in text
    assert "0 + " not in text


def test_all_rows_before_the_columns(tmp_path: Path) -> None:
    text = agrees(proved(tmp_path, program(), DATES.replace("->i,j", "->j,i")), tmp_path, *SIZES)
    assert "0 + " not in text


def test_a_row_that_begins_elsewhere(tmp_path: Path) -> None:
    text = agrees(proved(tmp_path, program(guard="i<=j<N"), DATES), tmp_path, *SIZES)
    assert "for (int64_t j = i; j < N; j++)" in text


def test_a_first_contribution_that_is_the_only_one(tmp_path: Path) -> None:
    """For N=1 the loop over the others ends before the turn in front of it."""
    text = program(guard="j==0").replace("{| j==0}", "{| j==0} || {| 0<j<N-1}")
    assert "0 + " in agrees(proved(tmp_path, text, DATES), tmp_path, *SIZES)


def test_what_is_not_changed_by_the_identity_stays_in_front(tmp_path: Path) -> None:
    for operator in ("+", "max"):
        text = agrees(proved(tmp_path, program("int", operator, what="x[j]"), DATES), tmp_path, *SIZES)
        assert "y[i] = x[0];" in text


def test_who_reads_the_place_of_a_sum_keeps_it_until_the_first_contribution(tmp_path: Path) -> None:
    """y[i] is where x[i] was, which the first contribution reads."""
    text = program(guard="i<=j<N")
    commands = DATES + 'setMemorySpace(prog, "r", "S", "x,y");'
    assert "0 + " in agrees(proved(tmp_path, text, commands), tmp_path, *SIZES)
