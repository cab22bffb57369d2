"""Where a text that is being typed ends: in which call, at which argument, inside quotes or not."""

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
      (?P<comment> \#[^\n]* )
    | (?P<text> "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
    | (?P<open_text> ["'].* )
    | (?P<name> [A-Za-z_][A-Za-z_0-9]* )
    | (?P<number> \d+ )
    | (?P<mark> . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Typed:
    """`call` is the command in whose parentheses the text ends, `arguments` those before this one, as they are written.

    `word` is what was begun: a name, or, where `quoted`, the characters behind the quote. `is_whole`: no parenthesis
    and no quote is open.
    """

    call: str | None
    arguments: tuple[str, ...]
    word: str
    quoted: bool
    is_whole: bool

    @property
    def index(self) -> int:
        return len(self.arguments)


@dataclass(slots=True)
class _Call:
    name: str
    arguments: list[str]
    current: str = ""


def typed(text: str) -> Typed:
    """Reads the text as far as it goes; whatever it is, something is said of it."""
    open_calls: list[_Call] = []
    kind, last = "mark", ""
    for token in _TOKEN.finditer(text):
        before, kind, last = last, str(token.lastgroup), token[0]
        if kind == "mark" and last.isspace():
            last = before if text[token.end() :].strip() else ""
            continue
        if kind == "mark" and last == "(":
            open_calls.append(_Call(before, []))
        elif kind == "mark" and last == ")" and open_calls:
            closed = open_calls.pop()
            if open_calls:
                open_calls[-1].current += f"{', '.join([*closed.arguments, closed.current])})"
        elif kind == "mark" and last == "," and open_calls:
            open_calls[-1].arguments.append(open_calls[-1].current)
            open_calls[-1].current = ""
        elif kind == "mark" and last == ";":
            open_calls.clear()
        elif open_calls and kind != "comment":
            open_calls[-1].current += last
    quoted = kind == "open_text"
    word = last[1:] if quoted else last if kind == "name" else ""
    call = open_calls[-1] if open_calls else None
    return Typed(
        call=None if call is None else call.name,
        arguments=() if call is None else tuple(call.arguments),
        word=word,
        quoted=quoted,
        is_whole=not quoted and call is None,
    )
