"""The trials of a program's declared operators, whose modules are loaded for programs that declare one."""

from pathlib import Path

from alphaz.diagnostics import Diagnostic, Rejected
from alphaz.lazy import lazy_import
from alphaz.model.program import Program


def declares_operators(program: Program) -> bool:
    """Returns True if the program gives a function an identity, as operators of reductions need."""
    return any(external.identity is not None for external in program.externals)


def trial_findings(program: Program) -> tuple[Diagnostic, ...]:
    """Returns the findings of trials of the declared operators (AZ317), and errors of the C beside the program that has
    their bodies (AZ803)."""
    if not declares_operators(program):
        return ()
    trials = lazy_import("alphaz.run.operator_trials")
    try:
        findings: tuple[Diagnostic, ...] = trials.operator_findings(program, Path(program.source.name).parent)
    except Rejected as rejected:
        return rejected.diagnostics
    return findings
