"""The pass that selects the innermost loops, and the register tiles, to be vectorised."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.modes import VECTOR, Mode, Parallel
from alphaz.loops.tree import Allocate, For, Instance, Lanes, Merge, Node, inside, is_innermost, with_inside


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

    def _marked(self, node: Node, merges: tuple[Merge, ...], is_collecting: bool = False) -> Node:
        if isinstance(node, Merge):
            merges = (*merges, node)
        if isinstance(node, Allocate):
            is_collecting = bool(node.scratch.collected)
        new_node = with_inside(node, [self._marked(child, merges, is_collecting) for child in inside(node)])
        if isinstance(new_node, Instance):
            return replace(new_node, vector=self.lanes(new_node, merges))
        if (
            isinstance(new_node, For)
            and is_innermost(new_node)
            and self.is_independent(new_node)
            and not self.may_fail(new_node)
        ):
            return replace(new_node, mode=_with_vectors(new_node.mode, is_collecting))
        return new_node


def _with_vectors(mode: Mode, is_collecting: bool) -> Mode:
    """Returns the mode with vectors; a thread with private accumulators executes its iterations one after the other."""
    if not isinstance(mode, Parallel):
        return VECTOR
    return mode if mode.reductions or is_collecting else replace(mode, vector=True)
