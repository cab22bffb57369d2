"""Index arithmetic in C: affine expressions, loop bounds and guards, exactly, in int64_t."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from alphaz.codegen.c import c_tree as c
from alphaz.poly import Affine
from alphaz.poly.plain.integer import Integer, Name, Number, Operation, of_affine, simplified, substitute

_FUNCTIONS = {"floor_div": "floor_div", "volume": "volume", "floor_mod": "floor_mod", "min": "min64", "max": "max64"}
_OPERATORS = {"exact_div": "/", "quotient": "/", "remainder": "%", "divides": "%", "and": "&&", "or": "||"}


def integer(value: Integer) -> c.Expression:
    """An expression whose names are C identifiers already."""
    match value:
        case Number(number):
            return c.Literal(str(number))
        case Name(name):
            return c.Name(name)
        case Operation("neg", (operand,)):
            return c.Unary("-", integer(operand))
        case Operation("if", (condition, then, otherwise)):
            return c.Ternary(integer(condition), integer(then), integer(otherwise))
        case Operation("halved", operands):
            return c.Call(f"halved_{len(operands) // 2}", tuple(integer(o) for o in operands))
        case Operation(symbol, operands) if symbol in _FUNCTIONS:
            function = _FUNCTIONS[symbol]
            return reduce(lambda left, right: c.Call(function, (left, right)), [integer(o) for o in operands])
        case Operation(symbol, operands):
            sign = _OPERATORS.get(symbol, symbol)
            return reduce(lambda left, right: c.Binary(sign, left, right), [integer(o) for o in operands])


def affine(value: Affine) -> c.Expression:
    """An affine expression whose names are C identifiers already."""
    return integer(of_affine(value))


def in_c(value: Integer, names: Mapping[str, Affine]) -> Integer:
    """Names of the program replaced by what they are in C; folded where that is more than another name."""
    found = substitute(value, {name: of_affine(a) for name, a in names.items()})
    return found if all(isinstance(of_affine(a), Name) for a in names.values()) else simplified(found)


def bound(value: Integer, names: Mapping[str, Affine]) -> Integer:
    """The same, folded whatever the names are."""
    return simplified(in_c(value, names))


def flat_index(point: Sequence[Integer], extents: Sequence[Integer]) -> c.Expression:
    """The row-major position of a point that is counted from the lower corner: ((x0 * n1) + x1) * n2 + x2."""
    total: Integer = Number(0)
    for at, (component, extent) in enumerate(zip(point, extents, strict=True)):
        scaled = total if at == 0 or total == Number(0) else _product(total, extent)
        total = component if scaled == Number(0) else _sum(scaled, component)
    return integer(total)


def total(terms: Iterable[Integer]) -> Integer:
    """Their sum, term by term."""
    found: Integer = Number(0)
    for term in terms:
        found = term if found == Number(0) else _sum(found, term)
    return found


def _product(left: Integer, right: Integer) -> Integer:
    if right == Number(1):
        return left
    return right if left == Number(1) else Operation("*", (left, right))


def _sum(left: Integer, right: Integer) -> Integer:
    """Added term by term, so that the text needs no parentheses."""
    match right:
        case Number(0):
            return left
        case Number(value) if value < 0:
            return Operation("-", (left, Number(-value)))
        case Operation("+" | "-" as symbol, (first, second)):
            return Operation(symbol, (_sum(left, first), second))
        case Operation("neg", (operand,)):
            return Operation("-", (left, operand))
    return Operation("+", (left, right))
