"""Source texts and places in them."""

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Source:
    """A text with the name under which the user knows it (a path as typed, or `<string>`)."""

    name: str
    text: str
    _starts: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        starts = [0] + [position + 1 for position, char in enumerate(self.text) if char == "\n"]
        object.__setattr__(self, "_starts", starts)

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {len(self.text)} characters)"

    def __reduce__(self) -> str | tuple[object, ...]:
        """Keeps the identity of the source outside of all texts when it is copied to another process."""
        return "BUILT_IN" if self is BUILT_IN else (Source, (self.name, self.text))

    def position(self, offset: int) -> tuple[int, int]:
        """Returns line and column of a character offset, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Returns line `number` (from 1) without its end; empty beyond the last."""
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r")

    def word_at(self, line: int, column: int) -> "Span":
        """Returns the span of the word that begins at a place (both from 1), or of one character; an empty span at the
        start of the text where the line is empty."""
        text = self.line(line)
        if not text:
            return Span(self, 0, 0)
        start = end = self._starts[line - 1] + min(max(column, 1) - 1, len(text))
        while end < len(self.text) and (self.text[end].isalnum() or self.text[end] == "_"):
            end += 1
        return Span(self, start, max(end, start + 1))


@dataclass(frozen=True, slots=True, repr=False)
class Span:
    """The characters `start <= offset < end` of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def position(self) -> tuple[int, int]:
        """Returns line and column of the first character, both from 1."""
        return self.source.position(self.start)

    def to(self, other: "Span") -> "Span":
        """Returns the span from the start of this one to the end of `other`, in the same source."""
        return Span(self.source, self.start, other.end)

    def __repr__(self) -> str:
        return f"Span({self}, {self.text[:40]!r})"

    def __str__(self) -> str:
        line, column = self.position
        return f"{self.source.name}:{line}:{column}"


BUILT_IN = Source("<built in>", "")
NOWHERE = Span(BUILT_IN, 0, 0)
