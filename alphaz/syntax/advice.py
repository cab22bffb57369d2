"""The advice of a function that recognises a mistake."""

from dataclasses import dataclass

from alphaz.diagnostics import Label, Rule, Span
from alphaz.diagnostics.rules import SYNTAX
from alphaz.syntax.situation import Repair


@dataclass(frozen=True, slots=True)
class Advice:
    """The message, the remedy, and the repair with which parsing continues. Its place is the found word, or `span`."""

    message: str
    help: str
    label: str = ""
    repair: Repair | None = None
    rule: Rule = SYNTAX
    span: Span | None = None
    secondary: tuple[Label, ...] = ()
