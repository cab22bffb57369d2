"""Arguments of C, and the variables of the equations that they hold at first and at the end."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import from_c
from alphaz.equivalence.driver.prove_c import prove_c
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
