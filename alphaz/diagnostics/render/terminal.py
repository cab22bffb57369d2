"""Text for terminals: colours, widths, and the summary of a run."""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from alphaz.diagnostics.diagnostic import Diagnostic, Severity
from alphaz.diagnostics.message_words import count_text

_RESET = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Style:
    """Wraps a text in an ANSI SGR sequence; the plain style wraps nothing."""

    codes: str = ""

    def __call__(self, text: str) -> str:
        return f"\x1b[{self.codes}m{text}{_RESET}" if self.codes and text else text


@dataclass(frozen=True, slots=True)
class Palette:
    """A style for each part of a rendered finding."""

    severities: dict[Severity, Style]
    emphasis: Style
    gutter: Style
    secondary: Style

    def of(self, severity: Severity) -> Style:
        return self.severities[severity]


PLAIN = Palette({severity: Style() for severity in Severity}, Style(), Style(), Style())
COLOURED = Palette(
    {Severity.ERROR: Style("1;31"), Severity.WARNING: Style("1;33"), Severity.NOTE: Style("1;36")},
    emphasis=Style("1"),
    gutter=Style("1;34"),
    secondary=Style("1;34"),
)


TAB = 4
"""A tab goes to the next multiple of this many columns."""

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_OVERRIDES = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_NO_WIDTH = frozenset({"Mn", "Me", "Cf"})


def printable(text: str) -> str:
    """Returns `text` with everything that would command the terminal replaced; line ends and tabs stay."""
    return text if _is_plain(text) else "".join(char if char in "\n\t" else _displayed(char) for char in text)


def expand(line: str) -> str:
    """Returns one line as displayed: printable, tabs as spaces."""
    if _is_plain(line):
        return line
    shown: list[str] = []
    column = 0
    for char in line:
        piece = " " * (TAB - column % TAB) if char == "\t" else _displayed(char)
        shown.append(piece)
        column += _width(piece)
    return "".join(shown)


def column_of(line: str, offset: int) -> int:
    """Returns the column, from 0, at which character `offset` of `line` is shown; beyond the end, each offset is one
    column.
    """
    return _width(expand(line[:offset])) + max(0, offset - len(line))


def _displayed(char: str) -> str:
    hidden = unicodedata.category(char) in _HIDDEN_CATEGORIES or unicodedata.bidirectional(char) in _OVERRIDES
    return _REPLACEMENT if hidden else char


def _width(text: str) -> int:
    return len(text) if _is_plain(text) else sum(map(_char_width, text))


def _is_plain(text: str) -> bool:
    """Returns True if all characters are displayed unchanged, in one column each."""
    return text.isascii() and text.isprintable()


def _char_width(char: str) -> int:
    if unicodedata.category(char) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Returns `2 errors, 1 warning`, the gravest first, without a line end; `no findings` when there are none."""
    counts = Counter(diagnostic.rule.severity for diagnostic in diagnostics)
    parts = [count_text(counts[severity], severity) for severity in Severity if counts[severity]]
    return ", ".join(parts) or "no findings"
