"""Comparisons with a constant result, of which compilers warn: helpers evaluate those.

Examples are a value of a narrow type against a constant out of its range, a truth value against a number, a value
against itself. Programs may contain them, and they are still evaluated (a division in an operand may fail).
"""

import re

from alphaz.c import tree as c
from alphaz.codegen.c.helpers import RELATIONS, suffix
from alphaz.model.types import SCALAR_TYPES, ScalarType

_C_TYPES = {type_.c_name: type_ for type_ in SCALAR_TYPES.values()}
_LIMITS = {"LONG_MIN": -(1 << 63), "LLONG_MIN": -(1 << 63)}


def compared(
    operator: str, left: c.Expression, right: c.Expression, type_: ScalarType, narrow: tuple[ScalarType, ScalarType]
) -> c.Expression:
    """Returns the comparison of two operands, converted to `type_`, that were of the narrow types."""
    if left == right or _is_decided(operator, left, right, narrow):
        return c.Call(f"{RELATIONS[operator]}_{suffix(type_)}", (left, right))
    return c.Binary(operator, left, right)


def _is_decided(operator: str, left: c.Expression, right: c.Expression, narrow: tuple[ScalarType, ScalarType]) -> bool:
    """Returns True if one operand is a constant, and the result the same for all values of the type of the other."""
    values = _constant(left), _constant(right)
    if (values[0] is None) == (values[1] is None):
        return False
    at = 0 if values[0] is None else 1
    type_, constant = narrow[at], values[1 - at]
    if type_.is_float or constant is None:
        return False
    low, high = _range(type_)
    near = min(max(constant, low), high)
    tried = {low, high, near, max(low, near - 1), min(high, near + 1)}
    return len({_holds(operator, (each, constant) if at == 0 else (constant, each)) for each in tried}) == 1


def _range(type_: ScalarType) -> tuple[int, int]:
    bits = 1 if type_.kind == "bool" else type_.bits
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if type_.signed else (0, (1 << bits) - 1)


def _holds(operator: str, values: tuple[int, int]) -> bool:
    left, right = values
    relations = {
        "==": left == right, "!=": left != right, "<": left < right, "<=": left <= right, ">": left > right,
        ">=": left >= right,
    }  # fmt: skip
    return relations[operator]


def _constant(expression: c.Expression) -> int | None:
    """Returns the value of an integer constant of literals."""
    match expression:
        case c.Literal("true" | "false"):
            return int(expression.text == "true")
        case c.Literal(text):
            return int(text.rstrip("UL")) if re.fullmatch(r"-?\d+[UL]*", text) else None
        case c.Name(name):
            return _LIMITS.get(name)
        case c.Unary("-", operand):
            inside = _constant(operand)
            return None if inside is None else -inside
        case c.Unary("!", operand):
            inside = _constant(operand)
            return None if inside is None else int(not inside)
        case c.Cast(name, operand) if name in _C_TYPES and not _C_TYPES[name].is_float:
            inside, (low, high) = _constant(operand), _range(_C_TYPES[name])
            return None if inside is None else (inside - low) % (high - low + 1) + low
        case c.Binary(operator, left, right) if operator in RELATIONS or operator in ("&&", "||"):
            values = _constant(left), _constant(right)
            if values[0] is None or values[1] is None:
                return None
            both = values[0], values[1]
            return int(
                _holds(operator, both) if operator in RELATIONS else all(both) if operator == "&&" else any(both)
            )
    return None
