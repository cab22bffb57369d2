"""What sums may start from: the numbers that change nothing."""

from alphaz.c_reading.tree import CALL, Literal, Operation, Tree
from alphaz.model.types import ScalarType


def identity_of(operator: str, literal: Literal, type_: ScalarType) -> bool:
    """Whether a sum of numbers of this type may start from this constant."""
    value = literal.value
    match operator:
        case "+" | "xor":
            return value == 0
        case "*":
            return value == 1
        case "and":
            return value == 1
        case "or":
            return value == 0
        case "min" | "max":
            return _is_extreme(literal, operator == "min", type_)
    return operator.startswith(CALL) and value == 0


def starts_at_zero(operator: str) -> bool:
    return operator in ("+", "xor") or operator.startswith(CALL)


def _is_extreme(literal: Literal, is_least: bool, type_: ScalarType) -> bool:
    if isinstance(literal.value, str):
        return is_least and literal.value in ("INFINITY", "HUGE_VAL")
    if type_.kind != "int":
        return False
    high = (1 << (type_.bits - 1)) - 1 if type_.signed else (1 << type_.bits) - 1
    low = -high - 1 if type_.signed else 0
    return literal.value == (high if is_least else low)


def identity_tree(operator: str, tree: Tree, type_: ScalarType) -> bool:
    match tree:
        case Literal():
            return identity_of(operator, tree, type_)
        case Operation("neg", (Literal(value="INFINITY" | "HUGE_VAL"),)):
            return operator == "max"
    return False
