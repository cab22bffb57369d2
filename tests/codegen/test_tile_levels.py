"""Tiles of several levels, the sizes being parameters: what of a tile is inside the tile around has its own names."""

import re
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs
from alphaz.run.kernel import compile_kernel
from tests.codegen.generated_kernels import STRICT, proved
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SWEEPS = """affine f {N,M,T | N>=2 && M>=2 && T>=0}
input double A {i,j | 0<=i<=N && 0<=j<=M};
output double B {i,j | 0<=i<=N && 0<=j<=M};
local double X {t,i,j | 0<=t<=T && 0<=i<=N && 0<=j<=M};
let
  X[t,i,j] = case
    {| t==0} || {| i==0} || {| i==N} || {| j==0} || {| j==M} : A[i,j];
    {| t>0 && 0<i<N && 0<j<M} : X[t,i-1,j] + X[t,i,j-1] + X[t-1,i+1,j] + X[t-1,i,j+1];
  esac;
  B[i,j] = X[T,i,j];
.
"""
DATES = """setSpaceTimeMap(prog, "f", "X", "(t,i,j -> t,t+i,t+j)");
setSpaceTimeMap(prog, "f", "B", "(i,j -> T+1,T+1+i,T+1+j)");
setMemoryMap(prog, "f", "X", "X", "(t,i,j -> i,j)");
setBandForTiling(prog, "f", "b", {}, 0, 2);
"""
WAVES = 'setSubTilingWithinBand(prog, "f", "b", {});'
PARAMETERS = ({"N": 2, "M": 2, "T": 0}, {"N": 13, "M": 9, "T": 6}, {"N": 7, "M": 30, "T": 11})
SIZES = (
    (2, 3, 2, 5, 4, 3, 1, 2, 2),
    (1, 1, 1, 1, 1, 1, 1, 1, 1),
    (7, 8, 16, 3, 4, 5, 2, 9, 1),
    (9, 9, 9, 9, 9, 9, 9, 9, 9),
)


@pytest.mark.parametrize(
    ("levels", "waves"),
    [
        (2, ('1, 1, 2, "openmp"', '2, 0, 1, "openmp"')),
        (3, ('1, 0, 1, "openmp"',)),
    ],
)
def test_the_values_are_those_of_the_interpreter(levels: int, waves: tuple[str, ...], tmp_path: Path) -> None:
    """For tiles that are larger than those around and smaller, and that fit into them and do not."""
    verified = proved(tmp_path, SWEEPS, DATES.format(levels) + "".join(map(WAVES.format, waves)))
    checked, sizes = verified.design.checked, verified.mappings["f"].tile_sizes
    assert [size.name for size in sizes] == [f"ts{d}_l{at}" for at in range(1, levels + 1) for d in (1, 2, 3)]
    kernel = compile_kernel(scheduled_c(verified, "f"), checked, "f", flags=("-O1", *STRICT), sizes=sizes)
    for parameters in PARAMETERS:
        inputs = random_inputs(checked.program.system("f"), parameters, 3)
        expected = evaluate(checked.program, checked.facts, "f", parameters, inputs)["B"]
        for chosen in SIZES:
            given = parameters | {size.name: value for size, value in zip(sizes, chosen, strict=False)}
            for threads in (1, 2):
                np.testing.assert_array_equal(kernel.run(given, inputs, threads).outputs["B"], expected)


def test_a_whole_tile_inside_the_tile_around_has_loops_of_its_own(tmp_path: Path) -> None:
    """A loop is bounded by two names, and the code does not grow with the levels."""
    one, two = (scheduled_c(proved(tmp_path, SWEEPS, DATES.format(levels)), "f").files["f.c"] for levels in (1, 2))
    assert "for (int64_t c1 = tc1; c1 < tc1 + ts2_l1; c1++) {" in one
    assert "for (int64_t c1 = c1_first; c1 < c1_end; c1++) {" in two
    assert "const int64_t c1_end = min64(tc1_2 + ts2_l2, tc1 + ts2_l1);" in two
    assert len(two.splitlines()) < 1.5 * len(one.splitlines())


@pytest.mark.parametrize(("dates", "loops"), thinned([("0,i,N-j", 2), ("i,0,N-j", 2), ("i,N-j,0", 2), ("i,i,N-j", 3)]))
def test_the_innermost_tile_of_a_wavefront_follows_from_the_others(tmp_path: Path, dates: str, loops: int) -> None:
    """Where a component is a constant, it is another one whose tile has no loop."""
    program = """affine f {N | N>=1}
input int A {i | 0<=i<N};
output int X {i,j | 0<=i<=j && j<N};
let X[i,j] = case {| i>0 && j<N-1} : X[i-1,j+1] + A[i]; {| i==0} : A[j]; {| i>0 && j==N-1} : 1; esac; .
"""
    commands = f'setSpaceTimeMap(prog, "f", "X", "(i,j -> {dates})");'
    verified = proved(tmp_path, program, commands + 'setDefaultDTilerConfiguration(prog, "f", "openmp");')
    text = scheduled_c(verified, "f").files["f.c"]
    assert len(re.findall(r"for \(int64_t [wn]\w+\s+= ", text)) == loops
    assert not re.search(r"\bw\w+ ==|== w", text)
    checked, sizes = verified.design.checked, verified.mappings["f"].tile_sizes
    kernel = compile_kernel(scheduled_c(verified, "f"), checked, "f", flags=("-O1", *STRICT), sizes=sizes)
    for size in (1, 2, 9):
        inputs = random_inputs(checked.program.system("f"), {"N": size}, 3)
        expected = evaluate(checked.program, checked.facts, "f", {"N": size}, inputs)["X"]
        for chosen in SIZES:
            given = {"N": size} | {size.name: value for size, value in zip(sizes, chosen, strict=False)}
            np.testing.assert_array_equal(kernel.run(given, inputs, 2).outputs["X"], expected)


TWO_NESTS = """affine f {N,M | N>=1 && M>=1}
output int X {i,j | 1<=i<M && 0<=j<=N}; int Y {i,j,k | 0<=i<=N && i<=j<M && 1<=k<=N};
let
  X[i,j] = case {| i>=2 && j>=1} : X[i-1,j-1]; {| i==1} : 1; {| j==0 && i>=2} : 0; esac;
  Y[i,j,k] = case {| i>=1} : Y[i-1,j,k]; {| i==0} : 1; esac;
.
"""
NESTS = """setSpaceTimeMap(prog, "f", "X", "(i,j -> 0,i,j,0)"); setSpaceTimeMap(prog, "f", "Y", "(i,j,k -> 1,i,j,k)");
setTiling(prog, "f", 0, 1); setTiling(prog, "f", 1, 3); setTiling(prog, "f", 2, 3);
setBandForTiling(prog, "f", "b0", 2, "", 0, 2);
setSubTilingWithinBand(prog, "f", "b0", 1, "openmp"); setSubTilingWithinBand(prog, "f", "b0", 2, "openmp");
"""


def test_wavefronts_around_tiles_of_several_nests(tmp_path: Path) -> None:
    verified = proved(tmp_path, TWO_NESTS, NESTS)
    checked, sizes = verified.design.checked, verified.mappings["f"].tile_sizes
    kernel = compile_kernel(scheduled_c(verified, "f"), checked, "f", flags=("-O1", *STRICT), sizes=sizes)
    for parameters in ({"N": 1, "M": 3}, {"N": 3, "M": 2}, {"N": 6, "M": 5}):
        expected = evaluate(checked.program, checked.facts, "f", parameters, {})
        given = parameters | {size.name: value for size, value in zip(sizes, (1, 2, 3, 5, 64, 1), strict=True)}
        found = kernel.run(given, {}, 2).outputs
        for name in ("X", "Y"):
            np.testing.assert_array_equal(found[name], expected[name])
