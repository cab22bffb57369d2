"""Simplification of divisions by known divisibility of names."""

from collections.abc import Callable, Mapping
from math import gcd

from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer import (
    DIVISIONS,
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    as_affine,
    of_affine,
    summands,
    total_of,
)

Multiples = Mapping[str, int]
"""Known divisors of names greater than 1."""


def divisor(value: Integer, known: Multiples) -> int:
    """Returns a number of which the value is always a multiple; 0 if it is always 0."""
    match value:
        case IntegerConstant(number):
            return abs(number)
        case IntegerName(name):
            return known.get(name, 1)
        case IntegerOperation("*", (left, right)):
            return divisor(left, known) * divisor(right, known)
        case IntegerOperation("neg" | "+" | "-" | "min" | "max", operands):
            return gcd(*(divisor(operand, known) for operand in operands))
    return 1


def common(terms: tuple[tuple[str, int], ...], known: Multiples) -> int:
    """Returns a number of which a linear form is always a multiple."""
    return gcd(*(coefficient * known.get(name, 1) for name, coefficient in terms))


def scaled(factor: int, value: Integer, known: Multiples) -> Integer | None:
    """Returns `8 * (x / 8)` without the division, if x is a multiple of 8 plus a small number; None otherwise."""
    match value:
        case IntegerOperation("min" | "max" as symbol, operands) if factor > 0 and any(map(_divides, operands)):
            return _of_all(symbol, [scaled(factor, operand, known) for operand in operands])
        case IntegerOperation(symbol, (dividend, IntegerConstant(by))) if symbol in DIVISIONS and by == factor:
            return _below(dividend, factor, known)
    affine = as_affine(value)
    return None if affine is None else of_affine(affine * factor)


def _divides(value: Integer) -> bool:
    """Returns True if it contains a division, possibly under minima and maxima."""
    match value:
        case IntegerOperation("min" | "max", operands):
            return any(map(_divides, operands))
        case IntegerOperation(symbol):
            return symbol in DIVISIONS
    return False


def _below(value: Integer, size: int, known: Multiples) -> Integer | None:
    """The last multiple of `size` that is not above the value."""
    match value:
        case IntegerOperation("min" | "max" as symbol, operands):
            return _of_all(symbol, [_below(operand, size, known) for operand in operands])
    affine = as_affine(value)
    if affine is None or common(affine.terms, known) % size:
        return None
    return of_affine(Affine(affine.terms, affine.constant // size * size))


def _of_all(symbol: str, values: list[Integer | None]) -> Integer | None:
    found = tuple(value for value in values if value is not None)
    return IntegerOperation(symbol, found) if len(found) == len(values) else None


def absorbed(total: IntegerOperation, is_natural: Callable[[Integer], bool]) -> Integer:
    """Returns `w - (T + 17) / 16 + 1` as `w - (T + 1) / 16`: moves a constant into a quotient if that makes it smaller.

    `is_natural`: decides whether a value is known to be non-negative."""
    terms = list(summands(total))
    constant = sum(
        -term.value if negative else term.value for negative, term in terms if isinstance(term, IntegerConstant)
    )
    for at, (negative, term) in enumerate(terms) if constant else ():
        match term:
            case IntegerOperation("quotient" | "floor_div" as symbol, (dividend, IntegerConstant(by))):
                before = as_affine(dividend)
            case _:
                continue
        if before is None:
            continue
        after = before + (-constant if negative else constant) * by
        value = of_affine(after)
        if abs(after.constant) < abs(before.constant) and (symbol == "floor_div" or is_natural(value)):
            terms[at] = negative, IntegerOperation(symbol, (value, IntegerConstant(by)))
            return total_of(each for each in terms if not isinstance(each[1], IntegerConstant))
    return total
