"""Values of arguments with their places in the script, and their descriptions for users."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from alphaz.diagnostics import Source, Span
from alphaz.mapping.design import Design


class MathValue:
    """A domain or a function of the calculator; `str` of it is its text in the notation of the language."""

    __slots__ = ()


def literal(text: str) -> str:
    """The text in quotes, as a script has it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


SCRIPT_TEXT = "<text>"
PYTHON = "<python>"
"""The source of a call from Python whose own text is not known."""


@dataclass(frozen=True, slots=True)
class ArgumentValue:
    """An argument. `span` is the whole argument. `characters` are the places of the letters of a text, if it is a
    literal.

    A text that is a concatenation, or contains an escape, has no such places."""

    value: object
    span: Span
    characters: Span | None = None

    def text_span(self) -> Span:
        """Returns a span whose text is the value, to be parsed: in the script if it is a literal there, else in a
        separate text."""
        text = str(self.value)
        if self.characters is not None and self.characters.text == text:
            return self.characters
        return Span(Source(f"{SCRIPT_TEXT} at {self.span}", text), 0, len(text))


def from_python(value: object) -> ArgumentValue:
    """Returns an argument of a call from Python: a text is its own source."""
    text = value if isinstance(value, str) else repr(value)
    span = Span(Source(SCRIPT_TEXT, text), 0, len(text))
    return ArgumentValue(value, span, span)


OTHER = "a value of another kind"


@runtime_checkable
class Named(Protocol):
    """A value with a description: `a domain`."""

    @property
    def noun(self) -> str: ...


def description(value: object) -> str:
    """Returns a description of the value: `a domain`, `an empty text`."""
    match value:
        case Design():
            return "a program"
        case str():
            return "a text" if value else "an empty text"
        case bool():
            return "true" if value else "false"
        case int():
            return "a number"
        case None:
            return "no value: the command has no result"
        case Named():
            return value.noun
    return OTHER


def text_of(value: object) -> str:
    """Returns the printed text of a value; its description, if it has none."""
    match value:
        case bool():
            return description(value)
        case int():
            return str(value)
        case None:
            return "nothing"
    return description(value) if type(value).__str__ is object.__str__ else str(value)
