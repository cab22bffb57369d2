"""What a transformation gives: the new design, and the warnings about what was dropped from the mapping."""

from alphaz.commands.outcome import Outcome
from alphaz.mapping.design import Design
from alphaz.transform.rewrite import drops


def transformed(design: Design) -> Outcome:
    """With the warnings about what was dropped from the mapping."""
    return Outcome(design, findings=drops(design))
