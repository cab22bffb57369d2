"""Barriers of the threads of a block of a GPU."""

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.scop.assignments import domain_of
from alphaz.scop.kernel import KernelBarrier, KernelLoop
from alphaz.scop.reader_state import ReaderState
from alphaz.scop.scope import Context
from alphaz.scop.unsupported import outside

BARRIER = "__syncthreads"


def wait(state: ReaderState, node: c.Call, nest: Context) -> None:
    """Reads a barrier of the threads of a block."""
    span, block = state.span(node), state.block
    if block is None or nest.block is None:
        raise outside(span, f"`{BARRIER}` waits for the threads of a block, and there is none here")
    if nest.depth > block.nest.depth + 1 and any(nodes(branch, c.Return) for branch in nodes(state.body, c.If)):
        # That its block is executed then does not mean that the barrier is.
        raise outside(span, f"`{BARRIER}` in a function that may return early is not supported")
    *around, at = nest.date
    assert isinstance(at, int)
    block.waits.setdefault(tuple(around), set()).add(at)
    loops = tuple(part.iterator for part in nest.date if isinstance(part, KernelLoop))
    members = tuple(part.iterator for part in block.nest.date if isinstance(part, KernelLoop))
    block.barriers.append(
        KernelBarrier(
            launch=nest.block,
            date=nest.date,
            domain=domain_of(state, nest).onto(loops).simplify(),
            members=domain_of(state, block.nest).onto(members).simplify(),
            threads=block.threads,
            span=span,
        )
    )
