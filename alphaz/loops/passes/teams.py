"""Passes that give loops to teams: members share iterations, have memory of their own, and wait for each other."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, takewhile
from typing import ClassVar

from alphaz.loops.modes import Parallel, Reduction
from alphaz.loops.operation_count import Operations, operation_count
from alphaz.loops.tree import (
    Allocate,
    Barrier,
    Block,
    Combine,
    Enough,
    Exclusive,
    For,
    Merge,
    Node,
    Pack,
    Scratch,
    Team,
    in_row,
    inside,
    is_innermost,
    packs,
    statement_names,
    with_inside,
)
from alphaz.order.happens_before import SyncScope
from alphaz.poly.plain.integer_expression import IntegerConstant, names_in

# For the statements whose contributions a loop collects, by which operator it combines them by itself; None: it cannot.
Collected = Mapping[str, Reduction | None]
_MOST_FACTORS = 3


def every_loop(_: For) -> bool:
    """Returns True: all loops are parallel."""
    return True


def _equal(loop: For) -> int:
    """Returns 0: shares are equal."""
    return 0


def _nothing(_: Merge) -> Collected:
    return {}


@dataclass(frozen=True, slots=True)
class ShareOut:
    """Makes a team of threads for each outermost parallel loop, to share its iterations; the parallel loops inside stay
    sequential, so that threads are made once. Operations stay, and the order inside an iteration; iterations of such a
    loop are in any order, as is proved. Each thread has the buffers that its iterations fill, and accumulators: where
    the loop does not combine them itself, they are combined after the loop, one thread after the other. Buffers that
    are filled outside of teams are for all threads.

    `collects` returns the accumulations in a loop, by the names of statements, `statements` the statement of a call;
    `chunk` the number of values of its dimension that a thread takes at a time (0: shares are equal).
    """

    is_parallel: Callable[[For], bool]
    collects: Callable[[Merge], Collected] = _nothing
    statements: Mapping[str, str] = field(default_factory=dict)
    chunk: Callable[[For], int] = _equal
    name: ClassVar[str] = "share-out"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        return self._shared(tree, {})

    def _shared(self, node: Node, collected: Collected) -> Node:
        if isinstance(node, Merge):
            collected = {**collected, **self.collects(node)}
        if isinstance(node, For) and self.is_parallel(node):
            return Team(SyncScope.THREAD, self._of_thread(node, collected))
        node = with_inside(node, [self._shared(child, collected) for child in inside(node)])
        return _for_all(node) if isinstance(node, Allocate) else node

    def _of_thread(self, loop: For, collected: Collected) -> Node:
        """Returns the loop with the memory of each thread."""
        contributing = {self.statements.get(name) for name in statement_names(loop)}
        mine = {name: reduction for name, reduction in collected.items() if name in contributing}
        chunk = self._iterations(loop)
        if mine:
            by_hand = tuple(name for name, reduction in mine.items() if reduction is None)
            reductions = tuple(filter(None, mine.values()))
            run = replace(loop, mode=Parallel(uneven=loop.uneven, chunk=chunk, reductions=reductions))
            body = Block((run, Exclusive(Combine(by_hand))))
            return Allocate(Scratch(SyncScope.THREAD, by_hand), body) if by_hand else run
        if buffers := packs(loop):
            # Iterations are long, so that a thread which is done with one takes the next.
            body = Block((replace(loop, mode=Parallel(uneven=True)), Barrier(SyncScope.TEAM)))
            return Allocate(Scratch(SyncScope.THREAD, buffers=buffers), body)
        return replace(loop, mode=Parallel(1 if chunk else self._collapsed(loop), loop.uneven, chunk))

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


def _for_all(memory: Allocate) -> Node:
    """Returns the memory around teams: for all of their threads, without what is filled only inside of teams."""
    filled = frozenset(_filled_by_all(memory.body))
    buffers = tuple(name for name in memory.scratch.buffers if name in filled)
    return replace(memory, scratch=Scratch(SyncScope.TEAM, buffers=buffers)) if buffers else memory.body


def _filled_by_all(node: Node) -> Iterator[str]:
    """Yields the buffers that are filled outside of teams."""
    if isinstance(node, Team):
        return
    if isinstance(node, Pack):
        yield from node.names
    for child in inside(node):
        yield from _filled_by_all(child)


@dataclass(frozen=True, slots=True)
class JoinTeams:
    """Joins parallel loops in a row into the loops of one team, so that threads are made once for all of them; all of
    them wait for each other between two loops. Operations and their order stay.
    """

    name: ClassVar[str] = "join-teams"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        tree = with_inside(tree, [self(child) for child in inside(tree)])
        return Block(tuple(_joined(tree))) if isinstance(tree, Block) else tree


def _joined(block: Block) -> Iterator[Node]:
    for scope, row in groupby(in_row(block), _scope_of_one_loop):
        nodes = list(row)
        if scope is None or len(nodes) == 1:
            yield from nodes
            continue
        loops = [node.body for node in nodes if isinstance(node, Team)]
        waits = [Barrier(SyncScope.TEAM)] * (len(loops) - 1)
        yield Team(scope, Block((*(node for pair in zip(loops, waits, strict=False) for node in pair), loops[-1])))


def _scope_of_one_loop(node: Node) -> SyncScope | None:
    """Returns the scope of a team for one parallel loop that combines nothing at its end; None for other nodes."""
    match node:
        case Team(scope, For(mode=Parallel(reductions=()))):
            return scope
    return None


@dataclass(frozen=True, slots=True)
class DropBarriers:
    """Removes the barriers of a scope, between the loops of a team, that order nothing: no loop since the barrier
    before writes cells that a loop up to the next one accesses, or accesses cells that it writes. Operations stay, and
    the order of all that depend on each other.

    `conflict`: returns True if one of two loops may write cells that the other one accesses.
    """

    scope: SyncScope
    conflict: Callable[[For, For], bool]
    name: ClassVar[str] = "drop-barriers"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        if isinstance(tree, Team) and isinstance(tree.body, Block):
            return replace(tree, body=Block(tuple(self._kept(list(in_row(tree.body))))))
        return with_inside(tree, [self(child) for child in inside(tree)])

    def _kept(self, nodes: Sequence[Node]) -> Iterator[Node]:
        barrier, running = Barrier(self.scope), list[Node]()
        for position, node in enumerate(nodes, 1):
            if node != barrier:
                running.append(node)
                yield node
                continue
            following = list(takewhile(lambda later: later != barrier, nodes[position:]))
            if any(self._meet(one, other) for one in running for other in following):
                running.clear()
                yield node

    def _meet(self, one: Node, other: Node) -> bool:
        return not (isinstance(one, For) and isinstance(other, For)) or self.conflict(one, other)


@dataclass(frozen=True, slots=True)
class LimitTeams:
    """States how much is enough to do for each team, where its operations can be counted, so that one thread executes
    up to `few` operations: starting others would take longer. `operations` returns those of an instance.
    """

    operations: Operations
    few: int
    name: ClassVar[str] = "limit-teams"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        if isinstance(tree, Team):
            return replace(tree, enough=self._enough(tree.body))
        return with_inside(tree, [self(child) for child in inside(tree)])

    def _enough(self, body: Node) -> Enough | None:
        """Returns the condition; None if it is unknown, always true, or has too many factors to be read."""
        operation_counts = operation_count(body, self.operations)
        if (
            operation_counts is None
            or not 1 <= len(operation_counts.extents) <= _MOST_FACTORS
            or operation_counts.operations >= self.few
        ):
            return None
        return Enough(operation_counts.extents, self.few // operation_counts.operations)
