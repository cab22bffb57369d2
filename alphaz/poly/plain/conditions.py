"""Conditions over integer expressions as unions of conjunctions of affine constraints.

A floor is an additional integer: `q = floor(a / d)` is the one integer with `d q <= a < d q + d`. So each integer for a
name gives at most one point of such a union, and the union is empty if the condition never holds."""

from collections.abc import Callable, Iterator
from itertools import product

from alphaz.poly.plain.affine import Affine, Constraint, at_least, equal, less
from alphaz.poly.plain.integer_expression import (
    DIVISIONS,
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    combine_affine,
)

# One of these conjunctions holds.
Condition = tuple[tuple[Constraint, ...], ...]
# A value, where constraints hold.
_Value = tuple[Affine, tuple[Constraint, ...]]

_COMPARED: dict[str, Callable[[Affine, Affine], Constraint]] = {
    "==": equal,
    "<=": lambda left, right: at_least(right, left),
    "<": less,
    ">=": at_least,
    ">": lambda left, right: less(right, left),
}


class _NoForm(Exception):
    """An expression that is not piecewise quasi-affine."""


def condition_of(condition: Integer) -> Condition | None:
    """Returns the condition in this form; None if it has none. Equal floors get equal names."""
    try:
        return tuple(_conjunctions(condition))
    except _NoForm:
        return None


def conjuncts(condition: Integer) -> Iterator[Integer]:
    """Yields conditions that are equivalent together to this one: a maximum is below a bound if each operand is."""
    match condition:
        case IntegerOperation("and", operands):
            for operand in operands:
                yield from conjuncts(operand)
        case IntegerOperation("<=" | "<" as symbol, (less, more)):
            yield from (IntegerOperation(symbol, pair) for pair in product(among("max", less), among("min", more)))
        case _:
            yield condition


_OTHER = {"min": "max", "max": "min"}


def among(symbol: str, value: Integer) -> Iterator[Integer]:
    """Yields the operands of an extremum; any other value alone."""
    match value:
        case IntegerOperation(operator, operands) if operator == symbol:
            for operand in operands:
                yield from among(symbol, operand)
        case IntegerOperation("floor_div", (dividend, divisor)):
            yield from (IntegerOperation("floor_div", (operand, divisor)) for operand in among(symbol, dividend))
        case IntegerOperation("*", (IntegerConstant(factor) as times, other)) if factor > 0:
            yield from (IntegerOperation("*", (times, operand)) for operand in among(symbol, other))
        case IntegerOperation("+" | "-" as sign, (left, right)):
            second = among(symbol if sign == "+" else _OTHER[symbol], right)
            yield from (IntegerOperation(sign, pair) for pair in product(among(symbol, left), second))
        case _:
            yield value


def _conjunctions(condition: Integer) -> Iterator[tuple[Constraint, ...]]:
    match condition:
        case IntegerOperation("and", operands):
            for parts in product(*map(_conjunctions, operands)):
                yield tuple(one for part in parts for one in part)
        case IntegerOperation("or", operands):
            for operand in operands:
                yield from _conjunctions(operand)
        case IntegerOperation(symbol, (left, right)) if symbol in _COMPARED:
            for (a, where), (b, there) in product(_values(left), _values(right)):
                yield (*where, *there, _COMPARED[symbol](a, b))
        case _:
            raise _NoForm


def _values(value: Integer) -> Iterator[_Value]:
    match value:
        case IntegerConstant(number):
            yield Affine(constant=number), ()
        case IntegerName(name):
            yield Affine.name(name), ()
        case IntegerOperation("min" | "max" as symbol, operands):
            for parts in product(*map(_values, operands)):
                yield from _extremes(symbol, parts)
        case IntegerOperation(symbol, (dividend, IntegerConstant(divisor))) if symbol in DIVISIONS:
            for affine, where in _values(dividend):
                yield _floor(affine, where, divisor)
        case IntegerOperation("neg" | "+" | "-" | "*" as symbol, operands):
            for parts in product(*map(_values, operands)):
                combined = combine_affine(symbol, [affine for affine, _ in parts])
                if combined is None:
                    raise _NoForm
                yield combined, tuple(condition for _, conditions in parts for condition in conditions)
        case _:
            raise _NoForm


def _extremes(symbol: str, parts: tuple[_Value, ...]) -> Iterator[_Value]:
    """Each of the values, where none of the others exceeds it."""
    where = tuple(condition for _, conditions in parts for condition in conditions)
    for affine, _ in parts:
        others = [other for other, _ in parts if other != affine]
        yield affine, (*where, *(at_least(affine, o) if symbol == "max" else at_least(o, affine) for o in others))


def _floor(affine: Affine, where: tuple[Constraint, ...], divisor: int) -> _Value:
    floor = Affine.name(f"floor(({affine})/{divisor})")
    rest = affine - floor * divisor
    return floor, (*where, at_least(rest, 0), less(rest, Affine(constant=divisor)))
