"""Demand-driven C: the whole language, any depth of dependences, and values that depend on themselves."""

from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.demand.write_c import write_c
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs
from alphaz.run.kernel import compile_kernel
from tests.codegen.generated_kernels import SANITIZED, checked, compile_program, run, unaccepted, write

CHAIN = """affine chain {N | N>=1}
input double a;
output double y;
local double x {i | 0<=i<=N};
let x[i] = case {| i==0} : a; {| i>0} : 0.5*x[i-1] + 1.0; esac; y = x[N];
.
"""


def agrees(text: str, system: str, **parameters: int) -> None:
    program = checked(text)
    target = program.program.system(system)
    inputs = random_inputs(target, parameters, 11)
    expected = evaluate(program.program, program.facts, system, parameters, inputs)
    kernel = compile_kernel(write_c(program, system), program, system, flags=("-O1", "-Wall", "-Wextra", "-Werror"))
    found = kernel.run(parameters, inputs).outputs
    for output in target.outputs:
        np.testing.assert_array_equal(found[output.name], expected[output.name])


def test_many_variables_make_no_long_lines() -> None:
    names = [f"an_output_with_a_long_name_{at}" for at in range(9)]
    values = " ".join(f"{name} = {at}.0 * a;" for at, name in enumerate(names))
    text = f"affine wide {{N | N>=1}} input double a; output double {', '.join(names)}; let {values} ."
    files = write_c(checked(text), "wide").files
    assert max(len(line) for name, file in files.items() if name != "alphaz.h" for line in file.splitlines()) <= 110
    agrees(text, "wide", N=1)


def test_a_chain_of_a_million_values() -> None:
    program = checked(CHAIN)
    found = compile_kernel(write_c(program, "chain"), program, "chain")(N=1_000_000, a=5.0)
    assert np.asarray(found).item() == 2.0


def test_a_reduction_over_many_missing_values_takes_no_quadratic_time() -> None:
    """10^12 steps would not end."""
    program = checked(
        """affine total {N | N>=1}
output long y;
local long x {i | 0<=i<=N};
let x[i] = [i]; y = reduce(+, (i->), x[i]);
.
"""
    )
    found = compile_kernel(write_c(program, "total"), program, "total")(N=1_000_000)
    assert np.asarray(found).item() == 500_000_500_000


def test_reductions_inside_reductions_and_choices() -> None:
    agrees(
        """affine nested {N | N>=2}
input int a {i,j | 0<=i<N && 0<=j<N};
output int y {i | 0<=i<N};
local int s {i | 0<=i<N};
let
s[i] = reduce(max, (i,j->i), {i,j | 0<=j<=i} : a[i,j] + reduce(+, (i,j,k->i,j), {i,j,k | j<=k<N} : a[k,j]));
y[i] = if s[i] > 3 and a[i,i] > 0 then reduce(min, (i,j->i), {i,j | i<=j<N} : s[j]) else -s[i] / 3;
.
""",
        "nested",
        N=6,
    )


def test_operators_of_all_types() -> None:
    agrees(
        """affine ops {N | N>=1}
input char a {i | 0<=i<N}; unsigned short b {i | 0<=i<N}; long c {i | 0<=i<N}; float d {i | 0<=i<N};
output char p {i | 0<=i<N}; unsigned int q {i | 0<=i<N};
  double r {i | 0<=i<N}; bool s {i | 0<=i<N}; long t {i | 0<=i<N};
let
p[i] = a[i] * a[i] * a[i] * 7;
q[i] = b[i] - c[i] * 3 + [2i-5];
r[i] = d[i] / a[i] + min(d[i], c[i]) * 0.1;
s[i] = not (a[i] > c[i]) xor d[i] < 0.25 or b[i] == 4;
t[i] = a[i] % 4 + c[i] / 3 - max(b[i], c[i]);
.
""",
        "ops",
        N=9,
    )


@pytest.mark.slow
def test_a_value_that_depends_on_itself_is_named(tmp_path: Path) -> None:
    """The data decide: only some inputs close the circle. (The checker refuses both: it does not know the data.)"""
    program = unaccepted(
        """affine ring {N | N>=1}
input int a {i | 0<=i<=N};
output int y {i | 0<=i<=N};
local int x {i | 0<=i<=N};
let x[i] = if a[i] > 0 then y[N-i] else 1; y[i] = x[i] + 1;
.
"""
    )
    write(write_c(program, "ring"), tmp_path)
    (tmp_path / "main.c").write_text(
        """#include <stdio.h>
#include "ring.h"
int main(void)
{
    int good[3] = {0, 0, 1}, bad[3] = {1, 0, 1}, y[3];
    printf("%d ", ring_status(2, good, y));
    printf("%d %d %d ", y[0], y[1], y[2]);
    printf("%d", ring_status(2, bad, y));
    ring(2, bad, y);
    return 0;
}
"""
    )
    compile_program(tmp_path, "main", ["ring.c", "main.c"], SANITIZED)
    done = run(tmp_path, "./main")
    assert done.stdout == "0 2 2 3 4"
    assert "ring: y[0] depends on itself" in done.stderr or "ring: x[0] depends on itself" in done.stderr
    assert "ring: a value depends on itself" in done.stderr


@pytest.mark.parametrize("name", [None, "chain_verify"])
def test_the_name_can_be_chosen(name: str | None) -> None:
    files = write_c(checked(CHAIN), "chain", name).files
    assert set(files) == {f"{name or 'chain'}.c", f"{name or 'chain'}.h", "alphaz.h"}
    assert (
        f"int {name or 'chain'}_status(int64_t N, const double *restrict a, double *restrict y)"
        in files[f"{name or 'chain'}.c"]
    )
