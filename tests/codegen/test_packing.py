"""Packing: tiles read what they have copied; the values are the interpreter's, at sizes that fit no tile."""

from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.pipeline import PLAIN
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics.rules import IGNORED, PACKING
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import verify
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs
from alphaz.run.guarded_call import compile_isolated
from alphaz.run.kernel import compile_kernel
from tests.codegen.generated_kernels import SANITIZED, STRICT, design_of, proved
from tests.thinning import thinned

pytestmark = pytest.mark.slow

PRODUCT = """affine f {N,M,K | N>=1 && M>=1 && K>=1}
input TYPE A {i,k | 0<=i<N && 0<=k<K}; TYPE B {k,j | 0<=k<K && 0<=j<M};
output TYPE C {i,j | 0<=i<N && 0<=j<M};
let C[i,j] = reduce(OP, [k], A[i,k] * B[k,j]); .
"""
DATES = 'setSpaceTimeMap(prog, "f", "C", "(i,j,k->j,k,i)"); setParallel(prog, "f", "", 2);'
TILES = "".join(f'setTiling(prog, "f", {at}, {size});' for at, size in enumerate((16, 5, 6)))
REGISTERS = 'setRegisterTile(prog, "f", 0, 8); setRegisterTile(prog, "f", 2, 3);'
PACKED = 'setPacking(prog, "f", "C", "A, B");'
SIZES = ({"N": 1, "M": 1, "K": 1}, {"N": 7, "M": 17, "K": 11}, {"N": 20, "M": 35, "K": 6})

TRIANGLE = """affine f {N,K | N>=1 && K>=1}
input double A {i,k | 0<=i<N && 0<=k<K};
output double C {i,j | 0<=j<=i<N};
let C[i,j] = reduce(+, [k], A[i,k] * A[j,k]); .
"""
SYMMETRIC = """affine f {N,M | N>=1 && M>=1}
input double A {i,k | 0<=k<=i<N}; double B {k,j | 0<=k<N && 0<=j<M};
output double C {i,j | 0<=i<N && 0<=j<M};
let C[i,j] = reduce(+, [k], case {| k<=i} : A[i,k]; {| k>i} : A[k,i]; esac * B[k,j]); .
"""
FILTER = """affine f {N,K | N>=1 && K>=1}
input double A {i | 0<=i<N+K}; double w {k | 0<=k<K};
output double C {i | 0<=i<N};
let C[i] = reduce(+, [k], A[i+k] * w[k]); .
"""
ROWS = """affine f {N,M | N>=1 && M>=1}
input double A {i,j | 0<=i<N && 0<=j<M};
output double b {t,i | 0<=t<N && 0<=i<M};
let b[t,i] = case {| t==0} : A[t,i]; {| t>0} : A[t,i] + b[t-1,i]; esac; .
"""


def product(kind: str = "double", operator: str = "+") -> str:
    return PRODUCT.replace("TYPE", kind).replace("OP", operator)


def text_of(verified: Verified) -> str:
    return scheduled_c(verified, "f").files["f.c"]


def agrees(verified: Verified, **parameters: int) -> None:
    """Exactly (of whole numbers), with one and with two threads, without undefined behaviour or a warning."""
    checked = verified.design.checked
    system = checked.program.system("f")
    drawn = random_inputs(system, parameters, 3)
    inputs = {name: np.rint(8 * values).astype(values.dtype) for name, values in drawn.items()}
    expected = evaluate(checked.program, checked.facts, "f", parameters, inputs)
    flags = ("-O1", *STRICT, *(flag for flag in SANITIZED if "address" not in flag))
    sizes = verified.mappings["f"].tile_sizes
    kernel = compile_kernel(scheduled_c(verified, "f"), checked, "f", flags=flags, sizes=sizes)
    chosen = {size.name: 3 + at for at, size in enumerate(sizes)}
    for threads in (1, 2):
        found = kernel.run({**parameters, **chosen}, inputs, threads).outputs
        for output in system.outputs:
            np.testing.assert_array_equal(found[output.name], expected[output.name])


@pytest.mark.parametrize(
    ("kind", "operator", "vector"),
    thinned(
        [("double", "+", "double4 sum[3][2]"), ("float", "+", "float8 sum[3]"), ("int", "max", "int greatest[8][3]")], 3
    ),
)
def test_a_product(tmp_path: Path, kind: str, operator: str, vector: str) -> None:
    """B is packed outside of the parallel loop, A inside, by each thread; whole register tiles are of vectors."""
    verified = proved(tmp_path, product(kind, operator), DATES + TILES + REGISTERS + PACKED)
    text = text_of(verified)
    assert vector in text
    before, inside = text.split("#pragma omp parallel", 1)
    assert "packed_B_size0 = min64(16, (M + 7) / 8 * 8)" in before
    assert f"*packed_B = allocate(&failed, sizeof({kind}), 2" in before
    assert f"*packed_A = allocate(&failed_2, sizeof({kind}), 2" in " ".join(inside.split())
    for sizes in SIZES:
        agrees(verified, **sizes)


def test_register_tiles_that_are_not_whole(tmp_path: Path) -> None:
    """They are computed whole, from zeros where nothing is packed, and only what counts is written."""
    text = text_of(proved(tmp_path, product(), DATES + TILES + REGISTERS + PACKED))
    assert "some of 8 x 3" in text
    assert "packed_A[at] = 0" in text
    alone = text_of(proved(tmp_path, product(), DATES + TILES + REGISTERS + 'setPacking(prog, "f", "C", "A");'))
    assert "some of" not in alone
    assert "packed_A[at" not in alone


def test_products_in_register_tiles_that_are_not_whole(tmp_path: Path) -> None:
    """They begin with ones, and are multiplied by what is there; few factors are exact in every order."""
    verified = proved(tmp_path, product("double", "*"), DATES + TILES + REGISTERS + PACKED)
    text = text_of(verified)
    assert "some of 8 x 3" in text
    assert "product[r][s] = (double4){0} + 1;" in text
    for sizes in ({"N": 1, "M": 1, "K": 1}, {"N": 7, "M": 19, "K": 6}):
        agrees(verified, **sizes)


SQUARES = """affine f {N,K | N>=1 && K>=1}
input double A {i,k | 0<=i<N && 0<=k<K};
output double C {i | 0<=i<N};
let C[i] = reduce(+, [k], A[i,k] * A[i,k] - A[i,k]); .
"""


def test_what_is_read_twice_is_packed_once(tmp_path: Path) -> None:
    dates = 'setSpaceTimeMap(prog, "f", "C", "(i,k->i,k)"); setTiling(prog, "f", 0, 4); setTiling(prog, "f", 1, 3);'
    verified = proved(tmp_path, SQUARES, dates + 'setPacking(prog, "f", "C", "A");')
    assert "packed_A[" in text_of(verified)
    assert "packed_A_2" not in text_of(verified)
    agrees(verified, N=9, K=7)


def test_a_triangle(tmp_path: Path) -> None:
    """A variable that is read at two points has two buffers; tiles on the diagonal are masked."""
    verified = proved(tmp_path, TRIANGLE, DATES + TILES + REGISTERS + 'setPacking(prog, "f", "C", "A");')
    assert "packed_A_2[" in text_of(verified)
    assert "if (rj + s <= r + ri)" in text_of(verified) or "&& rj + s <= r + ri" in text_of(verified)
    for sizes in ({"N": 1, "K": 1}, {"N": 9, "K": 11}, {"N": 37, "K": 7}):
        agrees(verified, **sizes)


def test_both_halves_of_a_symmetric_matrix_are_one_buffer(tmp_path: Path) -> None:
    verified = proved(tmp_path, SYMMETRIC, DATES + TILES + REGISTERS + PACKED)
    text = text_of(verified)
    assert "packed_A_2" not in text
    assert "?" not in text.partition("f_loops(")[2].partition("int f_status")[0], "tests in the loops"
    for sizes in ({"N": 1, "M": 1}, {"N": 13, "M": 9}, {"N": 20, "M": 33}):
        agrees(verified, **sizes)


@pytest.mark.parametrize(
    "commands",
    thinned([
        DATES + TILES + PACKED,
        DATES + TILES + 'setPacking(prog, "f", "C", "A, B", 0);',
        DATES + TILES + REGISTERS + 'setPacking(prog, "f", "C", "B, A", 0);',
        DATES + 'setTiling(prog, "f", 2, 6);' + 'setPacking(prog, "f", "C", "A, B", 2);',
        DATES.replace("j,k,i", "-j,k,N-i") + TILES + PACKED,
        DATES.replace("j,k,i", "N+j,k-M,-i") + TILES + REGISTERS + PACKED,
        DATES + TILES.replace(", 16", "").replace(", 5)", ")") + PACKED,
        DATES + 'setBandForTiling(prog, "f", "all", 2, 0, 2);' + PACKED,
        DATES.replace("2)", "0)") + TILES + REGISTERS + PACKED,
    ], 6),
)  # fmt: skip
def test_packed_copies_under_every_kind_of_tiles(tmp_path: Path, commands: str) -> None:
    """No register tiles, outer tiles, no tiles, dates that run downwards, sizes that are parameters, several levels."""
    verified = proved(tmp_path, product(), commands)
    assert "packed_A" in text_of(verified)
    for sizes in SIZES:
        agrees(verified, **sizes)


def test_a_read_along_two_dimensions(tmp_path: Path) -> None:
    commands = """setSpaceTimeMap(prog, "f", "C", "(i,k->i,k)"); setTiling(prog, "f", 0, 8); setTiling(prog, "f", 1, 4);
    setPacking(prog, "f", "C", "A, w");"""
    verified = proved(tmp_path, FILTER, commands)
    for sizes in ({"N": 1, "K": 1}, {"N": 19, "K": 7}):
        agrees(verified, **sizes)


def test_values_of_another_nest(tmp_path: Path) -> None:
    """A later nest packs the values of an earlier nest; only the later nest has register tiles."""
    program = product().replace("let", "local double T {i,k | 0<=i<N && 0<=k<K}; let")
    program = program.replace("let C", "let\n T[i,k] = 2 * A[i,k]; C").replace("k], A[i,k]", "k], T[i,k]")
    commands = """setSpaceTimeMap(prog, "f", "T", "(i,k->0,0,k,i)");
    setSpaceTimeMap(prog, "f", "C", "(i,j,k->1,j,k,i)");
    setOrderingDimensions(prog, "f", 0); setParallel(prog, "f", "", 3);
    setTiling(prog, "f", 1, 16); setTiling(prog, "f", 2, 5); setTiling(prog, "f", 3, 6);
    setRegisterTile(prog, "f", "1", 0, 8); setRegisterTile(prog, "f", "1", 2, 3); setPacking(prog, "f", "C", "T, B");"""
    verified = proved(tmp_path, program, commands)
    assert "packed_T" in text_of(verified)
    for sizes in SIZES:
        agrees(verified, **sizes)


@pytest.mark.parametrize(
    "tiles",
    [
        'setTiling(prog, "f", 0, 3); setTiling(prog, "f", 1, 4); setTilingType(prog, "f", "omp");',
        'setBandForTiling(prog, "f", "b", 2, 0, 1); setSubTilingWithinBand(prog, "f", "b", 0, "openmp");',
    ],
)
def test_tiles_in_wavefronts(tmp_path: Path, tiles: str) -> None:
    dates = 'setSpaceTimeMap(prog, "f", "b", "(t,i->t,i)");'
    verified = proved(tmp_path, ROWS, dates + tiles + 'setPacking(prog, "f", "b", "A");')
    assert "packed_A" in text_of(verified)
    agrees(verified, N=7, M=13)


def test_tiles_that_reach_beyond_those_around(tmp_path: Path) -> None:
    """If no inner tile lies whole in an outer one, a buffer of the outer tile holds only values read inside it."""
    dates = 'setSpaceTimeMap(prog, "f", "C", "(i,k->i,k)"); setDefaultDTilerConfiguration(prog, "f", "openmp");'
    tiles = 'setTiling(prog, "f", 0, 4); setTiling(prog, "f", 1);'
    verified = proved(tmp_path, FILTER, dates + tiles + 'setPacking(prog, "f", "C", "A, w", 0);')
    assert "packed_A" in text_of(verified)
    for sizes in ({"N": 1, "K": 1}, {"N": 19, "K": 7}):
        agrees(verified, **sizes)


def test_memory_that_is_used_again(tmp_path: Path) -> None:
    """One row of T at a time: what is packed is gone when the next row comes, and so is the buffer."""
    program = product().replace("let", "local double T {i,k | 0<=i<N && 0<=k<K}; let")
    program = program.replace("let C", "let\n T[i,k] = 2 * A[i,k]; C").replace("k], A[i,k]", "k], T[i,k]")
    commands = """setSpaceTimeMap(prog, "f", "T", "(i,k->i,0,k,0)"); setMemoryMap(prog, "f", "T", "(i,k->k)");
    setSpaceTimeMap(prog, "f", "C", "(i,j,k->i,1,j,k)"); setTiling(prog, "f", 2, 4); setTiling(prog, "f", 3, 8);
    setPacking(prog, "f", "C", "T, B");"""
    verified = proved(tmp_path, program, commands)
    assert "packed_T" in text_of(verified)
    agrees(verified, N=5, M=13, K=11)


def test_plain_code_has_no_buffers(tmp_path: Path) -> None:
    verified = proved(tmp_path, product(), DATES + TILES + REGISTERS + PACKED)
    assert "packed" not in scheduled_c(verified, "f", pipeline=PLAIN).files["f.c"]


# --- what is refused --------------------------------------------------------------------------------------------------

ALONG = 'setSpaceTimeMap(prog, "f", "b", "(t,i->t,i)"); setTiling(prog, "f", 0, SIZE); setTiling(prog, "f", 1, 8);'


def test_what_a_tile_writes_is_not_packed(tmp_path: Path) -> None:
    """b[t,i] reads what b[t-1,i] has written, in the same tile unless tiles have one t only."""
    packed = 'setPacking(prog, "f", "b", "b");'
    design = design_of(tmp_path, ROWS, ALONG.replace("SIZE", "4") + packed)
    (finding,) = verify(design).findings
    assert finding.rule is PACKING
    assert finding.witness is not None
    assert "N=2, M=1: b[1,0], at (1,0), reads b[0,0]; b[0,0], at (0,0), writes it, in the same tile" in str(
        finding.witness.sentence
    )
    assert finding.primary.span.text.startswith("setPacking")
    assert {label.span.text for label in finding.secondary} >= {"b[t-1,i]"}
    fine = proved(tmp_path, ROWS, ALONG.replace("SIZE", "1") + packed)
    agrees(fine, N=5, M=19)


def test_sizes_that_are_parameters_may_hold_everything(tmp_path: Path) -> None:
    design = design_of(tmp_path, ROWS, ALONG.replace(", SIZE", "") + 'setPacking(prog, "f", "b", "b");')
    (finding,) = verify(design).findings
    assert finding.rule is PACKING


@pytest.mark.parametrize(
    ("program", "commands", "said"),
    [
        (product(), DATES + PACKED, "no dimension that this read of A depends on has tiles"),
        (product(), DATES + TILES + 'setPacking(prog, "f", "C", "A", 3);', "dimension 3 of the dates of C has no"),
        (product(), DATES + REGISTERS + PACKED, "has tiles"),
        (product(), DATES + TILES + 'setPacking(prog, "f", "C", "C");', "C reads nothing of C"),
        (product(), DATES.replace("j,k,i", "j,k+i,i") + TILES + PACKED, "is no dimension of its dates"),
    ],
)  # fmt: skip
def test_what_cannot_be_packed(tmp_path: Path, program: str, commands: str, said: str) -> None:
    (finding,) = verify(design_of(tmp_path, program, commands)).findings
    assert finding.rule is PACKING
    assert said in finding.message
    assert finding.help


def test_reduction_dimensions_around(tmp_path: Path) -> None:
    commands = DATES.replace('"", 2', '"", 0') + TILES + 'setReductionDimension(prog, "f", "", 1);' + PACKED
    verified = proved(tmp_path, product(), commands)
    notes = verified.mappings["f"].notes
    assert [note.message.partition(":")[0] for note in notes] == ["A is not packed", "B is not packed"]
    assert {note.rule for note in notes} == {IGNORED}
    for size in SIZES:
        agrees(verified, **size)


# Where the rows of a begin is no affine function of the parameters.
BEYOND = """affine f {N,M | N>=1 && M>=1}
input double a {i,j | N<=i<N+M && M<=i && 0<=j<M};
output double b {i,j | N<=i<N+M && M<=i && 0<=j<M};
let b[i,j] = a[i,j] * 2; .
"""


@pytest.mark.parametrize("registers", ["", 'setRegisterTile(prog, "f", 1, 2);'])
def test_a_side_without_tiles_begins_anywhere(tmp_path: Path, registers: str) -> None:
    commands = 'setSpaceTimeMap(prog, "f", "b", "(i,j->j,i)"); setTiling(prog, "f", 0, 5);' + registers
    verified = proved(tmp_path, BEYOND, commands + 'setPacking(prog, "f", "b", "a");')
    for size in ({"N": 1, "M": 1}, {"N": 3, "M": 7}, {"N": 9, "M": 4}):
        agrees(verified, **size)


# What is read in one case of something larger has no value where the other holds: A[N], and v[i+1,j-1] of i > j - 2.
INSIDE = """affine f {N | N>=1}
input int A {i | 0<=i<N}; int P {i,j | 0<=i<=j && j<N};
output int v {i,j | 0<=i<=j && j<N};
let v[i,j] = P[i,j] + (case {| j<=i+1} : 2; {| i+1<j && j<N-1} : A[j+1] + v[i+1,j-1];
                            {| i+1<j && j==N-1} : v[i+1,j-1]; esac); .
"""
SUM = """affine f {N,M | N>=1 && M>=1}
input int A {i,k | 0<=i<N && 0<=k<M};
output int C {i,j | 0<=i<N && 0<=j<M};
let C[i,j] = reduce(+, [k], {i,j,k | 0<=k<=M} : 2 * (case {| k==M} : 1; {| k<M} : A[i,k] * A[i,k]; esac)); .
"""


@pytest.mark.parametrize(
    ("program", "commands"),
    thinned([
        (INSIDE, 'setSpaceTimeMap(prog, "f", "v", "(i,j->N-i,j)"); setTiling(prog, "f", 1, 3);'
                 'setPacking(prog, "f", "v", "v, A");'),
        (INSIDE, 'setSpaceTimeMap(prog, "f", "v", "(i,j->N-i,j)"); setTiling(prog, "f", 1, 4);'
                 'setRegisterTile(prog, "f", 1, 2); setPacking(prog, "f", "v", "A");'),
        (SUM, 'setSpaceTimeMap(prog, "f", "C", "(i,j,k->j,k,i)"); setTiling(prog, "f", 1, 3);'
              'setTiling(prog, "f", 2, 2); setPacking(prog, "f", "C", "A");'),
        (SUM, 'setSpaceTimeMap(prog, "f", "C", "(i,j,k->j,k,i)"); setTiling(prog, "f", 1, 3);'
              'setTiling(prog, "f", 2, 8); setRegisterTile(prog, "f", 2, 4); setPacking(prog, "f", "C", "A");'),
    ]),
)  # fmt: skip
def test_only_what_is_read_is_packed(tmp_path: Path, program: str, commands: str) -> None:
    verified = proved(tmp_path, program, commands)
    checked = verified.design.checked
    sources = scheduled_c(verified, "f")
    assert "packed_A" in sources.files["f.c"]
    kernel = compile_isolated(sources, checked, "f", include=None, sanitize=True)
    for numbers in ((1, 1), (2, 3), (5, 2), (9, 7)):
        parameters = dict(zip(checked.program.system("f").parameters, numbers, strict=False))
        inputs = random_inputs(checked.program.system("f"), parameters, 3)
        expected = evaluate(checked.program, checked.facts, "f", parameters, inputs)
        for name, values in kernel.run(parameters, inputs).outputs.items():
            np.testing.assert_array_equal(values, expected[name])


ONE = """affine f {N | N>=1}
input int A {i,j | 0<=i<=j && j<N};
output int X {i,j | 0<=i<N && 0<=j<=N};
let X[i,j] = A[i,N-1]; .
"""


def test_buffers_and_tiles_of_one_point_have_indices_of_their_own(tmp_path: Path) -> None:
    """The statements that fill a buffer and read it follow each other, without loops around them."""
    commands = """setSpaceTimeMap(prog, "f", "X", "(i,j -> i+1,j-1)"); setTiling(prog, "f", 0, 1);
    setTiling(prog, "f", 1, 1); setTilingType(prog, "f", "recursive"); setPacking(prog, "f", "X", "A");"""
    for size in (1, 2, 3):
        agrees(proved(tmp_path, ONE, commands), N=size)


def test_buffers_of_one_point_have_indices_of_their_own(tmp_path: Path) -> None:
    """Two are filled in a row, without loops around either."""
    text = ONE.replace("A[i,N-1]", "A[i,N-1] + A[0,N-1-i]")
    commands = """setSpaceTimeMap(prog, "f", "X", "(i,j -> j,-i)"); setTiling(prog, "f", 1, 1);
    setPacking(prog, "f", "X", "A");"""
    for size in (1, 2, 3):
        agrees(proved(tmp_path, text, commands), N=size)
