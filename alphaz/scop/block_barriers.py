"""Barriers of the threads of a block of a GPU, and of the lanes of a warp."""

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Span
from alphaz.scop.assignments import domain_of
from alphaz.scop.c_model import Date, KernelBarrier, KernelLoop
from alphaz.scop.reader_state import ReaderState
from alphaz.scop.scope import Context
from alphaz.scop.thread_block import ThreadBlock
from alphaz.scop.unsupported import outside

BARRIER, WARP_BARRIER = "__syncthreads", "__syncwarp"


def wait(state: ReaderState, node: c.Call, nest: Context) -> None:
    """Reads a barrier of the threads of a block."""
    span, block = state.span(node), state.block
    if block is None or nest.block is None:
        raise outside(span, f"`{BARRIER}` waits for the threads of a block, and there is none here")
    note_arrival(state, block, nest, span, block.waits, block.threads)


def wait_for_lanes(state: ReaderState, node: c.Call, nest: Context) -> None:
    """Reads a barrier of all lanes of a warp."""
    span, block = state.span(node), state.block
    if block is None or nest.block is None or block.lane is None:
        message = f"`{WARP_BARRIER}` is read in kernels whose blocks have a multiple of 32 threads"
        raise outside(span, f"{message}, in x or in rows of 2, 4, 8 or 16")
    note_arrival(state, block, nest, span, block.warp_waits, block.lanes)


def note_arrival(
    state: ReaderState, block: ThreadBlock, nest: Context, span: Span, positions: dict[Date, set[int]],
    threads: tuple[str, ...],
) -> None:  # fmt: skip
    """Adds a place that these threads of a block reach together."""
    if nest.depth > block.nest.depth + 1 and any(nodes(branch, c.Return) for branch in nodes(state.body, c.If)):
        # That its block is executed then does not mean that the barrier is.
        raise outside(span, f"`{BARRIER}` in a function that may return early is not supported")
    *around, at = nest.date
    assert isinstance(at, int)
    positions.setdefault(tuple(around), set()).add(at)
    loops = tuple(part.iterator for part in nest.date if isinstance(part, KernelLoop))
    members = tuple(part.iterator for part in block.nest.date if isinstance(part, KernelLoop))
    assert nest.block is not None
    reached = domain_of(state, nest).onto(loops).simplify()
    all_ = domain_of(state, block.nest).onto(members).simplify()
    pieces = reached.gist(all_.embedded(reached.space)).pieces()
    if len(pieces) == 1 and not pieces[0].floors:
        block.passages[nest.date] = pieces[0].constraints
    block.barriers.append(
        KernelBarrier(
            launch=nest.block,
            date=nest.date,
            domain=reached,
            members=all_,
            threads=threads,
            span=span,
            is_of_warp=positions is not block.waits,
        )
    )
