"""Operators and constants of equations, by the names that they have in trees of C."""

from collections.abc import Mapping
from fractions import Fraction

from alphaz.c_reading.tree import CALL, Literal
from alphaz.model.expression import (
    Binary,
    Call,
    Expression,
    If,
    Nary,
    Reduce,
    Unary,
)
from alphaz.model.program import External
from alphaz.model.types import BOOL, DOUBLE, INT, ScalarType
from alphaz.verify.c.equations import (
    Term,
    Unsupported,
)

IDENTITIES = frozenset({"+", "*", "min", "max", "and", "or", "xor"})
LOGICAL = frozenset({"not", "and", "or", "xor", "nand"})
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
            return f"{CALL}{node.function}", False
    raise Unsupported("an expression of this form in an equation")


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


def summing(node: Reduce, type_: ScalarType, externals: Mapping[str, External]) -> str | None:
    """The operator of a reduction, by its name in trees of C: a function of the user's own is one if its identity is 0
    (`trace.identity_of`), and all its types are that of the sum."""
    own = externals.get(node.operator)
    if own is None:
        return node.operator if node.operator in IDENTITIES else None
    is_one = own.identity == "0" and {own.type, *own.arguments} == {type_}
    return f"{CALL}{own.name}" if is_one else None


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
