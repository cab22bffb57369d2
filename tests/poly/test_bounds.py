"""Bounding boxes as expressions: least and greatest values, and how many there are."""

from alphaz.poly import Affine, Domain, Space, at_least, less
from alphaz.poly.algorithms.bounds import bounding_box, extent
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation, value_of

N, R = IntegerName("N"), IntegerName("r")


def of(symbol: str, *operands: Integer) -> IntegerOperation:
    return IntegerOperation(symbol, operands)


def test_a_window_at_an_end_is_as_long_as_the_least() -> None:
    """The values from r on, three of them at most: that `isl` says by cases is no part of the size."""
    row, first, size = Affine.name("i"), Affine.name("r"), Affine.name("N")
    window = [at_least(row, first), less(row, first + 3), at_least(row, 0), less(row, size)]
    context = Domain.where(Space(("N", "r"), ()), [at_least(first, 0), less(first, size)])
    box = bounding_box(Domain.where(Space(("N", "r"), ("i",)), window), context)
    assert box.extents == (of("min", of("-", N, R), IntegerConstant(3)),) or box.extents == (
        of("min", IntegerConstant(3), of("-", N, R)),
    )


def test_an_extent_is_collected() -> None:
    low, high = (
        of("max", R, IntegerConstant(0)),
        of("min", of("-", N, IntegerConstant(1)), of("+", R, IntegerConstant(2))),
    )
    assert extent(R, high) == of("min", of("-", N, R), IntegerConstant(3))
    assert extent(R, of("min", N, of("+", N, IntegerConstant(3)))) == of("+", of("-", N, R), IntegerConstant(1))
    assert extent(N, N) == IntegerConstant(1)
    for n in range(-3, 4):
        for r in range(-3, 4):
            values = {"N": n, "r": r}
            for lower, upper in ((low, high), (R, high), (low, N), (of("min", R, N), of("max", R, N))):
                assert value_of(extent(lower, upper), values) == value_of(upper, values) - value_of(lower, values) + 1
