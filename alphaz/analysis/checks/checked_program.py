"""A program that has passed every check, with the facts computed by the checks."""

from dataclasses import dataclass, field

from alphaz.analysis.checks.equation_checks import EquationParts
from alphaz.diagnostics import Diagnostic
from alphaz.model.expression import Facts
from alphaz.model.program import Program


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """A checked program; only `analysis.check` makes one. `warnings` never holds an error; `parts` is used to check
    derived programs."""

    program: Program
    facts: Facts
    warnings: tuple[Diagnostic, ...]
    parts: EquationParts = field(repr=False)
