"""Arguments of C, and the variables of the equations that they hold at first and at the end."""

from dataclasses import replace

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import from_c
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import PLAINLY
from tests.thinning import thinned

IN_PLACE = "void f(long N, double x[N]) { for (long i = 1; i < N; i++) x[i] += x[i - 1]; }"


@pytest.mark.slow
def test_an_argument_that_is_changed_in_place_holds_its_input_too() -> None:
    made = from_c(Source("f.c", IN_PLACE))
    found = prove_c(made.checked, Source("f.c", IN_PLACE))
    assert found.is_proved
    assert "`x` holds x_in at first, and x at the end" in found.assumed


@pytest.mark.parametrize(
    "inputs", thinned(["double x_in {i | 0<=i<=N};", "float x_in {i | 0<=i<N};", "double x1, x2 {i | 0<=i<N};"], 3)
)
def test_an_input_of_another_kind_is_not_what_an_output_holds_at_first(inputs: str) -> None:
    text = f"affine f {{N | N>=1}}\ninput {inputs}\noutput double x {{i | 0<=i<N}};\nlet x[i] = 1.0;\n."
    body = "{ for (long i = 0; i < N; i++) x[i] = 1.0; }"
    found = prove_c(read_program(Source("f.ab", text)), Source("f.c", f"void f(long N, double *x) {body}"))
    assert found.is_proved, found.findings
    assert found.assumed == ()


SUM = """affine f {N | N>=1}
input
    float x {i | 0<=i<N};
output
    float y {i | 0<=i<N};
let
    y[i] = EXPRESSION;
.
"""


@pytest.mark.parametrize(
    ("equation", "c", "is_right"),
    [
        ("0.1f * x[i]", "x[i] * 0.1F", True),
        ("2.0f * x[i]", "2 * x[i]", True),
        ("0.1f * x[i]", "0.1 * x[i]", False),
        ("0.1f * x[i]", "0.10000001f * x[i]", False),
        ("0.1 * x[i]", "0.1f * x[i]", False),
        ("x[i] / 3.0f", "x[i] / 3.0", False),
        ("0.1f + 0.2f + x[i]", "0.3f + x[i]", False),
    ],
)
def test_constants_of_equations_have_a_type(equation: str, c: str, is_right: bool) -> None:
    checked = read_program(Source("f.ab", SUM.replace("EXPRESSION", equation)))
    text = f"void f(long N, const float *x, float *y) {{ for (long i = 0; i < N; i++) y[i] = {c}; }}"
    found = prove_c(checked, Source("f.c", text), replace(PLAINLY, executes=False))
    assert found.verdict == ("proved" if is_right else "undecided")
