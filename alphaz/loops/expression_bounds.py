"""Least and greatest value of an integer expression, where some of its names have ranges, without these names."""

from collections.abc import Mapping

from alphaz.poly.plain.integer_expression import (
    DIVISIONS,
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    as_affine,
    names_in,
    of_affine,
    simplified,
)

Ranges = Mapping[str, tuple[Integer, Integer]]
"""For some names an expression that they never fall below, and one that they never exceed."""


def extreme(value: Integer, ranges: Ranges, *, largest: bool) -> Integer | None:
    """Returns an expression that the value never exceeds (`largest`), or never falls below, for names in these ranges;
    None where none is known. The result has no name of the ranges.
    """
    if not any(name in ranges for name in names_in(value)):
        return value
    affine = as_affine(value)
    if affine is not None:
        terms: list[Integer] = [IntegerConstant(affine.constant)]
        for name, factor in affine.terms:
            end: Integer = IntegerName(name)
            if name in ranges:
                end = ranges[name][largest is (factor > 0)]
            terms.append(end if factor == 1 else IntegerOperation("*", (IntegerConstant(factor), end)))
        total = terms[0]
        for term in terms[1:]:
            total = IntegerOperation("+", (total, term))
        return _plain(total)
    extremes: list[Integer | None]
    match value:
        case IntegerOperation("min" | "max" | "+" as symbol, operands):
            extremes = [extreme(operand, ranges, largest=largest) for operand in operands]
        case IntegerOperation("-" as symbol, (left, right)):
            extremes = [extreme(left, ranges, largest=largest), extreme(right, ranges, largest=not largest)]
        case IntegerOperation("neg" as symbol, (operand,)):
            extremes = [extreme(operand, ranges, largest=not largest)]
        case IntegerOperation(symbol, (dividend, IntegerConstant(by) as divisor)) if symbol in DIVISIONS and by > 0:
            # Bounds of a dividend that is never negative may be negative.
            extremes = [extreme(dividend, ranges, largest=largest), divisor]
            symbol = "floor_div"
        case IntegerOperation("*" as symbol, (IntegerConstant(by), operand)):
            extremes = [IntegerConstant(by), extreme(operand, ranges, largest=largest is (by > 0))]
        case _:
            return None
    known = [one for one in extremes if one is not None]
    return _plain(IntegerOperation(symbol, tuple(known))) if len(known) == len(extremes) else None


def _plain(value: Integer) -> Integer:
    affine = as_affine(value)
    return simplified(value) if affine is None else of_affine(affine)
