"""The direct subexpressions of an expression."""

from alphaz.syntax.tree import (
    AutoExpression,
    BinaryExpression,
    CaseExpression,
    ComposeExpression,
    ExpressionNode,
    FunctionCall,
    IfExpression,
    OperatorCall,
    ReduceExpression,
    RestrictExpression,
    UnaryExpression,
)


def parts(expression: ExpressionNode) -> tuple[ExpressionNode, ...]:
    """Returns the subexpressions in the order of the text; none for a literal, a reference or an index value."""
    match expression:
        case BinaryExpression(_, left, right):
            return (left, right)
        case UnaryExpression(_, operand):
            return (operand,)
        case IfExpression(condition, then, otherwise):
            return (condition, then, otherwise)
        case OperatorCall(_, arguments) | FunctionCall(_, arguments):
            return arguments
        case CaseExpression(branches):
            return branches
        case AutoExpression(body):
            return (body,)
        case ComposeExpression(_, body) | RestrictExpression(_, body) | ReduceExpression(_, _, body):
            return (body,)
        case _:
            return ()
