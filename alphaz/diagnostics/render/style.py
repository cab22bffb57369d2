"""Colours of the text renderer. The caller decides whether to use them (terminal, NO_COLOR, FORCE_COLOR)."""

from dataclasses import dataclass

from alphaz.diagnostics.diagnostic import Severity

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
