"""Places as editors count them: lines and columns from 0.

A Source counts columns in code points, an editor in the units of an encoding: UTF-16, unless it has agreed on another.
"""

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
        """The place of a character."""
        line, column = source.position(offset)
        return line - 1, self._units(source.text[offset - column + 1 : offset])

    def offset(self, source: Source, point: Point) -> int:
        """The character at a place; behind the end of a line its end, behind the last line the end of the text."""
        number, column = point
        lines = source.text.split("\n")
        if number >= len(lines):
            return len(source.text)
        start = sum(len(line) + 1 for line in lines[:number])
        units = 0
        for at, char in enumerate(lines[number]):
            if units >= column:
                return start + at
            units += self._units(char)
        return start + len(lines[number])

    def range(self, span: Span) -> tuple[Point, Point]:
        """Where a span begins and ends."""
        return self.point(span.source, span.start), self.point(span.source, span.end)

    def _units(self, text: str) -> int:
        # Without a byte order mark.
        name = self.encoding if self.encoding == "utf-8" else f"{self.encoding}-le"
        return len(text.encode(name, "surrogatepass")) // _BYTES[self.encoding]
