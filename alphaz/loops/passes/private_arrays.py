"""Places the memory of iterations: inside of the loops over their dimensions, around everything that accesses it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from alphaz.c.tree import AddressSpace
from alphaz.loops.modes import Blocks, Threads
from alphaz.loops.passes.launches import Unlaunchable
from alphaz.loops.tree import (
    Allocate,
    Block,
    For,
    Launch,
    Let,
    Node,
    Scratch,
    in_row,
    inside,
    statement_names,
    with_inside,
)
from alphaz.order.happens_before import SyncScope


@dataclass(frozen=True, slots=True)
class PrivateArray:
    """An array of which each iteration of some loops has one. `users` are the statements that access it, and `writers`
    those of each variable in it, with the statements that read the variable; `is_around` returns True for the loops, by
    their iterators and the statement inside.
    """

    name: str
    users: frozenset[str]
    writers: Sequence[tuple[frozenset[str], frozenset[str]]]
    is_around: Callable[[str, str], bool]

    def placed(self, tree: Node, *, of_launches: bool) -> Node:
        """Returns the tree with this memory; `of_launches`: each part of it is in the memory of one block or thread.

        Raises Unlaunchable.
        """
        return self._placed(tree, None if of_launches else AddressSpace.HOST)

    def _placed(self, node: Node, space: AddressSpace | None) -> Node:
        if self._is_used(node) and not self._has_loops(node):
            return self._allocated(node, space)
        match node:
            case Block():
                return self._row(node, space)
            case Launch(_, block):
                space = AddressSpace.SHARED if block else AddressSpace.REGISTER
            case For(mode=Threads() | Blocks() as mode) if self._is_own(node) and mode.threads > 1:
                space = AddressSpace.REGISTER
        return with_inside(node, [self._placed(child, space) for child in inside(node)])

    def _row(self, block: Block, space: AddressSpace | None) -> Node:
        """Returns the nodes of a block; those of one iteration follow each other, and have one memory."""
        nodes: list[Node] = []
        for is_within, row in groupby(in_row(block), lambda node: not self._has_loops(node)):
            together = list(row)
            if is_within and any(map(self._is_used, together)):
                nodes.append(self._allocated(Block(tuple(together)), space))
            else:
                nodes += [self._placed(node, space) for node in together]
        return Block(tuple(nodes))

    def _allocated(self, node: Node, space: AddressSpace | None) -> Node:
        if space is None:
            raise Unlaunchable(f"the memory of an iteration, {self.name}, would be that of several launches")
        names = {*statement_names(node)}
        if any(not readers.isdisjoint(names) and writers.isdisjoint(names) for writers, readers in self.writers):
            raise Unlaunchable(f"the memory of an iteration, {self.name}, would be read and written in separate loops")
        scope = SyncScope.BLOCK if space is AddressSpace.SHARED else SyncScope.THREAD
        return Allocate(Scratch(scope, buffers=(self.name,), space=space), node)

    def _is_used(self, node: Node) -> bool:
        return not self.users.isdisjoint(statement_names(node))

    def _is_own(self, node: For | Let) -> bool:
        names: Collection[str] = self.users & statement_names(node)
        return any(self.is_around(node.iterator, name) for name in names)

    def _has_loops(self, node: Node) -> bool:
        """Returns True if some loops over the dimensions are inside, around users."""
        own = isinstance(node, For | Let) and self._is_own(node)
        return own or any(map(self._has_loops, inside(node)))


@dataclass(frozen=True, slots=True)
class PlaceArrays:
    """Gives each iteration of some loops its own arrays, around all accesses. Operations and their order stay.
    `of_launches`: parts of the arrays are in the memory of blocks and threads. Raises Unlaunchable.
    """

    arrays: Sequence[PrivateArray]
    of_launches: bool
    name: ClassVar[str] = "private-memory"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        for array in self.arrays:
            tree = array.placed(tree, of_launches=self.of_launches)
        return tree
