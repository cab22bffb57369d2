"""Merges of the accumulations of threads and blocks in CUDA: trees, partial results, and atomic additions."""

from collections.abc import Sequence

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.codegen.c.nest import GridMerging, MergedCell
from alphaz.codegen.c.readable_c import CONSTANT, INDEX
from alphaz.codegen.targets.cuda_words import FAILED, ONE, STREAM, Statements, allocated, free, launch, number, unless
from alphaz.mapping.target_mapping import MergeKind

BARRIER: Statements = (c.Evaluate(c.Call("__syncthreads", ())),)
_COUNTER = c.Scalar("unsigned int")
_LANES, _ALL_LANES = 32, c.Literal("0xffffffff")
# The types that shuffles exchange without a conversion.
_EXCHANGED = frozenset({"int", "unsigned int", "long", "unsigned long", "float", "double"})
_MINE = c.Member(c.Name("threadIdx"), "x", False)


def merged_by_blocks(merging: GridMerging) -> Statements:
    """Returns two launches: blocks write partial results to the memory of the GPU, and one block merges these. So the
    order of all operations depends on the sizes alone. Three, if blocks add their results to cleared cells.
    """
    if merging.merge is MergeKind.ATOMIC:
        return _added_by_blocks(merging)
    if merging.merge is MergeKind.LAST_BLOCK:
        return _merged_by_last_block(merging)
    blocks = c.Name(merging.names[0])
    of_blocks = (*merging.made, *merging.body, *_tree(merging, _into_partial(merging)))
    of_one = (*merging.made, _sum_of_partials(merging), *_tree(merging, [*_back(merging), *merging.merged]))
    block = (merging.threads,)
    launched = c.If(merging.runs, launch([blocks], block, of_blocks))
    return (c.Block((*_partials(merging), launched, *launch([ONE], block, of_one), *_released(merging))),)


def _merged_by_last_block(merging: GridMerging) -> Statements:
    """Returns a launch whose last block merges the partial results of all, in the order of `merged_by_blocks`; a
    thread uses the neutral elements where no block runs."""
    blocks, _, _, count, is_last = map(c.Name, merging.names)
    ticket = c.Call("atomicAdd", (count, c.Literal("1u")))
    last = c.Binary("-", c.Member(c.Name("gridDim"), "x", False), ONE)
    counted = (c.Evaluate(c.Call("__threadfence", ())), c.Assign(is_last, c.Binary("==", ticket, last)))
    again = [
        c.Assign(c.Name(node.name), node.value) for node in nodes(merging.made, c.Declare) if node.value is not None
    ]
    of_last = (*again, _sum_of_partials(merging), *_steps(merging, [*_back(merging), *merging.merged]))
    of_blocks = (
        c.Declare(c.INT, is_last.name, space=c.AddressSpace.SHARED),
        *merging.made,
        *merging.body,
        *_tree(merging, [*_into_partial(merging), *counted]),
        *BARRIER,
        c.If(is_last, of_last),
    )
    zero = (count, c.ZERO, c.SizeOf(_COUNTER), c.Name(STREAM.name))
    released = (free(count.name), *_released(merging))
    return (
        c.Block(
            (
                *_partials(merging),
                *allocated(count.name, _COUNTER, c.SizeOf(_COUNTER), [cell.partial for cell in merging.cells]),
                unless("cudaMemsetAsync", zero, (*released, c.Return(c.Literal(FAILED)))),
                c.If(merging.runs, launch([blocks], (merging.threads,), of_blocks)),
                c.If(c.Unary("!", merging.runs), launch([ONE], (1,), (*merging.made, *merging.merged))),
                *released,
            )
        ),
    )


def _into_partial(merging: GridMerging) -> list[c.Statement]:
    """Returns the stores of the results of a block."""
    own = c.Member(c.Name("blockIdx"), "x", False)
    return [c.Assign(c.Index(c.Name(cell.partial), own), _result_of(merging, cell)) for cell in merging.cells]


def _sum_of_partials(merging: GridMerging) -> c.For:
    """Returns the loop of a thread over results of blocks."""
    blocks, part, *_ = map(c.Name, merging.names)
    added = [cell.combined(c.Name(cell.name), c.Index(c.Name(cell.partial), part)) for cell in merging.cells]
    test = c.Binary("<", part, blocks)
    return c.counted(INDEX, part.name, c.Cast(INDEX, _MINE), test, number(merging.threads), tuple(added))


def _back(merging: GridMerging) -> list[c.Statement]:
    """Returns the copies of results from shared memory to accumulators."""
    if _has_shuffles(merging):
        return []
    return [c.Assign(c.Name(cell.name), _result_of(merging, cell)) for cell in merging.cells]


def _partials(merging: GridMerging) -> list[c.Statement]:
    """Returns the declaration of the number of blocks, and the allocations of their results."""
    blocks, names = c.Name(merging.names[0]), [cell.partial for cell in merging.cells]
    made: list[c.Statement] = [c.Declare(CONSTANT, blocks.name, merging.blocks)]
    for position, cell in enumerate(merging.cells):
        made += allocated(cell.partial, cell.type, c.Binary("*", blocks, c.SizeOf(cell.type)), names[:position])
    return made


def _released(merging: GridMerging) -> list[c.Statement]:
    return [free(cell.partial) for cell in reversed(merging.cells)]


def _added_by_blocks(merging: GridMerging) -> Statements:
    """Returns three launches: a thread clears a cell for each accumulator, blocks add to these, and a thread uses the
    sums."""
    cells, one = merging.cells, (1,)
    cleared = [c.Assign(c.Unary("*", c.Name(cell.partial)), c.Name(cell.name)) for cell in cells]
    added = [c.Evaluate(c.Call("atomicAdd", (c.Name(cell.partial), _result_of(merging, cell)))) for cell in cells]
    back = [c.Assign(c.Name(cell.name), c.Unary("*", c.Name(cell.partial))) for cell in cells]
    of_blocks = (*merging.made, *merging.body, *_tree(merging, added))
    made: list[c.Statement] = []
    for position, cell in enumerate(cells):
        made += allocated(cell.partial, cell.type, c.SizeOf(cell.type), [other.partial for other in cells[:position]])
    launched = c.If(merging.runs, launch([merging.blocks], (merging.threads,), of_blocks))
    first = launch([ONE], one, (*merging.made, *cleared))
    last = launch([ONE], one, (*merging.made, *back, *merging.merged))
    released = [free(cell.partial) for cell in reversed(cells)]
    return (c.Block((*made, *first, launched, *last, *released)),)


def _result_of(merging: GridMerging, cell: MergedCell) -> c.Expression:
    """Returns the accumulation of a block, for its first thread."""
    return c.Name(cell.name) if _has_shuffles(merging) else c.Index(c.Name(cell.shared), c.ZERO)


def _has_shuffles(merging: GridMerging) -> bool:
    """Returns True if the lanes of the first warp of a block exchange its accumulators."""
    types = {cell.type.name for cell in merging.cells if isinstance(cell.type, c.Scalar)}
    return merging.merge is MergeKind.SHUFFLES and merging.threads > _LANES and types <= _EXCHANGED


def _tree(merging: GridMerging, behind: Sequence[c.Statement]) -> Statements:
    """Returns the statements that merge the accumulators of the threads of a block, in halves, and what the first
    thread does afterwards: in shared memory, and by shuffles inside of the first warp, in the same order.
    """
    size = number(merging.threads)
    shared = [c.Declare(c.Array(cell.type, size), cell.shared, space=c.AddressSpace.SHARED) for cell in merging.cells]
    return (*shared, *_steps(merging, behind))


def _steps(merging: GridMerging, behind: Sequence[c.Statement]) -> Statements:
    """Returns the statements of `_tree` without its declarations."""
    cells, distance = merging.cells, c.Name(merging.names[2])
    threads, least = merging.threads, _LANES if _has_shuffles(merging) else 1
    stored = [c.Assign(c.Index(c.Name(cell.shared), _MINE), c.Name(cell.name)) for cell in cells]
    halves = [
        cell.combined(c.Index(c.Name(cell.shared), _MINE), c.Index(c.Name(cell.shared), c.Binary("+", _MINE, distance)))
        for cell in cells
    ]
    step = (c.If(c.Binary("<", _MINE, distance), tuple(halves)), *BARRIER)
    first = c.If(c.Binary("==", _MINE, c.ZERO), tuple(behind))
    tree = (*stored, *BARRIER, _halving(distance, threads // 2, least, step))
    if least == 1:
        return (*tree, first)
    loaded = [c.Assign(c.Name(cell.name), c.Index(c.Name(cell.shared), _MINE)) for cell in cells]
    exchanged = [
        cell.combined(c.Name(cell.name), c.Call("__shfl_down_sync", (_ALL_LANES, c.Name(cell.name), distance)))
        for cell in cells
    ]
    of_warp: Statements = (*loaded, _halving(distance, _LANES // 2, 1, tuple(exchanged)))
    return (*tree, c.If(c.Binary("<", _MINE, number(_LANES)), of_warp), first)


def _halving(distance: c.Name, first: int, least: int, body: Statements) -> c.For:
    """Returns a loop over distances, each half the one before."""
    return c.For(
        start=(c.Declare(c.INT, distance.name, number(first)),),
        test=c.Binary(">", distance, c.ZERO) if least == 1 else c.Binary(">=", distance, number(least)),
        steps=(c.Set("/=", distance, c.Literal("2")),),
        body=body,
    )
