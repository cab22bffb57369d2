"""Recipes: which one is taken, what becomes of its steps, and that their code computes what the program says."""

import re
from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.commands.carrying import carry_out
from alphaz.diagnostics import Rejected, Source
from alphaz.execution.agreement import agree, contestants
from alphaz.machine import Cache, Machine
from alphaz.mapping.design import Design
from alphaz.schedule.blocking import Blocking
from alphaz.schedule.contraction import contraction
from alphaz.schedule.goals import Wish
from alphaz.schedule.propose import normalized
from alphaz.schedule.script import script_of
from alphaz.script.run import run_script
from alphaz.verify.verify import certify, verify
from tests.schedule.building import KERNELS, SAMPLES, design_of, kernel, kernel_design, problem, program_of, proposed

PRODUCTS = ["2mm", "3mm", "correlation", "covariance", "doitgen", "gemm", "symm", "syr2k", "syrk", "trmm"]
FACTORIZATIONS = ["cholesky", "lu", "ludcmp"]
STENCILS = ["fdtd-2d", "heat-3d", "jacobi-1d", "jacobi-2d", "seidel-2d"]
MATRIX_VECTOR = ["atax", "bicg", "gemver", "gesummv", "mvt"]
DYNAMIC_PROGRAMS = ["matrix-chain", "nussinov", "optimal-search-tree"]


def _recipe(name: str) -> str:
    (taken,) = (a.tried.removeprefix("recipe ") for a in kernel(name).attempts if a.tried.startswith("recipe "))
    return taken


def _lines(name: str) -> list[str]:
    return [str(line) for line in kernel(name).lines]


def test_each_kind_of_kernel_has_its_recipe() -> None:
    assert [name for name in KERNELS if _recipe(name) == "product"] == PRODUCTS
    assert [name for name in KERNELS if _recipe(name) == "factorization"] == FACTORIZATIONS
    assert [name for name in KERNELS if _recipe(name) == "stencil"] == STENCILS
    assert [name for name in KERNELS if _recipe(name) == "matrix-vector"] == MATRIX_VECTOR


def test_contractions_are_recognised_whatever_their_names() -> None:
    found = [name for name in KERNELS if any(contraction(problem(kernel_design(name)), s) for s in _statements(name))]
    assert found == sorted([*PRODUCTS, *FACTORIZATIONS, *DYNAMIC_PROGRAMS])


def _statements(name: str) -> list[str]:
    return list(problem(kernel_design(name)).statements)


def test_a_product_is_mapped_as_in_blas() -> None:
    assert _lines("gemm") == [
        'setSpaceTimeMap(prog, system, "C", "(i,j -> j,NK,i)");',
        'setSpaceTimeMap(prog, system, "NR_C", "(i,j,k -> j,k,i)");',
        'setParallel(prog, system, "", 2);',
        "setTiling(prog, system, 0, 2048);",
        "setTiling(prog, system, 1, 256);",
        "setTiling(prog, system, 2, 72);",
        'setMemoryMap(prog, system, "NR_C", "C", "(i,j -> i,j)");',
        "setRegisterTile(prog, system, 0, 8);",
        "setRegisterTile(prog, system, 2, 6);",
        'setPacking(prog, system, "NR_C", "A, B");',
    ]


def test_sizes_follow_from_the_caches() -> None:
    assert (Blocking().inner(), Blocking().panel(), Blocking().block()) == (256, 72, 144)
    small = Blocking(Machine("avx2", (Cache(16 * 1024, 4), Cache(256 * 1024, 8))))
    assert small.inner() < 256
    assert small.block() % 24 == 0


def test_stencils_keep_whole_rows_where_these_are_parallel() -> None:
    assert 'setSpaceTimeMap(prog, system, "X", "(t,i,j -> 0,t,i+t,j)");' in _lines("jacobi-2d")
    assert 'setSpaceTimeMap(prog, system, "X", "(t,i,j -> 0,t,i+t,i+j+2t)");' in _lines("seidel-2d")


def test_products_over_one_matrix_share_their_pass() -> None:
    assert _lines("bicg")[:2] == [
        'setSpaceTimeMap(prog, system, "q", "(i,j -> i,1,j)");',
        'setSpaceTimeMap(prog, system, "s", "(j,i -> i,1,j)");',
    ]
    assert 'setReductionDimension(prog, system, "", 0);' in _lines("bicg")


def test_a_step_that_is_not_legal_is_left_out_and_said() -> None:
    dropped = [a for a in kernel("gesummv").attempts if a.outcome.startswith("left out")]
    assert [a.tried for a in dropped] == ["a cell of another variable for NR_y_1"]
    assert "AZ601" in dropped[0].outcome
    assert kernel("gesummv").report.is_proved


def test_a_recipe_that_is_named_has_to_fit() -> None:
    with pytest.raises(Rejected) as refused:
        kernel("jacobi-1d", Wish(recipe="product"))
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == "AZ513"
    assert any(note.startswith("stencil: ") for note in finding.notes)


EXECUTED = ["covariance", "doitgen", "lu", "fdtd-2d", "seidel-2d", "atax", "gemver", "durbin", "floyd-warshall"]
CLOSE_TO_EACH_OTHER = """
affine two {N | N>0}
input
  double A {i,j | 0<=(i,j)<N};
  double x {i | 0<=i<N};
output
  double y, z {i | 0<=i<N};
let
  y[i] = reduce(+, [j], A[i,j] * x[j]);
  z[i] = y[i] + reduce(+, [j], A[j,i] * y[j]);
.
"""


def test_what_needs_a_whole_result_has_a_pass_of_its_own() -> None:
    found = proposed(design_of(CLOSE_TO_EACH_OTHER))
    assert found.report.is_proved


@pytest.mark.parametrize("name", EXECUTED)
def test_what_is_found_computes_what_the_program_says(name: str) -> None:
    """With two threads, at sizes of the script by hand: with tiles that are whole and tiles that are not."""
    text = program_of(name).read_text(encoding="utf-8")
    design, before = normalized(Design(read_program(Source(str(program_of(name)), text))), carry_out)
    script = script_of(f'"{program_of(name)}"', "found", before, [proposed(design)])
    session = run_script(Source("found.cs", script), Path())
    (read,) = session.designs
    verified = certify(verify(read))
    (system,) = read.mapped_systems
    these = contestants(verified, system, include=program_of(name).parent)
    tuned = (SAMPLES / "kernels" / name / f"{name}-tuned.cs").read_text(encoding="utf-8")
    sizes = re.search(r"^# sizes: (.+)$", tuned, re.MULTILINE)
    assert sizes is not None
    for group in sizes[1].split()[-2:-1]:
        parameters = {key: int(value) for key, value in (part.split("=") for part in group.split(","))}
        agreement = agree(these, parameters, threads=(2,))
        assert agreement.findings == ()
        assert agreement.agrees
