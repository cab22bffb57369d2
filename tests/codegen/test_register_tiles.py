"""Register tiles: whole tiles in loops of constant length, the rest by points; the values are the interpreter's."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.pipeline import ALL, PLAIN
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.openmp import OPENMP
from alphaz.diagnostics.rules import TILING
from alphaz.equivalence.driver.generated_code import prove_stage_a
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import verify
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs
from alphaz.run.kernel import compile_kernel
from alphaz.run.machine import PIN, machine
from tests.codegen.generated_kernels import SANITIZED, STRICT, design_of, proved
from tests.thinning import thinned

pytestmark = pytest.mark.slow

PRODUCT = """affine f {N,M,K | N>=1 && M>=1 && K>=1}
input TYPE A {i,k | 0<=i<N && 0<=k<K}; TYPE B {k,j | 0<=k<K && 0<=j<M};
output TYPE C {i,j | 0<=i<N && 0<=j<M};
let C[i,j] = reduce(OP, [k], A[i,k] * B[k,j]); .
"""
ALONG = """affine f {N,M | N>=1 && M>=1}
input int a {i,j | 0<=i<N && 0<=j<M};
output int b {i,j | 0<=i<N && 0<=j<M};
let b[i,j] = case {| j==0} : a[i,j]; {| j>0} : a[i,j] + 3 * b[i,j-1]; esac; .
"""
EDGES = "{| i==0} : a[i,j]; {| i>0 && j==M-1} : a[i,j]; {| i>0 && j<M-1}"
DATES = 'setSpaceTimeMap(prog, "f", "b", "(i,j->i,j)");'


def product(kind: str = "double", operator: str = "+") -> str:
    return PRODUCT.replace("TYPE", kind).replace("OP", operator)


def text_of(verified: Verified, *, plain: bool = False) -> str:
    return scheduled_c(verified, "f", pipeline=PLAIN if plain else ALL).files["f.c"]


def agrees(verified: Verified, **parameters: int) -> None:
    """Exactly, clean under the sanitizers of undefined behaviour, and without a warning.

    Inputs are whole numbers: sums of them are the same in every order.
    """
    checked = verified.design.checked
    system = checked.program.system("f")
    inputs = {
        name: np.rint(8 * values).astype(values.dtype) for name, values in random_inputs(system, parameters, 3).items()
    }
    expected = evaluate(checked.program, checked.facts, "f", parameters, inputs)
    flags = ("-O2", *STRICT, *(flag for flag in SANITIZED if "address" not in flag))
    for plain in (False, True):
        kernel = compile_kernel(scheduled_c(verified, "f", pipeline=PLAIN if plain else ALL), checked, "f", flags=flags)
        found = kernel.run(parameters, inputs, 2).outputs
        for output in system.outputs:
            np.testing.assert_array_equal(found[output.name], expected[output.name])


@pytest.mark.parametrize(
    ("instructions", "width", "vector"),
    thinned([("sse2", 16, "double2 sum[3][8]"), ("avx2", 16, "double4 sum[3][4]"), ("avx512", 16, "double8 sum[3][2]"),
     ("avx512", 12, "double4 sum[3][3]"), ("avx512", 6, "double sum[6][3]")], 3),
)  # fmt: skip
def test_vectors_are_as_long_as_the_machine_and_the_tile_let_them_be(
    tmp_path: Path, instructions: str, width: int, vector: str
) -> None:
    commands = f"""setSpaceTimeMap(prog, "f", "C", "(i,j,k->j,k,i)");
    setTiling(prog, "f", 0, {2 * width}); setTiling(prog, "f", 1, 5); setTiling(prog, "f", 2, 6);
    setRegisterTile(prog, "f", 0, {width}); setRegisterTile(prog, "f", 2, 3);"""
    verified, target = proved(tmp_path, product(), commands), OPENMP.on(machine(instructions))
    sources = scheduled_c(verified, "f", target=target)
    assert vector in sources.files["f.c"]
    checked = verified.design.checked
    kernel = compile_kernel(sources, checked, "f", flags=("-O2", *STRICT, "-Wno-psabi"))
    parameters = {"N": 7, "M": 37, "K": 11}
    inputs = random_inputs(checked.program.system("f"), parameters, 3)
    expected = evaluate(checked.program, checked.facts, "f", parameters, inputs)
    np.testing.assert_allclose(kernel.run(parameters, inputs, 2).outputs["C"], expected["C"])


def test_one_vector_needs_no_loop(tmp_path: Path) -> None:
    """A tile of one row of eight columns is one vector, summed in a variable."""
    commands = """setSpaceTimeMap(prog, "f", "C", "(i,j,k->i,j,k)"); setTiling(prog, "f", 0, 4);
    setTiling(prog, "f", 1, 16); setTiling(prog, "f", 2, 6); setRegisterTile(prog, "f", 1, 8);"""
    verified = proved(tmp_path, product("float"), commands)
    text = text_of(verified)
    assert "float8 sum;" in text
    assert re.search(r"= 0; \w+ < 1;", text) is None
    agrees(verified, N=3, M=37, K=11)


AUTOMATIC = """setSpaceTimeMap(prog, "f", "C", "(i,j,k->j,k,i)");
setTiling(prog, "f", 0, 96); setTiling(prog, "f", 1, 5); setTiling(prog, "f", 2, 24);
setRegisterTile(prog, "f", 0, "auto"); setRegisterTile(prog, "f", 2, "auto");"""


@pytest.mark.parametrize(
    ("instructions", "kind", "sums"),
    thinned([("sse2", "double", "double2 sum[6][2]"), ("neon", "double", "double2 sum[8][3]"),
     ("avx2", "double", "double4 sum[6][2]"), ("avx512", "double", "double8 sum[8][3]"),
     ("avx2", "float", "float8 sum[6][2]"), ("avx512", "float", "float16 sum[8][3]")], 4),
)  # fmt: skip
def test_automatic_sizes_fill_the_registers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, instructions: str, kind: str, sums: str
) -> None:
    """Two vectors along neighbours in memory, rows in three quarters of the registers: proved for just these."""
    monkeypatch.setenv(PIN, instructions)
    verified = proved(tmp_path, product(kind), AUTOMATIC)
    text = scheduled_c(verified, "f", target=OPENMP.on(machine())).files["f.c"]
    assert sums in text
    agrees(verified, N=7, M=37, K=11)


@pytest.mark.parametrize(
    ("instructions", "kind", "sums"),
    thinned([("neon", "double", "double2 sum[8][3]"), ("avx2", "double", "double4 sum[6][2]"),
     ("avx512", "double", "double8 sum[8][3]"), ("avx512", "float", "float16 sum[8][3]")], 4),
)  # fmt: skip
def test_three_vectors_are_in_a_row_where_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, instructions: str, kind: str, sums: str
) -> None:
    """In 32 registers, and in tiles that are multiples."""
    monkeypatch.setenv(PIN, instructions)
    verified = proved(tmp_path, product(kind), AUTOMATIC.replace("24", "72"))
    assert sums in scheduled_c(verified, "f", target=OPENMP.on(machine())).files["f.c"]
    agrees(verified, N=7, M=37, K=11)


def test_automatic_sizes_follow_what_is_near_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transposed result has its columns along the other dimension; a summed one is not cut."""
    monkeypatch.setenv(PIN, "avx2")
    transposed = AUTOMATIC + 'setMemoryMap(prog, "f", "C", "T", "(i,j->j,i)");'
    bands = proved(tmp_path, product(), transposed).mappings["f"].bands
    assert [band.sizes for band in bands if band.registers] == [((6, 1, 8),)]
    inner = AUTOMATIC + 'setRegisterTile(prog, "f", 1, "auto");'
    bands = proved(tmp_path, product(), inner).mappings["f"].bands
    assert [band.sizes for band in bands if band.registers] == [((8, 1, 6),)]


def test_automatic_sizes_that_are_not_legal_are_refuted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are four apart are in one tile of six."""
    monkeypatch.setenv(PIN, "avx2")
    report = verify(design_of(tmp_path, FOUR_BACK, DATES + 'setRegisterTile(prog, "f", 0, "auto");'))
    assert {finding.rule for finding in report.findings} == {TILING}


@pytest.mark.parametrize(
    ("kind", "operator", "vector"),
    thinned([
     ("double", "+", "double4 sum[3][2]"), ("float", "+", "float8 sum[3]"), ("int", "max", "int greatest[8][3]"),
     ("double", "min", "double least[8][3]"), ("int", "+", "int sum[8][3]"), ("bool", "and", "bool every[8][3]"),
     ("unsigned int", "*", "unsigned int product[8][3]"),
    ], 4),
)  # fmt: skip
def test_a_product(tmp_path: Path, kind: str, operator: str, vector: str) -> None:
    """The sums of a tile are in registers over the whole inner loop, as vectors where the type has them."""
    commands = """setSpaceTimeMap(prog, "f", "C", "(i,j,k->j,k,i)"); setParallel(prog, "f", "", 0);
    setTiling(prog, "f", 0, 16); setTiling(prog, "f", 1, 5); setTiling(prog, "f", 2, 6);
    setRegisterTile(prog, "f", 0, 8); setRegisterTile(prog, "f", 2, 3);"""
    verified = proved(tmp_path, product(kind, operator), commands)
    assert vector in text_of(verified)
    plain = text_of(verified, plain=True)
    assert "#pragma omp parallel for\n" in plain
    assert "simd" not in plain
    assert f" {vector.split()[-1].partition('[')[0]}[" not in plain
    for sizes in ({"N": 1, "M": 1, "K": 1}, {"N": 7, "M": 17, "K": 11}, {"N": 6, "M": 16, "K": 5}):
        agrees(verified, **sizes)


def test_minima_begin_with_that_of_nothing(tmp_path: Path) -> None:
    """A loop combines its terms in a separate value, not in the minimum so far, which is the value of no equation."""
    commands = """setSpaceTimeMap(prog, "f", "C", "(i,j,k->j,k,i)");
    setTiling(prog, "f", 0, 16); setTiling(prog, "f", 1, 5); setTiling(prog, "f", 2, 6);
    setRegisterTile(prog, "f", 0, 8); setRegisterTile(prog, "f", 2, 3);"""
    text = " ".join(text_of(proved(tmp_path, product("long", "min"), commands)).split())
    _, registers = text.split("long least[8][3];")
    before, _, after = registers.partition("for (int64_t k")
    assert "least[r][s] = LONG_MAX;" in before
    assert "= C[" not in before
    assert re.search(r"C\[([^\]]+)\] = min_long\(C\[\1\], least\[r\]\[s\]\);", after)


def test_values_that_wait_for_each_other_are_not_done_at_once(tmp_path: Path) -> None:
    verified = proved(
        tmp_path, ALONG.replace("int", "double"),
        DATES + 'setRegisterTile(prog, "f", 0, 2); setRegisterTile(prog, "f", 1, 4);',
    )  # fmt: skip
    text = text_of(verified)
    assert "double4" not in text
    assert "r < 2" in text
    agrees(verified, N=5, M=13)


NESTS = """affine f {N,M | N>=1 && M>=1}
input int a {i,j | 0<=i<N && 0<=j<M};
output int b {i,j | 0<=i<N && 0<=j<M}; int c {i,j | 0<=i<N && 0<=j<M};
let b[i,j] = a[i,j] + 1; c[i,j] = b[i,j] * 2; .
"""
NEST_DATES = """setSpaceTimeMap(prog, "f", "b", "(i,j->0,j,i)"); setSpaceTimeMap(prog, "f", "c", "(i,j->1,i,j)");
setOrderingDimensions(prog, "f", 0);"""


def test_pieces_for_all_nests_and_for_one(tmp_path: Path) -> None:
    """An entry without a prefix holds for every nest; a nest with its own entry has both."""
    commands = 'setVectorDimension(prog, "f", "", 2, 8); setRegisterTile(prog, "f", "1", 0, 2);'
    verified = proved(tmp_path, NESTS, NEST_DATES + commands)
    bands = {(band.prefix, band.start, band.sizes) for band in verified.mappings["f"].bands}
    assert bands == {((0,), 1, ((8,),)), ((1,), 0, ((2, 8),))}
    agrees(verified, N=11, M=19)
    again = proved(tmp_path, NESTS, NEST_DATES + commands + 'setRegisterTile(prog, "f", "1", 1, 3);')
    assert ((1,), 0, ((2, 3),)) in {(band.prefix, band.start, band.sizes) for band in again.mappings["f"].bands}
    agrees(again, N=11, M=19)


def test_tiles_against_the_order_are_refuted(tmp_path: Path) -> None:
    """b[i,j] needs b[i-1,j+1], which is in a tile to the right."""
    program = ALONG.replace("{| j==0} : a[i,j]; {| j>0}", EDGES)
    design = design_of(
        tmp_path, program.replace("b[i,j-1]", "b[i-1,j+1]"),
        DATES + 'setRegisterTile(prog, "f", 0, 2); setRegisterTile(prog, "f", 1, 2);',
    )  # fmt: skip
    assert TILING in {finding.rule for finding in verify(design).findings}


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        ('setTiling(prog, "f", 0, 10); setRegisterTile(prog, "f", 0, 4);', "multiple of 4"),
        ('setTiling(prog, "f", 0); setRegisterTile(prog, "f", 0, 4);', "a parameter"),
        (
            'setTiling(prog, "f", 0, 8); setTiling(prog, "f", 1); setRegisterTile(prog, "f", 0, 4);',
            "1 point in dimension 1, and the tile around it a parameter give the tile a size",
        ),
        ('setTiling(prog, "f", 1, 8); setRegisterTile(prog, "f", 0, 4);', "inside the register tiles"),
        ('setRegisterTile(prog, "f", 3, 4);', "the dates have 2 dimensions"),
    ],
)
def test_register_tiles_that_do_not_fit(tmp_path: Path, commands: str, said: str) -> None:
    design = design_of(tmp_path, ALONG, DATES + commands)
    (finding,) = verify(design).findings
    assert said in f"{finding.message} {finding.help}"


FOUR_BACK = ALONG.replace(
    "{| j==0} : a[i,j]; {| j>0} : a[i,j] + 3 * b[i,j-1]",
    "{| i<4} || {| i>=4 && j==M-1} : a[i,j]; {| i>=4 && j<M-1} : a[i,j] + 3 * b[i-4,j+1]",
)


def test_register_tiles_are_legal_for_their_own_size(tmp_path: Path) -> None:
    """Rows that are four apart are never in one tile of four rows; in one of eight they are, in the wrong order."""
    verified = proved(tmp_path, FOUR_BACK, DATES + 'setRegisterTile(prog, "f", 0, 4);')
    agrees(verified, N=13, M=9)
    assert "for register tiles of 4 in dimension 0 only" in text_of(verified)
    report = verify(design_of(tmp_path, FOUR_BACK, DATES + 'setRegisterTile(prog, "f", 0, 8);'))
    assert {finding.rule for finding in report.findings} == {TILING}


def test_the_verdict_stands_behind_the_whole_sentence_of_the_mapping(tmp_path: Path) -> None:
    verified = proved(tmp_path, FOUR_BACK, DATES + 'setRegisterTile(prog, "f", 0, 4);')
    name = "register tiles of 4 in dimension 0, which are those of the only level, whatever sizes the tiles around have"
    sources = scheduled_c(replace(verified, scopes={"f": name}), "f")
    made = prove_stage_a(sources, verified.design.checked, "f").sources.files["f.c"]
    header = " ".join(made.partition("*/")[0].replace("\n *", " ").split())
    said = f"for all parameter values, for {name} only. "
    assert header.partition(said)[2].startswith(("Proved of this text", "It is not proved that this text"))
