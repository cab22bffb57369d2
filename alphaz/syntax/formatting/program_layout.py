"""The common base of the formatters of both program languages, which lay out word by word."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

from alphaz.syntax.formatting.pieces import COMMENT, LaidOutLines, LayoutPiece


@dataclass(slots=True)
class ProgramLayout(ABC):
    """The state of the layout. `depth` is that of the statement or branch, `line` that of the last line, `part` the
    part of the text; `is_fresh`: a statement or branch begins with the next word; `before` is the last word.
    """

    # Words that stay on the line of the word before.
    stays: ClassVar[frozenset[str]]

    words: list[LayoutPiece]
    lines: LaidOutLines = field(default_factory=LaidOutLines)
    part: str = "top"
    depth: int = 0
    line: int = 0
    is_fresh: bool = True
    before: LayoutPiece | None = None

    def text(self) -> str:
        """Returns the formatted text."""
        for position, piece in enumerate(self.words):
            if piece.is_end:
                break
            if piece.type == COMMENT:
                self._comment(position, piece)
            else:
                self._word(position, piece)
        return self.lines.text()

    def _word(self, position: int, piece: LayoutPiece) -> None:
        if self.begins(piece):
            self.depth = self.depth_of(piece)
            self._begin(piece, self.depth)
        elif (piece.breaks and piece.type not in self.stays) or not self.lines.is_open:
            self._begin(piece, self.depth + 1)
        else:
            self.lines.add((" " if self.is_spaced(position, piece) else "") + piece.text)
        self.follow(position, piece)
        self.before = piece

    def _comment(self, position: int, piece: LayoutPiece) -> None:
        """Writes a comment behind the words of its line, or on a line of its own, as deep as what follows."""
        if piece.breaks == 0 and self.lines.is_open:
            self.lines.add(("  " if piece.is_line_comment else " ") + piece.text)
        else:
            self._begin(piece, self._depth_before(position))
        if piece.is_line_comment or (self.words[position + 1].breaks and self.is_fresh):
            self.lines.end()
        if self.is_after_system(piece):
            self.before = None

    def _begin(self, piece: LayoutPiece, depth: int) -> None:
        self.lines.begin(piece.text, depth, self.is_apart(piece) or self.is_after_system(piece))
        self.line = depth

    def _depth_before(self, position: int) -> int:
        """Returns the depth of a comment on a line of its own: that of the next word."""
        piece = next(word for word in self.words[position:] if word.type != COMMENT)
        return 0 if piece.is_end else self.depth_before(piece)

    def depth_before(self, piece: LayoutPiece) -> int:
        """Returns the depth of a comment before this word."""
        return self.depth_of(piece) if self.begins(piece) else self.depth + 1

    @abstractmethod
    def begins(self, piece: LayoutPiece) -> bool:
        """Returns True where a statement, section or branch begins, which is always on a line of its own."""

    @abstractmethod
    def depth_of(self, piece: LayoutPiece) -> int:
        """Returns the depth of a line that begins with this word."""

    @abstractmethod
    def is_apart(self, piece: LayoutPiece) -> bool:
        """Returns True if the empty line of the author before this word is kept."""

    @abstractmethod
    def is_after_system(self, piece: LayoutPiece) -> bool:
        """Returns True if this word is the first one after a system."""

    @abstractmethod
    def is_spaced(self, position: int, piece: LayoutPiece) -> bool:
        """Returns True if there is a space between the last word and this one."""

    @abstractmethod
    def follow(self, position: int, piece: LayoutPiece) -> None:
        """Updates the state behind a word."""
