"""Buffers of final values: the tiles that use them are those in which enumeration finds no write of what they read."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.c.names import Identifiers
from alphaz.codegen.scheduled.memory.buffers import buffer_names
from alphaz.codegen.scheduled.pipeline import PLAIN
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.scheduled.statements.final_value_buffers import final_copies
from alphaz.codegen.scheduled.statements.independence import OracleQuery
from alphaz.diagnostics import Rejected
from alphaz.legality.verdicts import Verified
from alphaz.model.interpreter import evaluate
from alphaz.run.kernel import compile_kernel
from tests.codegen.generated_kernels import SANITIZED, STRICT, proved

pytestmark = pytest.mark.slow

SHIFTED = """affine f {N | N>=8}
input double A {t,i | 0<=t<N && 0<=i<N};
output double b {t,i | 0<=t<N && 0<=i<N};
let b[t,i] = case {| t<DT} || {| i<DI} : A[t,i]; {| t>=DT && i>=DI} : A[t,i] + b[t-DT,i-DI]; esac; .
"""
LU = """affine f {N | N>=1}
input double A {i,j | 0<=(i,j)<N};
output double F {i,j | 0<=(i,j)<N};
local double S {i,j | 0<=(i,j)<N}; double L {i,j | 0<=j<i<N}; double U {i,j | 0<=i<=j<N};
let
S[i,j] = reduce(+, [k], {| k<i && k<j}: L[i,k] * U[k,j]);
L[i,j] = (A[i,j] - S[i,j]) / U[j,j];
U[i,j] = A[i,j] - S[i,j];
F[i,j] = case {| i>j} : L[i,j]; {| i<=j} : U[i,j]; esac; .
"""
MAPPED = """setSpaceTimeMap(prog, "f", "S", "(i,j,k -> 0,j,i,k)"); setSpaceTimeMap(prog, "f", "L", "(i,j -> 0,j,i,j)");
setSpaceTimeMap(prog, "f", "U", "(i,j -> 0,j,i,i)"); setSpaceTimeMap(prog, "f", "F", "(i,j -> 1,i,j,0)");
setOrderingDimensions(prog, "f", "0");
setTiling(prog, "f", 1, 8); setTiling(prog, "f", 2, 6); setTiling(prog, "f", 3, 5); setTilingType(prog, "f", "ORDER");
setRegisterTile(prog, "f", "0", 0, 4); setRegisterTile(prog, "f", "0", 1, 3);
setMemoryMap(prog, "f", "L", "F", "(i,j -> i,j)"); setMemoryMap(prog, "f", "U", "F", "(i,j -> i,j)");
setMemoryMap(prog, "f", "S", "F", "(i,j -> i,j)");
"""
PACKED = 'setPacking(prog, "f", "S", "L, U", "final");'
SIZED = 'setRegisterTile(prog, "f", "0", 0, 8, "final"); setRegisterTile(prog, "f", "0", 1, 2, "final");'


def agrees(verified: Verified, size: int, threads: int = 2) -> None:
    """Without undefined behaviour or a warning; sums are in another order."""
    checked = verified.design.checked
    random = np.random.default_rng(size)
    inputs = {"A": random.standard_normal((size, size)) + 4 * np.sqrt(size) * np.eye(size)}
    expected = evaluate(checked.program, checked.facts, "f", {"N": size}, inputs)
    flags = ("-O1", *STRICT, *(flag for flag in SANITIZED if "address" not in flag))
    found = compile_kernel(scheduled_c(verified, "f"), checked, "f", flags=flags).run({"N": size}, inputs, threads)
    for output, values in expected.items():
        np.testing.assert_allclose(found.outputs[output], values, rtol=0, atol=1e-11)


@pytest.mark.parametrize("back", [(1, 0), (2, 0), (1, 2), (2, 3), (0, 3)])
@pytest.mark.parametrize("sides", [(1, 4), (2, 4), (3, 3), (4, 1)])
def test_the_chosen_tiles_write_nothing_of_it(tmp_path: Path, back: tuple[int, int], sides: tuple[int, int]) -> None:
    """By enumeration. All tiles are chosen where none writes what it reads."""
    (dt, di), (height, width) = back, sides
    program = SHIFTED.replace("DT", str(dt)).replace("DI", str(di))
    commands = f"""setSpaceTimeMap(prog, "f", "b", "(t,i->t,i)"); setTiling(prog, "f", 0, {height});
setTiling(prog, "f", 1, {width}); setPacking(prog, "f", "b", "b", "final");"""
    verified = proved(tmp_path, program, commands)
    mapping = verified.mappings["f"]
    final = final_copies(mapping, buffer_names(mapping, Identifiers(())), OracleQuery())
    size = 13
    read = [(t, i) for t, i in product(range(dt, size), range(di, size))]
    tiles = {(t // height * height, i // width * width) for t, i in read}
    written = {(t // height * height, i // width * width) for t, i in read
               if (t // height, i // width) == ((t - dt) // height, (i - di) // width)}  # fmt: skip
    chosen = {tile for tile in tiles if final and final.quiet.contains({"N": size, "t0": tile[0], "t1": tile[1]})}
    assert not chosen & written
    assert written or chosen == tiles
    assert ("packed_b[" in scheduled_c(verified, "f").files["f.c"]) is (final is not None)


@pytest.mark.parametrize("order", ["omp", pytest.param("sequential", marks=pytest.mark.long)])
def test_a_factorisation(tmp_path: Path, order: str) -> None:
    """Only tiles that write neither factor have buffers; tiles at borders are computed whole from them."""
    verified = proved(tmp_path, LU, MAPPED.replace("ORDER", order) + PACKED)
    text = " ".join(scheduled_c(verified, "f").files["f.c"].split())
    assert "tk <= tj - 8" in text or "tk + 8 <= tj" in text or "tk <= tj - 5" in text
    assert "some of 4 x 3" in text
    for size in (1, 7, 23):
        agrees(verified, size)


@pytest.mark.parametrize("order", ["omp", pytest.param("sequential", marks=pytest.mark.long)])
def test_register_tiles_of_their_own(tmp_path: Path, order: str) -> None:
    """Tiles with buffers, in which nothing else is executed, have register tiles of another size."""
    verified = proved(tmp_path, LU, MAPPED.replace("ORDER", order) + PACKED + SIZED)
    text = " ".join(scheduled_c(verified, "f").files["f.c"].split())
    assert "some of 8 x 2" in text
    assert ", 4 x 3" in text
    assert "some of 4 x 3" not in text
    for size in (1, 7, 17, 23):
        agrees(verified, size)


def test_sizes_for_all_tiles_where_others_are_executed(tmp_path: Path) -> None:
    """Another statement in the tiles with buffers has the register tiles of all other tiles."""
    declared = "double d {t,i | 0<=t<N && 0<=i<N};\nlet d[t,i] = A[t,i] * 2;\nb"
    program = SHIFTED.replace("DT", "2").replace("DI", "0").replace("let b", declared)
    commands = """setSpaceTimeMap(prog, "f", "b, d", "(t,i->t,i)"); setStatementOrdering(prog, "f", "b", "d");
setTiling(prog, "f", 0, 2); setTiling(prog, "f", 1, 8); setRegisterTile(prog, "f", 1, 2);
setPacking(prog, "f", "b", "b", "final");"""
    without = proved(tmp_path, program, commands)
    verified = proved(tmp_path, program, commands + 'setRegisterTile(prog, "f", 1, 4, "final");')
    assert "packed_b[" in scheduled_c(verified, "f").files["f.c"]
    assert scheduled_c(verified, "f").files == scheduled_c(without, "f").files
    agrees(verified, 13)


@pytest.mark.parametrize(("line", "message"), [
    ('setRegisterTile(prog, "f", "0", 2, 5, "final");', "no register tile but this one"),
    ('setRegisterTile(prog, "f", "0", 0, 3, "final");', "3 points in dimension 1"),
    ('setRegisterTile(prog, "f", "0", 0, 5000, "final");', "15000 points"),
])  # fmt: skip
def test_sizes_that_are_refused(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(Rejected, match=message) as refused:
        proved(tmp_path, LU, MAPPED.replace("ORDER", "omp") + PACKED + line)
    place = refused.value.diagnostics[0].primary
    assert place is not None
    assert place.span.text in line


def test_where_there_are_none(tmp_path: Path) -> None:
    """All tiles read memory in plain code, and where sizes of tiles are parameters."""
    verified = proved(tmp_path, LU, MAPPED.replace("ORDER", "omp") + PACKED)
    without = proved(tmp_path, LU, MAPPED.replace("ORDER", "omp"))
    assert scheduled_c(verified, "f", pipeline=PLAIN).files == scheduled_c(without, "f", pipeline=PLAIN).files
    dates = 'setSpaceTimeMap(prog, "f", "b", "(t,i->t,i)"); setTiling(prog, "f", 0); setTiling(prog, "f", 1);'
    program = SHIFTED.replace("DT", "1").replace("DI", "0")
    free = proved(tmp_path, program, dates + 'setPacking(prog, "f", "b", "b", "final");')
    assert "packed_b" not in scheduled_c(free, "f").files["f.c"]


def test_tiles_inside_a_loop(tmp_path: Path) -> None:
    """What an earlier iteration wrote is final, if it is the loop around the tiles that orders both."""
    dates = 'setSpaceTimeMap(prog, "f", "b", "(t,i->t,i)"); setTiling(prog, "f", 1, 4);'
    program = SHIFTED.replace("DT", "1").replace("DI", "1")
    verified = proved(tmp_path, program, dates + 'setPacking(prog, "f", "b", "b", "final");')
    assert "packed_b[" in scheduled_c(verified, "f").files["f.c"]
    for size in (8, 13):
        agrees(verified, size)
