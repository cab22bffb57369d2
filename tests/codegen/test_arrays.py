"""Elements of arrays whose dimensions are folded by mod factors."""

import pytest

from alphaz.c.printer import expression_text
from alphaz.codegen.c.arrays import FlatArray
from alphaz.model.types import ScalarType
from alphaz.poly import Affine
from alphaz.poly.plain.integer_expression import IntegerConstant, IntegerName

ROW, K = Affine.name("i"), Affine.name("k")


@pytest.mark.parametrize(
    ("component", "modulus", "may_be_negative", "text"),
    [
        (K, 2, False, "D[k % 2 * N + i]"),
        (K - 1, 2, True, "D[floor_mod(k - 1, 2) * N + i]"),
        (Affine.of(constant=0), 2, False, "D[i]"),
        (Affine.of(constant=5), 2, False, "D[N + i]"),
        (Affine.of(constant=-1), 3, True, "D[2 * N + i]"),
        (K, 1, True, "D[i]"),
        (K, 0, False, "D[k * N + i]"),
    ],
)
def test_a_folded_component(component: Affine, modulus: int, may_be_negative: bool, text: str) -> None:
    array = FlatArray(
        "D",
        ScalarType("int", "int", "int32", "int", 32),
        (IntegerConstant(0), IntegerConstant(0)),
        (IntegerConstant(modulus or 9), IntegerName("N")),
    )
    assert expression_text(array.element((component, ROW), [(modulus, may_be_negative), (0, False)])) == text
