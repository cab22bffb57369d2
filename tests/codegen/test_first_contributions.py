"""The contribution that assigns, where tiles of the given sizes reverse the order of contributions."""

from pathlib import Path

import pytest

from tests.codegen.generated_kernels import proved
from tests.codegen.test_merges import agrees
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SUMS = """affine r {N | N>=1}
input double a {i,j | 0<=(i,j)<N};
output double y {i | 0<=i<=2N-2};
let y[s] = reduce(+, (i,j->i+j), {i,j | 0<=(i,j)<N} : a[i,j]); .
"""
PRODUCTS = SUMS.replace("(i,j->i+j), {i,j | 0<=(i,j)<N}", "(i,j,k->i+j), {i,j,k | 0<=(i,j,k)<N}").replace(
    ": a[i,j])", ": a[i,j] * a[j,k])"
)
ROWS = 'setSpaceTimeMap(prog, "r", "y", "(i,j->i,j)"); setRegisterTile(prog, "r", 0, 2);'
CASES = {
    "in registers": (SUMS, ROWS),
    "in a vector dimension": (SUMS, ROWS + 'setVectorDimension(prog, "r", "", 1);'),
    "merged": (PRODUCTS, ROWS.replace("(i,j->i,j)", "(i,j,k->i,j,k)") + 'setReductionDimension(prog, "r", "", 2);'),
}


@pytest.mark.parametrize("case", thinned(CASES))
def test_the_first_contribution_in_the_order_of_the_tiles_assigns(case: str, tmp_path: Path) -> None:
    """Row i+1 of a tile contributes to y[i+j+1] before row i does."""
    text, commands = CASES[case]
    verified = proved(tmp_path, text, commands)
    assert verified.scopes == {"r": "register tiles of 2 in dimension 0"}
    agrees(verified, tmp_path, *({"N": n} for n in (1, 2, 3, 6)))


INTERVALS = """affine r {N | N>=1}
input int A {i | 0<=i<N};
output int X {i,j | 0<=i<=j && j<N};
local int S {i,j | 0<=i<j && j<N};
let
  S[i,j] = reduce(+, [k], {| i<=k<j} : X[i,k]);
  X[i,j] = case {| i==j} : A[i]; {| i<j} : S[i,j] + A[j]; esac;
.
"""


def test_tiles_with_every_second_date(tmp_path: Path) -> None:
    """Loops that isl makes of such dates leave points out."""
    commands = 'setSpaceTimeMap(prog, "r", "S", "(i,j,k -> -i,2j-i+1,2k)");'
    commands += 'setMemoryMap(prog, "r", "S", "X", "(i,j -> i,j)");'
    commands += 'setSpaceTimeMap(prog, "r", "X", "(i,j -> -i,2j-i+1,2j+1)");'
    commands += "".join(f'setRegisterTile(prog, "r", {d}, 2);' for d in range(3))
    agrees(proved(tmp_path, INTERVALS, commands), tmp_path, *({"N": n} for n in (1, 2, 3, 7)))


def test_tiles_of_another_nest_say_nothing_of_who_comes_first(tmp_path: Path) -> None:
    """Of the rows that are merged one by one only the first assigns."""
    text = """affine r {N | N>=1}
input int a {i,j | 0<=(i,j)<N};
output int y {i | 0<=i<N}; int z;
let
  y[i] = reduce(+, [j], {| 0<=j<N} : a[i,j]);
  z = reduce(+, [i,j], {| 0<=(i,j)<N} : a[i,j]); .
"""
    commands = """setSpaceTimeMap(prog, "r", "y", "(i,j -> 0,i,j)"); setSpaceTimeMap(prog, "r", "z", "(i,j -> 1,i,j)");
    setOrderingDimensions(prog, "r", 0); setReductionDimension(prog, "r", "", 2); setRegisterTile(prog, "r", 0, 2);"""
    agrees(proved(tmp_path, text, commands), tmp_path, *({"N": n} for n in (1, 2, 3)))
