"""Advice for proved mappings: variables for which fewer cells, by a power of the parameters, are enough."""

from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import MEMORY_TO_SPARE
from alphaz.legality.options import Options
from alphaz.mapping.design import Design
from alphaz.poly import Unbounded
from alphaz.search.memory.count import CellCount, total
from alphaz.search.memory.placement import Placement, given_map
from alphaz.search.memory.proposal import MemoryProposal, Request, propose
from alphaz.search.memory.sizes import degree
from alphaz.search.memory.text import command

# Seconds for the searches of one system.
_SECONDS = 1.0


def memory_advice(design: Design, system: str, options: Options) -> tuple[Diagnostic, ...]:
    """Returns a note with smaller maps for a proved mapping; empty if its cells are few enough."""
    stated = design.mapping(system)
    bare = design.with_mapping(system, replace(stated, memory=()))
    found = propose(bare, system, Request(seconds=_SECONDS, options=options))
    if not isinstance(found, MemoryProposal):
        return ()
    the_system = design.system(system)
    placement = Placement(tuple(given_map(variable, stated) for variable in the_system.variables))
    now, then = found.prices.bill(placement), found.prices.bill(found.placement)
    if now is None or then is None or degree(then.cells) >= degree(now.cells):
        return ()
    try:
        needed, enough = total(found.prices, placement), total(found.prices, found.placement)
    except Unbounded:
        return ()
    return (_note(found, needed, enough, design),)


def _note(found: MemoryProposal, needed: CellCount, enough: CellCount, design: Design) -> Diagnostic:
    stated = design.mapping(found.system)
    lines = [f"  {command('prog', found.system, entry, stated)}" for entry in found.entries]
    only = f", for {found.report.scope}" if found.report.scope else ""
    help_ = "\n".join((f"these memory maps, in place of all others, are proved{only}:", *lines))
    span = next((e.span for e in stated.memory), None) or next((e.span for e in stated.space_time), None)
    message = f"{found.system} has {needed} cells besides the arrays of its caller, and {enough} are enough"
    return Diagnostic(MEMORY_TO_SPARE, message, Label(span or design.system(found.system).span), help=help_)
