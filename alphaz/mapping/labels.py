"""The names of statements in a mapping: variables, and use equations by label."""

from alphaz.analysis.facts.dependences import call_label
from alphaz.model.program import System, UseEquation


def labelled_uses(system: System) -> dict[str, UseEquation]:
    """Returns the use equations of a system by label, `UseEquation_<first output>`, in the order of the text."""
    return {call_label(e): e for e in system.equations if isinstance(e, UseEquation)}


def statement_names(system: System) -> tuple[str, ...]:
    """Returns the variables, then the labels."""
    return (*(v.name for v in system.variables), *labelled_uses(system))
