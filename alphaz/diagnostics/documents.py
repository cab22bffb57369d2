"""Reads the document of a rule, `docs/rules/<code>.md`: purpose, consequence, wrong and right example, remedy."""

from alphaz.diagnostics.rules import FORMER_CODES, RULES
from alphaz.resources import resource


def codes() -> list[str]:
    """Returns every code, in order."""
    return sorted(RULES)


def document(code: str) -> str:
    """Returns the Markdown text for `code`, present or former, in either case. Raises KeyError for other codes."""
    present = FORMER_CODES.get(code.upper(), code.upper())
    return resource("docs/rules", f"{RULES[present].code}.md")
