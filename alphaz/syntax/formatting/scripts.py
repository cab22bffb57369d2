"""The layout of command scripts: a statement on a line, with one space after commas and around signs."""

from alphaz.diagnostics import Source, Span
from alphaz.syntax.formatting.pieces import COMMENT, LaidOutLines, LayoutPiece, checked, pieces
from alphaz.syntax.grammar import script_grammar
from alphaz.syntax.parser import parse_script

_TIGHT_BEFORE = (")", ",", ";", "(")
_TIGHT_AFTER = ("(",)


def format_script(source: Source) -> str:
    """Returns the script in the one layout. Raises Rejected where it has no statements that can be parsed."""
    parse_script(source)
    return checked(_laid_out(_pieces(source.text)), source, _pieces)


def _pieces(text: str) -> list[LayoutPiece]:
    source = Source("", text)
    return pieces(source, script_grammar().lexemes(Span(source, 0, len(text))))


def _laid_out(words: list[LayoutPiece]) -> str:
    lines, before = LaidOutLines(), LayoutPiece(";", ";")
    is_inside = False
    for piece in words:
        if piece.is_end:
            break
        if piece.type == COMMENT:
            _comment(lines, piece, is_inside)
            continue
        if not is_inside or piece.breaks or not lines.is_open:
            lines.begin(piece.text, int(is_inside), is_after_blank=not is_inside and piece.breaks > 1)
        else:
            lines.add(("" if _is_tight(before, piece) else " ") + piece.text)
        is_inside = piece.text != ";"
        before = piece
    return lines.text()


def _is_tight(before: LayoutPiece, piece: LayoutPiece) -> bool:
    return piece.text in _TIGHT_BEFORE or before.text in _TIGHT_AFTER


def _comment(lines: LaidOutLines, piece: LayoutPiece, is_inside: bool) -> None:
    """Writes a comment behind the words of its line, or on a line of its own."""
    if piece.breaks == 0 and lines.is_open:
        lines.add(f"  {piece.text}")
    else:
        lines.begin(piece.text, int(is_inside), is_after_blank=piece.breaks > 1)
    lines.end()
