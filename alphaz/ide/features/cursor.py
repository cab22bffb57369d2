"""Positions in an edited text: lines and columns in the units of editors, and the call around the cursor."""

import re
from dataclasses import dataclass

from alphaz.diagnostics import Source, Span

# A line and a column.
Point = tuple[int, int]

_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns in units of an encoding: `utf-8`, `utf-16` or `utf-32`."""

    encoding: str = "utf-16"

    def point(self, source: Source, offset: int) -> Point:
        """Returns the line and column of a character."""
        line, column = source.position(offset)
        return line - 1, self._units(source.text[offset - column + 1 : offset])

    def offset(self, source: Source, point: Point) -> int:
        """Returns the character at a position; after the end of a line its end, after the last line the end of the
        text."""
        number, column = point
        lines = source.text.split("\n")
        if number >= len(lines):
            return len(source.text)
        start = sum(len(line) + 1 for line in lines[:number])
        units = 0
        for position, char in enumerate(lines[number]):
            if units >= column:
                return start + position
            units += self._units(char)
        return start + len(lines[number])

    def range(self, span: Span) -> tuple[Point, Point]:
        """Returns the start and the end of a span."""
        return self.point(span.source, span.start), self.point(span.source, span.end)

    def _units(self, text: str) -> int:
        # Without a byte order mark.
        name = self.encoding if self.encoding == "utf-8" else f"{self.encoding}-le"
        return len(text.encode(name, "surrogatepass")) // _BYTES[self.encoding]


_TOKEN = re.compile(
    r"""
      (?P<comment> \#[^\n]* )
    | (?P<text> "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
    | (?P<open_text> ["'].* )
    | (?P<name> [A-Za-z_][A-Za-z_0-9]* )
    | (?P<number> \d+ )
    | (?P<mark> . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Typed:
    """The state of an unfinished text. `call` is the command whose parentheses are open at its end, `arguments` those
    before the current one, as written.

    `word` is the current word: a name or, if `quoted`, the characters after the quote. `is_whole`: no parenthesis and
    no quote is open."""

    call: str | None
    arguments: tuple[str, ...]
    word: str
    quoted: bool
    is_whole: bool

    @property
    def index(self) -> int:
        return len(self.arguments)


@dataclass(slots=True)
class _Call:
    name: str
    arguments: list[str]
    current: str = ""


def parse_prefix(text: str) -> Typed:
    """Parses any text, complete or not."""
    open_calls: list[_Call] = []
    kind, last = "mark", ""
    for token in _TOKEN.finditer(text):
        before, kind, last = last, str(token.lastgroup), token[0]
        if kind == "mark" and last.isspace():
            last = before if text[token.end() :].strip() else ""
            continue
        if kind == "mark" and last == "(":
            open_calls.append(_Call(before, []))
        elif kind == "mark" and last == ")" and open_calls:
            closed = open_calls.pop()
            if open_calls:
                open_calls[-1].current += f"{', '.join([*closed.arguments, closed.current])})"
        elif kind == "mark" and last == "," and open_calls:
            open_calls[-1].arguments.append(open_calls[-1].current)
            open_calls[-1].current = ""
        elif kind == "mark" and last == ";":
            open_calls.clear()
        elif open_calls and kind != "comment":
            open_calls[-1].current += last
    quoted = kind == "open_text"
    word = last[1:] if quoted else last if kind == "name" else ""
    call = open_calls[-1] if open_calls else None
    return Typed(
        call=None if call is None else call.name,
        arguments=() if call is None else tuple(call.arguments),
        word=word,
        quoted=quoted,
        is_whole=not quoted and call is None,
    )
