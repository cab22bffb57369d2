"""Text as a terminal displays it, and its width: tabs, wide and combining characters, and unsafe characters.

Widths follow Unicode Standard Annex 11: East Asian Wide and Fullwidth characters take two columns, combining marks and
format characters none. Control characters and bidirectional overrides are shown as the replacement character: a
program text must not move the cursor, or display a misleading text.
"""

import unicodedata

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
