"""The layout of programs of the successor language (`*.alpha`): that of `alphaz show --notation alpha`, with the
comments and line breaks of the author.

Sections are at the margin, or one level deeper in a package; declarations and equations one level deeper, the branches
of a `case` one level deeper than its line. Affine expressions have no spaces, except around words.
"""

from dataclasses import dataclass, field

from alphaz.diagnostics import Source, Span
from alphaz.syntax.formatting.pieces import COMMENT, LayoutPiece, checked, pieces
from alphaz.syntax.formatting.program_layout import ProgramLayout
from alphaz.syntax.grammar import alpha_grammar
from alphaz.syntax.parser import parse_bundle

_TOP = frozenset(("PACKAGE", "IMPORT", "EXTERNAL", "AFFINE"))
_SECTIONS = frozenset(("DEFINE", "INPUTS", "OUTPUTS", "LOCALS", "OVER", "WHEN", "ELSE", "LET"))
_ITEMS = frozenset(("DEFINE", "INPUTS", "OUTPUTS", "LOCALS"))
_OPENERS = frozenset(("LPAR", "LSQB", "LBRACE"))
_CLOSERS = frozenset(("RPAR", "RSQB", "RBRACE"))
# They stay on the line of the word before.
_STAYS = frozenset(("COMMA", "SEMICOLON", "DOT", *_CLOSERS))
_PREFIX = frozenset(("PLUS", "STAR", "MINUS", "MIN", "MAX", "AND", "OR", "XOR"))
# A value may end with these.
_ENDS = frozenset(("NAME", "INT", "REAL", "TRUE", "FALSE", *_CLOSERS))
_WORDS_OF_SETS = frozenset(("AND", "OR", "NOT", "MOD", "UNION", "BAR", "ALSO", "AMPERSAND"))
_CONTINUES_ITEM = frozenset(("COMMA", "COLON", "PLUS", "EQUALS", "AS"))


def format_bundle(source: Source) -> str:
    """Returns the program in the one layout. Raises Rejected where it cannot be parsed."""
    parse_bundle(source)
    return checked(_Bundle(_pieces(source.text)).text(), source, _pieces)


def _pieces(text: str) -> list[LayoutPiece]:
    source = Source("", text)
    return pieces(source, alpha_grammar().lexemes(Span(source, 0, len(text))))


@dataclass(slots=True)
class _Bundle(ProgramLayout):
    """The state of the layout: the kinds of the open brackets ("affine", "index", "value", "case", "package") with the
    depth of their lines. `depth` is that of the statement, `line` that of the last line. `part`: "top", "head" (of a
    system), "section" (its first line), "items" (declarations), "let" (between statements), "statement".
    """

    stays = _STAYS
    brackets: list[tuple[str, int]] = field(default_factory=list)

    @property
    def _margin(self) -> int:
        return sum(kind == "package" for kind, _ in self.brackets)

    @property
    def _innermost(self) -> str:
        """The kind of the innermost bracket; empty outside of them, and in a package."""
        kind = self.brackets[-1][0] if self.brackets else ""
        return "" if kind == "package" else kind

    # --- lines --------------------------------------------------------------------------------------------------------

    def begins(self, piece: LayoutPiece) -> bool:
        """Returns True where a statement, section or branch begins, which is always on a line of its own."""
        kind, type_ = self._innermost, piece.type
        if kind:
            return kind == "case" and (self.is_fresh or type_ == "RBRACE")
        if self.part == "top":
            return type_ in _TOP or type_ == "RBRACE"
        if self.part == "section":
            return False
        if self.part == "let":
            return self.is_fresh
        is_section = type_ in _SECTIONS or type_ == "DOT"
        if self.part == "head":
            return is_section
        return self.part == "items" and (is_section or self._is_item(piece))

    def _is_item(self, piece: LayoutPiece) -> bool:
        return piece.type == "NAME" and (self.before is None or self.before.type not in _CONTINUES_ITEM)

    def depth_of(self, piece: LayoutPiece) -> int:
        if self._innermost == "case":
            return self.brackets[-1][1] + (piece.type != "RBRACE")
        margin = self._margin - (self.part == "top" and piece.type == "RBRACE")
        return margin + self._is_deeper(piece)

    def _is_deeper(self, piece: LayoutPiece) -> bool:
        """Returns True for declarations and statements."""
        if self.part == "items":
            return piece.type == "NAME"
        return self.part == "let" and piece.type not in ("DOT", "WHEN", "ELSE", "LET")

    def is_apart(self, piece: LayoutPiece) -> bool:
        is_below_head = self.before is not None and self.before.type in (*_SECTIONS, "CASE", "LBRACE")
        return piece.breaks > 1 and not self.brackets[self._margin :] and not is_below_head

    def is_after_system(self, piece: LayoutPiece) -> bool:
        is_end = self.before is not None and self.before.type == "DOT" and self.part == "top"
        return is_end and piece.type != "RBRACE" and self.is_fresh

    def follow(self, position: int, piece: LayoutPiece) -> None:
        """Updates the state behind a word."""
        self.is_fresh = False
        if piece.type in _OPENERS:
            self.brackets.append((self._kind(position, piece), self.line))
            self.is_fresh = self._innermost == "case"
            return
        if piece.type in _CLOSERS and self.brackets:
            kind, depth = self.brackets.pop()
            self.depth = depth if kind == "case" else self.depth
            return
        if self._innermost:
            self.is_fresh = self._innermost == "case" and piece.type == "SEMICOLON"
            return
        self._follow_part(piece)

    def _follow_part(self, piece: LayoutPiece) -> None:
        """Updates the part of the text behind a word outside of brackets."""
        match piece.type:
            case "AFFINE" if self.part == "top":
                self.part = "head"
            case "DOT" if self.part not in ("top", "statement"):
                self.part, self.is_fresh = "top", True
            case "SEMICOLON" if self.part == "statement":
                self.part, self.is_fresh = "let", True
            case "LET" if self.part != "statement":
                self.part, self.is_fresh = "let", True
            case type_ if self.part in ("head", "items", "let") and type_ in _SECTIONS and self._is_section(type_):
                self.part = "items" if type_ in _ITEMS else "section"
            case "WHILE" if self.part == "section":
                self.part = "head"
            case _ if self.part == "let":
                self.part = "statement"

    def _is_section(self, type_: str) -> bool:
        """Returns True unless `over` begins a statement."""
        return self.part != "let" or type_ in ("WHEN", "ELSE")

    # --- comments -----------------------------------------------------------------------------------------------------

    def depth_before(self, piece: LayoutPiece) -> int:
        return self._margin + 1 if self.part == "head" else ProgramLayout.depth_before(self, piece)

    # --- spaces -------------------------------------------------------------------------------------------------------

    def _kind(self, position: int, piece: LayoutPiece) -> str:
        if piece.type == "LBRACE":
            return self._kind_of_brace(position)
        if piece.type == "LSQB" or self._innermost == "index":
            return "index"
        return "affine" if self._innermost == "affine" or _is_function(self.words, position) else "value"

    def _kind_of_brace(self, position: int) -> str:
        earlier = [word.type for word in self.words[:position] if word.type != COMMENT]
        if earlier[-1:] == ["CASE"] or earlier[-2:] == ["CASE", "NAME"]:
            return "case"
        is_package = self.part == "top" and "PACKAGE" in earlier and not self._innermost
        return "package" if is_package else "affine"

    def is_spaced(self, position: int, piece: LayoutPiece) -> bool:
        """Returns True if there is a space between the last word and this one."""
        before = self.before
        if before is None or self.words[position - 1].type == COMMENT:
            return True
        if self._innermost in ("affine", "index"):
            return self._is_spaced_in_affine(before, piece)
        if piece.type in ("COMMA", "SEMICOLON", *_CLOSERS) or before.type in _OPENERS:
            return False
        if "AT" in (piece.type, before.type) or "DOT" in (piece.type, before.type):
            return False
        if before.type == "COMMA":
            return self.part != "items"
        if self._is_prefix(position - 1) and before.type != "NOT":
            return False
        if self.part == "head" and not self._innermost:
            return True
        if piece.type == "LPAR":
            return before.type not in ("NAME", "REDUCE", "VAL", "RSQB")
        return piece.type != "LSQB" or before.type not in ("NAME", "INT", "REAL", "TRUE", "FALSE", "VAL")

    def _is_spaced_in_affine(self, before: LayoutPiece, piece: LayoutPiece) -> bool:
        if before.type in _OPENERS or piece.type in (*_CLOSERS, "COMMA", "SEMICOLON", "COLON"):
            return False
        if before.type == "COLON":
            return self._innermost == "affine"
        if before.type == "SEMICOLON" or before.type in _WORDS_OF_SETS or piece.type in _WORDS_OF_SETS:
            return True
        return before.type == "INT" and piece.type == "INT"

    def _is_prefix(self, position: int) -> bool:
        """Returns True for a sign in front of its operand, and for an operator that is called or reduces."""
        if self.words[position].type not in _PREFIX:
            return False
        earlier = next((word for word in reversed(self.words[:position]) if word.type != COMMENT), None)
        return earlier is None or earlier.type not in _ENDS


def _is_function(words: list[LayoutPiece], position: int) -> bool:
    """Returns True if the parenthesis at this place is that of a function, `(i,j->i)`."""
    depth = 0
    for piece in words[position:]:
        depth += (piece.type in _OPENERS) - (piece.type in _CLOSERS)
        if depth == 0:
            return False
        if depth == 1 and piece.type == "ARROW":
            return True
    return False
