"""The loop behind which is merged may stand inside register tiles of dimensions that follow it in the dates."""

from pathlib import Path

import pytest

import alphaz

PROGRAM = """affine s {N | N>=1}
input int A {i,j | 0<=(i,j)<=N};
output int c {j | 0<=j<N}; int d;
let
  c[j] = A[0,j] + 1;
  d = reduce(+, [j], {| 0<=j<N} : A[j,N-1-j]);
.
"""
MAPPING = """prog = ReadAlphabets("s.ab");
setSpaceTimeMap(prog, "s", "c", "(j -> 0,j,{date})");
setSpaceTimeMap(prog, "s", "d", "(j -> 0,j,0)");
setReductionDimension(prog, "s", "", "1");
{kind}
setRegisterTile(prog, "s", 0, 2);
setRegisterTile(prog, "s", 1, {size});
setRegisterTile(prog, "s", 2, 2);
setMemoryMap(prog, "s", "d", "A", "( -> 0,0)");
"""
PARALLEL = 'setParallel(prog, "s", "", "2");'


@pytest.mark.parametrize(
    ("date", "size", "kind", "proved"),
    [
        (-1, 1, PARALLEL, False),  # the tile of dates -2 and -1, beside that of 0 and 1, in which d is merged
        (2, 1, "", False),  # the tile behind it
        (-1, 1, "", True),  # the tile in front of it
        (1, 1, "", True),  # the same tile
        (2, 2, "", True),  # tiles of the dimension that is merged stand around those
    ],
)
def test_what_is_read_in_another_tile(tmp_path: Path, date: int, size: int, kind: str, proved: bool) -> None:
    (tmp_path / "s.ab").write_text(PROGRAM)
    script = tmp_path / "s.cs"
    script.write_text(MAPPING.format(date=date, size=size, kind=kind))
    report = alphaz.verify(alphaz.run(script))
    assert report.is_proved == proved
    if not proved:
        assert "the merge of d" in str(report.findings[0].witness)


TWO = """affine s {N | N>=1}
input int x {i,j | 0<=(i,j)<N};
output int u {i,j | 0<=(i,j)<N}; int t {i,j | 0<=(i,j)<N}; int z {i,j | 0<=(i,j)<N};
local int a {i,j | 0<=(i,j)<N}; int v {i,j | 0<=(i,j)<N};
let
  u[i,j] = reduce(+, [k], {| 0<=k<N} : x[i,k]);
  a[i,j] = x[i,j];
  v[i,j] = reduce(+, [k], {| 0<=k<N} : x[i,k] + x[k,j]);
  t[i,j] = a[i,j];
  z[i,j] = v[i,j];
.
"""
NESTS = """prog = ReadAlphabets("s.ab");
setSpaceTimeMap(prog, "s", "u", "(i,j,k -> 0,i,j,k)");
setSpaceTimeMap(prog, "s", "a", "(i,j -> 1,i,j,0)");
setSpaceTimeMap(prog, "s", "v", "(i,j,k -> 2,i,j,k)");
setSpaceTimeMap(prog, "s", "t", "(i,j -> 2,i,j,0)");
setSpaceTimeMap(prog, "s", "z", "(i,j -> 3,i,j,0)");
setOrderingDimensions(prog, "s", 0);
setReductionDimension(prog, "s", "", 3);
setMemoryMap(prog, "s", "v", "M", "(i,j -> i-1,j+1)");
setMemoryMap(prog, "s", "a", "M", "(i,j -> i,j)");
setRegisterTile(prog, "s", "2", 0, 2);
"""


@pytest.mark.parametrize("other", ["", 'setRegisterTile(prog, "s", "0", 0, 2);'])
def test_tiles_of_another_nest_say_nothing_of_a_merge(tmp_path: Path, other: str) -> None:
    """v[1,0] is merged in the tile of t[0,1], which still needs the cell, and before it."""
    (tmp_path / "s.ab").write_text(TWO)
    script = tmp_path / "s.cs"
    script.write_text(NESTS + other)
    (finding,) = alphaz.verify(alphaz.run(script)).findings
    assert finding.rule.code == "AZ702"
    assert "N=2: t[0,1], at (2,0,1,0), reads a[0,1]" in str(finding.witness)
