"""`double **A` in equations that are made of C."""

import pytest

from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import from_c
from tests.cases.proofs import proof_of


@pytest.mark.slow
def test_equations_of_rows() -> None:
    found = from_c(Source("k.c", proof_of("rows", "elements of rows").text))
    assert found.verdict.is_proved
    assert "double A {i,j | 0<=i<N && 0<=j<M};" in found.program.replace("\n    ", " ")
