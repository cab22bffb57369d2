"""The layout of programs: that of `alphaz show`, with the comments and line breaks of the author.

Sections are at the margin, declarations and equations one level deeper, the branches of a `case` one level deeper than
its line, further lines of a statement one level deeper than its first. Affine expressions have no spaces.
"""

from dataclasses import dataclass, field

from alphaz.diagnostics import Source, Span
from alphaz.syntax.formatting.alpha_programs import format_bundle
from alphaz.syntax.formatting.pieces import COMMENT, LayoutPiece, checked, pieces
from alphaz.syntax.formatting.program_layout import ProgramLayout
from alphaz.syntax.grammar import program_grammar
from alphaz.syntax.parser import parse_program
from alphaz.syntax.partial_programs import is_alpha

_SECTIONS = frozenset(("INPUT", "OUTPUT", "LOCAL", "OVER", "LET", "GIVEN", "RETURNS", "USING", "THROUGH"))
_OPENERS = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE", "VAL": "RPAR"}
_CLOSERS = frozenset(_OPENERS.values())
_TIGHT_BEFORE = frozenset(("COMMA", "SEMICOLON", "COLON", "AT", *_CLOSERS))
_TIGHT_AFTER = frozenset(("AT", *_OPENERS))
_OPERATORS = frozenset(
    ("PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "RELATION", "MIN", "MAX", "AND", "OR", "XOR", "NAND")
)
_WORDS = frozenset(("IF", "THEN", "ELSE", "NOT", "EQUALS", "COLON", "CASE", "WHILE", "RETURNS", "COMMA"))
_CALLED = frozenset(("NAME", "REDUCE", "MIN", "MAX", "AND", "OR", "XOR"))
_SPACED_IN_AFFINE = frozenset(("BAR", "ALSO", "UNION", "ARROW"))


def format_program(source: Source) -> str:
    """Returns the program, in this language or its successor, in the one layout. Raises Rejected where it cannot be
    parsed.
    """
    if is_alpha(source):
        return format_bundle(source)
    parse_program(source)
    return checked(_Program(_pieces(source.text)).text(), source, _pieces)


def _pieces(text: str) -> list[LayoutPiece]:
    source = Source("", text)
    return pieces(source, program_grammar().lexemes(Span(source, 0, len(text))))


@dataclass(slots=True)
class _Program(ProgramLayout):
    """The state of the layout: the open brackets, and the open cases, each with the number of brackets around it and
    the depth of its line.

    `depth` is that of the statement or branch, `line` that of the last line. `part` is the part of the text: "top",
    "head" (of a system), "section" (between statements), "statement", "over" (the loop of a system).
    """

    stays = _TIGHT_BEFORE
    brackets: list[str] = field(default_factory=list)
    cases: list[tuple[int, int]] = field(default_factory=list)
    is_name: bool = False

    # --- lines --------------------------------------------------------------------------------------------------------

    @property
    def _is_in_case(self) -> bool:
        """Returns True between the branches of a case, outside of their brackets."""
        return bool(self.cases) and self.cases[-1][0] == len(self.brackets)

    def begins(self, piece: LayoutPiece) -> bool:
        """Returns True where a statement, section or branch begins, which is always on a line of its own."""
        if self._is_in_case:
            return self.is_fresh or piece.type == "ESAC"
        if self.brackets:
            return False
        if self.part in ("top", "section"):
            return self.is_fresh or piece.type in _SECTIONS or piece.type in ("DOT", "AFFINE")
        return self.part in ("head", "over") and (piece.type in _SECTIONS - {"OVER"} or piece.type == "DOT")

    def depth_of(self, piece: LayoutPiece) -> int:
        if self.cases:
            return self.cases[-1][1] + (piece.type != "ESAC")
        is_margin = self.part in ("top", "head", "over") or piece.type in _SECTIONS or piece.type in ("DOT", "AFFINE")
        return 0 if is_margin else 1

    def is_apart(self, piece: LayoutPiece) -> bool:
        return piece.breaks > 1 and self.is_fresh and not self.brackets and not self._is_below_head()

    def _is_below_head(self) -> bool:
        return self.before is not None and (self.before.type in _SECTIONS or self.before.type == "CASE")

    def is_after_system(self, piece: LayoutPiece) -> bool:
        return self.before is not None and self.before.type == "DOT" and self.part == "top"

    def follow(self, position: int, piece: LayoutPiece) -> None:
        """Updates the state behind a word."""
        was_fresh, self.is_fresh = self.is_fresh, False
        if piece.type in _OPENERS:
            self.is_name = False
            self.brackets.append(self._kind(position, piece))
        elif piece.type in _CLOSERS:
            self.brackets.pop()
        if self.brackets and not self._is_in_case and piece.type != "CASE":
            return
        self.is_name |= piece.type in ("AFFINE", "USE")
        match piece.type:
            case "CASE":
                self.cases.append((len(self.brackets), self.line))
                self.is_fresh = True
            case "ESAC":
                _, self.depth = self.cases.pop()
            case "SEMICOLON":
                self.is_fresh = True
                self.part = "section" if self.part == "statement" and not self.cases else self.part
            case _:
                self._follow_part(piece, was_fresh)

    def _follow_part(self, piece: LayoutPiece, was_fresh: bool) -> None:
        """Updates the part of the text behind a word outside of brackets."""
        if piece.type == "DOT":
            self.part, self.is_fresh = "top", True
        elif piece.type == "AFFINE":
            self.part = "head"
        elif piece.type == "OVER" and self.part != "statement":
            self.part = "over"
        elif piece.type in _SECTIONS and self.part != "statement":
            self.part, self.is_fresh = "section", True
        elif was_fresh and self.part == "section":
            self.part = "statement"

    # --- spaces -------------------------------------------------------------------------------------------------------

    def _kind(self, position: int, piece: LayoutPiece) -> str:
        """Returns "affine" for a bracket around affine expressions, else "value"."""
        if piece.type in ("LSQB", "LBRACE", "VAL") or (self.brackets and self.brackets[-1] == "affine"):
            return "affine"
        return "affine" if _is_function(self.words, position) else "value"

    def is_spaced(self, position: int, piece: LayoutPiece) -> bool:
        """Returns True if there is a space between the last word and this one."""
        before = self.before
        if before is None or self.words[position - 1].type == COMMENT:
            return True
        if self.brackets and self.brackets[-1] == "affine":
            return self._is_spaced_in_affine(before, piece)
        if self.is_name and before.type not in ("AFFINE", "USE"):
            return piece.type == "LBRACE"
        if piece.type in _TIGHT_BEFORE or before.type in _TIGHT_AFTER or self._is_prefix(position - 1):
            return False
        if piece.type == "LPAR":
            return before.type not in _CALLED or self._is_infix(position - 1)
        return not (piece.type == "LSQB" and before.type == "NAME")

    def _is_spaced_in_affine(self, before: LayoutPiece, piece: LayoutPiece) -> bool:
        if before.type in _OPENERS:
            return piece.type == "ARROW"
        if piece.type in _CLOSERS:
            return before.type == "ARROW"
        if before.type in _SPACED_IN_AFFINE or piece.type in _SPACED_IN_AFFINE:
            return True
        return before.type == "INT" and piece.type == "INT"

    def _is_prefix(self, position: int) -> bool:
        """Returns True for a sign in front of its operand, `-x`, and for an operator that is called, `+(a, b)`."""
        piece = self.words[position]
        if piece.type not in ("MINUS", "PLUS", "STAR"):
            return False
        return not self._is_infix(position)

    def _is_infix(self, position: int) -> bool:
        """Returns True for an operator that follows a value."""
        if self.words[position].type not in _OPERATORS:
            return False
        earlier = next((word for word in reversed(self.words[:position]) if word.type != COMMENT), None)
        return earlier is not None and earlier.type not in _OPERATORS | _WORDS | frozenset(_OPENERS)


def _is_function(words: list[LayoutPiece], position: int) -> bool:
    """Returns True if the parenthesis at this place is that of a function, `(i,j -> i)`."""
    depth = 0
    for piece in words[position:]:
        depth += (piece.type in _OPENERS) - (piece.type in _CLOSERS)
        if depth == 0:
            return False
        if depth == 1 and piece.type == "ARROW":
            return True
    return False
