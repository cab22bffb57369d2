"""What C says that is not understood: an answer with a place, never a guess."""

from typing import Any

from alphaz.diagnostics import Diagnostic, Label, Rejected, Rule, Source, Span
from alphaz.diagnostics.rules import C_OUTSIDE


def span_of(source: Source, node: Any) -> Span:
    """Where a node of pycparser stands: from its first character to the end of the word there."""
    coord = getattr(node, "coord", None)
    line = getattr(coord, "line", 0) or 0
    column = getattr(coord, "column", None) or 1
    return span_at(source, line, column)


def span_at(source: Source, line: int, column: int) -> Span:
    text = source.line(line)
    if not text:
        return Span(source, 0, 0)
    start = sum(len(each) for each in source.text.splitlines(keepends=True)[: line - 1]) + min(column - 1, len(text))
    end = start
    while end < len(source.text) and (source.text[end].isalnum() or source.text[end] == "_"):
        end += 1
    return Span(source, start, max(end, start + 1))


def outside(span: Span, message: str, remedy: str | None = None, rule: Rule = C_OUTSIDE) -> Rejected:
    """This is outside the C that is understood, so nothing is proved: to be raised."""
    return Rejected(Diagnostic(rule, message, Label(span), notes=("nothing is proved: undecided",), help=remedy))
