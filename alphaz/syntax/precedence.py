"""Precedence of expressions, as in `grammar/alphabets.lark`: every infix operator groups to the left.

Infix min and max bind tightest; `%` is looser than `*` and `/`; `if` and a restriction are the loosest."""

from alphaz.syntax.tree import (
    BinaryExpression,
    ComposeExpression,
    ExpressionNode,
    IfExpression,
    RestrictExpression,
    UnaryExpression,
)
from alphaz.syntax.walk import parts

EXPRESSION = 0
_SIGNED = 8
TERM = 9

_INFIX = {
    operator: at
    for at, operators in enumerate(
        (
            ("or", "xor"),
            ("and", "nand"),
            ("==", "!=", "<", "<=", ">", ">="),
            ("+", "-"),
            ("%",),
            ("*", "/"),
            ("min", "max"),
        ),
        start=1,
    )
    for operator in operators
}


def level(expression: ExpressionNode) -> int:
    """Returns the precedence of the expression itself."""
    match expression:
        case IfExpression() | RestrictExpression():
            return EXPRESSION
        case BinaryExpression(operator):
            return _INFIX[operator]
        case UnaryExpression():
            return _SIGNED
        case _:
            return TERM


def operand_levels(expression: ExpressionNode) -> tuple[int, ...]:
    """Returns the least precedence of each part without parentheses, in the order of `parts`."""
    match expression:
        case BinaryExpression(operator):
            return (_INFIX[operator], _INFIX[operator] + 1)
        case UnaryExpression() | ComposeExpression():
            return (TERM,)
        case _:
            return (EXPRESSION,) * len(parts(expression))
