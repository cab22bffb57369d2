"""A program that has passed every check, with what was found out about it on the way."""

from dataclasses import dataclass, field

from alphaz.analysis.checks.parts import EquationParts
from alphaz.diagnostics import Diagnostic
from alphaz.model.facts import Facts
from alphaz.model.program import Program


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """Only `analysis.check` makes one. `warnings` never holds an error; `parts` is for checking what is made of it."""

    program: Program
    facts: Facts
    warnings: tuple[Diagnostic, ...]
    parts: EquationParts = field(repr=False)
