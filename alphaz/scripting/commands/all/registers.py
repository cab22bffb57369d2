"""Commands for the innermost loops: register tiles and vectors."""

from dataclasses import replace

from alphaz.mapping.design import Design
from alphaz.mapping.target import DimensionKind, KindSetting, RegisterTile
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.arguments import Dimension, PieceSize, Prefix, SystemName, TileSize, VectorPrefix


@command(Topic.MAPPING, forms="design system [prefix] dimension size")
def set_register_tile(
    design: Design, system: SystemName, dimension: Dimension, size: PieceSize, prefix: Prefix = (), *, call: BoundCall
) -> Design:
    """Execute `size` iterations of a dimension at once (unroll and jam), with accumulators in registers.

    The sizes of all given dimensions make the innermost tiles, from the first of these dimensions to the last dimension
    of the dates; the loops of the other dimensions stand between the tiles and their points. If the innermost side runs
    along memory, it is vectorised. In each tile an accumulation begins with the identity of its operator, and is
    combined with its result after the tile. If the loop in between is a vector dimension without a size, each of its
    iterations executes all points of a side: several rows at once, each with its own sum. A tile with operations of
    several statements is executed point by point: ordering dimensions separate their nests. A tile has at most 4096
    points. The dimension is counted after the ordering prefix.

    With "auto" the tile fills the registers of the machine (`alphaz machine`): two vectors along memory, and as many
    rows of them as leave a quarter of the registers; size 1 in other dimensions.

    Rewrites: the mapping of the system; a later call for a dimension replaces its size.

    Checks: enclosing tiles are multiples of the register tile. VerifyTargetMapping proves legality as for tiling: for
    all sizes or, if that fails and no size is a parameter, for the given or chosen sizes.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setRegisterTile(prog, "sums", 0, 4);"""
    chosen = call.reader.vectors() if size is None else size
    return _with_tile(design, system, RegisterTile(prefix, dimension, chosen, call.span))


@command(Topic.MAPPING, forms="design system prefix dimension [size]")
def set_vector_dimension(
    design: Design,
    system: SystemName,
    prefix: VectorPrefix,
    dimension: Dimension,
    size: TileSize | None = None,
    *,
    call: BoundCall,
) -> Design:
    """Vectorise a dimension, for the statements whose dates begin with an ordering prefix.

    Operations whose dates differ first in the dimension are unordered, as in a parallel dimension; contributions to one
    result need no order either: each lane of a vector accumulates its own, and they are combined after the innermost
    loop. (Rounding then differs from that of the equation; the operator is assumed to be associative and commutative.)
    Threads do not share the dimension, and its tiles are sequential. The innermost loops of the dimension get `omp
    simd`, with a reduction clause if they accumulate; a loop that accumulates by an external function stays sequential.
    With a size, the dimension is strip-mined by it, and the inner loop becomes the innermost one, as with
    setRegisterTile; without a size, the dimension must be the last one. The dimension is counted after the prefix.

    Rewrites: the mapping of the system.

    Checks: the dimension is checked with the whole mapping: one that carries a dependence is refuted.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i,0)");
        setSpaceTimeMap(prog, "sums", "C", "(i,k->1,i,k)");
        setOrderingDimensions(prog, "sums", 0);
        setVectorDimension(prog, "sums", "1", 1);"""
    mapping = design.mapping(system)
    setting = KindSetting(None, prefix, (dimension,), DimensionKind.VECTOR, span=call.span)
    design = design.with_mapping(system, replace(mapping, kinds=(*mapping.kinds, setting)))
    return design if size is None else _with_tile(design, system, RegisterTile(prefix, dimension, size, call.span))


def _with_tile(design: Design, system: str, tile: RegisterTile) -> Design:
    """Replaces the register tile of the same dimension."""
    mapping = design.mapping(system)
    kept = tuple(t for t in mapping.registers if (t.prefix, t.dimension) != (tile.prefix, tile.dimension))
    return design.with_mapping(system, replace(mapping, registers=(*kept, tile)))
