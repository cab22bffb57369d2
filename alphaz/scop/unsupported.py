"""Refusals of unsupported C, with a place; the reader never guesses."""

from alphaz.c import tree as c
from alphaz.diagnostics import Diagnostic, Label, Rejected, Rule, Source, Span
from alphaz.diagnostics.rules import C_OUTSIDE, C_REFUTED

_STATEMENTS: dict[type, str] = {
    c.Break: "break",
    c.Continue: "continue",
    c.DoWhile: "do",
    c.Goto: "goto",
    c.Opaque: "_Static_assert",
    c.Return: "return",
    c.Switch: "switch",
    c.While: "while",
}
_EXPRESSIONS: dict[type, str] = {
    c.Comma: "the comma operator",
    c.Compound: "a compound literal",
    c.Index: "an element",
    c.Init: "a list of values",
    c.Literal: "a constant",
    c.Member: "a member of a structure",
    c.Set: "an assignment",
    c.SizeOf: "an operator with one operand",
    c.Step: "an operator with one operand",
    c.String: "a constant",
    c.Ternary: "`?:`",
    c.Unary: "an operator with one operand",
}


def unknown_statement(node: c.Statement) -> str:
    """Returns the message for an unsupported statement."""
    word = _STATEMENTS.get(type(node))
    if word is not None:
        return f"`{word}` statements are not supported"
    return "labels are not supported" if isinstance(node, c.Label) else "this statement is not supported"


def unknown_expression(node: c.Expression) -> str:
    """Returns the message for an unsupported expression."""
    title = _EXPRESSIONS.get(type(node))
    return f"this expression ({title}) is not supported here" if title else "this expression is not supported"


def span_of(source: Source, node: c.Node) -> Span:
    """Returns the span of a node: from its first character to the end of the word there."""
    return source.word_at(0, 1) if node.at is None else source.word_at(node.at.line, node.at.column)


def race(span: Span, message: str, remedy: str) -> Rejected:
    """Returns the finding of a data race, to be raised: the program is undefined, whatever a run of it computes."""
    return Rejected(Diagnostic(C_REFUTED, f"data race: {message}", Label(span), help=remedy))


def undefined(span: Span, message: str, remedy: str) -> Rejected:
    """Returns the finding of a text that no machine executes, to be raised: it is wrong for all parameters."""
    return Rejected(Diagnostic(C_REFUTED, f"{message}: it cannot be executed", Label(span), help=remedy))


def outside(span: Span, message: str, remedy: str | None = None, rule: Rule = C_OUTSIDE) -> Rejected:
    """Returns the refusal of C outside the supported subset, to be raised: nothing is proved."""
    return Rejected(Diagnostic(rule, message, Label(span), notes=("nothing is proved: undecided",), help=remedy))
