"""The words and comments of a text, with the line breaks between them; and the lines of a formatted text."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from alphaz.diagnostics import Source
from alphaz.syntax.lexeme import END, Lexeme

INDENT = "    "
COMMENT = "COMMENT"


@dataclass(frozen=True, slots=True)
class LayoutPiece:
    """A word, or a comment (`type` is COMMENT), with the number of line ends before it."""

    type: str
    text: str
    breaks: int = 0

    @property
    def is_end(self) -> bool:
        return self.type == END

    @property
    def is_line_comment(self) -> bool:
        """Returns True for a comment that ends with its line."""
        return self.type == COMMENT and not self.text.startswith("/*")


def pieces(source: Source, lexemes: Iterable[Lexeme]) -> list[LayoutPiece]:
    """Returns the words and the comments between them, in the order of the text; the last one is END."""
    layout_pieces: list[LayoutPiece] = []
    last = 0
    for lexeme in lexemes:
        breaks = 0
        for text, before in _comments(source.text[last : lexeme.span.start]):
            if text:
                layout_pieces.append(LayoutPiece(COMMENT, text, before))
            else:
                breaks = before
        layout_pieces.append(LayoutPiece(lexeme.type, lexeme.text, breaks))
        last = lexeme.span.end
    return layout_pieces


def _comments(gap: str) -> Iterator[tuple[str, int]]:
    """Yields the comments in the text between two words, each with the number of line ends before it; the empty text
    for the end.
    """
    rest = gap
    while True:
        comment = rest.lstrip("\ufeff \t\r\n\f\v")
        breaks = rest[: len(rest) - len(comment)].count("\n")
        if not comment:
            yield "", breaks
            return
        end = comment.find("*/") + 2 if comment.startswith("/*") else comment.find("\n")
        end = len(comment) if end < 1 else end
        yield "\n".join(line.rstrip() for line in comment[:end].split("\n")), breaks
        rest = comment[end:]


@dataclass(slots=True)
class LaidOutLines:
    """The lines of a formatted text. `add` continues the last line, `begin` begins one."""

    _lines: list[str] = field(default_factory=list)
    _is_open: bool = False

    @property
    def is_open(self) -> bool:
        """Returns True if the last line may be continued."""
        return self._is_open

    def begin(self, text: str, depth: int, is_after_blank: bool = False) -> None:
        if is_after_blank and self._lines and self._lines[-1]:
            self._lines.append("")
        self._lines.append(INDENT * depth + text)
        self._is_open = True

    def add(self, text: str) -> None:
        self._lines[-1] += text

    def end(self) -> None:
        """Ends the last line."""
        self._is_open = False

    def text(self) -> str:
        return "".join(f"{line.rstrip()}\n" for line in self._lines)


def is_same_text(one: list[LayoutPiece], other: list[LayoutPiece]) -> bool:
    """Returns True if two texts have the same words and comments, apart from the indentation of long comments."""
    return [_content(piece) for piece in one] == [_content(piece) for piece in other]


def _content(piece: LayoutPiece) -> tuple[str, str]:
    text = "\n".join(line.strip() for line in piece.text.split("\n")) if piece.type == COMMENT else piece.text
    return piece.type, text


def checked(text: str, source: Source, words: Callable[[str], list[LayoutPiece]]) -> str:
    """Returns the formatted text with the line ends of the source, after a comparison of its words and comments."""
    if not is_same_text(words(source.text), words(text)):
        raise AssertionError("the formatted text has other words")
    return text.replace("\n", "\r\n") if "\r\n" in source.text else text
