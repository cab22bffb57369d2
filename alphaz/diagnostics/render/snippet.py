"""The source lines of a finding with marks under its labels; spans as lines and columns."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from alphaz.diagnostics.diagnostic import Label
from alphaz.diagnostics.render.terminal import Palette, Style, column_of, expand, printable
from alphaz.diagnostics.source import NOWHERE, Source, Span


@dataclass(frozen=True, slots=True)
class LineRegion:
    """Lines and columns from 1, columns in Unicode code points; the end is the first character that is *not* inside."""

    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, span: Span) -> Self:
        return cls(*span.position, *span.source.position(span.end))


def is_nowhere(span: Span) -> bool:
    """Returns True if the span is outside of all texts of the user."""
    return span.source is NOWHERE.source


@dataclass(frozen=True, slots=True)
class Marked:
    """A label with the character and the colour of its marks."""

    label: Label
    mark: str
    style: Style


@dataclass(frozen=True, slots=True)
class _Row:
    """Marks under characters `start <= offset < end` of a line, and the text after them."""

    line: int
    start: int
    end: int
    text: str
    marked: Marked


def snippet(source: Source, labels: Iterable[Marked], number_width: int, palette: Palette) -> list[str]:
    """Returns the lines from the empty gutter to the last row of marks, without trailing space."""
    rows = sorted((row for marked in labels for row in _rows(marked)), key=lambda row: (row.line, row.start))
    out = [_gutter("", number_width, palette)]
    shown = 0
    for row in rows:
        if row.line != shown:
            out += _lines_up_to(source, shown, row.line, number_width, palette)
            shown = row.line
        out.append(_gutter("", number_width, palette, _marks(source.line(row.line), row)))
    return out


def last_line(span: Span) -> int:
    """Returns the last line that a snippet of `span` shows."""
    return span.source.position(_visible_end(span))[0]


def _lines_up_to(source: Source, shown: int, line: int, width: int, palette: Palette) -> Iterator[str]:
    """Yields line `line`, after the one line between it and the last shown, or dots for several."""
    if shown and line == shown + 2:
        yield _gutter(str(shown + 1), width, palette, expand(source.line(shown + 1)))
    elif shown and line > shown + 2:
        yield palette.gutter("...")
    yield _gutter(str(line), width, palette, expand(source.line(line)))


def _rows(marked: Marked) -> list[_Row]:
    span = marked.label.span
    text = marked.label.text
    line, column = span.position
    end_line, end_column = span.source.position(_visible_end(span))
    if line == end_line:
        return [_Row(line=line, start=column - 1, end=end_column - 1, text=text, marked=marked)]
    last = span.source.line(end_line)
    indent = len(last) - len(last.lstrip())
    return [
        _Row(line=line, start=column - 1, end=len(span.source.line(line).rstrip()), text="", marked=marked),
        _Row(line=end_line, start=indent, end=end_column - 1, text=text, marked=marked),
    ]


def _visible_end(span: Span) -> int:
    """Returns the end of the span without trailing white space (line ends, above all)."""
    return span.start + len(span.text.rstrip())


def _marks(line: str, row: _Row) -> str:
    start = column_of(line, row.start)
    marks = row.marked.mark * max(1, column_of(line, row.end) - start)
    marked_line = f"{marks} {printable(row.text)}" if row.text else marks
    head, *more = marked_line.split("\n")
    below = [" " * (start + len(marks) + 1) + part for part in more]
    return "\n".join([" " * start + row.marked.style(head), *map(row.marked.style, below)])


def _gutter(number: str, width: int, palette: Palette, content: str = "") -> str:
    """Returns numbered gutter and content; further lines of the content get an empty gutter."""
    first, *more = content.split("\n")
    lines = [_one(number, width, palette, first)] + [_one("", width, palette, line) for line in more]
    return "\n".join(lines)


def _one(number: str, width: int, palette: Palette, content: str) -> str:
    return f"{palette.gutter(f'{number:>{width}} |')} {content}".rstrip()
