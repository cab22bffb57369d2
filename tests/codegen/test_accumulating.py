"""Loops accumulate any number of results in local variables; compared with the interpreter."""

from pathlib import Path

import pytest

from tests.codegen.generated_kernels import proved
from tests.codegen.test_merges import SIZES, agrees

SEVERAL = """int rate(int);
affine r {N | N>=1}
input int a {i,j | 0<=(i,j)<N}; bool t {i,j | 0<=(i,j)<N};
output int y, z, w {i | 0<=i<N}; bool b {i | 0<=i<N};
let
y[i] = reduce(+, [j], a[i,j]);
z[i] = reduce(max, [j], a[i,j] * 3);
b[i] = reduce(xor, [j], t[i,j]);
w[i] = reduce(+, [j], rate(a[i,j])); .
"""
ROWS = 'setSpaceTimeMap(prog, "r", "y, z, b, w", "(i,j->i,j)");'
KEPT = {"y": "int sum", "z": "int greatest", "b": "bool odd", "w": "int sum_2"}


@pytest.mark.slow
def test_a_loop_keeps_all_that_it_accumulates(tmp_path: Path) -> None:
    (tmp_path / "external_functions.h").write_text("static inline int rate(int a) { return a / 2; }\n")
    text = agrees(proved(tmp_path, SEVERAL, ROWS), tmp_path, *SIZES)
    before, loop = text.split("for (int64_t j = 1")
    for variable, declared in KEPT.items():
        assert f"{declared} = {variable}[i];" in before
        assert f"{variable}[i] = {declared.split()[1]};" in loop


READ = """affine r {N | N>=1}
input int a {i,j | 0<=(i,j)<N};
output int y {i | 0<=i<N}; int s {i,j | 0<=(i,j)<N};
let
y[i] = reduce(+, [j], a[i,j]);
s[i,j] = case {| i==0} : a[i,j]; {| i>0} : s[i-1,j] + y[i-1]; esac; .
"""


def test_what_a_neighbour_in_the_loop_reads_stays_in_memory(tmp_path: Path) -> None:
    dates = """setSpaceTimeMap(prog, "r", "y, s", "(i,j->i,j)"); setStatementOrdering(prog, "r", "y", "s");"""
    text = agrees(proved(tmp_path, READ, dates), tmp_path, *SIZES)
    together = [part for part in text.split("for (int64_t j") if "s[i * N + j] =" in part and "y[i - 1]" in part]
    assert together
    assert all("y[i] = sum_int(y[i], a[i * N + j]);" in part and "int sum" not in part for part in together)


@pytest.mark.slow
def test_a_tile_that_is_whole_needs_no_test(tmp_path: Path) -> None:
    tiles = 'setTiling(prog, "r", 0, 2); setTiling(prog, "r", 1, 3);'
    (tmp_path / "external_functions.h").write_text("static inline int rate(int a) { return a / 2; }\n")
    text = agrees(proved(tmp_path, SEVERAL, ROWS + tiles), tmp_path, *SIZES)
    whole = text[: text.index("for (int64_t j = tj; j < tj + 3; j++)")]
    assert whole.count("int sum = y[i];") == 1
    assert "if (tj <" not in text


TILED = """affine r {N | N>=1}
input bool a {i,j | 0<=(i,j)<N};
output bool y {i | 0<=i<N};
let y[i] = reduce(*, [j], a[i,j]); .
"""


def test_what_is_assigned_is_not_read_before(tmp_path: Path) -> None:
    """A tile of one column inside of one of eight: what is first there assigns, in a loop."""
    tiles = """setBandForTiling(prog, "r", "b", 2, "", 1, 1, "1; 8");
setSubTilingWithinBand(prog, "r", "b", 1, "recursive"); setSubTilingWithinBand(prog, "r", "b", 2, "recursive");"""
    dates = 'setSpaceTimeMap(prog, "r", "y", "(i,j->i,j)");'
    text = agrees(proved(tmp_path, TILED, dates + tiles), tmp_path, *SIZES)
    _, *kept = text.split("bool product = y[i];")
    assert kept
    assert all("product_int(product" in part.partition("y[i] = product;")[0] for part in kept)


ONE_NAME = """affine r {N | N>=1}
input int x {i | 0<=i<=2N}; int w {i | 0<=i<=2N};
output int s {k | 0<=k<N}; int t {i | 0<=i<N};
let
  s[k] = reduce(+, [i,j], {| 0<=(i,j)<N} : x[j] * w[i]);
  t[i] = reduce(max, [j,k], {| 0<=(j,k)<N} : x[2i] + w[k]); .
"""


@pytest.mark.slow
def test_indices_of_one_name_that_stay_the_same_in_a_loop(tmp_path: Path) -> None:
    """`i` is one number where s accumulates, and another where t does, in one loop."""
    commands = """setSpaceTimeMap(prog, "r", "s", "(k,i,j -> k,i+1,j)");
    setSpaceTimeMap(prog, "r", "t", "(i,j,k -> i+1,j,k)");"""
    agrees(proved(tmp_path, ONE_NAME, commands), tmp_path, *({"N": n} for n in (1, 2, 3, 6)))
