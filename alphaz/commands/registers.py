"""Commands about how the innermost loops use registers."""

from dataclasses import replace

from alphaz.commands.arguments import Dimension, Prefix, SystemName, TileSize
from alphaz.commands.call import Call
from alphaz.commands.declaration import Topic
from alphaz.commands.registry import command
from alphaz.mapping.design import Design
from alphaz.mapping.target import RegisterTile


@command(Topic.MAPPING, forms="design system [prefix] dimension size")
def set_register_tile(
    design: Design, system: SystemName, dimension: Dimension, size: TileSize, prefix: Prefix = (), *, call: Call
) -> Design:
    """Do `size` values of a dimension at once (unroll and jam), with what they accumulate in registers.

    The pieces of all dimensions that are given make the innermost tiles, from the first of these dimensions to the last
    dimension of the dates; the loops of the other dimensions stand between the tiles and the points in them. Where the
    innermost piece is made of neighbours in memory, it is done in vectors. The dimension is counted from behind the
    ordering prefix.

    Rewrites: the mapping of the system; a dimension that has a piece already gets the new size.

    Checks: tiles around are multiples of the pieces. Legality is that of tiling, proved by VerifyTargetMapping.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setRegisterTile(prog, "sums", 0, 4);
    """
    mapping = design.mapping(system)
    kept = tuple(t for t in mapping.registers if (t.prefix, t.dimension) != (prefix, dimension))
    tile = RegisterTile(prefix, dimension, size, call.span)
    return design.with_mapping(system, replace(mapping, registers=(*kept, tile)))
