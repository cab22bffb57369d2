"""Generated C of programs that say what is decided, or nothing: no compiler warns of it."""

import random
from pathlib import Path

import pytest

from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Rejected
from alphaz.run.compiler import find_compiler
from alphaz.run.library import load
from tests.codegen.generated_kernels import proved
from tests.model.programs import checked, outputs
from tests.model.random_expressions import expression
from tests.model.test_arithmetic_against_c import program
from tests.thinning import thinned
from tools.fuzz_language import generated, runnable

pytestmark = pytest.mark.slow

FLAGS = (
    *("-O1", "-Wall", "-Wextra", "-Wdiv-by-zero", "-Wtautological-compare", "-Wbool-compare", "-Wtype-limits"),
    *("-Wno-unknown-warning-option", "-Werror"),
)


def compiled(sources: Sources) -> None:
    load(sources, find_compiler(), FLAGS, remember=False)


@pytest.mark.parametrize("seed", thinned(range(2)))
def test_random_expressions_of_all_types(seed: int, tmp_path: Path) -> None:
    source, every = random.Random(seed), Sources({})
    for at in range(12):
        found = [expression(source, source.randint(1, 4)) for _ in range(8)]
        text = program([(each.type, each.language) for each in found])
        every |= write_c(checked(text), "p", f"p{at}")
        if at < 3:
            times = "".join(f'setSpaceTimeMap(prog, "p", "r{n}", "(i -> {n}, i)");' for n in range(8))
            compiled(scheduled_c(proved(tmp_path, text, times), "p"))
    compiled(every)


@pytest.mark.parametrize("seed", [1, 7])
def test_random_programs(seed: int) -> None:
    sources = Sources({})
    for at, text in enumerate(generated(60, seed)):
        try:
            found = checked(text)
        except Rejected:
            continue
        for system in runnable(found):
            sources |= write_c(found, system.name, f"f{at}_{system.name}")
    compiled(sources)


DECIDED = """
affine p {N | N>=1}
input unsigned char u {i | 0<=i<N}; unsigned int w {i | 0<=i<N}; bool b {i | 0<=i<N}; double d {i | 0<=i<N};
output bool q {i,k | 0<=i<N && 0<=k<10};
let q[i,k] = case
    {| k==0} : u[i] >= 0; {| k==1} : u[i] == 256; {| k==2} : 300 > u[i]; {| k==3} : w[i] < 0 * 0; {| k==4} : b[i] >= 0;
    {| k==5} : (u[i] < 3) == 2; {| k==6} : d[i] == d[i]; {| k==7} : (not b[i]) < d[i]; {| k==8} : b[i] xor b[i];
    {| k==9} : (if u[i] < 300 then u[i] else 7) >= -1;
esac;
.
"""


def test_comparisons_that_a_compiler_decides_are_made() -> None:
    found = checked(DECIDED)
    compiled(write_c(found, "p"))
    given = {"u": [5], "w": [6], "b": [1], "d": [float("nan")]}
    assert outputs(DECIDED, {"N": 1}, given)["q"].tolist() == [[1, 0, 1, 0, 1, 0, 0, 0, 0, 1]]


EMPTY = """
affine inner {N | N>=1}
input double a {i | 0<=i<N}; double b {i,j | 0<=i<N && i<j<i};
output double s {i | 0<=i<N}; double t {i,j | 0<=i<N && i<j<i};
let s[i] = a[i]; t[i,j] = a[i] + b[i,j];
.
affine other {N | N>=1}
input double a {i | 0<=i<N};
output double s {i | 0<=i<N};
let s[i] = a[i];
.
affine some {N | N>=1}
input double x {i | 0<=i<N};
output double y {i | 0<=i<N};
local double p {i | 0<=i<N}; double q, z {i,j | 0<=i<N && i<j<i}; double u {k,i | 0<=k<N && N<=k && 0<=i<N};
let
    use inner[N](x, (i,j -> i)@x) returns (p, q);
    use {k | 0<=k<N && N<=k} other[N]((k,i -> i)@x) returns (u);
    z[i,j] = x[i];
    y[i] = p[i] + reduce(+, [j], {| i<j<i} : z[i,j]) + reduce(max, [j], {| i<j<i} : reduce(+, [k], {| k==j} : z[i,k]));
.
affine none {N | N>=1}
input double x {i | 0<=i<N};
output double y {i,j | 0<=i<N && i<j<i};
let y[i,j] = x[i];
.
"""


@pytest.mark.parametrize("system", ["inner", "some", "none"])
def test_what_has_no_points_for_any_parameters(system: str) -> None:
    sources = write_c(checked(EMPTY), system)
    assert "/ 0" not in "".join(sources.files.values())
    compiled(sources)
