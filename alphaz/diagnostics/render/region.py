"""A span as editors and reports want it: lines and columns of both ends."""

from dataclasses import dataclass
from typing import Self

from alphaz.diagnostics.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Region:
    """Lines and columns from 1, columns in Unicode code points; the end is the first character that is *not* inside."""

    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, span: Span) -> Self:
        return cls(*span.position, *span.source.position(span.end))


def is_nowhere(span: Span) -> bool:
    """Whether the span stands for "no place in any text of the user"."""
    return span.source is NOWHERE.source
