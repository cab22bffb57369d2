"""Passes that select the modes of loops: those that threads share, with the private memory of each thread, and those in
vectors.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import ClassVar

from alphaz.c.modes import VECTOR, Mode, Parallel, Reduction
from alphaz.loops.tree import (
    Block,
    Combine,
    Critical,
    For,
    Initialise,
    Instance,
    Lanes,
    Merge,
    Node,
    Region,
    in_row,
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
            if {loop_.iterator for loop_ in outer} & {*names_in(below.first), *names_in(below.bound)}:
                break
            outer = [*outer, below]
        return len(outer)


@dataclass(frozen=True, slots=True)
class Vectorise:
    """Vectorises innermost loops without tests inside, whose iterations are independent and go along rows of memory,
    and register tiles whose points are independent. Operations stay; iterations of such a loop, and points of such a
    tile, are in any order.

    `may_fail` returns True if operations of a loop report failures, one after the other. `lanes`: the points of a
    statement of many points that are computed at a time, inside whole loops with a merge after them; None where these
    are not independent, or have no form as vectors.
    """

    is_independent: Callable[[For], bool]
    may_fail: Callable[[For], bool]
    lanes: Callable[[Instance, tuple[Merge, ...]], Lanes | None]
    name: ClassVar[str] = "vectorise"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return self._marked(tree, ())

    def _marked(self, node: Node, merges: tuple[Merge, ...]) -> Node:
        if isinstance(node, Merge):
            merges = (*merges, node)
        new_node = with_inside(node, [self._marked(child, merges) for child in inside(node)])
        if isinstance(new_node, Instance):
            return replace(new_node, vector=self.lanes(new_node, merges))
        if (
            isinstance(new_node, For)
            and is_innermost(new_node)
            and self.is_independent(new_node)
            and not self.may_fail(new_node)
        ):
            return replace(new_node, mode=_with_vectors(new_node.mode))
        return new_node


def _with_vectors(mode: Mode) -> Mode:
    """Returns the mode with vectors; a thread with private accumulators executes its iterations one after the other."""
    if not isinstance(mode, Parallel):
        return VECTOR
    return mode if mode.reductions or mode.in_region else replace(mode, vector=True)


@dataclass(frozen=True, slots=True)
class JoinRegions:
    """Joins parallel loops in a row into one region, so that threads are made once for all of them. After a loop all
    threads wait for each other, unless no loop before the next wait accesses cells that it writes, or writes cells
    that it accesses. Operations stay, and the order of all that depend on each other.

    `meet`: returns True if one of two loops may write cells that the other one accesses.
    """

    meet: Callable[[For, For], bool]
    name: ClassVar[str] = "join-regions"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        if isinstance(tree, Region):
            return tree
        new_tree = with_inside(tree, [self(child) for child in inside(tree)])
        return Block(tuple(self._joined(new_tree))) if isinstance(new_tree, Block) else new_tree

    def _joined(self, block: Block) -> Iterator[Node]:
        for alone, row in groupby(in_row(block), _is_alone):
            loops = list(row)
            if alone and len(loops) > 1:
                yield Region(Block(tuple(self._without_waits([loop for loop in loops if isinstance(loop, For)]))))
            else:
                yield from loops

    def _without_waits(self, loops: Sequence[For]) -> Iterator[For]:
        running: list[For] = []
        for at, loop in enumerate(loops):
            running.append(loop)
            follower = loops[at + 1] if at + 1 < len(loops) else None
            nowait = follower is not None and not any(self.meet(one, follower) for one in running)
            if not nowait:
                running.clear()
            assert isinstance(loop.mode, Parallel)
            yield replace(loop, mode=replace(loop.mode, in_region=True, nowait=nowait))


def _is_alone(node: Node) -> bool:
    """Returns True for a parallel loop that combines nothing at its end, with threads of its own."""
    match node:
        case For(mode=Parallel() as mode):
            return not mode.in_region and not mode.reductions
    return False
