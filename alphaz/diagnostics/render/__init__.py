"""Renderers: each format is a pure function of the same diagnostics. They return text and print nothing."""

from collections.abc import Callable, Sequence

from alphaz.diagnostics.diagnostic import Diagnostic
from alphaz.diagnostics.render.github import to_github
from alphaz.diagnostics.render.json import to_json
from alphaz.diagnostics.render.sarif import to_sarif
from alphaz.diagnostics.render.terminal import summary
from alphaz.diagnostics.render.text import to_text

FORMATS: dict[str, Callable[[Sequence[Diagnostic]], str]] = {
    "text": to_text,
    "json": to_json,
    "github": to_github,
    "sarif": to_sarif,
}
"""Every format by the name under which a user asks for it; the command line takes its choices from here."""

__all__ = ["FORMATS", "summary", "to_github", "to_json", "to_sarif", "to_text"]
