"""Tiling commands: tiled dimensions of a band, packed copies, register tiles and vectors."""

from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.message_words import did_you_mean
from alphaz.diagnostics.rules import ARGUMENT, PRECONDITION, UNKNOWN_TARGET
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import SINGLE, Band, DimensionKind, KindSetting, Packing, RegisterTile, TargetMapping
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.parameter_types import (  # fmt: skip
    CopyTime,
    Dimension,
    DimensionOrder,
    NewName,
    PieceSize,
    Prefix,
    StatementNames,
    SystemName,
    TileOrderName,
    TileSize,
    TileSizes,
    Times,
    VariableNames,
    VectorPrefix,
)

# Names of bands that no script can give: they do not begin with a letter, as those of SINGLE.
_ALL = f"{SINGLE}all"
_DEFAULT = "1:default"


@command(Topic.MAPPING, forms="design system dimension [size] | design system order")
def set_tiling(
    design: Design,
    system: SystemName,
    dimension: Dimension = 0,
    size: TileSize | None = None,
    order: TileOrderName | None = None,
    *,
    call: BoundCall,
) -> Design:
    """Tile a dimension of the dates; consecutive dimensions are tiled together.

    Without a size the size is a parameter of the generated function. With `"omp"`, `"sequential"` or `"recursive"`
    instead of a dimension it is the same as setTilingType.

    Rewrites: the mapping of the system; a later call for a dimension replaces its size.

    Checks: the size is positive. VerifyTargetMapping proves legality for all sizes. Dimension 0 without a size and
    without other tiled dimensions may be meant for all dimensions: where the dates have more than one to tile, that is
    an error of the mapping (AZ415), with both ways to write it.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setTiling(prog, "sums", 0, 16);"""
    if order is not None:
        return _with_order(design, system, order, call)
    mapping = design.mapping(system)
    singles = _singles(mapping)
    named = [band for band in singles if band.name != _ALL]
    sizes = {at: s for band in named for at, s in zip(range(band.start, band.end + 1), band.sizes[0], strict=True)}
    orders = [_order_of(band) for band in singles if _order_of(band) is not DimensionOrder.SEQUENTIAL]
    joined = _bands({**sizes, dimension: size}, next(iter(orders), DimensionOrder.SEQUENTIAL), call.span, singles)
    return _with_bands(design, system, mapping, singles, joined)


def _bands(sizes: dict[int, int | None], order: DimensionOrder, span: Span, before: list[Band]) -> tuple[Band, ...]:
    """One band for each run of dimensions; a band that stays as it was keeps the place of its command."""
    runs: list[list[int]] = []
    for at in sorted(sizes):
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    new_bands = (
        _in_order(
            Band(
                name=f"{SINGLE}{run[0]}",
                prefix=(),
                start=run[0],
                end=run[-1],
                sizes=(tuple(sizes[at] for at in run),),
                wavefront=(),
                span=span,
            ),
            order,
        )
        for run in runs
    )
    return tuple(next((old for old in before if replace(old, span=span) == band), band) for band in new_bands)


@command(Topic.MAPPING)
def set_tiling_type(design: Design, system: SystemName, order: TileOrderName, *, call: BoundCall) -> Design:
    """Set the order of the tiles of setTiling: sequential, in wavefronts (`"omp"`), or recursive.

    The tiles of one wavefront run in parallel.

    Rewrites: the mapping of the system.

    Recursive tiles are cache-oblivious: the box of all tiles is halved along its longest side, each half in turn, until
    one tile is left, so that some box fits into each cache. The outermost box is cut into up to 16 blocks along each
    side; blocks run in parallel wavefronts, and blocks that differ only in parallel dimensions run all at once. They
    may not have reduction dimensions.

    If no dimension is tiled yet, all are tiled, with sizes that are parameters, until setTiling selects some.

    Checks: some dimension is tiled, or some space-time map determines their number.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setTiling(prog, "sums", 0, 16);
        setTilingType(prog, "sums", "omp");"""
    return _with_order(design, system, order, call)


@command(Topic.MAPPING, forms="design system band [levels] [prefix] start end [sizes]")
def set_band_for_tiling(
    design: Design,
    system: SystemName,
    band: NewName,
    start: Dimension,
    end: Dimension,
    levels: Times | None = None,
    prefix: Prefix = (),
    sizes: TileSizes | None = None,
    *,
    call: BoundCall,
) -> Design:
    """Tile the dimensions from `start` to `end` together, at one or several levels, each with its own sizes.

    The dimensions are counted after the ordering prefix, and only statements with that prefix are tiled: every nest may
    have its own tiles. Sizes are given level by level, the outermost first, as in `"256,0; 16,8"`; 0 leaves a dimension
    untiled at that level. Without them, sizes are parameters.

    Rewrites: the mapping of the system; a later band of the same name replaces an earlier one.

    Checks: the bounds are in order, and each level has a size for each dimension. VerifyTargetMapping proves legality
    for all sizes.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setBandForTiling(prog, "sums", "rows", 0, 0, "64; 16");"""
    _check_order(start, end, call)
    width = end - start + 1
    if sizes is not None and (levels not in (None, len(sizes)) or any(len(level) != width for level in sizes)):
        raise Rejected(_other_sizes(width, levels, call.at("sizes")))
    band_sizes = sizes if sizes is not None else ((None,) * width,) * (levels or 1)
    new_band = Band(name=band, prefix=prefix, start=start, end=end, sizes=band_sizes, span=call.span)
    mapping = design.mapping(system)
    return _with_bands(design, system, mapping, [b for b in mapping.tiling if b.name == band], (new_band,))


@command(Topic.MAPPING, forms="design system band level [start+end] order")
def set_sub_tiling_within_band(
    design: Design,
    system: SystemName,
    band: NewName,
    level: Dimension,
    order: TileOrderName,
    start: Dimension | None = None,
    end: Dimension | None = None,
    *,
    call: BoundCall,
) -> Design:
    """Set the order of the tiles of one level of a band: sequential, in wavefronts, or recursive.

    The orders are those of setTilingType.

    Levels are counted from 1, outermost first, as in the names of the tile sizes (`ts1_l1`). A script that uses level 0
    of a band counts its levels from 0. With `start` and `end` the order applies to these dimensions of the band alone,
    counted as in setBandForTiling: in a band 0..2, `1, 2, "openmp"` runs the tiles of dimension 0 in sequence, and for
    each of them the wavefronts of the other two.

    Rewrites: the band.

    Checks: the band exists, and has that level and these dimensions; recursive tiles are those of the whole level.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setBandForTiling(prog, "sums", "rows", 0, 0);
        setSubTilingWithinBand(prog, "sums", "rows", 1, "openmp");"""
    mapping = design.mapping(system)
    outer_band = next((band_ for band_ in mapping.tiling if band_.name == band), None)
    if outer_band is None:
        raise Rejected(_no_band(band, mapping, call.at("band")))
    if start is None or end is None:
        start, end = outer_band.start, outer_band.end
    if not outer_band.start <= start <= end <= outer_band.end:
        message = f"band `{band}` is {outer_band.start}..{outer_band.end}, and has no part {start}..{end}"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(call.at("start")), (Label(outer_band.span, "made here"),)))
    if order is DimensionOrder.RECURSIVE and (start, end) != (outer_band.start, outer_band.end):
        message = f"recursive tiles are those of the whole band `{band}`, {outer_band.start}..{outer_band.end}"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(call.at("start")), (Label(outer_band.span, "made here"),)))
    counted = _counted_from_0(outer_band) if level == 0 else outer_band
    at = level - counted.first_level
    if at >= len(outer_band.sizes):
        levels = "1 level" if len(outer_band.sizes) == 1 else f"{len(outer_band.sizes)} levels"
        message = f"band `{band}` has {levels} of tiles, counted from {counted.first_level}"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(call.at("level")), (Label(outer_band.span, "made here"),)))
    orders = dict.fromkeys(range(start, end + 1), order is DimensionOrder.WAVEFRONT)
    waves = [list(wave) for wave in counted.wavefront] or [[False] * len(size) for size in counted.sizes]
    waves[at] = [orders.get(dimension, before) for dimension, before in enumerate(waves[at], outer_band.start)]
    halved = counted.recursive | {at} if order is DimensionOrder.RECURSIVE else counted.recursive - {at}
    new_band = replace(counted, wavefront=tuple(map(tuple, waves)), recursive=halved, span=call.span)
    return _with_bands(design, system, mapping, [outer_band], (new_band,))


@command(Topic.MAPPING, name="setDefaultDTilerConfiguration", forms="design system [start+end] order")
def set_default_dtiler_configuration(
    design: Design,
    system: SystemName,
    order: TileOrderName,
    start: Dimension | None = None,
    end: Dimension | None = None,
    *,
    call: BoundCall,
) -> Design:
    """Tile the dimensions from `start` to `end` (default: all) together, with sizes that are parameters.

    Rewrites: the mapping of the system; a later call replaces an earlier one.

    Checks: the bounds are in order; without bounds, some space-time map determines the number of dimensions.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setDefaultDTilerConfiguration(prog, "sums", "sequential");"""
    mapping = design.mapping(system)
    if start is None or end is None:
        start, end = 0, _length(mapping, call) - 1
    _check_order(start, end, call)
    new_band = _of_parameters(_DEFAULT, start, end, order, call.span)
    return _with_bands(design, system, mapping, [b for b in mapping.tiling if b.name == _DEFAULT], (new_band,))


@command(Topic.SCHEDULE, name="DTiler", forms="design [system] [order]")
def dtiler(
    design: Design,
    system: SystemName | None = None,
    order: TileOrderName = DimensionOrder.SEQUENTIAL,
    *,
    call: BoundCall,
) -> Design:
    """Tile all dimensions together, with sizes that are parameters: of one system, or of each that has dates.

    Rewrites: as setDefaultDTilerConfiguration; a tiled system is unchanged, unless it is named.

    Checks: some system has a space-time map. VerifyTargetMapping proves legality for all sizes.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        DTiler(prog);"""
    names = [system_name for system_name in design.mapped_systems if _has_dates(design.mapping(system_name))]
    chosen = [name for name in names if not design.mapping(name).tiling] if system is None else [system]
    if system is None and not names:
        message = "without a space-time map of any system, the number of dimensions to tile is unknown"
        raise Rejected(Diagnostic(PRECONDITION, message, Label(call.span), help="set the space-time maps first"))
    for system_name in chosen:
        design = set_default_dtiler_configuration(design, system_name, order, call=call)
    return design


def with_recursive_tiles(design: Design, system: str, call: BoundCall) -> Design:
    """Makes the outermost tiles of every band recursive; without bands it tiles all dimensions."""
    mapping = design.mapping(system)
    if not mapping.tiling:
        return _with_order(design, system, DimensionOrder.RECURSIVE, call)
    bands = tuple(replace(band, recursive=band.recursive | {0}) for band in mapping.tiling)
    return design.with_mapping(system, replace(mapping, tiling=bands))


def _has_dates(mapping: TargetMapping) -> bool:
    return any(entry.function.outputs for entry in mapping.space_time)


def _counted_from_0(band: Band) -> Band:
    """The band with levels counted from 0: its earlier orders move one level further in."""
    if band.first_level == 0:
        return band
    sequential = (False,) * (band.end - band.start + 1)
    waves = (sequential, *band.wavefront[:-1]) if band.wavefront else ()
    halved = frozenset(at + 1 for at in band.recursive if at + 1 < len(band.sizes))
    return replace(band, wavefront=waves, recursive=halved, first_level=0)


def _with_order(design: Design, system: str, order: DimensionOrder, call: BoundCall) -> Design:
    mapping = design.mapping(system)
    singles = _singles(mapping)
    new_bands = tuple(_in_order(band, order) for band in singles)
    if not mapping.tiling:
        new_bands = (_of_parameters(_ALL, 0, _length(mapping, call) - 1, order, call.span),)
    elif not singles:
        message = "there are no tiles of setTiling to be put in order"
        remedy = "setSubTilingWithinBand puts those of a band in order"
        raise Rejected(Diagnostic(PRECONDITION, message, Label(call.span), help=remedy))
    return _with_bands(design, system, mapping, singles, new_bands)


def _singles(mapping: TargetMapping) -> list[Band]:
    """The bands made by setTiling."""
    return [band for band in mapping.tiling if band.name.startswith(SINGLE)]


def _of_parameters(name: str, start: int, end: int, order: DimensionOrder, span: Span) -> Band:
    """One level of tiles, whose sizes are parameters."""
    return _in_order(
        Band(name=name, prefix=(), start=start, end=end, sizes=((None,) * (end - start + 1),), wavefront=(), span=span),
        order,
    )


def _in_order(band: Band, order: DimensionOrder) -> Band:
    """The band with its one level of tiles in this order."""
    waves = (order is DimensionOrder.WAVEFRONT,) * (band.end - band.start + 1)
    halved = frozenset({0} if order is DimensionOrder.RECURSIVE else ())
    return replace(band, wavefront=(waves,), recursive=halved)


def _order_of(band: Band) -> DimensionOrder:
    """The order of its outermost level."""
    if 0 in band.recursive:
        return DimensionOrder.RECURSIVE
    return DimensionOrder.WAVEFRONT if any(map(any, band.wavefront)) else DimensionOrder.SEQUENTIAL


def _with_bands(design: Design, system: str, mapping: TargetMapping, gone: list[Band], new: tuple[Band, ...]) -> Design:
    others = tuple(band for band in mapping.tiling if not any(band is band_ for band_ in gone))
    return design.with_mapping(system, replace(mapping, tiling=(*others, *new)))


def _check_order(start: int, end: int, call: BoundCall) -> None:
    if start > end:
        message = f"the band would end (at dimension {end}) before it starts (at {start})"
        raise Rejected(Diagnostic(ARGUMENT, message, Label(call.at("end"))))


def _other_sizes(dimensions: int, levels: int | None, span: Span) -> Diagnostic:
    sizes_text = "; ".join([",".join(["16"] * dimensions)] * (levels or 1))
    counted = f"{dimensions} dimension{'' if dimensions == 1 else 's'}"
    at = f" at {levels} levels" if levels is not None and levels > 1 else ""
    return Diagnostic(ARGUMENT, f"these are not the sizes of {counted}{at}", Label(span), help=f'as in "{sizes_text}"')


def _length(mapping: TargetMapping, call: BoundCall) -> int:
    lengths = [len(entry.function.outputs) for entry in mapping.space_time]
    if not lengths or not max(lengths):
        message = "without a space-time map, the number of dimensions to tile is unknown"
        help_ = "set the space-time maps first, or give the first and the last dimension"
        raise Rejected(Diagnostic(PRECONDITION, message, Label(call.span), help=help_))
    return max(lengths)


def _no_band(band: str, mapping: TargetMapping, span: Span) -> Diagnostic:
    names = [
        band_.name for band_ in mapping.tiling if band_.name not in (_DEFAULT,) and not band_.name.startswith(SINGLE)
    ]
    help_ = did_you_mean(band, names) or "setBandForTiling makes one"
    return Diagnostic(UNKNOWN_TARGET, f"there is no band `{band}`", Label(span), help=help_)


@command(
    Topic.MAPPING, forms="design system statements variables [dimension] | design system statements variables time"
)
def set_packing(
    design: Design,
    system: SystemName,
    statements: StatementNames,
    variables: VariableNames,
    dimension: Dimension | None = None,
    time: CopyTime = False,
    *,
    call: BoundCall,
) -> Design:
    """Let the tiles of statements read variables from a buffer, to which each tile copies the values that it reads.

    The buffer is filled in the loop over the innermost tiles of `dimension` (counted from 0, including ordering
    dimensions) or, without it, of the last tiled dimension that the read depends on. Its values are in the order in
    which register tiles read them, aligned to 64 bytes; each thread has private buffers, and all threads together fill
    the buffers outside parallel loops. Reads at different points get a buffer each. If all its reads are packed, a
    partial register tile is executed like a full one, and the results outside are discarded.

    For a GPU a buffer is in the shared memory of a block, whose threads fill it together; they wait for each other
    before and after. It has a constant size, and 48 KiB are for all buffers of a kernel.

    With "final", for values that the same nest computes, such as the rows of a factorisation: in tiles of known sizes
    that are proved to write none of the values, the innermost tiles fill the buffers; all other tiles read memory. So
    do all tiles where there is no such proof, on a GPU, and in recursive tiles.

    Rewrites: the mapping of the system; a later call for the same statement and variable replaces an earlier one.

    Checks: with the whole mapping (AZ413, P), unless "final": no operation of a tile writes the copied values, for all
    parameters.

    Example:
        setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k)");
        setTiling(prog, "sums", 0, 16);
        setTiling(prog, "sums", 1, 16);
        setPacking(prog, "sums", "C", "A");"""
    mapping = design.mapping(system)
    packings = tuple(Packing(s, v, dimension, is_final=time, span=call.span) for s in statements for v in variables)
    new = {(p.statement, p.variable) for p in packings}
    others = tuple(p for p in mapping.packing if (p.statement, p.variable) not in new)
    return design.with_mapping(system, replace(mapping, packing=(*others, *packings)))


@command(Topic.MAPPING, forms="design system [prefix] dimension size [time]")
def set_register_tile(
    design: Design,
    system: SystemName,
    dimension: Dimension,
    size: PieceSize,
    prefix: Prefix = (),
    time: CopyTime = False,
    *,
    call: BoundCall,
) -> Design:
    """Execute `size` iterations of a dimension at once (unroll and jam), with accumulators in registers.

    The sizes of all given dimensions make the innermost tiles, from the first of these dimensions to the last dimension
    of the dates; the loops of the other dimensions stand between the tiles and their points. If the innermost side runs
    along memory, it is vectorised. In each tile an accumulation begins with the identity of its operator, and is
    combined with its result after the tile. If the loop in between is a vector dimension without a size, each of its
    iterations executes all points of a side: several rows at once, each with its own sum. A tile with operations of
    several statements is executed point by point: ordering dimensions separate their nests. What is not in whole tiles
    (triangles, borders) has its loop along memory innermost, if the iterations of that loop are independent. A tile has
    at most 4096 points. The dimension is counted after the ordering prefix.

    With "auto" the tile fills the registers of the machine (`alphaz machine`): two vectors along memory, and as many
    rows of them as leave a quarter of the registers; three vectors and eight rows with 32 registers, if the tiles
    around are multiples of that; size 1 in other dimensions.

    Of a dimension in setThreadDimensions, each thread computes so many values at once: every n-th value of a tile, for
    n threads. The tile has at most n times `size` values.

    With "final" the size is that of register tiles whose statement reads buffers of final values (setPacking with
    "final"), if nothing else is executed in the tiles that fill these buffers, and the mapping is proved for all sizes
    of tiles. The dimension has another register tile, without "final", for all other tiles.

    Rewrites: the mapping of the system; a later call for a dimension replaces its size.

    Checks: enclosing tiles are multiples of the register tile. VerifyTargetMapping proves legality as for tiling: for
    all sizes or, if that fails and no size is a parameter, for the given or chosen sizes.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setRegisterTile(prog, "sums", 0, 4);"""
    chosen = call.reader.vectors() if size is None else size
    return _with_tile(design, system, RegisterTile(prefix, dimension, chosen, call.span, is_final=time))


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
    others = tuple(other for other in mapping.registers if other.place != tile.place)
    return design.with_mapping(system, replace(mapping, registers=(*others, tile)))
