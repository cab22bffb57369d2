"""Triangles of register tiles: accumulators in vectors where rows are independent, and only there."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.openmp import OPENMP
from alphaz.legality.loops.independence import CellAccess, Effect, Iterations, finished
from alphaz.legality.verdicts import Verified
from alphaz.model.interpreter import evaluate
from alphaz.poly import Affine
from alphaz.poly.algorithms.tile_corners import BoxKey
from alphaz.proof import holds
from alphaz.run.data import random_inputs
from alphaz.run.kernel import compile_kernel
from alphaz.run.machine import machine
from tests.codegen.generated_kernels import SANITIZED, STRICT, proved

SOLVE = """affine f {M,N | M>=1 && N>=1}
input double A {i,j | 0<=i<M && 0<=j<N}; double U {i,j | 0<=i<=j<N};
output double L {i,j | 0<=i<M && 0<=j<N};
local double S {i,j | 0<=i<M && 0<=j<N};
let S[i,j] = reduce(+, [k], {| 0<=k<j}: L[i,k] * U[k,j]);
    L[i,j] = (A[i,j] - S[i,j]) / U[j,j]; .
"""
TILES = """setSpaceTimeMap(prog, "f", "S", "(i,j,k -> i,j,k)"); setSpaceTimeMap(prog, "f", "L", "(i,j -> i,j,j)");
setMemoryMap(prog, "f", "S", "L", "(i,j -> i,j)");
setRegisterTile(prog, "f", 0, 3); setRegisterTile(prog, "f", 1, WIDTH);"""
AVX2 = OPENMP.on(machine("avx2"))


def text_of(verified: Verified) -> str:
    return scheduled_c(verified, "f", target=AVX2).files["f.c"]


def solve(folder: Path, program: str = SOLVE, width: int = 16) -> Verified:
    return proved(folder, program, TILES.replace("WIDTH", str(width)))


def test_a_triangle_is_in_vectors_of_a_local_array(tmp_path: Path) -> None:
    text = text_of(solve(tmp_path))
    assert "a triangle of 16 x 3" in text
    assert "*(double4 *)&sums[r][4 * s] += " in text


@pytest.mark.parametrize(
    ("old", "new", "width"),
    [
        ("(A[i,j] - S[i,j]) / U[j,j]", "case {| i==0}: A[i,j] - S[i,j]; {| i>0}: L[i-1,j] - S[i,j]; esac", 16),
        ("reduce(+,", "reduce(max,", 16),
        ("L[i,k] * U[k,j]", "L[i,k] * A[i,j]", 16),
        ("", "", 8),
    ],
    ids=["rows that need each other", "another operator", "operands of single rows", "short rows"],
)
def test_other_triangles_stay_in_memory(tmp_path: Path, old: str, new: str, width: int) -> None:
    verified = solve(tmp_path, SOLVE.replace(old, new) if old else SOLVE, width)
    assert "a triangle of" not in text_of(verified)


@pytest.mark.slow
@pytest.mark.parametrize("width", [16, 24])
def test_the_values_are_those_of_the_equations(tmp_path: Path, width: int) -> None:
    verified = solve(tmp_path, width=width)
    checked = verified.design.checked
    flags = (*STRICT, *(flag for flag in SANITIZED if "address" not in flag), "-Wno-psabi")
    kernel = compile_kernel(scheduled_c(verified, "f", target=AVX2), checked, "f", flags=flags)
    for parameters in ({"M": 7, "N": 37}, {"M": 2, "N": 5}, {"M": 12, "N": 48}):
        inputs = random_inputs(checked.program.system("f"), parameters, 3)
        inputs["U"] = inputs["U"] + 4 * np.eye(parameters["N"])
        expected = evaluate(checked.program, checked.facts, "f", parameters, inputs)
        np.testing.assert_allclose(kernel.run(parameters, inputs, 2).outputs["L"], expected["L"], rtol=1e-9)


@pytest.mark.parametrize(("column", "is_finished"), [("k", True), ("k+1", False), ("k-1", False)])
def test_a_step_reads_the_column_that_it_finishes_alone(tmp_path: Path, column: str, is_finished: bool) -> None:
    """The later ones are not in memory yet; earlier ones would be proved by their steps only."""
    statement = next(s for s in solve(tmp_path).mappings["f"].statements if s.name == "S.body")
    i, j, k = (BoxKey(Affine.name(name)) for name in "ijk")
    read = replace(k, value=k.value + {"k": 0, "k+1": 1, "k-1": -1}[column])
    accesses = CellAccess("S", (i, j), "S[i,j]"), CellAccess("S", (i, read), f"S[i,{column}]")
    update = Iterations(statement, Effect(accesses[0], accesses[1:]), statement.domain, (), Affine.name("k"))
    assert all(map(holds, finished("a triangle", [], update, Affine.name("j")))) is is_finished
