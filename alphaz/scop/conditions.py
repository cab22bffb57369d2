"""Affine conditions as unions of conjunctions, and comparisons of values as such unions."""

from collections.abc import Mapping

from alphaz.poly import Affine, Constraint
from alphaz.scop.index_values import Extreme, Value, add, affine, polynomial_of, scale

Condition = tuple[tuple[Constraint, ...], ...]
"""A disjunction of conjunctions. Without conjunctions it is false; an empty conjunction is true."""

TRUE: Condition = ((),)
FALSE: Condition = ()

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
# Limit on the conjunctions of one condition.
_MOST = 200


class TooComplicated(Exception):
    """The condition has too many cases."""


class NotAffineCondition(Exception):
    """The compared values are not affine."""


def both(left: Condition, right: Condition) -> Condition:
    if len(left) * len(right) > _MOST:
        raise TooComplicated
    return tuple((*a, *b) for a in left for b in right)


def either(left: Condition, right: Condition) -> Condition:
    if len(left) + len(right) > _MOST:
        raise TooComplicated
    return (*left, *right)


def opposite(symbol: str) -> str:
    return _OPPOSITE[symbol]


def holds(condition: Condition, values: Mapping[str, int]) -> bool:
    return any(all(c.holds(values) for c in conjunction) for conjunction in condition)


def comparison(symbol: str, left: Value, right: Value) -> Condition:
    """Returns `left symbol right` as a condition. Raises NotAffine, TooComplicated."""
    match symbol:
        case "==":
            return both(comparison("<=", left, right), comparison(">=", left, right))
        case "!=":
            return either(comparison("<", left, right), comparison(">", left, right))
        case ">" | ">=":
            return _not_negative(add(left, scale(right, -1)), 1 if symbol == ">" else 0)
    return comparison({"<": ">", "<=": ">="}[symbol], right, left)


def _not_negative(value: Value, least: int) -> Condition:
    """Returns `value >= least` as a condition."""
    if isinstance(value, Extreme):
        join = both if value.is_least else either
        return join(_not_negative(value.left, least), _not_negative(value.right, least))
    found = affine(value)
    if found is None:
        raise NotAffineCondition(str(value))
    if found.is_constant:
        return TRUE if found.constant >= least else FALSE
    return ((Constraint(found - least),),)


def equals(name: str, value: Value) -> Condition:
    """Returns `name == value`: one equality, or a case for each operand of a minimum or maximum."""
    if isinstance(value, Extreme):
        symbol = "<=" if value.is_least else ">="
        bounds = (comparison(symbol, polynomial_of(name), each) for each in (value.left, value.right))
        return both(both(*bounds), either(equals(name, value.left), equals(name, value.right)))
    found = affine(value)
    if found is None:
        raise NotAffineCondition(str(value))
    return ((Constraint(Affine.name(name) - found, equality=True),),)
