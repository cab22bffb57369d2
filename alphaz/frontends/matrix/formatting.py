"""The one layout of kernel files, with the comments and line breaks of the author.

The name and each section begin at the margin, assignments two columns deeper; further lines of either are indented by
four more. Signs of sums have spaces, those of products have none, except `\\`."""

import re
from collections.abc import Iterator

from alphaz.diagnostics import Source, Span
from alphaz.frontends.matrix.reading import read_kernel
from alphaz.syntax.formatting.pieces import COMMENT, LaidOutLines, LayoutPiece, checked, pieces
from alphaz.syntax.lexeme import END, Lexeme

_WORD = re.compile(
    r"(?P<remark>//[^\n]*|/\*.*?\*/|\s+)|(?P<name>[A-Za-z_]\w*)|(?P<number>(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)|.",
    re.DOTALL | re.ASCII,
)
_NAME, _NUMBER = "NAME", "NUMBER"
_SECTIONS = ("in", "out", "inout")
_SPACED = ("=", "+", "\\", ":", "{", "}")
_INSIDE, _FURTHER = "  ", "    "


def format_kernel(source: Source) -> str:
    """Returns the kernel in the one layout. Raises Rejected (AZ101) where it cannot be parsed."""
    read_kernel(source)
    return checked(_laid_out(_pieces(source.text)), source, _pieces)


def _pieces(text: str) -> list[LayoutPiece]:
    source = Source("", text)
    return pieces(source, _lexemes(source))


def _lexemes(source: Source) -> Iterator[Lexeme]:
    text = source.text.removeprefix("\ufeff")
    shift = len(source.text) - len(text)
    for word in _WORD.finditer(text):
        if word["remark"] is None:
            type_ = _NAME if word["name"] else _NUMBER if word["number"] else word[0]
            yield Lexeme(type_, Span(source, word.start() + shift, word.end() + shift))
    yield Lexeme(END, Span(source, len(source.text), len(source.text)))


def _laid_out(pieces: list[LayoutPiece]) -> str:
    """The text of the words: `margin` is the indentation of the last section or assignment."""
    lines, margin, words = LaidOutLines(), "", [piece for piece in pieces if piece.type != COMMENT]
    position = 0
    for number, piece in enumerate(pieces):
        if piece.is_end:
            break
        if piece.type == COMMENT:
            _comment(lines, piece, _comment_margin(words, position, margin))
            continue
        before = words[position - 1] if position else None
        if _begins(words, position):
            margin = _INSIDE if _is_inside(words, position) else ""
            lines.begin(margin + _padded(words, position), 0, is_after_blank=piece.breaks > 1 and before != words[0])
        elif piece.breaks or not lines.is_open:
            lines.begin(margin + _FURTHER + piece.text, 0)
        else:
            is_spaced = pieces[number - 1].type == COMMENT or _is_spaced(words, position)
            lines.add((" " if is_spaced else "") + piece.text)
        position += 1
    return lines.text()


def _comment(lines: LaidOutLines, piece: LayoutPiece, margin: str) -> None:
    """Writes a comment behind the words of its line, or on a line of its own."""
    if piece.breaks == 0 and lines.is_open:
        lines.add(f"{'  ' if piece.is_line_comment else ' '}{piece.text}")
    else:
        lines.begin(margin + piece.text, 0, is_after_blank=piece.breaks > 1)
    if piece.is_line_comment:
        lines.end()


def _comment_margin(words: list[LayoutPiece], position: int, margin: str) -> str:
    """The indentation of a comment on a line of its own: that of the word after it."""
    if words[position].is_end:
        return ""
    if _begins(words, position):
        return _INSIDE if _is_inside(words, position) or words[position].text == "}" else ""
    return margin + _FURTHER


def _begins(words: list[LayoutPiece], position: int) -> bool:
    """Returns True where the name, a section, a brace or an assignment begins, on a line of its own."""
    piece = words[position]
    if position == 0 or piece.text in ("{", "}"):
        return True
    if _is_inside(words, position):
        return piece.type == _NAME and words[position + 1].text == "="
    return piece.text in _SECTIONS and words[position - 1].text not in (",", ":")


def _is_inside(words: list[LayoutPiece], position: int) -> bool:
    """Returns True for a word between the braces."""
    return words[position].text != "}" and any(word.text == "{" for word in words[:position])


def _padded(words: list[LayoutPiece], position: int) -> str:
    """The text of a word; `in` is as long as `out`."""
    text = words[position].text
    return f"{text} " if text == "in" and not _is_inside(words, position) and position else text


def _is_spaced(words: list[LayoutPiece], position: int) -> bool:
    """Returns True if there is a space between the word before and this one."""
    before, piece = words[position - 1], words[position]
    if before.text in _SPACED or piece.text in _SPACED or before.text == ",":
        return True
    if piece.text == "-" or before.text == "-":
        return _is_infix(words, position if piece.text == "-" else position - 1)
    return piece.type in (_NAME, _NUMBER) and (before.type in (_NAME, _NUMBER) or before.text == ")")


def _is_infix(words: list[LayoutPiece], position: int) -> bool:
    """Returns True for a sign that follows a value."""
    return words[position - 1].type in (_NAME, _NUMBER) or words[position - 1].text in (")", "'")
