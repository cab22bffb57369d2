"""The place of a call from Python: in the user's file, if its source is known; else in a text made for the call.

An argument that is a text literal in the call has the places of its characters, so that an error in a map is marked at
the letter, as in a script."""

import ast
import linecache
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FrameType

from alphaz.diagnostics import Source, Span
from alphaz.scripting.commands.kinds.argument_values import PYTHON, ArgumentValue

_OWN = __name__.partition(".")[0]


@dataclass(frozen=True, slots=True)
class CallPlace:
    """The place of a call: its span, and those of its arguments, as values and with the characters of texts."""

    span: Span
    arguments: Mapping[str, tuple[Span, Span | None]]

    def argument_value(self, name: str, value: object) -> ArgumentValue:
        """Returns the argument of this name; Python's lists become texts with commas, truth values numbers."""
        span, characters = self.arguments.get(name, (self.span, None))
        match value:
            case bool():
                return ArgumentValue(int(value), span)
            case list() | tuple():
                return ArgumentValue(", ".join(map(str, value)), span)
        return ArgumentValue(value, span, characters)


def call_place(function: str, bound: Mapping[str, object]) -> CallPlace:
    """Returns the place of the call in progress; `bound` are its arguments by name."""
    call_text = _call_text(function, bound)
    place = _in_file(sys._getframe(1))
    if place is None:
        return call_text
    span, texts = place
    arguments: dict[str, tuple[Span, Span | None]] = {}
    for name, value in bound.items():
        places = texts.get(value, []) if isinstance(value, str) else []
        # A text that occurs twice is ambiguous.
        if len(places) == 1:
            arguments[name] = places[0]
        else:
            arguments[name] = (span, None)
    return CallPlace(span, arguments)


def _call_text(function: str, bound: Mapping[str, object]) -> CallPlace:
    """`set_parallel(design, 's', '', 1)`, a text of its own."""
    text, places = f"{function}(", {}
    for at, (name, value) in enumerate(bound.items()):
        text += ", " if at else ""
        shown = repr(value) if isinstance(value, str | int | list | tuple) else name
        places[name] = (len(text), shown, value)
        text += shown
    source = Source(PYTHON, f"{text})")
    arguments = {name: _spans(source, start, shown, value) for name, (start, shown, value) in places.items()}
    return CallPlace(Span(source, 0, len(source.text)), arguments)


def _spans(source: Source, start: int, shown: str, value: object) -> tuple[Span, Span | None]:
    whole = Span(source, start, start + len(shown))
    plain = isinstance(value, str) and shown[1:-1] == value
    return whole, Span(source, start + 1, start + len(shown) - 1) if plain else None


def _in_file(frame: FrameType | None) -> tuple[Span, dict[str, list[tuple[Span, Span | None]]]] | None:
    """The span of the user's call, and the places of its texts; None if its source is not known."""
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == _OWN:
        frame = frame.f_back
    # Several texts have that name: Python 3.13 keeps only the lines of `python -c`.
    if frame is None or frame.f_code.co_filename == "<string>":
        return None
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    first, last, start, end = _positions(frame)
    if first is None or last is None or start is None or end is None or not 1 <= first <= last <= len(lines):
        return None
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    source = Source(frame.f_code.co_filename, "".join(lines))
    span = Span(source, _offset(lines, offsets, first, start), _offset(lines, offsets, last, end))
    return span, _texts(span, lines, offsets)


def _positions(frame: FrameType) -> tuple[int | None, int | None, int | None, int | None]:
    """First line, last line, first and last column of the executing instruction of the frame."""
    for at, co_position in enumerate(frame.f_code.co_positions()):
        if at == frame.f_lasti // 2:
            return co_position
    return None, None, None, None


def _offset(lines: list[str], offsets: list[int], line: int, column: int) -> int:
    """The offset in characters: columns of Python count bytes."""
    before = lines[line - 1].encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore")
    return offsets[line - 1] + len(before)


def _texts(span: Span, lines: list[str], offsets: list[int]) -> dict[str, list[tuple[Span, Span | None]]]:
    """The text literals of the call by their values."""
    try:
        tree = ast.parse(span.source.text)
    except (SyntaxError, ValueError):
        return {}
    spans: dict[str, list[tuple[Span, Span | None]]] = {}
    for node in _literals(tree):
        end_line, end_column = node.end_lineno, node.end_col_offset
        assert end_line is not None
        assert end_column is not None
        start = _offset(lines, offsets, node.lineno, node.col_offset)
        end = _offset(lines, offsets, end_line, end_column)
        if span.start <= start and end <= span.end:
            whole = Span(span.source, start, end)
            plain = whole.text[1:-1] == node.value
            inner = Span(span.source, start + 1, end - 1) if plain else None
            spans.setdefault(str(node.value), []).append((whole, inner))
    return spans


def _literals(tree: ast.AST) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node
