"""The document of each rule: `docs/rules/<code>.md`, with a program that fires it and one that does not."""

from alphaz.diagnostics.rules import RULES
from alphaz.resources import resource


def codes() -> list[str]:
    """Every code, in order."""
    return sorted(RULES)


def document(code: str) -> str:
    """The Markdown text for `code` (in either case). Raises KeyError when no rule has that code."""
    return resource("docs/rules", f"{RULES[code.upper()].code}.md")
