"""Operators and constants of equations, by the names that they have in trees of C."""

from collections.abc import Mapping
from fractions import Fraction

from alphaz.c_reading.tree import Literal
from alphaz.model.expression import (
    Binary,
    Call,
    Expression,
    If,
    Nary,
    Unary,
)
from alphaz.model.types import BOOL, DOUBLE, INT, ScalarType
from alphaz.verify.c.equations import (
    Apply,
    Term,
    Unsupported,
    Value,
)

IDENTITIES = frozenset({"+", "*", "min", "max", "and", "or"})


# What may be done to all that is combined, or to the whole.
DISTRIBUTES = {"+": "*", "min": "+", "max": "+"}

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def operator_of(node: Expression) -> tuple[str, bool]:
    """The operator by its name in trees of C, and whether its operands are turned round."""
    match node:
        case Unary():
            return ("neg" if node.operator == "-" else node.operator), False
        case Binary() if node.operator in (">", ">="):
            return {">": "<", ">=": "<="}[node.operator], True
        case Binary() | Nary():
            return node.operator, False
        case If():
            return "if", False
        case Call():
            return f"call {node.function}", False
    raise Unsupported(f"a {type(node).__name__} in an equation")


def combining(node: Expression) -> str | None:
    """The operator of sums that the node belongs to."""
    match node:
        case Unary(operator="-"):
            return "+"
        case Binary(operator="-"):
            return "+"
        case Binary() | Nary() if node.operator in IDENTITIES:
            return node.operator
    return None


def signs_of(node: Expression) -> tuple[int, ...] | None:
    match node:
        case Unary(operator="-"):
            return (-1,)
        case Binary(operator="-"):
            return (1, -1)
    return None


def negative(term: Term) -> Literal | None:
    """The constant with the other sign; None for zero, whose sign floats know."""
    if isinstance(term, Literal) and isinstance(term.value, Fraction) and term.value != 0:
        return Literal(-term.value, term.type)
    return None


def literal(value: int | bool | str) -> Literal:
    if isinstance(value, bool):
        return Literal(Fraction(value), BOOL)
    if isinstance(value, int):
        return Literal(Fraction(value), INT)
    return Literal(Fraction(float(value)), DOUBLE)


def type_of(term: Term, values: Mapping[str, Value]) -> ScalarType | None:
    match term:
        case Apply(operator, _, type_):
            return BOOL if operator in COMPARISONS else type_
    return None


def is_exact(term: Term, wanted: ScalarType) -> bool:
    return isinstance(term, Apply) and term.operator in COMPARISONS and wanted.kind in ("bool", "int")
