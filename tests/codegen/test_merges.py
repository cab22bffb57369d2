"""Reduction dimensions in C: private accumulators, merged behind the loop; against the interpreter, in parallel."""

from pathlib import Path

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.equivalence.differential_run import agree, executables
from alphaz.legality.verdicts import Verified
from tests.codegen.generated_kernels import SANITIZED, compile_program, proved, run, write
from tests.thinning import thinned

pytestmark = pytest.mark.slow

THREADS = (1, 2, 4)


def agrees(verified: Verified, folder: Path, *sizes: dict[str, int]) -> str:
    """The scheduled code of system r at each size; its text."""
    these = executables(verified, "r", include=folder)
    for size in sizes:
        found = agree(these, size, THREADS)
        assert found.agrees, [str(f.message) for f in found.findings]
    return scheduled_c(verified, "r").files["r.c"]


def program(operator: str, type_: str) -> str:
    return f"""affine r {{N | N>=1}}
input {type_} a {{i,j | 0<=i<N && 0<=j<N}};
output {type_} b {{i | 0<=i<=N}};
let b[i] = reduce({operator}, (i,j->i), {{i,j | 0<=i<N && j<=i && j<N-1 && 0<=j}} : a[i,j]); .
"""


ROWS = 'setSpaceTimeMap(prog, "r", "b", "(i,j->i,j)"); setReductionDimension(prog, "r", "", "1");'
COLUMNS = 'setSpaceTimeMap(prog, "r", "b", "(i,j->j,i)"); setReductionDimension(prog, "r", "", "0");'
SIZES = [{"N": n} for n in (1, 2, 3, 8)]


@pytest.mark.parametrize("operator", ["+", "*", "min", "max"])
@pytest.mark.parametrize(
    ("type_", "dates"), thinned([("int", ROWS), ("long", COLUMNS), ("float", COLUMNS), ("double", ROWS)])
)
def test_numbers(tmp_path: Path, operator: str, type_: str, dates: str) -> None:
    text = agrees(proved(tmp_path, program(operator, type_), dates), tmp_path, *SIZES)
    if dates == ROWS:
        combiner = {"+": "sum_int", "*": "product_int"}.get(operator, operator) if type_ == "int" else operator
        assert f" reduction({combiner}:" in next(line for line in text.splitlines() if "omp parallel for" in line)
    else:
        assert "#pragma omp critical" in text


@pytest.mark.parametrize("operator", ["and", "or", "xor"])
@pytest.mark.parametrize("dates", [ROWS, COLUMNS])
def test_logical_reductions_across_threads_are_merged(tmp_path: Path, operator: str, dates: str) -> None:
    agrees(proved(tmp_path, program(operator, "bool"), dates), tmp_path, *SIZES)


@pytest.mark.parametrize("dates", [ROWS, COLUMNS])
def test_a_function_of_the_user(tmp_path: Path, dates: str) -> None:
    (tmp_path / "external_functions.h").write_text("static inline int mix(int a, int b) { return (a + b) % 1009; }\n")
    text = "//@ identity mix = 0\nint mix(int, int);\n" + program("mix", "int")
    agrees(proved(tmp_path, text, dates), tmp_path, *SIZES)


@pytest.mark.parametrize("dates", [ROWS, COLUMNS])
@pytest.mark.parametrize("registers", [(0, 2), (1, 3), (0, 1)])
def test_register_tiles(tmp_path: Path, dates: str, registers: tuple[int, int]) -> None:
    """Around the reduction dimension, of it, and of both."""
    at, size = registers
    tiles = f'setRegisterTile(prog, "r", {at}, {size});' if size > 1 else ""
    more = 'setRegisterTile(prog, "r", 1, 2); setTiling(prog, "r", 0, 4); setTiling(prog, "r", 1, 4);'
    agrees(proved(tmp_path, program("+", "int"), dates + (tiles or more)), tmp_path, *SIZES)


def test_a_loop_inside_a_parallel_one_is_sequential_and_keeps_its_accumulator(tmp_path: Path) -> None:
    commands = ROWS + 'setParallel(prog, "r", "", "0");'
    text = agrees(proved(tmp_path, program("+", "int"), commands), tmp_path, *SIZES)
    assert text.count("#pragma omp") == 1
    assert "sum_b = sum_int(sum_b, a[i * N + j]);" in text


def test_an_initialisation_is_added_to(tmp_path: Path) -> None:
    commands = """setSpaceTimeMap(prog, "r", "b", "(i,j->1,i,j)", "(i->0,i,0)"); setOrderingDimensions(prog, "r", 0);
setReductionDimension(prog, "r", "", "2");"""
    text = agrees(proved(tmp_path, program("+", "int"), commands), tmp_path, *SIZES)
    assert "b[i] = 0;" in text


def test_results_of_several_loops(tmp_path: Path) -> None:
    """Each diagonal is a loop of its own, which adds to results of earlier ones."""
    commands = 'setSpaceTimeMap(prog, "r", "b", "(i,j->i-j,j)"); setReductionDimension(prog, "r", "", "1");'
    agrees(proved(tmp_path, program("+", "int"), commands), tmp_path, *SIZES)


@pytest.mark.parametrize("sizes", [("3", "2"), ("", "")])
def test_tiles(tmp_path: Path, sizes: tuple[str, str]) -> None:
    given = [f", {size}" if size else "" for size in sizes]
    tiling = f'setTiling(prog, "r", 0{given[0]}); setTiling(prog, "r", 1{given[1]});'
    agrees(proved(tmp_path, program("+", "int"), ROWS + tiling), tmp_path, *SIZES)
    inner = f'setTiling(prog, "r", 1{given[1]});'
    agrees(proved(tmp_path, program("max", "double"), ROWS + inner), tmp_path, *SIZES)


def test_no_undefined_behaviour_and_no_leak(tmp_path: Path) -> None:
    verified = proved(tmp_path, program("+", "double"), COLUMNS)
    main = """#include "r.h"
int main(void)
{
    double a[49] = {1.0}, b[8];
    return r_status(7, a, b);
}
"""
    write(scheduled_c(verified, "r"), tmp_path)
    (tmp_path / "main.c").write_text(main)
    compile_program(tmp_path, "main", ["r.c", "main.c"], SANITIZED)
    assert run(tmp_path, "./main", environment={"ASAN_OPTIONS": "detect_leaks=0"}).returncode == 0


def test_tiles_in_which_nothing_is_combined_have_no_accumulators(tmp_path: Path) -> None:
    """Such as lie behind all sums on both sides: two extents are negative there, and their product is not."""
    source = """affine r {N,M | N>=1 && M>=1}
input char a {i,j | 0<=i<N+M && 0<=j<=N+M};
output char d {i,j | 0<=i<N && 0<=j<M};
local char s {i,j | 0<=i<N && 0<=j<M};
let
  s[i,j] = reduce(*, [k], {| 0<=k<N} : a[i,k] * a[k,j+1]);
  d[i,j] = s[i,j] * a[i,j]; .
"""
    commands = """setSpaceTimeMap(prog, "r", "s", "(i,j,k -> 1,j,-k,i)");
setSpaceTimeMap(prog, "r", "d", "(i,j -> 1,2N+M,i,j)");
setReductionDimension(prog, "r", "", "2");
setRegisterTile(prog, "r", 1, 3);
setRegisterTile(prog, "r", 3, 3);
"""
    main = """#include "r.h"
int main(void)
{
    static signed char a[52 * 53], d[100];
    return r_status(2, 50, a, d);
}
"""
    write(scheduled_c(proved(tmp_path, source, commands), "r"), tmp_path)
    (tmp_path / "main.c").write_text(main)
    compile_program(tmp_path, "main", ["r.c", "main.c"], SANITIZED)
    assert run(tmp_path, "./main", environment={"ASAN_OPTIONS": "detect_leaks=0"}).returncode == 0
