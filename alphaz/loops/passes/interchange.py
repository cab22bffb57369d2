"""The pass that moves loops along rows of memory inside the other loops of a register tile."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.modes import SEQUENTIAL
from alphaz.loops.tree import Block, Conditional, For, Instance, Let, Node, inside, with_inside
from alphaz.poly.plain.integer_expression import names_of


@dataclass(frozen=True, slots=True)
class Interchange:
    """Moves a loop whose iterations are independent inside the loops and between the statements of its body, where
    these do not depend on its iterator. So the innermost loops go along rows of memory. Operations stay; those of one
    iteration keep their order, and there is none between iterations. Source: Allen, Kennedy, Automatic loop
    interchange, SIGPLAN 1984.

    `is_along_rows` returns True if the iterations of a loop go along rows of memory, `is_independent` if they are
    proved to be independent.
    """

    is_along_rows: Callable[[For], bool]
    is_independent: Callable[[For], bool]
    name: ClassVar[str] = "interchange"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        if isinstance(tree, For) and _is_around_loops(tree) and self.is_along_rows(tree) and self.is_independent(tree):
            return _moved(tree, tree.body)
        return with_inside(tree, [self(child) for child in inside(tree)])


def _is_around_loops(loop: For) -> bool:
    """Returns True if the loop can be moved into a loop of its body, which has only sequential loops, tests and
    statements."""
    nodes = [*_below(loop.body)]
    plain = all(isinstance(node, Block | Let | Conditional | Instance) or _is_sequential(node) for node in nodes)
    return _is_sequential(loop) and plain and any(_is_steady(node, loop) for node in _reached(loop, loop.body))


def _is_sequential(node: Node) -> bool:
    return isinstance(node, For) and node.mode == SEQUENTIAL


def _below(node: Node) -> Iterator[Node]:
    yield node
    for child in inside(node):
        yield from _below(child)


def _reached(loop: For, node: Node) -> Iterator[For]:
    """Yields the loops that the loop meets first on its way inwards."""
    if isinstance(node, For):
        yield node
    elif isinstance(node, Block) or _is_steady(node, loop):
        for child in inside(node):
            yield from _reached(loop, child)


def _is_steady(node: Node, loop: For) -> bool:
    """Returns True if the head of a node does not depend on the iterator of the loop."""
    match node:
        case For(_, _, first, _, bound, step):
            return not any(loop.iterator in names_of(value) for value in (first, bound, step))
        case Let(_, _, value):
            return loop.iterator not in names_of(value)
        case Conditional(condition):
            return loop.iterator not in names_of(condition)
    return False


def _moved(loop: For, node: Node) -> Node:
    """Returns the loop around the smallest parts of `node` that it can be around."""
    if isinstance(node, Block) or _is_steady(node, loop):
        return with_inside(node, [_moved(loop, child) for child in inside(node)])
    return replace(loop, body=node)
