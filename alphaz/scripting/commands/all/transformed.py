"""The outcome of a transformation: the new design, and warnings about dropped parts of the mapping."""

from dataclasses import replace

from alphaz.mapping.design import Design
from alphaz.scripting.commands.outcome import Outcome


def transformed(design: Design, printed: str = "") -> Outcome:
    """Returns the outcome with warnings about dropped parts of the mapping, each once."""
    return Outcome(replace(design, dropped=()), printed=printed, findings=design.dropped)
