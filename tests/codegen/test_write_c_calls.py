"""Demand-driven C: calls of systems, the user's own operators, and values that have no meaning."""

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Rejected
from alphaz.diagnostics.rules import LITERAL, RUN_TIME, UNDECLARED
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs
from alphaz.run.externals import external_functions
from alphaz.run.kernel import compile_kernel
from tests.codegen.generated_kernels import SANITIZED, checked, compile_program, proved, run, unaccepted, write
from tests.thinning import thinned

FLAGS = ("-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror")

FEEDBACK = """// Calls whose inputs need the outputs of earlier calls of the same equation.
affine step {M | M>=1}
input int a {i | 0<=i<M};
output int b, c {i | 0<=i<M};
let
	b[i] = 2*a[i] + 1;
	c[i] = reduce(+, [j], {| 0<=j<=i} : a[j]);
.
affine feedback {N | N>=1}
input int x;
output int z {e,i | 0<=e<N && 0<=i<=e};
local int y, w {e,i | 0<=e<N && 0<=i<=e};
let
	use {e | 0<=e<N} step[e+1](case {e,i | i==e} : (e,i->)@x + val(e,i->e);
		{e,i | i<e} : (e,i->e-1,i)@y; esac) returns (y, w);
	z[e,i] = y[e,i] - w[e,i];
.
"""

HALVES = """// A sum by halves: two calls of itself, with their own inputs.
affine halves {N | N>=1}
input long x {i | 0<=i<N};
output long s;
local long left {|N>=2}; long right {|N>=2};
let
	use {| N>=2} halves[N-1]((i->i)@x) returns (left);
	use {| N>=2} one[1]((i->N-1)@x) returns (right);
	s = case {| N==1} : x[0]; {| N>=2} : left + right; esac;
.
affine one {K | K==1}
input long x {i | 0<=i<K};
output long s;
let s = x[0];
.
"""


def same(text: str, system: str, flags: tuple[str, ...] = FLAGS, **parameters: int) -> None:
    program = checked(text)
    target = program.program.system(system)
    inputs = random_inputs(target, parameters, 3)
    expected = evaluate(program.program, program.facts, system, parameters, inputs)
    found = compile_kernel(write_c(program, system), program, system, flags=flags).run(parameters, inputs).outputs
    for output in target.outputs:
        np.testing.assert_array_equal(found[output.name], expected[output.name])


@pytest.mark.parametrize("size", [1, 2, 7])
def test_a_call_may_need_what_another_has_computed(size: int) -> None:
    same(FEEDBACK, "feedback", N=size)


@pytest.mark.parametrize("size", [1, 2, 40])
def test_a_system_may_call_itself_and_others(size: int) -> None:
    same(HALVES, "halves", N=size)


@pytest.mark.slow
def test_calls_give_back_their_memory_and_touch_no_other(tmp_path: Path) -> None:
    """Under the sanitizers of addresses, leaks and undefined behaviour, twice, interleaved with a failure."""
    write(write_c(checked(HALVES), "halves"), tmp_path)
    (tmp_path / "main.c").write_text(
        """#include <stdio.h>
#include "halves.h"
int main(void)
{
    long x[1000], s = 0;
    for (int i = 0; i < 1000; i++) x[i] = i;
    int first = halves_status(1000, x, &s);
    printf("%d %ld ", first, s);
    printf("%d ", halves_status(0, x, &s));
    int second = halves_status(3, x, &s);
    printf("%d %ld", second, s);
    return 0;
}
"""
    )
    compile_program(tmp_path, "main", ["halves.c", "main.c"], SANITIZED)
    done = run(tmp_path, "./main")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0 499500 1 0 3"


@pytest.mark.slow
@pytest.mark.parametrize("refused", thinned([1, 2, 3, 7, 12, 20], 4))
def test_every_allocation_may_fail(tmp_path: Path, refused: int) -> None:
    """Status 3, nothing lost."""
    write(write_c(checked(HALVES), "halves"), tmp_path)
    head = f"""#include <stdlib.h>
static int left = {refused};
static void *scarce_calloc(size_t n, size_t s) {{ return --left == 0 ? NULL : calloc(n, s); }}
static void *scarce_aligned_alloc(size_t a, size_t s) {{ return --left == 0 ? NULL : aligned_alloc(a, s); }}
static void *scarce_realloc(void *p, size_t s) {{ return --left == 0 ? NULL : realloc(p, s); }}
"""
    for file in (tmp_path / "halves.c", tmp_path / "alphaz.h"):
        text = re.sub(r"(?<= = )(calloc|aligned_alloc|realloc)\(", r"scarce_\1(", file.read_text())
        file.write_text(head + text if file.suffix == ".c" else text)
    (tmp_path / "main.c").write_text(
        """#include "halves.h"
int main(void)
{
    long x[9] = {0}, s = 0;
    return halves_status(9, x, &s) == 3 ? 0 : 1;
}
"""
    )
    compile_program(tmp_path, "main", ["halves.c", "main.c"], SANITIZED)
    assert run(tmp_path, "./main").returncode == 0


def test_recursion_may_be_thousands_deep_and_has_a_limit() -> None:
    text = """affine down {N | N>=0}
output long s;
local long rest {|N>=1};
let
	use {| N>=1} down[N-1]() returns (rest);
	s = case {| N==0} : 0; {| N>=1} : rest + [N]; esac;
.
"""
    program = checked(text)
    kernel = compile_kernel(write_c(program, "down"), program, "down")
    assert np.asarray(kernel(N=9_999)).item() == 9_999 * 5_000
    with pytest.raises(Rejected) as refusal:
        kernel(N=20_000)
    assert "calls of systems nest too deeply" in refusal.value.diagnostics[0].message


def test_a_cycle_through_a_call_is_named_with_the_call(tmp_path: Path) -> None:
    """The data decide whether it is closed."""
    text = """affine inner {M | M>=1}
input int a {i | 0<=i<M};
output int b {i | 0<=i<M};
let b[i] = if a[i] > 0 then a[M-1-i] else 0;
.
affine outer {N | N>=1}
input int x {i | 0<=i<N};
output int y {i | 0<=i<N};
let use inner[N](if x[i] > 0 then y[i] else 1) returns (y);
.
"""
    write(write_c(unaccepted(text), "outer"), tmp_path)
    (tmp_path / "main.c").write_text(
        """#include <stdio.h>
#include "outer.h"
int main(void)
{
    int good[2] = {0, 0}, bad[2] = {0, 1}, y[2];
    printf("%d %d", outer_status(2, good, y), outer_status(2, bad, y));
    return 0;
}
"""
    )
    compile_program(tmp_path, "main", ["outer.c", "main.c"], SANITIZED)
    done = run(tmp_path, "./main")
    assert done.stdout == "0 4"
    assert "of outer(N=2) depends on itself" in done.stderr or "of inner(M=2) depends on itself" in done.stderr


# --- values without meaning ---------------------------------------------------------------------------------------

DIVISION = """affine division {N | N>=1}
input int a, b {i | 0<=i<N};
output int q, r {i | 0<=i<N}; unsigned long u {i | 0<=i<N};
let q[i] = a[i] / b[i]; r[i] = a[i] % b[i]; u[i] = [i+1] / b[i];
.
"""
MAPPED = """setSpaceTimeMap(prog, "division", "q", "(i->0,i)");
setSpaceTimeMap(prog, "division", "r", "(i->1,i)");
setSpaceTimeMap(prog, "division", "u", "(i->2,i)");
setParallel(prog, "division", "", "1");
generateScheduledCode(prog, "division");"""


def test_division_by_zero_is_a_status_and_names_the_point(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = checked(DIVISION)
    kernels = [compile_kernel(write_c(program, "division"), program, "division", flags=FLAGS)]
    verified = proved(tmp_path, DIVISION, MAPPED)
    kernels.append(compile_kernel(scheduled_c(verified, "division"), verified.design.checked, "division"))
    a, b = np.array([7, -7, -(1 << 31)], np.int32), np.array([2, 2, -1], np.int32)
    for kernel in kernels:
        found = kernel(N=3, a=a, b=b)
        assert isinstance(found, dict)
        assert found["q"].tolist() == [3, -3, -(1 << 31)]
        assert found["r"].tolist() == [1, -1, 0]
        with pytest.raises(Rejected) as refusal:
            kernel(N=3, a=a, b=np.array([1, 0, 1], np.int32))
        assert refusal.value.diagnostics[0].rule is RUN_TIME
        assert refusal.value.diagnostics[0].message == "`division` stopped for N = 3: division by zero"
    assert "division: q[1] divides by zero" in capfd.readouterr().err


def test_a_float_that_no_integer_holds_is_a_status() -> None:
    program = checked(
        """affine whole {N | N>=1}
input double x; float f;
output int i; long l; unsigned char c; char s; bool b; int g;
let i = x; l = x; c = f; s = f; b = x; g = f;
.
"""
    )
    kernel = compile_kernel(write_c(program, "whole"), program, "whole", flags=("-O1",))
    limits: Mapping[str, tuple[float, float]] = {"x": (-2147483648.9, 2147483647.9), "f": (-0.9, 127.9)}
    for at in (0, 1):
        given = {"x": limits["x"][at], "f": np.float32(limits["f"][at])}
        found = kernel(N=1, x=given["x"], f=given["f"])
        assert isinstance(found, dict)
        expected = evaluate(program.program, program.facts, "whole", {"N": 1}, given)
        assert {n: a.item() for n, a in found.items()} == {n: a.item() for n, a in expected.items()}
    for x, f in ((2147483648.0, 0.0), (float("nan"), 0.0), (0.0, 128.0), (0.0, -1.0)):
        with pytest.raises(Rejected, match="does not fit into an integer type"):
            kernel(N=1, x=x, f=np.float32(f))
        with pytest.raises(Rejected):
            evaluate(program.program, program.facts, "whole", {"N": 1}, {"x": x, "f": np.float32(f)})


# --- functions of the user ----------------------------------------------------------------------------------------

OPERATOR = """//@ identity gcd = 0
int gcd(int, int);
affine own {N | N>=1}
input int x {i | 0<=i<N};
output int y {i | 0<=i<N};
let y[i] = reduce(gcd, [j], {| 0<=j<i} : x[j]);
.
"""
HEADER = """static int gcd(int a, int b)
{
    while (b != 0) { int r = a % b; a = b; b = r; }
    return a < 0 ? -a : a;
}
"""


def test_an_operator_of_the_user_has_the_identity_that_the_program_gives(tmp_path: Path) -> None:
    (tmp_path / "external_functions.h").write_text(HEADER)
    program = checked(OPERATOR)
    sources = write_c(program, "own")
    assert "gcd is associative and commutative, with the identity 0." in sources.files["own.c"]
    x = np.array([12, -18, 27, 5], np.int32)
    expected = evaluate(
        program.program, program.facts, "own", {"N": 4}, {"x": x}, external_functions(program.program, tmp_path)
    )
    assert expected["y"].tolist() == [0, 12, 6, 3]
    assert np.asarray(compile_kernel(sources, program, "own", include=tmp_path)(N=4, x=x)).tolist() == [0, 12, 6, 3]
    mapped = """setSpaceTimeMap(prog, "own", "y", "(i->i)"); generateScheduledCode(prog, "own");"""
    verified = proved(tmp_path, OPERATOR, mapped)
    scheduled = scheduled_c(verified, "own")
    assert "gcd is associative and commutative, with the identity 0." in scheduled.files["own.c"]
    kernel = compile_kernel(scheduled, verified.design.checked, "own", include=tmp_path)
    assert np.asarray(kernel(N=4, x=x)).tolist() == [0, 12, 6, 3]


@pytest.mark.parametrize(
    ("line", "rule"), [("", UNDECLARED), ("//@ identity gcd = 0.5", LITERAL), ("//@ identity gcd = f()", LITERAL)]
)
def test_an_operator_without_a_proper_identity_is_refused(line: str, rule: object) -> None:
    with pytest.raises(Rejected) as refusal:
        checked(OPERATOR.replace("//@ identity gcd = 0", line))
    assert [d.rule for d in refusal.value.diagnostics] == [rule]


def test_a_while_system_is_refused_by_name() -> None:
    program = checked(
        """affine repeat {N | N>=1}
input double x; output double y;
over {t | t>=0} while y > 1.0
let y = x;
.
"""
    )
    with pytest.raises(Rejected, match="repeat"):
        write_c(program, "repeat")
