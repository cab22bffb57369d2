"""Scheduling commands: space-time maps, kinds of dimensions, the order of statements."""

from dataclasses import replace

from alphaz.analysis.texts.show import domain_shown
from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import ARGUMENT, PRECONDITION
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.mapping.target_mapping import (
    Communication,
    CommunicationChoice,
    DimensionKind,
    DistributedDimension,
    KindSetting,
    LaunchDimension,
    MergeKind,
    Ownership,
    ProcessorShape,
    SpaceTimeMap,
    StatementOrder,
)
from alphaz.model.program import System
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import text_of
from alphaz.scripting.commands.kinds.index_counts import as_date, as_init, body_names, reduction_of
from alphaz.scripting.commands.kinds.parameter_types import (  # fmt: skip
    AffineMap,
    Anything,
    Axes,
    CommunicationName,
    Dimension,
    Dimensions,
    DimensionType,
    Level,
    MergeName,
    Natural,
    OwnershipName,
    ParallelPrefix,
    Prefix,
    ProcessorNumbers,
    ReductionPrefix,
    StatementName,
    StatementNames,
    SystemName,
    TileSize,
)
from alphaz.scripting.commands.outcome import Outcome

# The identities of operators, in the syntax of scripts.
_ZERO, _ONE = ("0", "0.0", "false"), ("1", "1.0", "true")
_IDENTITIES = {"+": _ZERO, "or": _ZERO, "xor": _ZERO, "*": _ONE, "and": _ONE}


@command(Topic.MAPPING, forms="design system [level] variables map_ | design system variables map_ init [value]")
def set_space_time_map(
    design: Design,
    system: SystemName,
    variables: StatementNames,
    map_: AffineMap,
    init: AffineMap | None = None,
    value: Anything | None = None,
    level: Level = 0,
    *,
    call: BoundCall,
) -> Design:
    """Set the dates of the points of variables: the time, and the processor, at which each is computed.

    For a variable that is a reduction, the number of indices decides whether the map is for its result or for its body;
    if both have the same number, it is for the body. A second map is for the initialisation of the results with the
    identity of the operator; a value after it must be that identity.

    A use equation is named by its label, `UseEquation_` and its first output; its map is over the indices of its
    extension domain.

    Rewrites: the mapping of the system; a later map of the same variable replaces an earlier one.

    Checks: the number of indices. VerifyTargetMapping checks that the dates are legal.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->i,0)");
        setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k)");"""
    mapping = design.mapping(system)
    for name in variables:
        if value is not None:
            _require_identity(design.system(system), name, value, call.at("value"))
        function = as_date(design.system(system), name, map_, init is not None)
        first = None if init is None else as_init(design.system(system), name, init)
        mapping = mapping.with_space_time(SpaceTimeMap(name, function, first, span=map_.span))
    return design.with_mapping(system, mapping)


@command(Topic.MAPPING)
def set_dimension_type(
    design: Design,
    system: SystemName,
    variables: StatementNames,
    dimension: Dimension,
    type_: DimensionType,
    *,
    call: BoundCall,
) -> Design:
    """Set the kind of one dimension of the dates of variables.

    A dimension is sequential (S, the default), parallel (P), ordering (O), reduction (R, see setReductionDimension) or
    vector (V, see setVectorDimension).

    Rewrites: the mapping of the system.

    Checks: the name of the kind. VerifyTargetMapping checks dimensions with the whole mapping.

    Example:
        setSpaceTimeMap(prog, "sums", "C", "(i->i)");
        setDimensionType(prog, "sums", "C", 0, "PARALLEL");"""
    added = tuple(KindSetting(name, (), (dimension,), type_, span=call.span) for name in variables)
    return _with_kinds(design, system, *added)


@command(Topic.MAPPING, forms="design system [level] prefix dimensions")
def set_parallel(
    design: Design,
    system: SystemName,
    prefix: ParallelPrefix,
    dimensions: Dimensions,
    level: Level = 0,
    *,
    call: BoundCall,
) -> Design:
    """Make dimensions parallel, for the statements whose dates begin with an ordering prefix (`""`: for all).

    The dimensions are counted after the prefix.

    Rewrites: the mapping of the system.

    Checks: VerifyTargetMapping checks dimensions with the whole mapping.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i)");
        setSpaceTimeMap(prog, "sums", "C", "(i->1,i)");
        setOrderingDimensions(prog, "sums", 0);
        setParallel(prog, "sums", "1", "0");"""
    return _with_kinds(design, system, KindSetting(None, prefix, dimensions, DimensionKind.PARALLEL, span=call.span))


@command(Topic.MAPPING, forms="design system prefix dimensions")
def set_reduction_dimension(
    design: Design, system: SystemName, prefix: ReductionPrefix, dimensions: Dimensions, *, call: BoundCall
) -> Design:
    """Make dimensions parallel, with private accumulators for reductions across them.

    As setParallel, for the statements whose dates begin with the ordering prefix (`""`: for all), but contributions to
    one result that differ first in such a dimension need no order: each thread has a private accumulator, and these are
    merged after the loop of the dimension. Readers must come after that loop. If the indices of the result determine
    the value of the dimension, it is just parallel. The operator of the reduction is assumed to be associative and
    commutative (for an external function the user guarantees this). If the dimension is tiled, threads share the tiles,
    and each tile is vectorised. If it is distributed, ranks combine their contributions at the end of a step.

    Rewrites: the mapping of the system.

    Checks: VerifyTargetMapping checks dimensions with the whole mapping; tiles in wavefronts cannot have reduction
    dimensions.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i,0)");
        setSpaceTimeMap(prog, "sums", "C", "(i,k->1,i,k)");
        setOrderingDimensions(prog, "sums", 0);
        setReductionDimension(prog, "sums", "1", "1");"""
    return _with_kinds(design, system, KindSetting(None, prefix, dimensions, DimensionKind.REDUCTION, span=call.span))


@command(Topic.MAPPING)
def set_chunks(
    design: Design, system: SystemName, prefix: ParallelPrefix, dimension: Dimension, size: TileSize, *, call: BoundCall
) -> Design:
    """Let threads take the iterations of a parallel dimension dynamically, in chunks of `size`.

    Without chunks each thread has an equal number of iterations, some of which may take much longer: of an upper
    triangle the first of two threads has three quarters. If the dimension has tiles or register tiles, a chunk is the
    number of tiles with `size` iterations, at least one. The dimension is counted after the prefix, which is that of
    the command that made it parallel.

    Rewrites: the mapping of the system.

    Checks: an earlier setParallel or setReductionDimension with the same prefix and dimension.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i)");
        setSpaceTimeMap(prog, "sums", "C", "(i->1,i)");
        setOrderingDimensions(prog, "sums", 0);
        setParallel(prog, "sums", "1", 0);
        setChunks(prog, "sums", "1", 0, 16);"""
    stated = [kind for kind in design.mapping(system).kinds if kind.variable is None and kind.prefix == prefix]
    entry_ = next((entry for entry in reversed(stated) if dimension in entry.dimensions), None)
    if entry_ is None or not entry_.kind.is_shared:
        message = f"threads do not share dimension {dimension}, so that it has no chunks"
        remedy = "write setParallel, with the same prefix and dimension, before it"
        raise Rejected(Diagnostic(PRECONDITION, message, Label(call.at("dimension")), help=remedy))
    return _with_kinds(design, system, replace(entry_, dimensions=(dimension,), chunk=size, span=call.span))


@command(Topic.MAPPING, forms="design system prefix dimension ownership [size]")
def set_distributed(
    design: Design,
    system: SystemName,
    prefix: Prefix,
    dimension: Dimension,
    ownership: OwnershipName,
    size: TileSize | None = None,
    *,
    call: BoundCall,
) -> Design:
    """Distribute a dimension of the dates over ranks (processes): its values are places, and ranks own places.

    The dimensions before it are steps; ranks communicate between steps. A rank executes the operations of its places,
    and receives the values of other ranks that they read. "block": each rank owns an interval of places. "cyclic":
    places are dealt out one by one; "block-cyclic": in blocks of `size` places. "given": intervals, whose ends the
    caller of the generated code gives. A second dimension, after the first and shared out in the same way, makes a grid
    (not with "given"). The mapping is proved for all numbers of ranks, all intervals, and if places are dealt out for
    all assignments of places to ranks. Inputs are on every rank that reads them. Where the dimension is tiled together
    with dimensions before it (setBandForTiling), a step is a tile of these.

    The dimension is counted after the prefix (`""`: for all statements). With several prefixes it has the same position
    in all dates.

    Rewrites: the mapping of the system; a later one for the same prefix and dimension replaces an earlier one.

    Checks: VerifyTargetMapping checks the distribution with the whole mapping. Targets without ranks refuse it.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i)");
        setSpaceTimeMap(prog, "sums", "C", "(i->1,i)");
        setDistributed(prog, "sums", "", 1, "block");"""
    if (size is None) is (ownership is Ownership.BLOCK_CYCLIC):
        message = "a size is given exactly for `block-cyclic`: the number of places in a block"
        raise Rejected(Diagnostic(PRECONDITION, message, Label(call.span)))
    mapping = design.mapping(system)
    entry = DistributedDimension(prefix, dimension, ownership, size or 0, span=call.span)
    others = tuple(e for e in mapping.distribution if (e.prefix, e.dimension) != (prefix, dimension))
    return design.with_mapping(system, replace(mapping, distribution=(*others, entry)))


@command(Topic.MAPPING)
def set_communication(design: Design, system: SystemName, way: CommunicationName, *, call: BoundCall) -> Design:
    """Choose how the values of a step reach other ranks; by default the way is derived.

    "exchange": at the end of the step, one message for each pair of ranks. "overlap": the same messages, but a rank
    computes the inner places of the next step, which read no value of another rank, before it waits for them.
    "broadcast": at the end of the step, one message for all ranks; on a grid, one for those of each row and column.
    "pipeline": values of lower places arrive at the beginning of their step, and may be read in it. "scan": the same,
    where these values are prefixes of an associative operator: ranks combine the terms of their own places, and a rank
    gets what those before it have combined. Derived is a pipeline where it is needed, else a broadcast where one
    message is the same for all, else an overlap where it is proved, else an exchange.

    Rewrites: the mapping of the system; a later one replaces an earlier one.

    Checks: VerifyTargetMapping proves the mapping for an exchange, a pipeline or a scan (AZ523). The generator of
    code refuses an overlap that is not proved, and a broadcast of values that are not the same for all receivers. That
    the operator of a scan is associative is the user's promise.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i)");
        setSpaceTimeMap(prog, "sums", "C", "(i->1,i)");
        setDistributed(prog, "sums", "", 1, "block");
        setCommunication(prog, "sums", "exchange");"""
    entry = CommunicationChoice(Communication(way), span=call.span)
    return design.with_mapping(system, replace(design.mapping(system), communication=(entry,)))


@command(Topic.MAPPING)
def set_processors(design: Design, system: SystemName, numbers: ProcessorNumbers, *, call: BoundCall) -> Design:
    """Give the number of ranks in each distributed dimension; 0: as many as there are.

    A grid is as square as possible by default: with "1,0" it is one row of ranks, with "4,0" it has 4 rows. Ranks
    beyond these numbers own no places. A communicator with fewer ranks makes a smaller grid: the numbers are limits.

    Rewrites: the mapping of the system; a later one replaces an earlier one.

    Checks: VerifyTargetMapping checks that there is one number for each distributed dimension.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i)");
        setSpaceTimeMap(prog, "sums", "C", "(i->1,i)");
        setDistributed(prog, "sums", "", 1, "block");
        setProcessors(prog, "sums", "4");"""
    entry = ProcessorShape(numbers, span=call.span)
    return design.with_mapping(system, replace(design.mapping(system), processors=(entry,)))


@command(Topic.MAPPING)
def set_block_dimensions(
    design: Design, system: SystemName, prefix: ParallelPrefix, dimensions: Dimensions, axes: Axes, *, call: BoundCall
) -> Design:
    """Make dimensions parallel, and share their values among the blocks of a kernel of a GPU, along axes x, y and z.

    As setParallel; for the target `cuda` the outermost of these loops, and those directly inside, are a kernel, and
    sequential dimensions outside are launches of it. Blocks share the tiles of a tiled dimension. Without this command
    the outermost parallel dimensions are shared by blocks and threads.

    Rewrites: the mapping of the system; a later one for the same prefix and dimension replaces an earlier one.

    Checks: the axes are as many as the dimensions. VerifyTargetMapping checks dimensions with the whole mapping.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i)");
        setSpaceTimeMap(prog, "sums", "C", "(i->1,i)");
        setOrderingDimensions(prog, "sums", 0);
        setBlockDimensions(prog, "sums", "0", 0, "x");"""
    return _launched(design, system, prefix, dimensions, axes, call, of_threads=False)


@command(Topic.MAPPING)
def set_thread_dimensions(
    design: Design, system: SystemName, prefix: ParallelPrefix, dimensions: Dimensions, axes: Axes, *, call: BoundCall
) -> Design:
    """Make dimensions parallel, and share their values among the threads of a block of a GPU, along axes x, y and z.

    As setParallel; for the target `cuda` the threads of a block share the values in a tile of a tiled dimension; those
    of a dimension that setBlockDimensions names too are shared by the threads of all blocks. `"y=8,x=32"` gives the
    numbers of threads; by default these.

    Rewrites: the mapping of the system; a later one for the same prefix and dimension replaces an earlier one.

    Checks: the axes are as many as the dimensions, and a block has at most 1,024 threads. VerifyTargetMapping checks
    dimensions with the whole mapping.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i)");
        setSpaceTimeMap(prog, "sums", "C", "(i->1,i)");
        setOrderingDimensions(prog, "sums", 0);
        setBlockDimensions(prog, "sums", "0", 0, "x");
        setThreadDimensions(prog, "sums", "0", 0, "x=128");"""
    return _launched(design, system, prefix, dimensions, axes, call, of_threads=True)


@command(Topic.MAPPING, forms="design system prefix dimension [merge]")
def set_reduction_over(
    design: Design,
    system: SystemName,
    prefix: ReductionPrefix,
    dimension: Dimension,
    merge: MergeName = MergeKind.PARTIALS,
    *,
    call: BoundCall,
) -> Design:
    """Make a dimension parallel, and let the blocks and threads of a GPU collect contributions to reductions across it.

    As setReductionDimension; for the target `cuda` each thread of each block has an accumulator, and each block
    merges those of its threads in shared memory. "partials": partial results of blocks are in the memory of the
    GPU, and a second kernel of one block merges them, so that the order of all operations depends on the sizes
    alone. "last-block": the same operations in the same order, but the last block of the first kernel merges them.
    "shuffles": those of "partials", but the lanes of the first warp of a block exchange values without shared
    memory, if their types are int, long, float or double. "atomic": each block adds its sum
    to one cell, in any order, for sums of floats and of integers of 32 bits. Reductions with the same dates are
    collected in one pass. Blocks share the tiles of a tiled dimension, threads the values in a tile. Dates of
    initialisations are best left out: then the results need no kernel before.

    Rewrites: the mapping of the system; a later one for the same prefix and dimension replaces an earlier one.

    Checks: VerifyTargetMapping checks dimensions with the whole mapping.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i,0)");
        setSpaceTimeMap(prog, "sums", "C", "(i,k->1,i,k)");
        setOrderingDimensions(prog, "sums", 0);
        setReductionOver(prog, "sums", "1", 1, "partials");"""
    kinds = KindSetting(None, prefix, (dimension,), DimensionKind.REDUCTION, span=call.span)
    design = _with_kinds(design, system, kinds)
    mapping = design.mapping(system)
    added = LaunchDimension(
        prefix=prefix,
        dimension=dimension,
        axis="x",
        of_threads=False,
        merges=True,
        merge=merge,
        span=call.span,
    )
    return design.with_mapping(system, replace(mapping, launches=(*mapping.launches, added)))


def _launched(
    design: Design,
    system: str,
    prefix: tuple[int, ...],
    dimensions: tuple[int, ...],
    axes: tuple[tuple[str, int], ...],
    call: BoundCall,
    *,
    of_threads: bool,
) -> Design:
    if len(axes) != len(dimensions):
        message = f"{len(dimensions)} dimensions, and {len(axes)} axes"
        raise Rejected(Diagnostic(PRECONDITION, message, Label(call.span), help="give one axis for each dimension"))
    numbered = [axis for axis, threads in axes if threads and not of_threads]
    if numbered:
        message = f"a number of threads for blocks along {numbered[0]}"
        raise Rejected(Diagnostic(PRECONDITION, message, Label(call.span), help="give it to setThreadDimensions"))
    design = _with_kinds(design, system, KindSetting(None, prefix, dimensions, DimensionKind.PARALLEL, span=call.span))
    mapping = design.mapping(system)
    added = tuple(
        LaunchDimension(
            prefix=prefix, dimension=dimension, axis=axis, of_threads=of_threads, threads=threads, span=call.span
        )
        for dimension, (axis, threads) in zip(dimensions, axes, strict=True)
    )
    return design.with_mapping(system, replace(mapping, launches=(*mapping.launches, *added)))


@command(Topic.MAPPING, forms="design system [level] dimensions")
def set_ordering_dimensions(
    design: Design, system: SystemName, dimensions: Dimensions, level: Level = 0, *, call: BoundCall
) -> Design:
    """Declare dimensions of the dates that only order statements: their values are constants.

    Rewrites: the mapping of the system, for all its statements.

    Checks: a dimension whose values are not constant is taken as sequential, with a warning at verification.

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->0,i)");
        setSpaceTimeMap(prog, "sums", "C", "(i->1,i)");
        setOrderingDimensions(prog, "sums", 0);"""
    return _with_kinds(design, system, KindSetting(None, (), dimensions, DimensionKind.ORDERING, span=call.span))


@command(Topic.MAPPING)
def set_statement_ordering(
    design: Design, system: SystemName, before: StatementName, after: StatementName, *, call: BoundCall
) -> Design:
    """Let one statement precede another at equal dates.

    Rewrites: the mapping of the system. The orderings of a system are taken together, transitively.

    Checks: the two differ; VerifyTargetMapping reports cycles.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        setStatementOrdering(prog, "sums", "B", "C");"""
    if before == after:
        raise Rejected(
            Diagnostic(PRECONDITION, f"`{before}` cannot precede itself", Label(call.at("after"), "the same statement"))
        )
    mapping = design.mapping(system)
    order = StatementOrder(before, after, span=call.span)
    return design.with_mapping(system, replace(mapping, ordering=(*mapping.ordering, order)))


@command(Topic.MAPPING, forms="design [system] | design system level")
def list_space_time_maps(
    design: Design, system: SystemName | None = None, level: Natural = 0, *, call: BoundCall
) -> Outcome:
    """Print the space-time maps, the kinds of dimensions and the statement ordering of one system, or of all.

    In AlphaZ a mapping may have several levels of space-time maps (CreateSpaceTimeLevel). Here it has level 0 alone:
    for any other, a line says that there are no maps. Tiles have levels of their own (setBandForTiling).

    Example:
        setSpaceTimeMap(prog, "sums", "B", "(i->i)");
        listSpaceTimeMaps(prog, "sums");
    """
    chosen = [s.name for s in design.program.systems] if system is None else [system]
    if level:
        return Outcome(printed=f"{system}: no space-time maps of level {level}, a mapping has level 0 alone\n")
    return Outcome(printed="".join(listed(design, name) for name in chosen))


@command(Topic.ANALYSIS)
def print_scheduled_statements(design: Design, system: SystemName, *, call: BoundCall) -> Outcome:
    """Print the statements of a system with their domains and dates, padded to one length.

    Checks: the mapping can be resolved: every statement has a date, and their lengths agree.

    Example:
        setSpaceTimeMap(prog, "sums", "B, C", "(i->i)");
        printScheduledStatements(prog, "sums");"""
    lines = [f"{system}:"]
    for statement in resolve(design, system).statements:
        lines.append(f"  {statement.name}: {statement.date} on {domain_shown(statement.domain)}")
    return Outcome(printed="\n".join(lines) + "\n")


def _require_identity(system: System, variable: str, value: object, span: Span) -> None:
    """Raises Rejected for any other value: it would be added to every result."""
    reduction = reduction_of(system, variable)
    text = text_of(value)
    if reduction is None or text.strip().lower() in _IDENTITIES.get(reduction.operator, ()):
        return
    message = f"the results of `{variable}` start at the identity of `{reduction.operator}`, not at {text}"
    remedy = "leave the value out; what is to be added to the results belongs into the equation"
    raise Rejected(Diagnostic(ARGUMENT, message, Label(span), help=remedy))


def listed(design: Design, system: str) -> str:
    mapping = design.mapping(system)
    lines = [f"{system}:"]
    for entry in mapping.space_time:
        body = body_names(design.system(system), entry.variable)
        of_body = bool(body) and len(entry.function.domain.names) == len(body)
        init = "" if entry.init is None else f", init {entry.init}"
        lines.append(f"  {entry.variable}{' (body)' if of_body else ''}: {entry.function}{init}")
    for kind in mapping.kinds:
        whom = kind.variable or (f"all below {_list(kind.prefix)}" if kind.prefix else "all")
        chunks = f", in chunks of {kind.chunk}" if kind.chunk else ""
        lines.append(f"  dimensions {_list(kind.dimensions)} of {whom}: {kind.kind}{chunks}")
    for place in mapping.distribution:
        whom = f"all below {_list(place.prefix)}" if place.prefix else "all"
        sizes = f" of {place.size}" if place.size else ""
        lines.append(f"  dimension {place.dimension} of {whom}: distributed, {place.ownership}{sizes}")
    lines += [f"  communication: {choice.way}" for choice in mapping.communication]
    lines += [f"  ranks: {_list(shape.numbers)}" for shape in mapping.processors]
    lines += [f"  {order.before} before {order.after}" for order in mapping.ordering]
    return "\n".join(lines if len(lines) > 1 else [f"{system}: no space-time maps"]) + "\n"


def _list(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _with_kinds(design: Design, system: str, *added: KindSetting) -> Design:
    mapping = design.mapping(system)
    return design.with_mapping(system, replace(mapping, kinds=(*mapping.kinds, *added)))
