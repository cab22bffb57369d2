"""Vector dimensions in C: `omp simd`, with reduction clauses; against the interpreter."""

from pathlib import Path

import pytest

from alphaz.codegen.scheduled.pipeline import ALL
from alphaz.codegen.scheduled.scheduled_c import scheduled_c, tree_text
from tests.codegen.generated_kernels import proved
from tests.codegen.test_merges import SIZES, agrees, program
from tests.thinning import thinned

pytestmark = pytest.mark.slow

VECTOR = 'setVectorDimension(prog, "r", "", 1);'
ROWS = 'setSpaceTimeMap(prog, "r", "b", "(i,j->i,j)");'


@pytest.mark.parametrize("operator", ["+", "*", "min", "max"])
@pytest.mark.parametrize("type_", thinned(["int", "double"]))
def test_numbers(tmp_path: Path, operator: str, type_: str) -> None:
    text = agrees(proved(tmp_path, program(operator, type_), ROWS + VECTOR), tmp_path, *SIZES)
    combiner = {"+": "sum_int", "*": "product_int"}.get(operator, operator) if type_ == "int" else operator
    assert f"#pragma omp simd reduction({combiner}:" in text


@pytest.mark.parametrize(("operator", "clause"), [("and", "&&"), ("or", "||"), ("xor", "^")])
def test_logical_reductions_have_a_clause_in_vectors(tmp_path: Path, operator: str, clause: str) -> None:
    text = agrees(proved(tmp_path, program(operator, "bool"), ROWS + VECTOR), tmp_path, *SIZES)
    assert f"simd reduction({clause}:" in text


def test_truths_that_are_kept_as_floats_have_no_clause_for_xor(tmp_path: Path) -> None:
    text = program("xor", "bool").replace("output bool", "output double")
    assert "output double" in text
    assert "simd" not in agrees(proved(tmp_path, text, ROWS + VECTOR), tmp_path, *SIZES)


def test_a_function_of_the_user_stays_in_sequence(tmp_path: Path) -> None:
    (tmp_path / "external_functions.h").write_text("static inline int mix(int a, int b) { return (a + b) % 1009; }\n")
    text = "//@ identity mix = 0\nint mix(int, int);\n" + program("mix", "int")
    assert "simd" not in agrees(proved(tmp_path, text, ROWS + VECTOR), tmp_path, *SIZES)


def test_an_initialisation_needs_no_first_turn(tmp_path: Path) -> None:
    commands = """setSpaceTimeMap(prog, "r", "b", "(i,j->1,i,j)", "(i->0,0,i)"); setOrderingDimensions(prog, "r", 0);
setParallel(prog, "r", "1", 0); setVectorDimension(prog, "r", "1", 1);"""
    text = agrees(proved(tmp_path, program("+", "int"), commands), tmp_path, *SIZES)
    assert text.count("#pragma omp parallel for") == 1
    assert "#pragma omp simd reduction(sum_int:sum)\n" in text


TWO = """affine r {N | N>=1}
input double a {i,j | 0<=(i,j)<N}; double x {i | 0<=i<N};
output double y, z {i | 0<=i<N};
let
y[i] = reduce(+, [j], a[i,j] * x[j]);
z[j] = reduce(max, [i], a[i,j] - x[i]); .
"""
FUSED = """setSpaceTimeMap(prog, "r", "y", "(i,j->i,j)"); setSpaceTimeMap(prog, "r", "z", "(j,i->i,j)");
setReductionDimension(prog, "r", "", 0); setVectorDimension(prog, "r", "", 1);"""


def test_rows_and_columns_in_one_pass(tmp_path: Path) -> None:
    """The sum of a row is in lanes; each thread has columns of its own; the sum of a row has one thread alone."""
    text = agrees(proved(tmp_path, TWO, FUSED), tmp_path, *SIZES)
    assert text.count("#pragma omp for nowait") == 1
    assert "own_greatest_z[j] = " in text
    assert "own_sum_y" not in text
    loop = text[text.index("#pragma omp simd reduction(+:sum)") :]
    assert loop.index("own_greatest_z[j]") < loop.index("y[i] = sum;")


def test_a_dimension_in_the_middle_is_cut_into_pieces_that_are_innermost(tmp_path: Path) -> None:
    products = """affine r {N | N>=1}
input double a, b {i,j | 0<=(i,j)<N};
output double c {i,j | 0<=(i,j)<N};
let c[i,j] = reduce(+, [k], a[i,k] * b[k,j]); .
"""
    commands = 'setSpaceTimeMap(prog, "r", "c", "(i,j,k->i,j,k)"); setVectorDimension(prog, "r", "", 1, 8);'
    text = agrees(proved(tmp_path, products, commands), tmp_path, *SIZES, {"N": 17})
    assert "double4 sum[2];" in text
    assert "#pragma omp simd" in text


def test_a_division_that_may_fail_is_not_done_at_once(tmp_path: Path) -> None:
    text = program("+", "int").replace(": a[i,j])", ": 7 / a[i,j])")
    code = proved(tmp_path, text, ROWS + VECTOR)

    assert "simd" not in scheduled_c(code, "r").files["r.c"]


def test_tiles_of_a_vector_dimension(tmp_path: Path) -> None:
    commands = (
        ROWS + VECTOR + 'setTiling(prog, "r", 0, 2); setTiling(prog, "r", 1, 3); setTilingType(prog, "r", "omp");'
    )
    text = agrees(proved(tmp_path, program("+", "int"), commands), tmp_path, *SIZES)
    assert "#pragma omp simd reduction(sum_int:" in text


TILED_FOR_THREADS = """setSpaceTimeMap(prog, "r", "b", "(i,j->0,i,j)"); setOrderingDimensions(prog, "r", 0);
setBandForTiling(prog, "r", "columns", "0", 0, 1, "0,3"); setReductionDimension(prog, "r", "0", 1);"""


def test_threads_that_share_tiles_of_a_reduction_dimension_sum_up_in_vectors(tmp_path: Path) -> None:
    text = agrees(proved(tmp_path, program("+", "int"), TILED_FOR_THREADS), tmp_path, *SIZES)
    assert "#pragma omp for nowait" in text
    assert "#pragma omp simd reduction(sum_int:sum)" in text


def test_rows_in_registers_of_threads_that_share_columns_have_a_sum_each(tmp_path: Path) -> None:
    text = """affine r {N | N>=1}
input double a {i,j | 0<=(i,j)<N};
output double b {i | 0<=i<N};
let b[i] = reduce(+, [j], a[i,j]); .
"""
    commands = """setSpaceTimeMap(prog, "r", "b", "(i,j->1,i,j)", "(i->0,i,0)"); setOrderingDimensions(prog, "r", 0);
setBandForTiling(prog, "r", "columns", "1", 0, 1, "0,3"); setReductionDimension(prog, "r", "1", 1);
setRegisterTile(prog, "r", "1", 0, 2);"""
    text = agrees(proved(tmp_path, text, commands), tmp_path, *SIZES)
    assert "#pragma omp for nowait" in text
    assert "#pragma omp simd reduction(+:sum, sum_2)" in text


def test_a_register_tile_of_a_reduction_dimension_alone_has_no_vectors_inside(tmp_path: Path) -> None:
    """It has few values, and they are no neighbours."""
    commands = """setSpaceTimeMap(prog, "r", "b", "(i,j->j,i)"); setRegisterTile(prog, "r", 0, 2);
setReductionDimension(prog, "r", "", 0);"""
    assert "simd reduction" not in agrees(proved(tmp_path, program("+", "int"), commands), tmp_path, *SIZES)


@pytest.mark.parametrize(
    ("change", "is_vector"), [(": a[i,j])", True), (": 7 / a[i,j])", False), (": if a[i,j] > 2 then 1 else 0)", True)]
)
def test_the_tree_says_whether_a_loop_is_done_in_vectors(tmp_path: Path, change: str, is_vector: bool) -> None:
    """A loop that cannot be vectorised is an ordinary loop in the tree and in C."""
    verified = proved(tmp_path, program("+", "int").replace(": a[i,j])", change), ROWS + VECTOR)
    assert ("[vector, vector dimension" in tree_text(verified, "r", ALL)) is is_vector
    assert ("vector" in tree_text(verified, "r", ALL)) is is_vector
    assert ("simd" in scheduled_c(verified, "r").files["r.c"]) is is_vector


SELECTING = """affine r {N | N>=1}
input int x {i | 0<=i<N}; int a {i,j | 0<=(i,j)<N};
output int b {i,j | 0<=(i,j)<N};
let b[i,j] = reduce(max, [u], {| 0<=u<N} : if [u] >= x[i] then a[u,i] else 0); .
"""


def test_groups_of_iterations_are_done_in_vectors_one_by_one(tmp_path: Path) -> None:
    """Where nothing is selected there is no loop inside."""
    verified = proved(tmp_path, SELECTING, ROWS + VECTOR)
    assert "split by what is selected, in vectors" in tree_text(verified, "r", ALL)
    text = agrees(verified, tmp_path, *SIZES)
    assert "#pragma omp simd" in text


DIAGONAL = """affine r {N | N>=1}
input int a {i,j | 0<=(i,j)<N}; int x {i | 0<=i<N};
output int b;
let b = reduce(min, [i], %s); .
"""


@pytest.mark.parametrize(
    "collected",
    ["{| 0<=i<N} : a[i,N-1-i]", "{| 0<=i<N} : reduce(max, [u], {| 0<=u<N} : if [u] >= x[i] then a[u,i] else 0)"],
)
def test_around_what_is_collected_in_an_iteration(tmp_path: Path, collected: str) -> None:
    """The reduction dimension lies inside the vector dimension: the first of the iterations sets the result."""
    dates = 'setSpaceTimeMap(prog, "r", "b", "(i -> i,i,0)"); setReductionDimension(prog, "r", "", "1");'
    agrees(proved(tmp_path, DIAGONAL % collected, dates + 'setVectorDimension(prog, "r", "", 0);'), tmp_path, *SIZES)


SOLVE = """affine r {N | N>=1}
input double L {i,j | 0<=j<=i<N}; double b {i | 0<=i<N};
output double x {i | 0<=i<N};
let x[i] = (b[i] - S[i]) / (9 + L[i,i]); .
"""
SUM = "local double S {i | 0<=i<N};\nlet S[i] = reduce(+, [j], {| j<i} : L[i,j] * x[j]);\n"
ROWS_OF_SOLVE = """setSpaceTimeMap(prog, "r", "S", "(i,j->i,0,j)", "(i->i,-1,0)");
setSpaceTimeMap(prog, "r", "x", "(i->i,1,i)"); setOrderingDimensions(prog, "r", 1);
setTiling(prog, "r", 0, 16); setTiling(prog, "r", 1, 1); setTiling(prog, "r", 2, 8);
setRegisterTile(prog, "r", 0, 4);"""


def test_rows_whose_sums_are_independent_in_a_tile_only(tmp_path: Path) -> None:
    """Row i reads the results of the rows before it: not those of its own register tile, while the sums go on."""
    solve = SOLVE.replace("let x", SUM + "x")
    commands = ROWS_OF_SOLVE + VECTOR.replace("1);", "2);")
    design = proved(tmp_path, solve, commands)
    text = agrees(design, tmp_path, *SIZES, {"N": 37})
    assert "#pragma omp simd reduction(+:sum, sum_2, sum_3, sum_4)\n" in text
    assert scheduled_c(design, "r").findings == ()
    plain = agrees(proved(tmp_path, solve, ROWS_OF_SOLVE), tmp_path, *SIZES)
    assert "double sum[4];" in plain


def test_rows_in_lanes_from_the_last_to_the_first(tmp_path: Path) -> None:
    solve = SOLVE.replace("let x", SUM + "x").replace("0<=j<=i<N", "0<=i<=j<N").replace("{| j<i}", "{| i<j<N}")
    dates = ROWS_OF_SOLVE.replace("j->i,0,j", "j->-i,0,-j").replace("i->i,-1,0", "i->-i,-1,-N")
    dates = dates.replace("i->i,1,i", "i->-i,1,-i")
    text = agrees(proved(tmp_path, solve, dates + VECTOR.replace("1);", "2);")), tmp_path, *SIZES, {"N": 37})
    assert "#pragma omp simd reduction(+:sum, sum_2, sum_3, sum_4)\n" in text


TRIANGLE = """affine r {N | N>=1}
input double a {i,j | 0<=(i,j)<N}; double x {i | 0<=i<N};
output double b {i | 0<=i<N};
let b[i] = reduce(+, [j], {| %s} : a[i,j] * x[j]); .
"""


@pytest.mark.parametrize(
    ("points", "date"), thinned([("j<=i", "i,j"), ("j>i", "-i,-j"), ("i-3<=j<=i+5", "i,j"), ("j<=2i", "-i,j")])
)
def test_rows_of_different_lengths_are_in_lanes_as_far_as_they_agree(tmp_path: Path, points: str, date: str) -> None:
    commands = f'{ROWS.replace("->i,j", "->" + date)}setRegisterTile(prog, "r", 0, 4);{VECTOR}'
    design = proved(tmp_path, TRIANGLE % points, commands)
    text = agrees(design, tmp_path, *SIZES, {"N": 29})
    assert "#pragma omp simd reduction(+:sum, sum_2, sum_3, sum_4)\n" in text
    assert scheduled_c(design, "r").findings == ()


QUOTIENTS = """affine r {N | N>=1}
input int a {i,j | 0<=(i,j)<N}; int c {i | 0<=i<N};
output int b {i | 0<=i<N};
let b[i] = reduce(+, [j], a[i,j] / (c[j] * c[j] + 1)); .
"""


@pytest.mark.parametrize(("type_", "codes"), [("int", ["AZ816"]), ("double", [])])
def test_rows_without_vectors_are_a_warning(tmp_path: Path, type_: str, codes: list[str]) -> None:
    commands = f'{ROWS}setRegisterTile(prog, "r", 0, 4);{VECTOR}'
    design = proved(tmp_path, QUOTIENTS.replace("int", type_), commands)
    assert [finding.rule.code for finding in scheduled_c(design, "r").findings] == codes
    agrees(design, tmp_path, *SIZES)
    without = proved(tmp_path, QUOTIENTS.replace("int", type_), ROWS + VECTOR)
    assert scheduled_c(without, "r").findings == (), "there is no register tile"
