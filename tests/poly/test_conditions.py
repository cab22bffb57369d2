"""Conditions as unions of constraints, against their values at all points of a square."""

from itertools import product

import pytest

from alphaz.poly.plain.conditions import Condition, condition_of
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation, value_of

X, Y = IntegerName("x"), IntegerName("y")


def op(symbol: str, *operands: Integer | int) -> IntegerOperation:
    return IntegerOperation(symbol, tuple(IntegerConstant(o) if isinstance(o, int) else o for o in operands))


CONDITIONS = (
    op("<", X, Y),
    op(">=", op("+", op("*", 2, X), 1), op("neg", Y)),
    op("==", op("max", X, Y), 2),
    op("<=", op("max", X, op("-", Y, 1)), op("min", 3, op("*", Y, 2))),
    op(">", op("floor_div", op("-", X, Y), 3), -1),
    op("==", op("floor_div", op("min", X, op("*", 2, Y)), 2), op("floor_div", X, 2)),
    op("and", op("<", X, 2), op("or", op(">", Y, 1), op("==", X, Y))),
)


def meets(condition: Condition, values: dict[str, int]) -> bool:
    """Returns True if the constraints hold, for some values of the floors."""
    for piece in condition:
        floors = sorted({name for one in piece for name in one.affine.names} - values.keys())
        for numbers in product(range(-9, 10), repeat=len(floors)):
            if all(one.holds({**values, **dict(zip(floors, numbers, strict=True))}) for one in piece):
                return True
    return False


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_the_constraints_hold_where_the_condition_does(condition: IntegerOperation) -> None:
    result = condition_of(condition)
    assert result is not None
    for x, y in product(range(-4, 5), repeat=2):
        assert meets(result, {"x": x, "y": y}) is bool(value_of(condition, {"x": x, "y": y}))


def test_what_is_not_affine_has_no_such_form() -> None:
    assert condition_of(op("<", op("*", X, Y), 3)) is None
    assert condition_of(op("<", op("floor_div", X, Y), 3)) is None
    assert condition_of(op("==", op("remainder", X, 2), 0)) is None
