"""Packing commands: copies of data that tiles read repeatedly."""

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
    """Let the tiles of statements read variables from a buffer, to which each tile copies the values that it reads.

    The buffer is filled in the loop over the innermost tiles of `dimension` (counted from 0, including ordering
    dimensions) or, without it, of the last tiled dimension that the read depends on. Its values are in the order in
    which register tiles read them, aligned to 64 bytes; each thread has private buffers, and all threads together fill
    the buffers outside parallel loops. Reads at different points get a buffer each. If all its reads are packed, a
    partial register tile is executed like a full one, and the results outside are discarded.

    Rewrites: the mapping of the system; a later call for the same statement and variable replaces an earlier one.

    Checks: with the whole mapping (AZ413, P): no operation of a tile writes the copied values, for all parameters.

    Example:
        setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k)");
        setTiling(prog, "sums", 0, 16);
        setTiling(prog, "sums", 1, 16);
        setPacking(prog, "sums", "C", "A");"""
    mapping = design.mapping(system)
    made = tuple(Packing(s, v, dimension, call.span) for s in statements for v in variables)
    new = {(p.statement, p.variable) for p in made}
    kept = tuple(p for p in mapping.packing if (p.statement, p.variable) not in new)
    return design.with_mapping(system, replace(mapping, packing=(*kept, *made)))
