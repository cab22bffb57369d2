"""A function that returns the output: by `return` at its end, or early where it says so by sizes."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import from_c
from alphaz.equivalence.driver.proof import CVerdict, ProofTask, prove_c

pytestmark = pytest.mark.slow

DOT = (
    "affine dot {N | N>=1}\ninput\n double x {i | 0<=i<N};\n double y {i | 0<=i<N};\noutput\n double s;\nlet\n"
    " s = reduce(+, [k], x[k] * y[k]);\n.\n"
)
GREATEST = (
    "affine greatest {N | N>=1}\ninput\n double a {i | 0<=i<N};\noutput\n double m;\nlet\n"
    " m = reduce(max, [k], a[k]);\n.\n"
)
HEAD = "double dot(int n, const double *x, const double *y) {"
LOOP = "for (int i = 0; i < n; i++) s += x[i] * y[i];"
GREATER = "double greatest(int n, const double a[n]) { double m = a[0]; for (int i = 1; i < n; i++) %s return m; }"

RIGHT = {
    "a sum": (DOT, f"{HEAD} double s = 0.0; {LOOP} return s; }}"),
    "a sum of threads": (
        DOT,
        f"{HEAD} double s = 0.0;\n#pragma omp parallel for reduction(+ : s)\n{LOOP}\nreturn s; }}",
    ),
    "two sums": (
        DOT,
        f"{HEAD} double s = 0, t = 0; int i; for (i = 0; i < n / 2; i++) t += x[i] * y[i];"
        " for (; i < n; i++) s += x[i] * y[i]; return t + s; }",
    ),
    "nothing to sum up": (DOT, f"{HEAD} if (n <= 0) return 0.0; double s = 0.0; {LOOP} return s; }}"),
    "either way": (DOT, f"{HEAD} if (n > 0) {{ double s = 0.0; {LOOP} return s; }} else {{ return 0.0; }} }}"),
    "one of three ways": (
        DOT,
        f"{HEAD} double s = 0; if (n == 1) {{ return x[0] * y[0]; }} else if (n == 2) {{ s = x[1] * y[1];"
        f" return s + x[0] * y[0]; }} {LOOP} return s; }}",
    ),
    "either way, and on": (
        DOT,
        f"{HEAD} double s = 0; if (n == 1) {{ s = x[0] * y[0]; return s; }} else {{ s = 0; }} {LOOP} return s; }}",
    ),
    "the greatest": (GREATEST, GREATER % "if (a[i] > m) m = a[i];"),
    "the greater of two, by a function that returns early": (
        GREATEST,
        "static double two(double a, double b) { if (a > b) return a; return b; }\n" + GREATER % "m = two(m, a[i]);",
    ),
}

WRONG = {
    "one is left out": (DOT, f"{HEAD} double s = 0.0; {LOOP.replace('= 0', '= 1')} return s; }}"),
    "another factor": (DOT, f"{HEAD} double s = 0.0; {LOOP.replace('y', 'x')} return s; }}"),
    "one too early": (DOT, f"{HEAD} if (n <= 1) return 0.0; double s = 0.0; {LOOP} return s; }}"),
    "too early where there is much": (
        DOT,
        f"{HEAD} if (n > 3) {{ double s = 0.0; {LOOP} return s; }} else {{ return 0.0; }} }}",
    ),
    "nothing is returned": (DOT, f"{HEAD} double s = 0.0; {LOOP} }}"),
    "the greatest but for the last": (GREATEST, GREATER.replace("i < n", "i < n - 1") % "if (a[i] > m) m = a[i];"),
    "the least": (GREATEST, GREATER % "if (a[i] < m) m = a[i];"),
}

OPEN = {
    "threads in each other's way": (
        f"{HEAD} double s = 0.0;\n#pragma omp parallel for\n{LOOP}\nreturn s; }}",
        "not proved: no race for s between line 3 and line 3 (C6)",
    ),
    "from the middle of a loop": (
        f"{HEAD} double s = 0; for (int i = 0; i < n; i++) {{ s += x[i]; if (i == 2) return s; }} return s; }}",
        "`return` inside a loop or branch is not supported here",
    ),
    "of few nothing": (f"{HEAD} double s = 0.0; {LOOP} if (n > 2) return s; }}", "not proved: "),
    "from the first iteration": (
        f"{HEAD} double s = 0; for (int i = 0; i < n; i++) {{ s += x[i] * y[i]; return s; }} return s; }}",
        "`return` inside a loop or branch is not supported here",
    ),
    "where a sum is small": (
        f"{HEAD} double s = 0; {LOOP} if (s < 0.0) {{ s = 0.0; return s; }} return s; }}",
        "a condition on data (",
    ),
    "nothing": (
        f"{HEAD} double s = 0.0; {LOOP} return; }}",
        "`return` without a value, but the caller uses the result",
    ),
    "another type": (
        f"{HEAD.replace('double dot', 'float dot')} double s = 0.0; {LOOP} return s; }}",
        "the returned value is of type float, and `s` is of type double",
    ),
    "no more than how it went": (
        f"{HEAD.replace('double dot', 'int dot')} double s = 0.0; {LOOP} return 0; }}",
        "no argument holds the output `s`, and it is not returned",
    ),
}


def verdict(program: str, text: str, *, executes: bool = False) -> CVerdict:
    return prove_c(read_program(Source("p.ab", program)), Source("k.c", text), ProofTask(executes=executes))


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_returned_is_the_output(name: str) -> None:
    found = verdict(*RIGHT[name])
    assert found.is_proved, [finding.message for finding in found.findings]


@pytest.mark.parametrize("name", WRONG)
def test_something_else_is_returned_when_it_is_executed(name: str) -> None:
    assert verdict(*WRONG[name], executes=True).verdict == "refuted"


@pytest.mark.parametrize("name", OPEN)
def test_what_is_not_understood_is_told(name: str) -> None:
    text, said = OPEN[name]
    found = verdict(DOT, text)
    assert found.verdict == "undecided"
    assert found.findings[0].message.startswith(said)


def test_the_result_is_called_by_its_name() -> None:
    program = DOT.replace("output\n double s;", "output\n double s;\n double t;").replace(".\n", " t = s;\n.\n")
    text = HEAD.replace(") {", ", double *t) {") + f" double s = 0.0; {LOOP} *t = s; return s; }}"
    assert verdict(program, text).is_proved
    both = prove_c(
        read_program(Source("p.ab", program)), Source("k.c", text), ProofTask(names={"return": "t", "t": "s"})
    )
    assert both.is_proved


# Of a sum that may be empty, the half of one, the equations are written, and not proved.
@pytest.mark.parametrize("name", [each for each in RIGHT if each != "two sums"])
def test_equations_of_what_is_returned(name: str) -> None:
    made = from_c(Source("k.c", RIGHT[name][1]))
    assert made.is_proved
    (output,) = made.checked.program.systems[0].outputs
    assert output.name == "result"


def test_how_it_went_is_no_output() -> None:
    made = from_c(Source("k.c", "int f(int n, double a[n]) { for (int i = 0; i < n; i++) a[i] = 1.0; return 0; }"))
    assert [output.name for output in made.checked.program.systems[0].outputs] == ["a"]
