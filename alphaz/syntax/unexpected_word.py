"""A word that the grammar does not allow, with its context and the advice for it, in the user's words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from alphaz.diagnostics import Label, Rule, Span
from alphaz.diagnostics.rules import SYNTAX
from alphaz.syntax.build import EquationHead, Several, SystemHead, UseHead
from alphaz.syntax.lexeme import END, Lexeme
from alphaz.syntax.tree import Name, TypeName
from alphaz.syntax.words import KEYWORDS

_OPENERS = ("LPAR", "LSQB", "LBRACE", "CASE", "VAL")
_CLOSERS = ("RPAR", "RSQB", "RBRACE", "ESAC")

# Punctuation by the name that the grammar gives it.
SYMBOLS = {
    "ARROW": "->", "UNION": "||", "BAR": "|", "ALSO": "&&", "PLUS": "+", "MINUS": "-", "EQUALS": "=", "AT": "@",
    "PERCENT": "%", "STAR": "*", "SLASH": "/", "COMMA": ",", "LBRACE": "{", "RBRACE": "}", "LPAR": "(", "RPAR": ")",
    "SEMICOLON": ";", "DOT": ".", "LSQB": "[", "RSQB": "]", "COLON": ":", "VAL": "val(",
}  # fmt: skip

_EXPRESSION = frozenset(("CASE", "REDUCE", "INT", "REAL", "TRUE", "FALSE", "NAME", "LPAR", "LSQB", "VAL"))
_EXPRESSION_TOO = frozenset(("IF", "LBRACE", "NOT", "MINUS", "PLUS", "STAR", "MIN", "MAX", "AND", "OR", "XOR"))
_OPERATORS = frozenset(
    ("OR", "XOR", "AND", "NAND", "RELATION", "PLUS", "MINUS", "PERCENT", "STAR", "SLASH", "MIN", "MAX")
)
_VALUES = frozenset(("STRING", "INT", "NAME"))
_GROUPS = (
    (_EXPRESSION, _EXPRESSION | _EXPRESSION_TOO, "an expression"),
    (frozenset(("OR", "STAR", "MIN")), _OPERATORS, "an operator"),
    (_VALUES, _VALUES, "a string, a number, a name or a command"),
    (frozenset(("SCALAR_TYPE", "UNSIGNED")), frozenset(("SCALAR_TYPE", "UNSIGNED")), "a type"),
    (frozenset(("SCALAR_TYPE",)), frozenset(("SCALAR_TYPE",)), "a type"),
    (frozenset(("INT", "NAME", "MINUS")), frozenset(("INT", "NAME", "MINUS")), "an affine expression such as `i+1`"),
    (frozenset(("INT", "NAME")), frozenset(("INT", "NAME")), "an index or a number"),
)
_SINGLE = {
    "NAME": "a name",
    "INT": "a number",
    "RELATION": "a comparison",
    "LBRACE": "a domain such as `{i | 0<=i<N}`",
    "STRING": "a string",
    END: "the end of the text",
}


@dataclass(frozen=True, slots=True)
class Repair:
    """A repair: delete `drop` words and insert these types instead; or drop `item` and continue `back` words
    earlier."""

    drop: int
    types: tuple[str, ...] = ()
    item: str = ""
    back: int = 0


@dataclass(frozen=True, slots=True)
class Situation:
    """A word that the grammar does not allow. `expected`: the allowed types; `values`: the parsed parts."""

    lexemes: list[Lexeme]
    at: int
    values: list[Any]
    expected: frozenset[str]
    start: str
    fits: Callable[[Repair], bool]

    @property
    def found(self) -> Lexeme:
        return self.lexemes[self.at]

    @property
    def previous(self) -> Lexeme | None:
        return self.lexemes[self.at - 1] if self.at else None

    def next(self, distance: int) -> Lexeme:
        """Returns the word at this distance after the found one; END beyond the text."""
        return self.lexemes[min(self.at + distance, len(self.lexemes) - 1)]

    def touches_previous(self) -> bool:
        return self.previous is not None and self.previous.span.end == self.found.span.start

    @property
    def gap(self) -> Span:
        """Returns the place just after the previous word, where something is missing; the found word if it is the
        first."""
        if self.previous is None:
            return self.found.span
        end = self.previous.span.end
        return Span(self.found.span.source, end, end)

    def opener(self) -> Lexeme | None:
        """Returns the innermost bracket or `case` that is still open in the statement."""
        closed = 0
        for value in reversed(self.values):
            if isinstance(value, (EquationHead, SystemHead)):
                return None
            if not isinstance(value, Lexeme):
                continue
            if value.type in _CLOSERS:
                closed += 1
            elif value.type in _OPENERS and closed == 0:
                return value
            elif value.type in _OPENERS:
                closed -= 1
        return None

    def starts_line(self) -> bool:
        """Returns True if the previous word is on an earlier line."""
        return self.previous is not None and self.previous.span.position[0] < self.found.span.position[0]

    def opener_is(self, lexeme_type: str) -> bool:
        opener = self.opener()
        return opener is not None and opener.type == lexeme_type

    def inside(self) -> str:
        """Returns the innermost construct, as in "the equation of `x`"; empty at the top."""
        # A statement is complete after its `;`, even before its node is built: only the system is still open.
        whole = self.previous is not None and self.previous.type == "SEMICOLON" and self.opener() is None
        for position in range(len(self.values) - 1, -1, -1):
            phrase = self._construct(position)
            if phrase and (not whole or isinstance(self.values[position], SystemHead)):
                return phrase
        return ""

    def _construct(self, position: int) -> str:
        value, rest = self.values[position], self.values[position + 1 :]
        match value:
            case EquationHead():
                return f"the equation of `{value.name.text}`"
            case UseHead():
                return f"the use of system `{value.system.text}`"
            case TypeName():
                return _declared(rest)
            case SystemHead():
                return f"system `{value.name.text}`"
            case Name() if rest and isinstance(rest[0], Lexeme) and rest[0].type == "LPAR":
                return f"the call of `{value.text}`"
            case Lexeme():
                return _begun_constructs(value, self.values[:position], rest)
            case _:
                return ""


def _declared(rest: list[Any]) -> str:
    """The construct after a type: a list of names, or the name of an external function."""
    match rest:
        case [Several(items=[Name(text=name), *_]), *_]:
            return f"the declaration of `{name}`"
        case [Lexeme(type="NAME") as name, *_]:
            return f"the declaration of `{name.text}`"
        case _:
            return "a declaration"


def _begun_constructs(word: Lexeme, before: list[Any], rest: list[Any]) -> str:
    """The constructs of which only the first words were parsed."""
    if word.type == "EQUALS":
        names = [lexeme for lexeme in before[-4:] if isinstance(lexeme, Lexeme) and lexeme.type == "NAME"]
        return f"the equation of `{names[-1].text}`" if names else ""
    if word.type == "AFFINE":
        return f"system `{rest[0].text}`" if rest and isinstance(rest[0], Name) else "the head of a system"
    return "a use equation" if word.type == "USE" else ""


def spelled(lexeme_type: str) -> str:
    """Returns the text of a type of word."""
    return SYMBOLS.get(lexeme_type) or lexeme_type.lower()


def described(lexeme: Lexeme) -> str:
    """Returns a phrase for the found word."""
    if lexeme.type == END:
        return "the end of the text"
    text = lexeme.text if len(lexeme.text) <= 30 else lexeme.text[:27] + "..."
    return f"reserved word `{text}`" if text in KEYWORDS else f"`{text}`"


def phrases(expected: frozenset[str]) -> list[str]:
    """Returns phrases for the allowed words, the most informative first."""
    left = set(expected)
    texts = []
    for needed, covered, phrase in _GROUPS:
        if needed <= left:
            texts.append(phrase)
            left -= covered
    for terminal in sorted(left, key=_telling):
        texts.append(_SINGLE.get(terminal) or f"`{spelled(terminal)}`")
    return texts


def _telling(lexeme_type: str) -> tuple[int, str]:
    """The rank of a type: words that end a construct are expected more often than those that continue it."""
    ends = ("SEMICOLON", *_CLOSERS)
    return (ends.index(lexeme_type) if lexeme_type in ends else len(ends) + (lexeme_type in SYMBOLS)), lexeme_type


def alternatives_text(words: list[str]) -> str:
    """`a, b or c`."""
    if len(words) <= 1:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"


@dataclass(frozen=True, slots=True)
class Advice:
    """The message, the remedy, and the repair with which parsing continues. Its place is the found word, or `span`."""

    message: str
    help: str
    label: str = ""
    repair: Repair | None = None
    rule: Rule = SYNTAX
    span: Span | None = None
    secondary: tuple[Label, ...] = ()
