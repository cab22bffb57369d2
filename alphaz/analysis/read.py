"""Source -> checked program: parse, elaborate, check."""

from alphaz.analysis.check import accept, examine
from alphaz.analysis.checked import Checked
from alphaz.analysis.elaborate import elaborate_partly
from alphaz.diagnostics import Source
from alphaz.syntax.parser import parse_program


def read_program(source: Source) -> Checked:
    """The program of a text. Raises Rejected with every error, in source order: of the syntax, where there is any, else
    of names, types and domains together."""
    elaborated = elaborate_partly(parse_program(source), source)
    return accept(examine(elaborated.program, elaborated.whole, elaborated.diagnostics))
