"""Commands about how the innermost loops use registers."""

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
    """Do `size` values of a dimension at once (unroll and jam), with what they accumulate in registers.

    The pieces of all dimensions that are given make the innermost tiles, from the first of these dimensions to the last
    dimension of the dates; the loops of the other dimensions stand between the tiles and the points in them. Where the
    innermost piece is made of neighbours in memory, it is done in vectors. In each tile an accumulation begins with
    the identity of its operator, and is combined with its results behind it. Where the loop in between is that of a
    vector dimension without a size, each of its iterations does all points of a piece: several rows at once, each with
    a sum of its own. A tile in which several statements have operations is done point by point: ordering dimensions
    keep their nests apart. A tile has at most 4096 points. The dimension is counted from behind the ordering prefix.

    With "auto" a piece has as many values as fill the registers of the machine (`alphaz machine`): two vectors along
    neighbours in memory, and as many rows of them as leave a quarter of the registers; one value for other dimensions.

    Rewrites: the mapping of the system; a dimension that has a piece already gets the new size.

    Checks: tiles around are multiples of the pieces. Legality is that of tiling, proved by
    VerifyTargetMapping: for all sizes or, where that is not so and no size is a parameter, for those given or chosen.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setRegisterTile(prog, "sums", 0, 4);
    """
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
    """Do the values of a dimension in vectors, for the statements whose dates begin with an ordering prefix.

    What differs first in the dimension is unordered, as if it were parallel; contributions to one result need no order
    either: each lane of a vector collects its own, and they are added up behind the innermost loop. (Rounding is then
    not that of the equation; the operator is taken to be associative and commutative.) Threads do not share the
    dimension, and its tiles are in sequence. The innermost loops of the dimension get `omp simd`, those that accumulate
    with a reduction clause; a loop that accumulates by a function of your own stays in sequence. With a size, the
    dimension is cut into pieces of so many values, whose loop is the innermost one, as setRegisterTile does; without
    one, put the dimension last. It is counted from behind the prefix.

    Rewrites: the mapping of the system.

    Checks: the dimension is checked with the whole mapping: one that carries a dependence is refuted.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i,0)");
        setSpaceTimeMap(prog, "sums", "C", "(i,k->1,i,k)");
        setOrderingDimensions(prog, "sums", 0);
        setVectorDimension(prog, "sums", "1", 1);
    """
    mapping = design.mapping(system)
    setting = KindSetting(None, prefix, (dimension,), DimensionKind.VECTOR, span=call.span)
    design = design.with_mapping(system, replace(mapping, kinds=(*mapping.kinds, setting)))
    return design if size is None else _with_tile(design, system, RegisterTile(prefix, dimension, size, call.span))


def _with_tile(design: Design, system: str, tile: RegisterTile) -> Design:
    """In the place of one of the same dimension."""
    mapping = design.mapping(system)
    kept = tuple(t for t in mapping.registers if (t.prefix, t.dimension) != (tile.prefix, tile.dimension))
    return design.with_mapping(system, replace(mapping, registers=(*kept, tile)))
