"""A program that has passed every check, with what was found out about it on the way."""

from dataclasses import dataclass

from alphaz.diagnostics import Diagnostic
from alphaz.model.facts import Facts
from alphaz.model.program import Program


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """Only `analysis.check` makes one. `warnings` never holds an error."""

    program: Program
    facts: Facts
    warnings: tuple[Diagnostic, ...] = ()
