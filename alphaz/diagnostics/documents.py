"""Reads the document of a rule, `docs/rules/<code>.md`: purpose, consequence, wrong and right example, remedy."""

from alphaz.diagnostics.rules import RULES
from alphaz.resources import resource


def codes() -> list[str]:
    """Returns every code, in order."""
    return sorted(RULES)


def document(code: str) -> str:
    """Returns the Markdown text for `code` (in either case). Raises KeyError when no rule has that code."""
    return resource("docs/rules", f"{RULES[code.upper()].code}.md")
