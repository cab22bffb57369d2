"""Merges of the accumulations of threads and blocks in CUDA: trees, partial results, and atomic additions."""

from collections.abc import Sequence

from alphaz.c import tree as c
from alphaz.codegen.c.hoisting import CONSTANT, INDEX
from alphaz.codegen.c.nest import GridMerging, MergedCell
from alphaz.codegen.targets.cuda_words import ONE, Statements, allocated, free, launch, number
from alphaz.mapping.target import MergeKind

BARRIER: Statements = (c.Evaluate(c.Call("__syncthreads", ())),)
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
    blocks, part, _ = (c.Name(name) for name in merging.names)
    own = c.Member(c.Name("blockIdx"), "x", False)
    cells, block = merging.cells, (merging.threads,)
    into_partial = [c.Assign(c.Index(c.Name(cell.partial), own), _result_of(merging, cell)) for cell in cells]
    of_blocks = (*merging.made, *merging.body, *_tree(merging, into_partial))
    added = [cell.combined(c.Name(cell.name), c.Index(c.Name(cell.partial), part)) for cell in cells]
    test = c.Binary("<", part, blocks)
    loop = c.counted(INDEX, part.name, c.Cast(INDEX, _MINE), test, number(merging.threads), tuple(added))
    back = [] if _has_shuffles(merging) else [c.Assign(c.Name(cell.name), _result_of(merging, cell)) for cell in cells]
    of_one = (*merging.made, loop, *_tree(merging, [*back, *merging.merged]))
    made: list[c.Statement] = [c.Declare(CONSTANT, blocks.name, merging.blocks)]
    for at, cell in enumerate(cells):
        size = c.Binary("*", blocks, c.SizeOf(cell.type))
        made += allocated(cell.partial, cell.type, size, [one.partial for one in cells[:at]])
    launched = c.If(merging.runs, launch([blocks], block, of_blocks))
    released = [free(cell.partial) for cell in reversed(cells)]
    return (c.Block((*made, launched, *launch([ONE], block, of_one), *released)),)


def _added_by_blocks(merging: GridMerging) -> Statements:
    """Returns three launches: a thread clears a cell for each accumulator, blocks add to these, and a thread uses the
    sums."""
    cells, one = merging.cells, (1,)
    cleared = [c.Assign(c.Unary("*", c.Name(cell.partial)), c.Name(cell.name)) for cell in cells]
    added = [c.Evaluate(c.Call("atomicAdd", (c.Name(cell.partial), _result_of(merging, cell)))) for cell in cells]
    back = [c.Assign(c.Name(cell.name), c.Unary("*", c.Name(cell.partial))) for cell in cells]
    of_blocks = (*merging.made, *merging.body, *_tree(merging, added))
    made: list[c.Statement] = []
    for at, cell in enumerate(cells):
        made += allocated(cell.partial, cell.type, c.SizeOf(cell.type), [other.partial for other in cells[:at]])
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
    cells, distance = merging.cells, c.Name(merging.names[2])
    threads, least = merging.threads, _LANES if _has_shuffles(merging) else 1
    shared = [c.Declare(c.Array(cell.type, number(threads)), cell.shared, space=c.Space.SHARED) for cell in cells]
    stored = [c.Assign(c.Index(c.Name(cell.shared), _MINE), c.Name(cell.name)) for cell in cells]
    halves = [
        cell.combined(c.Index(c.Name(cell.shared), _MINE), c.Index(c.Name(cell.shared), c.Binary("+", _MINE, distance)))
        for cell in cells
    ]
    step = (c.If(c.Binary("<", _MINE, distance), tuple(halves)), *BARRIER)
    first = c.If(c.Binary("==", _MINE, c.ZERO), tuple(behind))
    tree = (*shared, *stored, *BARRIER, _halving(distance, threads // 2, least, step))
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
