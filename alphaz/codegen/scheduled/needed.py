"""Restricts a mapping to the operations that outputs need: an unneeded value never stops an execution."""

from dataclasses import replace

from alphaz.analysis.facts.dependences import operation
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.model.interpreter.order import unneeded
from alphaz.model.program import defined_by


def needed_operations(mapping: ResolvedMapping) -> ResolvedMapping:
    """Returns the same mapping for the variables and the calls that outputs need, directly or through others."""
    gone = unneeded(mapping.system)
    if not gone:
        return mapping
    without = gone | {operation(e) for e in mapping.system.equations if gone.issuperset(defined_by(e))}
    statements = tuple(s for s in mapping.statements if s.variable not in without)
    names = {statement.name for statement in statements}
    return replace(
        mapping,
        statements=statements,
        before=frozenset(pair for pair in mapping.before if names.issuperset(pair)),
        uses=tuple(use for use in mapping.uses if use.label in names),
        packed=tuple(each for each in mapping.packed if each.statement.name in names),
    )
