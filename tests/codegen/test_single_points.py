"""Variables and reductions of a single point: no name is declared twice in one scope, no test is always true."""

from pathlib import Path

import pytest

from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.wrapper.main_program import wrapper
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation, simplified
from tests.codegen.generated_kernels import checked, compile_program, proved, run, write

PROGRAM = """affine points {N | N>=4}
input
    double x {i | 0<=i<N};
    double never;
output
    double a, b {i | i==N-1};
    double c, d {i,j | i==N-1 && N-1<=2j<=N};
    double e {i | i==N-1} || {i | N-1<=2i<=N};
    double f, g;
let
    a[i] = x[i] * [i+N];
    b[i] = a[i] + x[i] * [i];
    c[i,j] = x[i] * [i] * [j];
    d[i,j] = x[j] * [i] * [j];
    e[i] = x[i] * [i];
    f = reduce(+, [i], {| i==N-1} : x[i] * [i]) + reduce(+, [i], {| N-1<=2i<=N} : x[i] * [i]);
    g = reduce(+, [i,j], {| i==N-1 && N-1<=2j<=N} : x[i] * [j]) + reduce(max, [i], {| i==N-1} : x[i] * [i]);
.
"""

COMMANDS = """setSpaceTimeMap(prog, "points", "a,b,e", "(i -> i,i)");
setSpaceTimeMap(prog, "points", "c,d", "(i,j -> i,j)");
setSpaceTimeMap(prog, "points", "f,g", "(-> N-1,N-1)");
setStatementOrdering(prog, "points", "a", "b");
"""

# At N=5 with x[i] = i+1.
EXPECTED = [45.0, 65.0, 40.0, 24.0, 6.0, 20.0, 26.0, 30.0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["scheduled", "demand-driven"])
def test_single_points_compile_without_a_warning_and_compute(kind: str, tmp_path: Path) -> None:
    program = checked(PROGRAM)
    sources = (
        scheduled_c(proved(tmp_path, PROGRAM, COMMANDS), "points")
        if kind == "scheduled"
        else write_c(program, "points")
    )
    write(sources, tmp_path)
    write(wrapper(program, "points"), tmp_path)
    compile_program(tmp_path, "points", ["points.c", "points-wrapper.c"])
    (tmp_path / "x.txt").write_text("1 2 3 4 5")
    (tmp_path / "never.txt").write_text("0")
    done = run(tmp_path, "./points", "5", "--input", "x=x.txt", "--input", "never=never.txt", "--print", "--bare")
    values = [float(line) for line in done.stdout.splitlines() if "Execution" not in line]
    assert values == EXPECTED, (done.stdout, done.stderr)


@pytest.mark.slow
def test_both_programs_and_their_comparison_compile(tmp_path: Path) -> None:
    program = checked(PROGRAM)
    write(scheduled_c(proved(tmp_path, PROGRAM, COMMANDS), "points"), tmp_path)
    write(write_c(program, "points", "points_verify"), tmp_path)
    write(wrapper(program, "points"), tmp_path)
    compile_program(tmp_path, "both", ["points.c", "points_verify.c", "points-wrapper.c"], ("-DVERIFY",))
    assert "FAILED" not in run(tmp_path, "./both", "7").stdout


N = IntegerName("N")


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (IntegerOperation("==", (N, N)), IntegerConstant(1)),
        (IntegerOperation("<", (IntegerOperation("+", (N, IntegerConstant(1))), N)), IntegerConstant(0)),
        (
            IntegerOperation("and", (IntegerOperation("==", (N, N)), IntegerOperation("<=", (N, IntegerConstant(3))))),
            IntegerOperation("<=", (N, IntegerConstant(3))),
        ),
        (IntegerOperation("or", (IntegerOperation(">", (N, N)), IntegerOperation(">=", (N, N)))), IntegerConstant(1)),
        (IntegerOperation("and", (IntegerOperation("<", (N, N)), N)), IntegerConstant(0)),
        (IntegerOperation("<=", (N, IntegerConstant(3))), IntegerOperation("<=", (N, IntegerConstant(3)))),
    ],
)
def test_what_is_always_true_or_false_is_a_number(given: Integer, wanted: Integer) -> None:
    assert simplified(given) == wanted
