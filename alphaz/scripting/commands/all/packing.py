"""Commands about copies of what tiles read over and over."""

from dataclasses import replace

from alphaz.mapping.design import Design
from alphaz.mapping.target import Packing
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.arguments import Dimension, StatementNames, SystemName, VariableNames


@command(Topic.MAPPING, forms="design system statements variables [dimension]")
def set_packing(
    design: Design,
    system: SystemName,
    statements: StatementNames,
    variables: VariableNames,
    dimension: Dimension | None = None,
    *,
    call: BoundCall,
) -> Design:
    """Let the tiles of statements read variables from a buffer: what a tile reads is copied to one piece of memory.

    The buffer is filled in the loop over the innermost tiles of `dimension` (counted from 0, whatever the ordering
    prefix) or, without it, of the last dimension with tiles that the read depends on. Values lie in it in the order in
    which register tiles read them, aligned to 64 bytes; each thread has buffers of its own, those outside of parallel
    loops are filled by all threads together. Reads at different points get a buffer each. With all that it reads
    packed, a register tile that is not whole is done like a whole one, and what lies outside is thrown away.

    Rewrites: the mapping of the system; a later call for the same statement and variable replaces an earlier one.

    Checks: with the whole mapping (AZ413, P): nothing in a tile writes what is copied there, for all parameters.

    Example:
        setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k)");
        setTiling(prog, "sums", 0, 16);
        setTiling(prog, "sums", 1, 16);
        setPacking(prog, "sums", "C", "A");
    """
    mapping = design.mapping(system)
    made = tuple(Packing(s, v, dimension, call.span) for s in statements for v in variables)
    new = {(p.statement, p.variable) for p in made}
    kept = tuple(p for p in mapping.packing if (p.statement, p.variable) not in new)
    return design.with_mapping(system, replace(mapping, packing=(*kept, *made)))
