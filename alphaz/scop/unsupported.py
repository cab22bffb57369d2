"""Refusals of unsupported C, with a place; the reader never guesses."""

from typing import Any

from pycparser import c_ast

from alphaz.diagnostics import Diagnostic, Label, Rejected, Rule, Source, Span
from alphaz.diagnostics.rules import C_OUTSIDE

_STATEMENTS: dict[type, str] = {
    c_ast.Break: "break",
    c_ast.Case: "case",
    c_ast.Continue: "continue",
    c_ast.Default: "default",
    c_ast.DoWhile: "do",
    c_ast.Goto: "goto",
    c_ast.Return: "return",
    c_ast.StaticAssert: "_Static_assert",
    c_ast.Switch: "switch",
    c_ast.While: "while",
}
_EXPRESSIONS: dict[type, str] = {
    c_ast.ArrayRef: "an element",
    c_ast.Assignment: "an assignment",
    c_ast.CompoundLiteral: "a compound literal",
    c_ast.Constant: "a constant",
    c_ast.ExprList: "the comma operator",
    c_ast.InitList: "a list of values",
    c_ast.StructRef: "a member of a structure",
    c_ast.TernaryOp: "`?:`",
    c_ast.UnaryOp: "an operator with one operand",
}


def unknown_statement(node: Any) -> str:
    """Returns the message for an unsupported statement."""
    word = _STATEMENTS.get(type(node))
    if word is not None:
        return f"`{word}` statements are not supported"
    return "labels are not supported" if isinstance(node, c_ast.Label) else "this statement is not supported"


def unknown_expression(node: Any) -> str:
    """Returns the message for an unsupported expression."""
    title = _EXPRESSIONS.get(type(node))
    return f"this expression ({title}) is not supported here" if title else "this expression is not supported"


def span_of(source: Source, node: Any) -> Span:
    """Returns the span of a pycparser node: from its first character to the end of the word there."""
    coord = getattr(node, "coord", None)
    line = getattr(coord, "line", 0) or 0
    column = getattr(coord, "column", None) or 1
    return source.word_at(line, column)


def outside(span: Span, message: str, remedy: str | None = None, rule: Rule = C_OUTSIDE) -> Rejected:
    """Returns the refusal of C outside the supported subset, to be raised: nothing is proved."""
    return Rejected(Diagnostic(rule, message, Label(span), notes=("nothing is proved: undecided",), help=remedy))
