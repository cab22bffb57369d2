"""A function that returns the output: by `return` at its end, or early where it says so by sizes."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import from_c
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.cases.proofs import proof_of

DOT = (
    "affine dot {N | N>=1}\ninput\n double x {i | 0<=i<N};\n double y {i | 0<=i<N};\noutput\n double s;\nlet\n"
    " s = reduce(+, [k], x[k] * y[k]);\n.\n"
)
HEAD = "double dot(int n, const double *x, const double *y) {"
LOOP = "for (int i = 0; i < n; i++) s += x[i] * y[i];"


def verdict(program: str, text: str) -> CVerdict:
    return prove_c(read_program(Source("p.ab", program)), Source("k.c", text), ProofTask(executes=False))


@pytest.mark.slow
def test_the_result_is_called_by_its_name() -> None:
    program = DOT.replace("output\n double s;", "output\n double s;\n double t;").replace(".\n", " t = s;\n.\n")
    text = HEAD.replace(") {", ", double *t) {") + f" double s = 0.0; {LOOP} *t = s; return s; }}"
    assert verdict(program, text).is_proved
    both = prove_c(
        read_program(Source("p.ab", program)), Source("k.c", text), ProofTask(names={"return": "t", "t": "s"})
    )
    assert both.is_proved


@pytest.mark.slow
def test_what_is_returned_is_an_output_of_the_equations() -> None:
    made = from_c(Source("k.c", proof_of("results", "a sum").text))
    assert [output.name for output in made.checked.program.systems[0].outputs] == ["result"]


def test_how_it_went_is_no_output() -> None:
    made = from_c(Source("k.c", "int f(int n, double a[n]) { for (int i = 0; i < n; i++) a[i] = 1.0; return 0; }"))
    assert [output.name for output in made.checked.program.systems[0].outputs] == ["a"]
