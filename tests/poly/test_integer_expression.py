"""Integer expressions are folded, and keep their value."""

from hypothesis import given
from hypothesis import strategies as st

from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    simplified,
    value_of,
)

N, HALF = IntegerName("N"), IntegerOperation("floor_div", (IntegerName("N"), IntegerConstant(2)))
numbers = st.integers(-4, 4).map(IntegerConstant)
integers: st.SearchStrategy[Integer] = st.recursive(
    st.one_of(numbers, st.just(N), st.just(HALF)),
    lambda inner: st.one_of(
        st.builds(lambda s, a, b: IntegerOperation(s, (a, b)), st.sampled_from(["+", "-", "min", "max"]), inner, inner),
        st.builds(lambda a: IntegerOperation("neg", (a,)), inner),
    ),
    max_leaves=8,
)


@given(integers, st.integers(-7, 7))
def test_simplified_expressions_keep_their_value(integer: Integer, n: int) -> None:
    assert value_of(simplified(integer), {"N": n}) == value_of(integer, {"N": n})


def test_the_constants_of_a_sum_are_added_up() -> None:
    """`N/2 - 2 - 0 + 1 + 0 + 5`."""
    total: Integer = HALF
    for symbol, number in (("-", 2), ("-", 0), ("+", 1), ("+", 0), ("+", 5)):
        total = IntegerOperation(symbol, (total, IntegerConstant(number)))
    assert simplified(total) == IntegerOperation("+", (HALF, IntegerConstant(4)))
    assert simplified(IntegerOperation("-", (HALF, IntegerConstant(0)))) == HALF
