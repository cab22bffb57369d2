"""Source -> checked program: parse, elaborate, check."""

from dataclasses import replace

from alphaz.analysis.checks.check import Examined, accept, examine
from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.elaborate.programs import elaborate_partly
from alphaz.diagnostics import Diagnostic, Source, Span
from alphaz.diagnostics.rules import INPUT_EQUATION, UNDECLARED
from alphaz.diagnostics.work_limits import working_at
from alphaz.syntax.partial_programs import Salvaged, salvage_program


def read_program(source: Source) -> Checked:
    """Returns the program of a text. Raises Rejected with every error, in source order: those of the syntax, and those
    of names, types and domains in the parts that could be parsed."""
    return accept(examine_program(source))


def examine_program(source: Source) -> Examined:
    """Returns the correct parts of the program of a text, with all findings, errors included, in source order."""
    start = Span(source, 0, 0)
    with working_at(start, "whether the syntax of the program is correct"):
        salvaged = salvage_program(source)
    with working_at(start, "whether the names of the program are declared"):
        elaborated = elaborate_partly(salvaged.text, source)
    with working_at(start, "whether the equations of the program are right"):
        earlier = (*salvaged.findings, *elaborated.diagnostics)
        examined = examine(elaborated.program, elaborated.complete_systems - salvaged.damaged, earlier)
    diagnostics = tuple(d for d in examined.diagnostics if not _follows(d, salvaged))
    return replace(examined, diagnostics=diagnostics)


def _follows(finding: Diagnostic, salvaged: Salvaged) -> bool:
    """Returns True if the finding may be a consequence of an unparsed part: a declaration, or the head of a section.

    A misspelt name has a similar name; for names as short as `u1` similarity means nothing."""
    if finding.rule == INPUT_EQUATION:
        return bool(salvaged.damaged)
    if finding.rule != UNDECLARED:
        return False
    name = finding.primary.span.text.removeprefix("^")
    is_misspelt = finding.help is not None and len(name) > 2
    # Two words may have run together.
    may_be_lost = any(name == word or (len(name) > 1 and name in word) for word in salvaged.lost)
    return may_be_lost or not (salvaged.is_certain or is_misspelt)
