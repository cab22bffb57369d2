"""Selects the loops that threads share, and the private memory of each thread."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from alphaz.loops.modes import Parallel, Reduction
from alphaz.loops.tree import (
    Block,
    Combine,
    Critical,
    For,
    Initialise,
    Merge,
    Node,
    Region,
    inside,
    is_innermost,
    packs,
    statement_names,
    with_inside,
)
from alphaz.poly.plain.integer import IntegerConstant, names_in

# For the statements whose contributions a loop collects, by which operator it combines them by itself; None: it cannot.
Collected = Mapping[str, Reduction | None]


def every_loop(_: For) -> bool:
    """Returns True: all loops are parallel."""
    return True


def _nothing(_: Merge) -> Collected:
    return {}


def _equal(loop: For) -> int:
    """Returns 0: shares are equal."""
    return 0


@dataclass(frozen=True, slots=True)
class Parallelise:
    """Shares the iterations of the outermost parallel loops among threads; the ones inside them stay sequential, so
    that threads are made once. Operations stay, and the order inside an iteration; iterations of such a loop are in
    any order, as is proved. Each thread has private accumulators for the loop: where the loop does not combine them
    itself, they are combined after the loop, one thread after the other. A thread has buffers of its own, too.

    `collects` returns the accumulations in a loop, by the names of statements, `statements` the statement of a call;
    `chunk` the number of values of its dimension that a thread takes at a time (0: shares are equal).
    """

    is_parallel: Callable[[For], bool]
    collects: Callable[[Merge], Collected] = _nothing
    statements: Mapping[str, str] = field(default_factory=dict)
    chunk: Callable[[For], int] = _equal
    name: ClassVar[str] = "parallelise"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        return self._shared(tree, {})

    def _shared(self, node: Node, collected: Collected) -> Node:
        if isinstance(node, Merge):
            collected = {**collected, **self.collects(node)}
        if isinstance(node, For) and self.is_parallel(node):
            return self._shared_out(node, collected)
        return with_inside(node, [self._shared(child, collected) for child in inside(node)])

    def _shared_out(self, loop: For, collected: Collected) -> Node:
        """Returns the loop with the private memory of each thread."""
        contributing = {self.statements.get(name) for name in statement_names(loop)}
        mine = {name: reduction for name, reduction in collected.items() if name in contributing}
        if mine:
            return self._collecting(loop, mine)
        if buffers := packs(loop):
            # Iterations are long, so that a thread which is done with one takes the next.
            run = replace(loop, mode=Parallel(uneven=True, in_region=True))
            return Region(Block((Initialise(buffers=buffers), run)))
        chunk = self._iterations(loop)
        return replace(loop, mode=Parallel(1 if chunk else self._collapsed(loop), loop.uneven, chunk))

    def _collecting(self, loop: For, collected: Collected) -> Node:
        chunk = self._iterations(loop)
        mode = Parallel(uneven=loop.uneven, chunk=chunk, reductions=tuple(filter(None, collected.values())))
        by_hand = tuple(name for name, reduction in collected.items() if reduction is None)
        if not by_hand:
            return replace(loop, mode=mode)
        run = replace(loop, mode=replace(mode, in_region=True, nowait=True))
        return Region(Block((Initialise(by_hand), run, Critical(Combine(by_hand)))))

    def _iterations(self, loop: For) -> int:
        """Returns the chunk of the loop; for a loop over tiles as many tiles as have so many values, at least one."""
        chunk = self.chunk(loop)
        step = loop.step.value if isinstance(loop.step, IntegerConstant) else chunk
        return chunk and max(1, chunk // step)

    def _collapsed(self, loop: For) -> int:
        """Returns the number of loops whose iterations can be shared as one: parallel, rectangular, and not the
        innermost, which goes along the rows.
        """
        outer: Sequence[For] = [loop]
        while isinstance(below := outer[-1].body, For) and self.is_parallel(below) and not is_innermost(below):
            if {each.iterator for each in outer} & {*names_in(below.first), *names_in(below.bound)}:
                break
            outer = [*outer, below]
        return len(outer)
