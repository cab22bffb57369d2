"""A word of a text: output of the lexer, input of the parser."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from alphaz.diagnostics import Span

END = "$END"


@dataclass(frozen=True, slots=True)
class Lexeme:
    """`type` is the terminal of the grammar; END has no characters."""

    type: str
    span: Span

    @property
    def text(self) -> str:
        return self.span.text


def whole(children: Sequence[Any]) -> Span:
    """Returns the span from the first child to the last; each has a span."""
    first: Span = children[0].span
    return first.to(children[-1].span) if len(children) > 1 else first
