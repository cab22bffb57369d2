"""Scheduled C: read (golden files), compiled strictly, run under sanitizers against the interpreter."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.wrapper.main_program import wrapper
from alphaz.diagnostics import Rejected
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import assume_legal, verify
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs
from alphaz.run.kernel import Kernel, compile_kernel
from tests.codegen.generated_kernels import ROOT, SANITIZED, compile_program, design_of, proved, run, sample, write
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SCRIPTS = sorted(
    str(path.relative_to(ROOT / "samples"))
    for path in (ROOT / "samples").glob("*/*.cs")
    if not path.name.startswith("wrong")
)


def only_system(verified: Verified) -> str:
    """The mapped system that no other calls."""
    called = {use.callee.name for mapping in verified.mappings.values() for use in mapping.uses}
    (name,) = [n for n in verified.mappings if n not in called or n == "total"]
    return name


def kernel(verified: Verified) -> Kernel:
    name = only_system(verified)
    return compile_kernel(scheduled_c(verified, name), verified.design.checked, name, flags=("-O1",))


def agrees(verified: Verified, **parameters: int) -> dict[str, np.ndarray]:
    """Runs the code on random inputs; every output equals the interpreter's. Returns the outputs."""
    name = only_system(verified)
    checked = verified.design.checked
    system = checked.program.system(name)
    inputs = random_inputs(system, parameters, 7)
    expected = evaluate(checked.program, checked.facts, name, parameters, inputs)
    found = kernel(verified).run(parameters, inputs, 2).outputs
    for output in system.outputs:
        np.testing.assert_array_equal(found[output.name], expected[output.name])
    return dict(found)


@pytest.mark.parametrize("script", thinned(SCRIPTS, 4))
def test_samples_read_well(script: str, golden: Callable[[str, str], None]) -> None:
    verified = sample(script)
    name = only_system(verified)
    golden(f"{Path(script).stem}.c", scheduled_c(verified, name).files[f"{name}.c"])


@pytest.mark.parametrize(
    "script",
    thinned(
        [
            "matrix-chain/mcm.cs",
            "matrix-product/mm-tiled.cs",
            "subsystems/matrix-vector.cs",
            "subsystems/matrix-vector-in-place.cs",
            "subsystems/filter-in-place.cs",
            "subsystems/halves.cs",
        ],
        4,
    ),
)
def test_samples_are_clean(script: str, tmp_path: Path) -> None:
    """No warning, no undefined behaviour, no leak, and the demand-driven program agrees."""
    verified = sample(script)
    name, checked = only_system(verified), verified.design.checked
    write(scheduled_c(verified, name) | write_c(checked, name, f"{name}_verify") | wrapper(checked, name), tmp_path)
    others = sorted(path.name for path in tmp_path.glob("*.c") if path.stem not in (name, f"{name}_verify"))
    units = [f"{name}.c", f"{name}_verify.c", *others]
    compile_program(tmp_path, "verify", units, (*SANITIZED, "-DVERIFY", "-DRANDOM"))
    sizes = ["7"] * len(checked.program.system(name).parameters)
    # The OpenMP runtime keeps its threads' memory to the end.
    done = run(tmp_path, "./verify", *sizes, environment={"ASAN_OPTIONS": "detect_leaks=0"})
    assert done.returncode == 0, done.stderr
    assert "PASSED" in done.stdout


def test_the_shared_matrix_chain_is_quadratic() -> None:
    """M and the partial minima share one space: N = 1000 fits into N^2 cells."""
    verified = sample("matrix-chain/mcm.cs")
    text = scheduled_c(verified, "MCM").files["MCM.c"]
    assert "M: unsigned int[N][N] from (1, 1), holds M, SR_M" in text
    assert text.count("= allocate(") == 1


def test_one_parallel_loop_on_a_path(tmp_path: Path) -> None:
    program = """affine f {N | N>=1}
input int a {i,j | 0<=i<N && 0<=j<N};
output int b {i,j | 0<=i<N && 0<=j<N};
let b[i,j] = a[j,i]; .
"""
    verified = proved(
        tmp_path, program, 'setSpaceTimeMap(prog, "f", "b", "(i,j->i,j)"); setParallel(prog, "f", "", "0,1");'
    )
    text = scheduled_c(verified, "f").files["f.c"]
    assert text.count("#pragma omp") == 1
    agrees(verified, N=5)


# --- storage ----------------------------------------------------------------------------------------------------------

SMOOTH = """affine smooth {T,N | T>=1 && N>=3}
input int a {i | 0<=i<N};
output int b {i | 0<=i<N};
local int s {t,i | 0<=t<=T && 0<=i<N};
let
s[t,i] = case {| t==0} : a[i]; {| t>0 && 0<i<N-1} : s[t-1,i-1] + 3*s[t-1,i] - s[t-1,i+1];
  {| t>0 && i==0} : s[t-1,i]; {| t>0 && i==N-1 && i>0} : s[t-1,i]; esac;
b[i] = s[T,i];
.
"""
SMOOTH_DATES = """setSpaceTimeMap(prog, "smooth", "s", "(t,i->t,i)");
setSpaceTimeMap(prog, "smooth", "b", "(i->T+1,i)");
"""


def test_mod_factors_are_applied(tmp_path: Path) -> None:
    commands = SMOOTH_DATES + 'setMemoryMap(prog, "smooth", "s", "s", "(t,i->t,i)", "2,0");'
    verified = proved(tmp_path, SMOOTH, commands)
    text = scheduled_c(verified, "smooth").files["smooth.c"]
    assert "s: int[2][N], holds s" in text
    agrees(verified, T=6, N=9)


def test_a_residue_in_an_array_that_does_not_begin_at_0(tmp_path: Path) -> None:
    """Cell (i,1) of the space of Y is its first column."""
    program = """affine f {N | N>=2}
input int A {i | 1<=i<N};
output int Y {i,j | 0<=i<N && 1<=j<N};
local int X {i | 1<=i<N};
let X[i] = A[i] + 1; Y[i,j] = case
    {| i>=1 && j==1} : X[i] * 3;
    {| i>=2 && j>=2} : A[i-1];
    {| i<2 && j>=2} || {| i==0 && j==1} : 2;
esac; .
"""
    dates = 'setSpaceTimeMap(prog, "f", "X", "(i->i,0)"); setSpaceTimeMap(prog, "f", "Y", "(i,j->i,j)");'
    verified = proved(tmp_path, program, dates + 'setMemoryMap(prog, "f", "X", "Y", "(i->i,1)", "0,2");')
    assert "Y[i * (N - 1)] = sum_int(A[i - 1], 1)" in scheduled_c(verified, "f").files["f.c"]
    agrees(verified, N=6)


def test_an_input_that_shares_its_space_is_copied_first(tmp_path: Path) -> None:
    program = """affine f {N | N>=1}
input int a {i | 0<=i<N};
output int b {i | 0<=i<N};
let b[i] = a[i] + 1; .
"""
    commands = 'setSpaceTimeMap(prog, "f", "b", "(i->i)"); setMemorySpace(prog, "f", "b", "a, b");'
    verified = proved(tmp_path, program, commands)
    text = scheduled_c(verified, "f").files["f.c"]
    assert "allocate(&status" not in text
    assert "b[i] = a[i];" in text
    assert "b[i] = sum_int(b[i], 1);" in text
    agrees(verified, N=6)


def test_an_output_in_another_place_is_copied_out(tmp_path: Path) -> None:
    program = """affine f {N | N>=1}
input int a {i | -2<=i<N};
output int b {i | -2<=i<N};
let b[i] = a[i] * a[i]; .
"""
    commands = """setSpaceTimeMap(prog, "f", "b", "(i->-i)");
setMemoryMap(prog, "f", "b", "c", "(i->N-i)");"""
    verified = proved(tmp_path, program, commands)
    assert "c: int[N + 2] from (1), holds b" in scheduled_c(verified, "f").files["f.c"]
    agrees(verified, N=6)


def test_names_that_c_knows(tmp_path: Path) -> None:
    program = """affine 2-main {errno | errno>=1}
input int y0 {i | 0<=i<errno};
output int main {i | 0<=i<errno};
local int status {i | 0<=i<errno};
let status[i] = y0[i] + 1; main[i] = status[i] * 2; .
"""
    verified = proved(tmp_path, program, 'setSpaceTimeMap(prog, "2-main", "main", "(i->i+errno)");')
    files = scheduled_c(verified, "2-main").files
    assert set(files) == {"2-main.c", "2-main.h", "alphaz.h"}
    assert "void n_2_x2d_main(int64_t errno_, const int *y0_, int *main_)" in files["2-main.h"]
    agrees(verified, errno=4)


# --- tiles ------------------------------------------------------------------------------------------------------------

SKEWED = """setSpaceTimeMap(prog, "smooth", "s", "(t,i->t,t+i)");
setSpaceTimeMap(prog, "smooth", "b", "(i->T+1,T+1+i)");
"""


@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (4, 2), (32, 32)])
def test_tiles_of_any_size(tmp_path: Path, sizes: tuple[int, int]) -> None:
    tiling = "".join(f'setTiling(prog, "smooth", {d}, {size});\n' for d, size in enumerate(sizes))
    verified = proved(tmp_path, SMOOTH, SKEWED + tiling)
    agrees(verified, T=5, N=8)


# --- reductions mapped at their body ----------------------------------------------------------------------------------


def reduction(operator: str, type_: str, body: str = "a[i,j]") -> str:
    return f"""affine r {{N | N>=1}}
input {type_} a {{i,j | 0<=i<N && 0<=j<N}};
output {type_} b {{i | 0<=i<=N}};
let b[i] = reduce({operator}, (i,j->i), {{i,j | 0<=i<N && j<=i && j<N-1 && 0<=j}} : {body}); .
"""


@pytest.mark.parametrize("type_", ["int", "unsigned char", "long", "float", "double", "short"])
@pytest.mark.parametrize("operator", thinned(["+", "*", "min", "max"], 4))
def test_every_identity_is_right(tmp_path: Path, operator: str, type_: str) -> None:
    """b[N] combines nothing (and with N=1 nothing does); the others start with their first contribution."""
    verified = proved(tmp_path, reduction(operator, type_), 'setSpaceTimeMap(prog, "r", "b", "(i,j->i,j)");')
    agrees(verified, N=1)
    agrees(verified, N=6)


@pytest.mark.parametrize("operator", ["and", "or", "xor"])
def test_logical_reductions(tmp_path: Path, operator: str) -> None:
    verified = proved(tmp_path, reduction(operator, "bool"), 'setSpaceTimeMap(prog, "r", "b", "(i,j->i,j)");')
    agrees(verified, N=6)


def test_the_greatest_of_negative_floats(tmp_path: Path) -> None:
    verified = proved(tmp_path, reduction("max", "float"), 'setSpaceTimeMap(prog, "r", "b", "(i,j->i,j)");')
    found = kernel(verified)(N=3, a=np.full((3, 3), -2.5, dtype=np.float32))
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [-2.5, -2.5, -2.5, float("-inf")]


def test_a_given_initialisation(tmp_path: Path) -> None:
    commands = 'setSpaceTimeMap(prog, "r", "b", "(i,j->1,i,j)", "(i->0,i,0)"); setOrderingDimensions(prog, "r", 0);'
    verified = proved(tmp_path, reduction("+", "double"), commands)
    text = scheduled_c(verified, "r").files["r.c"]
    assert "b[i] = 0;" in text
    agrees(verified, N=5)


def test_a_reduction_backwards(tmp_path: Path) -> None:
    """The first contribution is the one with the earliest date, not with the least index."""
    verified = proved(tmp_path, reduction("+", "int"), 'setSpaceTimeMap(prog, "r", "b", "(i,j->-j,i)");')
    agrees(verified, N=6)


# --- safety -----------------------------------------------------------------------------------------------------------


def test_status_codes() -> None:
    made = kernel(sample("matrix-chain/mcm.cs"))
    with pytest.raises(Rejected):
        made(N=1, A=np.zeros(2, dtype=np.uint32))


def test_sizes_are_refused_before_anything_happens(tmp_path: Path) -> None:
    verified = sample("matrix-chain/mcm.cs")
    write(scheduled_c(verified, "MCM"), tmp_path)
    (tmp_path / "main.c").write_text(
        """#include <stdio.h>
#include "MCM.h"
int main(void)
{
    unsigned int a[3] = {1, 2, 3}, b = 0;
    printf("%d ", MCM_status(1, a, &b));
    printf("%d ", MCM_status(INT64_MAX, a, &b));
    printf("%d ", MCM_status(INT64_C(1) << 40, a, &b));
    printf("%d ", MCM_status(INT64_C(1) << 22, a, &b));
    printf("%d ", MCM_status(2, a, &b));
    printf("%u", b);
    return 0;
}
"""
    )
    compile_program(tmp_path, "main", ["MCM.c", "main.c"])
    done = run(tmp_path, "sh", "-c", "ulimit -v 4000000; ./main")
    assert done.stdout == "1 2 2 3 0 6"


def test_what_is_assumed_is_said(tmp_path: Path) -> None:
    design = design_of(tmp_path, SMOOTH, SMOOTH_DATES + 'setParallel(prog, "smooth", "", "0");')
    assumed = assume_legal(verify(design))
    text = scheduled_c(assumed, "smooth").files["smooth.c"]
    assert "ASSUMED LEGAL, not proved:\n *   AZ" in text
    assert "proved legal" not in text


def test_a_program_in_cpp_may_call_it(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    verified = sample("prefix-sum/prefix-sum.cs")
    write(scheduled_c(verified, only_system(verified)), tmp_path)
    name = only_system(verified)
    (tmp_path / "main.cpp").write_text(f'#include "{name}.h"\nint main() {{ return sizeof(&{name}_status) == 0; }}\n')
    command = [compiler, "-std=c++11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "main.cpp"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
