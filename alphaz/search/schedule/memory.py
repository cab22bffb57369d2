"""Memory for an otherwise complete mapping: the result of `setProposedMemory`, map by map.

It is the last step: the mapping is optimised for speed first, and memory is minimised under it."""

from collections.abc import Iterator

from alphaz.mapping.design import Design
from alphaz.poly import AffineFunction
from alphaz.search.schedule.emit import function_text
from alphaz.search.schedule.line import Line

MOST = 24
"""Most locals for which memory is proposed."""
PROPOSED = Line("setProposedMemory")


def said_in_full(before: Design, after: Design, system: str, line: Line) -> Iterator[Line]:
    """Yields the line; for the command that finds memory maps, yields each map, so that a script states them."""
    if line.command != PROPOSED.command:
        yield line
        return
    known = set(before.mapping(system).memory)
    for entry in (each for each in after.mapping(system).memory if each not in known):
        space = after.system(system).variable(entry.variable).domain.space
        function = entry.function or AffineFunction.identity(space)
        named = () if entry.space == entry.variable else (entry.space,)
        moduli = (",".join(map(str, entry.moduli)),) if any(entry.moduli) else ()
        yield Line("setMemoryMap", (entry.variable, *named, function_text(function.renamed(space.names)), *moduli))
