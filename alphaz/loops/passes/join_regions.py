"""Joins adjacent parallel loops into one region."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar

from alphaz.loops.modes import Parallel
from alphaz.loops.tree import Block, For, Node, Region, in_row, inside, with_inside


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
        found = with_inside(tree, [self(child) for child in inside(tree)])
        return Block(tuple(self._joined(found))) if isinstance(found, Block) else found

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
