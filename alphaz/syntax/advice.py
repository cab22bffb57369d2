"""What a function that knows a mistake has to say of it."""

from dataclasses import dataclass

from alphaz.diagnostics import Label, Rule, Span
from alphaz.diagnostics.rules import SYNTAX
from alphaz.syntax.situation import Repair


@dataclass(frozen=True, slots=True)
class Advice:
    """The sentence, the remedy, and the repair with which reading goes on. Its place is the found word, or `span`."""

    message: str
    help: str
    label: str = ""
    repair: Repair | None = None
    rule: Rule = SYNTAX
    span: Span | None = None
    secondary: tuple[Label, ...] = ()
