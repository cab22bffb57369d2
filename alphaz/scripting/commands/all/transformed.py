"""What a transformation gives: the new design, and the warnings about what was dropped from the mapping."""

from dataclasses import replace

from alphaz.mapping.design import Design
from alphaz.scripting.commands.outcome import Outcome


def transformed(design: Design, printed: str = "") -> Outcome:
    """With the warnings about what was dropped from the mapping, which are said once."""
    return Outcome(replace(design, dropped=()), printed=printed, findings=design.dropped)
