"""Operators and constants of equations by their names in value trees of C, and the neutral elements of reductions."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from alphaz.equivalence.value_graph import Apply, Term, Unsupported, constant_key
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
from alphaz.model.real_numbers import real_number, real_type
from alphaz.model.types import BOOL, INT, ScalarType
from alphaz.scop.value_tree import CALL, LiteralValue, OperationValue, Tree

IDENTITIES = frozenset({"+", "*", "min", "max", "and", "or", "xor"})
LOGICAL = frozenset({"not", "and", "or", "xor", "nand"})
# Operations that distribute over the combination of all terms.
DISTRIBUTES = {"+": "*", "min": "+", "max": "+"}

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


def operator_of(node: Expression) -> tuple[str, bool]:
    """Returns the operator by its name in trees of C, and whether its operands are exchanged."""
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
    raise Unsupported("an unsupported form of expression in an equation")


def is_quotient(dividend: Term | Tree, type_: ScalarType) -> bool:
    """Returns True if a division in a type is one of floats, and not `1 / s`."""
    is_one = isinstance(dividend, LiteralValue) and dividend.value == 1
    return type_.is_float and not is_one


def with_reciprocals(value: Tree) -> Tree:
    """Returns a value of C in which each quotient of floats `x / s` is `x * (1 / s)`."""
    if not isinstance(value, OperationValue):
        return value
    operands = tuple(map(with_reciprocals, value.operands))
    if value.operator != "/" or not is_quotient(operands[0], value.type):
        return OperationValue(value.operator, operands, value.type)
    inverse = OperationValue("/", (LiteralValue(Fraction(1), value.type), operands[1]), value.type)
    return OperationValue("*", (operands[0], inverse), value.type)


def combining(node: Expression) -> str | None:
    """Returns the operator of sums that the node belongs to."""
    match node:
        case Unary(operator="-"):
            return "+"
        case Binary(operator="-"):
            return "+"
        case Binary() | Nary() if node.operator in IDENTITIES:
            return node.operator
    return None


def summing(node: Reduce, type_: ScalarType, externals: Mapping[str, External]) -> str | None:
    """Returns the operator of a reduction, by its name in trees of C. An external function is one if its identity is 0
    (`identity_of` of the interpreter), and all its types are that of the sum."""
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


def negative(term: Term) -> LiteralValue | None:
    """Returns the constant with the other sign; None for zero, whose sign matters in floats."""
    if isinstance(term, LiteralValue) and isinstance(term.value, Fraction) and term.value != 0:
        return LiteralValue(-term.value, term.type)
    return None


def literal(value: int | bool | str) -> LiteralValue:
    if isinstance(value, bool):
        return LiteralValue(Fraction(value), BOOL)
    if isinstance(value, int):
        return LiteralValue(Fraction(value), INT)
    return LiteralValue(Fraction(real_number(value)), real_type(value))


def is_identity_of(operator: str, literal: LiteralValue, type_: ScalarType) -> bool:
    """Returns True if a reduction of this type may start from this constant."""
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


def identity_literal(operator: str, type_: ScalarType) -> tuple[LiteralValue, bool] | None:
    """Returns the constant from which a sum of this type may start, and whether its negation is meant: no constant is
    the least float. None for other operators."""
    match operator:
        case "+" | "xor" | "or":
            return LiteralValue(Fraction(0), type_), False
        case "*" | "and":
            return LiteralValue(Fraction(1), type_), False
        case "min" | "max" if type_.is_float:
            return LiteralValue("INFINITY", type_), operator == "max"
        case "min" | "max" if type_.kind == "int":
            return LiteralValue(Fraction(_extreme(operator == "min", type_)), type_), False
    return None


def _extreme(is_greatest: bool, type_: ScalarType) -> int:
    """Returns the greatest, or the least, value of an integer type."""
    high = (1 << (type_.bits - 1)) - 1 if type_.signed else (1 << type_.bits) - 1
    return high if is_greatest else -high - 1 if type_.signed else 0


def identity_value(operator: str, type_: ScalarType) -> Tree | None:
    """Returns the tree of the neutral element of an operator in a type; None for other operators."""
    match identity_literal(operator, type_):
        case (literal_, True):
            return OperationValue("neg", (literal_,), type_)
        case (literal_, _):
            return literal_
    return None


def identity_term(operator: str, type_: ScalarType) -> Term | None:
    """Returns the same as a term of equations."""
    match identity_literal(operator, type_):
        case (literal_, True):
            return Apply("neg", (literal_,), type_)
        case (literal_, _):
            return literal_
    return None


def identity_key(operator: str, type_: ScalarType) -> str | None:
    """Returns the key of the neutral element as a value of the equations."""
    match identity_literal(operator, type_):
        case (literal_, True):
            return constant_key(replace(literal_, value=f"-{literal_.value}"))
        case (literal_, _):
            return constant_key(literal_)
    return None


def starts_at_zero(operator: str) -> bool:
    return operator in ("+", "xor") or operator.startswith(CALL)


def _is_extreme(literal: LiteralValue, is_least: bool, type_: ScalarType) -> bool:
    if isinstance(literal.value, str):
        return is_least and literal.value in ("INFINITY", "HUGE_VAL")
    return type_.kind == "int" and literal.value == _extreme(is_least, type_)


def identity_tree(operator: str, tree: Tree, type_: ScalarType) -> bool:
    match tree:
        case LiteralValue():
            return is_identity_of(operator, tree, type_)
        case OperationValue("neg", (LiteralValue(value="INFINITY" | "HUGE_VAL"),)):
            return operator == "max"
    return False
