"""Index arithmetic in C: affine expressions, loop bounds and guards, exactly, in int64_t."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from alphaz.c import tree as c
from alphaz.poly import Affine
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    of_affine,
    simplified,
    substitute,
)

_FUNCTIONS = {"floor_div": "floor_div", "volume": "volume", "floor_mod": "floor_mod", "min": "min64", "max": "max64"}
_OPERATORS = {"exact_div": "/", "quotient": "/", "remainder": "%", "divides": "%", "and": "&&", "or": "||"}


def integer(value: Integer) -> c.Expression:
    """Returns C for an expression whose names are C identifiers already."""
    match value:
        case IntegerConstant(number):
            return c.Literal(str(number))
        case IntegerName(name):
            return c.Name(name)
        case IntegerOperation("neg", (operand,)):
            return c.Unary("-", integer(operand))
        case IntegerOperation("if", (condition, then, otherwise)):
            return c.Ternary(integer(condition), integer(then), integer(otherwise))
        case IntegerOperation("halved", operands):
            return c.Call(f"halved_{len(operands) // 2}", tuple(integer(o) for o in operands))
        case IntegerOperation(symbol, operands) if symbol in _FUNCTIONS:
            function = _FUNCTIONS[symbol]
            return reduce(lambda left, right: c.Call(function, (left, right)), [integer(o) for o in operands])
        case IntegerOperation(symbol, operands):
            sign = _OPERATORS.get(symbol, symbol)
            return reduce(lambda left, right: c.Binary(sign, left, right), [integer(o) for o in operands])


def affine(value: Affine) -> c.Expression:
    """Returns C for an affine expression whose names are C identifiers already."""
    return integer(of_affine(value))


def in_c(value: Integer, names: Mapping[str, Affine]) -> Integer:
    """Replaces names of the program by their C expressions; folds the result where a name becomes more than another
    name.
    """
    translated = substitute(value, {name: of_affine(a) for name, a in names.items()})
    return translated if all(isinstance(of_affine(a), IntegerName) for a in names.values()) else simplified(translated)


def bound(value: Integer, names: Mapping[str, Affine]) -> Integer:
    """Returns the same, folded for all names."""
    return simplified(in_c(value, names))


def flat_index(point: Sequence[Integer], extents: Sequence[Integer]) -> c.Expression:
    """Returns the row-major position of a point that is counted from the lower corner: ((x0 * n1) + x1) * n2 + x2."""
    total: Integer = IntegerConstant(0)
    for position, (component, extent) in enumerate(zip(point, extents, strict=True)):
        scaled = total if position == 0 or total == IntegerConstant(0) else _product(total, extent)
        total = component if scaled == IntegerConstant(0) else _sum(scaled, component)
    return integer(total)


def total(terms: Iterable[Integer]) -> Integer:
    """Returns their sum, term by term."""
    sum_: Integer = IntegerConstant(0)
    for term in terms:
        sum_ = term if sum_ == IntegerConstant(0) else _sum(sum_, term)
    return sum_


def _product(left: Integer, right: Integer) -> Integer:
    if right == IntegerConstant(1):
        return left
    return right if left == IntegerConstant(1) else IntegerOperation("*", (left, right))


def _sum(left: Integer, right: Integer) -> Integer:
    """Returns the sum, term by term, so that the text needs no parentheses."""
    match right:
        case IntegerConstant(0):
            return left
        case IntegerConstant(value) if value < 0:
            return IntegerOperation("-", (left, IntegerConstant(-value)))
        case IntegerOperation("+" | "-" as symbol, (first, second)):
            return IntegerOperation(symbol, (_sum(left, first), second))
        case IntegerOperation("neg", (operand,)):
            return IntegerOperation("-", (left, operand))
    return IntegerOperation("+", (left, right))
